"""The decision of an epoch: which pieces go out of use, and which come back.

A piece t in use saves u(t) = c(t) (k(t) - 1) tokens, c being its uses and k the
pieces that would stand for it. One out of use would save as much, c being its
uses in the texts that are probed with all pieces, scaled to all texts. Two
thresholds with a factor of two between them, and a pause after each change, keep
pieces from going back and forth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pytok.pruning.dynamic.options import DynamicOptions

__all__ = ["Change", "PrunerLike", "State", "decide", "shrink"]

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
# Counts are whole numbers to the core; a fading count has this many parts of one.
_PARTS = 1024


class PrunerLike(Protocol):
    """The part of the core that knows how pieces are made."""

    def ids(self) -> npt.NDArray[np.uint32]:
        """Every id, ascending."""

    def plan(
        self,
        counts: npt.NDArray[np.uint64],
        removed: list[int],
        pieces: int,
        utility: int | None,
        kept: list[int] = ...,
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
        """Pieces that can go, the least useful first."""

    def alternatives(self, ids: list[int], removed: list[int]) -> npt.NDArray[np.uint32]:
        """Pieces that stand for each id."""

    def made_of(self, ids: list[int]) -> npt.NDArray[np.uint32]:
        """Add to ids what they are made of."""


@dataclass(frozen=True)
class Change:
    """One piece that changes sides: its id, the side, why, and its utility."""

    token_id: int
    active: bool
    reason: str
    utility: float


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

    def removed(self) -> list[int]:
        """Ids that are out of use."""
        found: list[int] = np.flatnonzero(self.removable & ~self.active).tolist()
        return found


def decide(state: State, pruner: PrunerLike, options: DynamicOptions) -> list[Change]:
    """Choose the changes of an epoch and note them in `state`.

    Never more pieces than `cap`, never fewer than `floor` through disuse, no
    protected piece, none that changed less than `patience` decisions ago, and no
    piece without those that it is made of.
    """
    state.epoch += 1
    per_token = 1.0 / max(state.tokens, 1.0)
    resting = state.rested >= state.epoch
    back = _missed(state, pruner, options, resting)
    saved = _utilities(state, pruner) * per_token
    state.streak = np.where(
        state.active & state.removable & (saved < options.threshold), state.streak + 1, 0
    )
    changes = _unused(state, pruner, options, resting, per_token)
    gone = {change.token_id for change in changes}
    room = int(state.active.sum()) - len(gone)
    cap = options.cap if options.cap is not None else len(state.active)
    taken: set[int] = set()
    chosen: list[Change] = []
    for group in back:
        new = [change for change in group if change.token_id not in taken]
        if any(change.token_id in gone for change in group):
            continue
        if room + len(new) <= cap:
            chosen += new
            taken |= {change.token_id for change in new}
            room += len(new)
    waiting = [
        group for group in back if not any(change.token_id in taken | gone for change in group)
    ]
    swaps = _swapped(state, pruner, waiting, (taken, gone), cap - room)
    changes += chosen + swaps
    for change in changes:
        token_id = change.token_id
        state.active[token_id] = change.active
        # It changes sides again after `patience` decisions, not before.
        state.rested[token_id] = state.epoch + options.patience
        state.streak[token_id] = 0
        if change.active:
            # Until it has been used, it is worth what the probes say.
            share = state.wanted[token_id] / max(state.probed, 1.0)
            state.used[token_id] = share * state.tokens
    return changes


def shrink(state: State, pruner: PrunerLike, cap: int) -> list[Change]:
    """Take out the least useful pieces until no more than `cap` are in use."""
    over = int(state.active.sum()) - cap
    if over <= 0:
        return []
    ids, utilities = pruner.plan(_whole(state, pruner), state.removed(), over, None)
    scale = 1.0 / (_PARTS * max(state.tokens, 1.0))
    changes = [
        Change(token_id, False, "cap", utility * scale)
        for token_id, utility in zip(ids.tolist(), utilities.tolist(), strict=True)
    ]
    for change in changes:
        state.active[change.token_id] = False
        state.rested[change.token_id] = state.epoch
    return changes


def _whole(state: State, pruner: PrunerLike) -> npt.NDArray[np.uint64]:
    """Give the uses by place, in whole parts."""
    return np.rint(state.used[pruner.ids()] * _PARTS).astype(np.uint64)


def _utilities(state: State, pruner: PrunerLike) -> FloatArray:
    """Tokens that each piece in use saves, shape (largest id + 1,)."""
    ids = np.flatnonzero(state.active & state.removable & (state.used > 0))
    pieces = pruner.alternatives(ids.tolist(), state.removed()).astype(np.float64)
    saved = np.zeros(len(state.active))
    # What nothing stands for is worth more than anything.
    saved[ids] = state.used[ids] * np.where(pieces > 0, pieces - 1, np.inf)
    return saved


def _missed(
    state: State, pruner: PrunerLike, options: DynamicOptions, resting: BoolArray
) -> list[list[Change]]:
    """Pieces that would be worth their place, each with the parts it needs, best first."""
    candidates = np.flatnonzero(state.removable & ~state.active & ~resting & (state.wanted > 0))
    if not len(candidates) or not state.probed:
        return []
    pieces = pruner.alternatives(candidates.tolist(), state.removed()).astype(np.float64)
    worth = state.wanted[candidates] * np.maximum(pieces - 1, 0) / state.probed
    order = np.lexsort((candidates, -worth))
    groups = []
    for at in order[worth[order] >= 2 * options.threshold].tolist():
        token_id = int(candidates[at])
        parts = [part for part in pruner.made_of([token_id]).tolist() if not state.active[part]]
        if any(resting[part] for part in parts):
            continue
        groups.append(
            [
                Change(part, True, "missed" if part == token_id else "part", float(worth[at]))
                for part in parts
            ]
        )
    return groups


def _unused(
    state: State,
    pruner: PrunerLike,
    options: DynamicOptions,
    resting: BoolArray,
    per_token: float,
) -> list[Change]:
    """Pieces that saved too little for long enough, within the loss that is allowed."""
    may_go = state.active & state.removable & ~resting & (state.streak >= options.patience)
    most = int(state.active.sum()) - options.floor
    if most <= 0 or not may_go.any():
        return []
    kept = np.flatnonzero(state.active & ~may_go).tolist()
    budget = int(options.loss * max(state.tokens, 1.0) * _PARTS)
    ids, utilities = pruner.plan(_whole(state, pruner), state.removed(), most, budget, kept)
    found = zip(ids[:most].tolist(), utilities[:most].tolist(), strict=True)
    return [
        Change(token_id, False, "unused", utility * per_token / _PARTS)
        for token_id, utility in found
    ]


def _swapped(
    state: State,
    pruner: PrunerLike,
    waiting: list[list[Change]],
    settled: tuple[set[int], set[int]],
    room: int,
) -> list[Change]:
    """At the cap: pieces that are missed for pieces that save less than half as much.

    `settled` are the ids that come back and those that go already.
    """
    if not waiting:
        return []
    coming, going = settled
    resting = state.rested >= state.epoch
    # What a piece that comes back is made of must not go for it.
    needed = pruner.made_of([change.token_id for group in waiting for change in group]).tolist()
    kept = [*np.flatnonzero(state.active & resting).tolist(), *needed, *coming]
    removed = sorted((set(state.removed()) - coming) | going)
    wanted = sum(map(len, waiting))
    ids, utilities = pruner.plan(_whole(state, pruner), removed, wanted, None, kept)
    costs = utilities.astype(np.float64) / (_PARTS * max(state.tokens, 1.0))
    changes: list[Change] = []
    at, taken = 0, set[int]()
    for group in waiting:
        new = [change for change in group if change.token_id not in taken]
        places = max(0, len(new) - room)
        if at + places > len(ids) or 2 * costs[at : at + places].sum() > group[0].utility:
            break
        room = max(0, room - len(new))
        for place in range(at, at + places):
            changes.append(Change(int(ids[place]), False, "cap", float(costs[place])))
        at += places
        changes += new
        taken |= {change.token_id for change in new}
    return changes
