"""The rounds of static pruning: plan, take out, count again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok.errors import ConfigError
from pytok.pruning.measure import Corpus, Usage
from pytok.pruning.plan import PrunePoint

__all__ = ["Rounds"]

# Looking for the size of an inflation ends after so many rounds.
_MOST_ROUNDS = 12


@dataclass
class Rounds:
    """A vocabulary that shrinks.

    Parameters
    ----------
    pruner
        The vocabulary, seen as pieces that others can stand for.
    corpus
        What is counted again after each round; None to go by the first counts.
    usage
        The counts to begin with.
    tell
        Called often.

    """

    pruner: _pytok.Pruner
    corpus: Corpus | None
    usage: Usage
    tell: Callable[[], None]
    removed: list[npt.NDArray[np.uint32]] = field(default_factory=list)
    utilities: list[npt.NDArray[np.uint64]] = field(default_factory=list)
    curve: list[PrunePoint] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ids = self.pruner.ids()
        self.first = self.usage
        self._note()

    @property
    def size(self) -> int:
        """Pieces in use."""
        return len(self.ids) - sum(map(len, self.removed))

    def gone(self) -> list[int]:
        """Return the ids that went."""
        return [number for part in self.removed for number in part.tolist()]

    def to_size(self, target: int, rounds: int) -> None:
        """Shrink to a size, in steps of equal proportion."""
        before = len(self.ids)
        if self.corpus is None:
            rounds = 1
        for step in range(1, rounds + 1):
            wanted = round(before * (target / before) ** (step / rounds))
            found = self._plan(max(self.size - wanted, 0), None)
            self._take(*found)
            if self.size > wanted:
                break
        if self.size > target:
            raise ConfigError(
                f"target_size: {target}, expected at least {self.size}",
                hint="protected pieces stay, and those that others are made of",
            )

    def to_inflation(self, most: float) -> None:
        """Shrink as far as the text grows by no more than a share."""
        allowed = int(self.first.total * most)
        share = 1.0
        for _ in range(_MOST_ROUNDS):
            left = allowed - (self.usage.total - self.first.total)
            ids, utilities = self._plan(len(self.ids), int(left * share))
            if not len(ids):
                break
            before = self.usage
            self._take(ids, utilities)
            if self.corpus is None:
                break
            if self.usage.total - self.first.total > allowed:
                # The estimate was too low: take back, go slower.
                for history in (self.removed, self.utilities, self.curve):
                    history.pop()
                self.usage, share = before, share / 2

    def _plan(
        self, pieces: int, utility: int | None
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
        return self.pruner.plan(self.usage.counts, self.gone(), pieces, utility)

    def _take(self, ids: npt.NDArray[np.uint32], utilities: npt.NDArray[np.uint64]) -> None:
        self.removed.append(ids)
        self.utilities.append(utilities)
        if self.corpus is None:
            return
        core, old, new = self.pruner.apply(self.gone(), [], "compact")
        usage = self.corpus.usage(core, np.sort(new), self.tell)
        counts = np.zeros(len(self.ids), dtype=np.uint64)
        counts[np.searchsorted(self.ids, old)] = usage.counts[new]
        self.usage = Usage(counts, usage.tokens)
        self._note()

    def _note(self) -> None:
        if self.corpus is None:
            return

        def share(now: int, then: int) -> float:
            return now / then - 1 if then else 0.0

        kinds = {
            kind: share(tokens, self.first.tokens[kind])
            for kind, tokens in self.usage.tokens.items()
        }
        total = share(self.usage.total, self.first.total)
        self.curve.append(PrunePoint(self.size, total, kinds))
