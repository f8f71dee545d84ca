"""The decision of an epoch: which pieces go out of use, and which come back.

A piece t in use saves u(t) = c(t) (k(t) - 1) tokens, c being its uses and k the
pieces that would stand for it. One out of use would save as much, c being its
uses in the texts that are probed with all pieces, scaled to all texts. Two
thresholds with a factor of two between them, and a pause after each change, keep
pieces from going back and forth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.state import BoolArray, FloatArray, PrunerLike, State

__all__ = ["Change", "decide", "shrink"]

# Counts are whole numbers to the core; a fading count has this many parts of one.
_PARTS = 1024


@dataclass(frozen=True)
class Change:
    """One piece that changes sides: its id, the side, why, and its utility."""

    token_id: int
    active: bool
    reason: str
    utility: float


@dataclass(frozen=True)
class Missed:
    """A piece out of use that is worth its place.

    Parameters
    ----------
    parts
        What it is made of, itself included, ascending.
    utility
        Share of tokens that it would save.

    """

    token_id: int
    parts: list[int]
    utility: float


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
    room = cap - int(active.sum())
    waiting: list[Missed] = []
    for piece in missed:
        # What it is made of must be there, or rest no longer, to come with it.
        if any(resting[part] or state.active[part] for part in piece.parts if not active[part]):
            continue
        new = _coming(piece, active)
        if len(new) > room:
            waiting.append(piece)
            continue
        active[[change.token_id for change in new]] = True
        room -= len(new)
        changes += new
    changes += _swapped(state, pruner, waiting, active, room)
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
) -> list[Missed]:
    """Pieces that would be worth their place, each with the parts it needs, best first."""
    candidates = np.flatnonzero(state.removable & ~state.active & ~resting & (state.wanted > 0))
    if not len(candidates) or not state.probed:
        return []
    ids = candidates.astype(np.uint32)
    pieces = pruner.alternatives(ids, state.removed()).astype(np.float64)
    worth = state.wanted[candidates] * np.maximum(pieces - 1, 0) / state.probed
    order = np.lexsort((candidates, -worth))
    order = order[worth[order] >= 2 * options.threshold]
    flat, bounds = pruner.made_of_each(ids[order])
    parts, places = flat.tolist(), bounds.tolist()
    return [
        Missed(token_id, parts[first:end], utility)
        for token_id, utility, first, end in zip(
            ids[order].tolist(), worth[order].tolist(), places, places[1:], strict=False
        )
    ]


def _coming(piece: Missed, active: BoolArray) -> list[Change]:
    """Give the changes that bring a piece back."""
    return [
        Change(part, True, "missed" if part == piece.token_id else "part", piece.utility)
        for part in piece.parts
        if not active[part]
    ]


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
    state: State, pruner: PrunerLike, waiting: list[Missed], active: BoolArray, room: int
) -> list[Change]:
    """At the cap: pieces that are missed for pieces that save less than half as much.

    `active` are the sides as they will be.
    """
    if not waiting:
        return []
    kept = active & (~state.active | (state.rested >= state.epoch))
    # What a piece that comes back is made of must not go for it.
    kept[[part for piece in waiting for part in piece.parts]] = True
    removed = np.flatnonzero(state.removable & ~active).astype(np.uint32)
    wanted = sum(len(_coming(piece, active)) for piece in waiting)
    ids, utilities = pruner.plan(
        _whole(state, pruner), removed, wanted, None, np.flatnonzero(kept).astype(np.uint32)
    )
    going = ids.tolist()
    costs = utilities.astype(np.float64) / (_PARTS * max(state.tokens, 1.0))
    changes: list[Change] = []
    after, at = active.copy(), 0
    for piece in waiting:
        new = _coming(piece, after)
        places = max(0, len(new) - room)
        if at + places > len(going) or 2 * costs[at : at + places].sum() > piece.utility:
            break
        room = max(0, room - len(new))
        changes += [
            Change(going[place], False, "cap", float(costs[place]))
            for place in range(at, at + places)
        ]
        at += places
        changes += new
        after[[change.token_id for change in new]] = True
    return changes
