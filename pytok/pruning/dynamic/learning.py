"""From what was encoded to the decision of an epoch."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok.errors import ConfigError, VocabError
from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.policy import Change, decide, shrink
from pytok.pruning.dynamic.state import State
from pytok.tokenizer import Tokenizer

__all__ = ["Learning", "checked_counts", "first_guess"]


class Learning:
    """Counts, and the state that decisions go by.

    Counting may be done by any number of threads; the rest by one at a time.

    Parameters
    ----------
    whole
        The whole vocabulary.
    pruner
        The same, seen as pieces that others can stand for.
    options
        The options.

    """

    def __init__(self, whole: Tokenizer, pruner: _pytok.Pruner, options: DynamicOptions) -> None:
        self.options = options
        self.pruner = pruner
        self.state = State.of(pruner)
        self.counts = _pytok.Learner(whole._core, options.probe, options.seed)
        # Tokens of the decisions so far: all, probed, and these with all pieces.
        self.totals: tuple[int, int, int] = (0, 0, 0)
        self.inflation: float | None = None

    def decided(self) -> list[Change]:
        """Take what was counted, and decide."""
        used, wanted, tokens, probed, full = self.counts.take()
        state = self.state
        fade = 0.5 ** (tokens / self.options.half_life)
        state.used = state.used * fade + used
        state.wanted = state.wanted * fade + wanted
        state.tokens = state.tokens * fade + tokens
        state.probed = state.probed * fade + full
        first, second, third = self.totals
        self.totals = (first + tokens, second + probed, third + full)
        self.inflation = probed / full - 1 if full else None
        return decide(state, self.pruner, self.options)

    def seen(self) -> tuple[int, int, int, int]:
        """Tokens in all: all of them, probed, these with all pieces; and those still pending."""
        pending = self.counts.pending()
        first, second, third = (
            done + more for done, more in zip(self.totals, pending, strict=True)
        )
        return first, second, third, pending[0]

    def fitted(self) -> list[Change]:
        """Take out what the cap has no room for.

        Raises
        ------
        ConfigError
            When it is below the number of pieces that must stay.

        """
        cap, state = self.options.cap, self.state
        if cap is None:
            return []
        active, rested = state.active.copy(), state.rested.copy()
        changes = shrink(state, self.pruner, cap, self.options.patience)
        least = int(state.active.sum())
        if least > cap:
            state.active, state.rested = active, rested
            raise ConfigError(
                f"cap: {cap}, expected at least {least}",
                hint="protected pieces stay, and those that others are made of",
            )
        return changes


def first_guess(size: int) -> npt.NDArray[np.float64]:
    """Guess uses before anything was seen: trainers give frequent pieces small ids."""
    guess: npt.NDArray[np.float64] = np.divide(1e6, np.arange(size) + 10.0, dtype=np.float64)
    return guess


def checked_counts(counts: Any, size: int) -> npt.NDArray[np.float64]:
    """Return uses that were given, by id.

    Raises
    ------
    VocabError
        When they are no numbers of 0 or more, or too many.

    """
    try:
        found = np.asarray(counts, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise VocabError(f"counts: {type(counts).__name__}, expected numbers") from error
    if found.ndim != 1 or len(found) > size or not (np.isfinite(found) & (found >= 0)).all():
        raise VocabError(
            f"counts: shape {found.shape}, expected one number of 0 or more for each of {size} ids"
        )
    whole = np.zeros(size)
    whole[: len(found)] = found
    return whole
