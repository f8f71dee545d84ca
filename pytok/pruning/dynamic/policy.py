"""The decision of an epoch: which pieces go out of use, and which come back.

A piece t in use saves u(t) = c(t) (k(t) - 1) tokens, c being its uses and k the
pieces that would stand for it. One out of use would save as much, c being its
uses in the texts that are probed with all pieces, scaled to all texts. Two
thresholds with a factor of two between them, and a pause after each change, keep
pieces from going back and forth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.state import (
    BoolArray,
    FloatArray,
    IdArray,
    IntArray,
    PrunerLike,
    State,
)

__all__ = ["Change", "decide", "shrink"]

# Counts are whole numbers to the core; a fading count has this many parts of one.
_PARTS = 1024

# Pieces that go for others: so many are looked for at first, and more when these do
# not do.
_FIRST_GOING = 4096


class Change(NamedTuple):
    """One piece that changes sides: its id, the side, why, and its utility."""

    token_id: int
    active: bool
    reason: str
    utility: float


@dataclass(frozen=True, eq=False)
class Missed:
    """Pieces out of use that are worth their places, best first.

    Parameters
    ----------
    ids
        The pieces.
    utilities
        Shares of tokens that they would save.
    parts, bounds
        What each is made of, itself included, ascending; and where each begins.

    """

    ids: IdArray
    utilities: FloatArray
    parts: IdArray
    bounds: IntArray

    def chosen(self, wanted: BoolArray) -> Missed:
        """Those of the pieces that are wanted, shape (pieces,)."""
        lengths = np.diff(self.bounds)
        bounds = np.concatenate([[0], np.cumsum(lengths[wanted])])
        parts = self.parts[np.repeat(wanted, lengths)]
        return Missed(self.ids[wanted], self.utilities[wanted], parts, bounds)

    def of_each(self, counted: BoolArray) -> IntArray:
        """Count parts of each piece, shape (parts,) to (pieces,)."""
        sums = np.concatenate([[0], np.cumsum(counted)])
        found: IntArray = sums[self.bounds[1:]] - sums[self.bounds[:-1]]
        return found

    def coming(self, place: int, active: BoolArray) -> list[Change]:
        """Give the changes that bring a piece back."""
        token_id, utility = int(self.ids[place]), float(self.utilities[place])
        parts = self.parts[self.bounds[place] : self.bounds[place + 1]]
        return [
            Change(part, True, "missed" if part == token_id else "part", utility)
            for part in parts[~active[parts]].tolist()
        ]


def decide(state: State, pruner: PrunerLike, options: DynamicOptions) -> list[Change]:
    """Choose the changes of an epoch and note them in `state`.

    Never more pieces than `cap`, never fewer than `floor` through disuse, no
    protected piece, none that changed less than `patience` decisions ago, and no
    piece without those that it is made of.
    """
    state.epoch += 1
    per_token = 1.0 / max(state.tokens, 1.0)
    resting = state.rested >= state.epoch
    missed = _missed(state, pruner, options, resting)
    saved = _utilities(state, pruner) * per_token
    state.streak = np.where(
        state.active & state.removable & (saved < options.threshold), state.streak + 1, 0
    )
    changes = _unused(state, pruner, options, resting, per_token)
    # The sides as they will be.
    active = state.active.copy()
    active[[change.token_id for change in changes]] = False
    cap = options.cap if options.cap is not None else len(active)
    # What a piece is made of must be there, or rest no longer, to come with it.
    inactive = ~active[missed.parts]
    barred = inactive & (resting[missed.parts] | state.active[missed.parts])
    missed = missed.chosen(missed.of_each(barred) == 0)
    waiting, room = _welcomed(missed, active, cap - int(active.sum()), changes)
    changes += _swapped(state, pruner, missed.chosen(waiting), active, room)
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


def shrink(state: State, pruner: PrunerLike, cap: int, patience: int) -> list[Change]:
    """Take out the least useful pieces until no more than `cap` are in use.

    They rest as after a decision; but before the first, nothing is known of them.
    """
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
        state.rested[change.token_id] = state.epoch + patience if state.epoch else 0
    return changes


def _whole(state: State, pruner: PrunerLike) -> npt.NDArray[np.uint64]:
    """Give the uses by place, in whole parts."""
    return np.rint(state.used[pruner.ids()] * _PARTS).astype(np.uint64)


def _utilities(state: State, pruner: PrunerLike) -> FloatArray:
    """Tokens that each piece in use saves, shape (largest id + 1,)."""
    ids = np.flatnonzero(state.active & state.removable & (state.used > 0)).astype(np.uint32)
    pieces = pruner.alternatives(ids, state.removed()).astype(np.float64)
    saved = np.zeros(len(state.active))
    # What nothing stands for is worth more than anything.
    saved[ids] = state.used[ids] * np.where(pieces > 0, pieces - 1, np.inf)
    return saved


def _missed(
    state: State, pruner: PrunerLike, options: DynamicOptions, resting: BoolArray
) -> Missed:
    """Find the pieces that would be worth their places."""
    candidates = np.flatnonzero(state.removable & ~state.active & ~resting & (state.wanted > 0))
    ids = candidates.astype(np.uint32)
    pieces = pruner.alternatives(ids, state.removed()).astype(np.float64)
    worth = state.wanted[candidates] * np.maximum(pieces - 1, 0) / max(state.probed, 1.0)
    order = np.lexsort((candidates, -worth))
    order = order[worth[order] >= 2 * options.threshold]
    return Missed(ids[order], worth[order], *pruner.made_of_each(ids[order]))


def _welcomed(
    missed: Missed, active: BoolArray, room: int, changes: list[Change]
) -> tuple[BoolArray, int]:
    """Bring back what there is room for, in `active` and `changes`.

    Returns which have to wait, and the room that is left.
    """
    waiting = np.ones(len(missed.ids), np.bool_)
    for place in range(len(missed.ids)):
        if room <= 0:
            # Those of which others have brought all parts have nothing to wait for.
            parts = missed.of_each(~active[missed.parts])
            waiting &= parts > 0
            break
        new = missed.coming(place, active)
        if len(new) <= room:
            waiting[place] = False
            active[[change.token_id for change in new]] = True
            room -= len(new)
            changes += new
    return waiting, room


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
    kept = np.flatnonzero(state.active & ~may_go).astype(np.uint32)
    budget = int(options.loss * max(state.tokens, 1.0) * _PARTS)
    ids, utilities = pruner.plan(_whole(state, pruner), state.removed(), most, budget, kept)
    found = zip(ids[:most].tolist(), utilities[:most].tolist(), strict=True)
    return [
        Change(token_id, False, "unused", utility * per_token / _PARTS)
        for token_id, utility in found
    ]


def _swapped(
    state: State, pruner: PrunerLike, waiting: Missed, active: BoolArray, room: int
) -> list[Change]:
    """At the cap: pieces that are missed for pieces that save less than half as much.

    `active` are the sides as they will be.
    """
    if not len(waiting.ids):
        return []
    kept = active & (~state.active | (state.rested >= state.epoch))
    # What a piece that comes back is made of must not go for it.
    kept[waiting.parts] = True
    removed = np.flatnonzero(state.removable & ~active).astype(np.uint32)
    wanted = int(waiting.of_each(~active[waiting.parts]).sum())
    changes: list[Change] = []
    most = min(wanted, _FIRST_GOING)
    while True:
        ids, utilities = pruner.plan(
            _whole(state, pruner), removed, most, None, np.flatnonzero(kept).astype(np.uint32)
        )
        costs = utilities.astype(np.float64) / (_PARTS * max(state.tokens, 1.0))
        changes, is_all = _paired(waiting, active.copy(), room, ids.tolist(), costs)
        if is_all or most >= wanted or len(ids) < most:
            return changes
        most = min(wanted, 8 * most)


def _paired(
    waiting: Missed, active: BoolArray, room: int, going: list[int], costs: FloatArray
) -> tuple[list[Change], bool]:
    """Pair pieces that wait with those that go; and whether more that go change nothing."""
    changes: list[Change] = []
    at = 0
    for place, utility in enumerate(waiting.utilities.tolist()):
        new = waiting.coming(place, active)
        places = max(0, len(new) - room)
        if at + places > len(going):
            return changes, False
        if 2 * costs[at : at + places].sum() > utility:
            return changes, True
        room = max(0, room - len(new))
        changes += [
            Change(going[number], False, "cap", float(costs[number]))
            for number in range(at, at + places)
        ]
        at += places
        changes += new
        active[[change.token_id for change in new]] = True
    return changes, True
