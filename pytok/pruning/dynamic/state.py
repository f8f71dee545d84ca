"""What the decisions of a dynamic vocabulary go by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["BoolArray", "FloatArray", "IdArray", "IntArray", "PrunerLike", "State"]

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
IdArray = npt.NDArray[np.uint32]


class PrunerLike(Protocol):
    """The part of the core that knows how pieces are made."""

    def ids(self) -> npt.NDArray[np.uint32]:
        """Every id, ascending."""

    def protected(self) -> IdArray:
        """Ids that always stay."""

    def plan(
        self,
        counts: npt.NDArray[np.uint64],
        removed: IdArray,
        pieces: int,
        utility: int | None,
        kept: IdArray | None = None,
    ) -> tuple[IdArray, npt.NDArray[np.uint64]]:
        """Pieces that can go, the least useful first."""

    def alternatives(self, ids: IdArray, removed: IdArray) -> IdArray:
        """Pieces that stand for each id."""

    def made_of_each(self, ids: IdArray) -> tuple[IdArray, IntArray]:
        """Give what each id is made of, itself included, and where each begins."""


@dataclass
class State:
    """What the decisions go by; all arrays have shape (largest id + 1,).

    Parameters
    ----------
    active
        Whether the id is in use.
    removable
        Whether it may ever go.
    used, wanted
        Fading uses with the pieces in use, and of probed texts with all pieces.
    streak
        Decisions in a row in which the piece saved too little.
    rested
        Decision from which on the piece may change sides again.
    tokens, probed
        Fading number of tokens, and of tokens of probed texts with all pieces.
    epoch
        Decisions so far.

    """

    active: BoolArray
    removable: BoolArray
    used: FloatArray
    wanted: FloatArray
    streak: IntArray
    rested: IntArray
    tokens: float = 0.0
    probed: float = 0.0
    epoch: int = 0

    @classmethod
    def of(cls, pruner: PrunerLike) -> State:
        """Begin with every piece in use, and nothing seen."""
        ids = pruner.ids()
        size = int(ids[-1]) + 1
        active = np.zeros(size, np.bool_)
        active[ids] = True
        removable = active.copy()
        removable[pruner.protected()] = False
        uses = (np.zeros(size), np.zeros(size), np.zeros(size, np.int64))
        return cls(active, removable, *uses, rested=np.full(size, -1, np.int64))

    def removed(self) -> IdArray:
        """Ids that are out of use, ascending."""
        return np.flatnonzero(self.removable & ~self.active).astype(np.uint32)
