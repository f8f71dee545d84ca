"""The core that gives the ids, made again whenever the backend has changed.

Others hold the backend too: a shallow copy of a tokenizer shares it, and much code
sets a post-processor on it. So it is looked at before every use of the core.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from transformers import PreTrainedTokenizerFast

from pytok import ConfigError, Tokenizer
from pytok.hf.backend import core_of
from pytok.hf.backend_state import BackendState, merged_of, state_of, tokens_of

__all__ = ["WithCore"]


class Uses:
    """What was done with a backend; shared by the shallow copies, as the backend is.

    Parameters
    ----------
    lent
        Whether somebody has asked for the backend, and may hold it still.
    changes
        How often tokens were added, or the backend was asked for.

    """

    def __init__(self) -> None:
        self.lent = False
        self.changes = 0


class _Seen(NamedTuple):
    """What a backend was when a core was made of it."""

    state: BackendState
    merged: tuple[Any, ...]
    tokens: str
    next_id: int
    changes: int


class WithCore(PreTrainedTokenizerFast):
    """The part of `PytokTokenizer` that keeps core and backend equal."""

    _uses: Uses
    # One value, so that no thread sees a half of it.
    _followed: tuple[_Seen, Tokenizer] | None = None
    # With Chinese steps: the core that has them, and the normalizer of its backend.
    _chinese: Tokenizer | None = None
    _normalizer: Any = None

    @property
    def core(self) -> Tokenizer:
        """The `pytok.Tokenizer` that gives the ids, kept equal to the backend.

        Raises
        ------
        PytokError
            When the backend was given a component that pytok cannot honour.

        """
        changes, state = self._uses.changes, state_of(self._tokenizer)
        if self._followed is not None:
            seen, core = self._followed
            if seen.state == state and not self._has_other_pieces(seen):
                if seen.changes == changes:
                    return core
                if seen.tokens == tokens_of(self._tokenizer):
                    self._followed = (seen._replace(changes=changes), core)
                    return core
        seen = self._look(state, changes)
        core = self._made_again(state)
        self._followed = (seen, core)
        return core

    def _has_other_pieces(self, seen: _Seen) -> bool:
        if self._tokenizer.id_to_token(seen.next_id) is not None:
            return True
        return self._uses.lent and seen.merged != merged_of(self._tokenizer)

    def _look(self, state: BackendState, changes: int) -> _Seen:
        backend = self._tokenizer
        largest = max(backend.get_added_tokens_decoder(), default=-1)
        next_id = max(largest + 1, backend.get_vocab_size(with_added_tokens=False))
        return _Seen(state, merged_of(backend), tokens_of(backend), next_id, changes)

    @property
    def backend_tokenizer(self) -> Any:
        """The `tokenizers.Tokenizer` inside; changes to it are noticed and honoured.

        That is for its components, its tokens and the settings of its model. Put
        another model into a new `PytokTokenizer`: one with the same pieces, whose
        merges or scores hardly differ, may not be noticed here.
        """
        self._uses.lent = True
        self._uses.changes += 1
        return self._tokenizer

    def _follow(self, core: Tokenizer) -> None:
        """Take a core with Chinese steps, whose backend this is."""
        self._chinese = core
        state = state_of(self._tokenizer)
        self._normalizer = state.normalizer
        self._followed = (self._look(state, self._uses.changes), core)

    def _made_again(self, state: BackendState) -> Tokenizer:
        name = self.name_or_path or "PytokTokenizer"
        if self._chinese is None:
            return core_of(self._tokenizer, name)
        if state.normalizer != self._normalizer:
            raise ConfigError(
                "backend_tokenizer.normalizer: cannot be changed beside Chinese steps",
                hint="PytokTokenizer(pytok_tokenizer=tokenizer.core.with_normalizer(None)) "
                "is without them",
            )
        plain = self._chinese.with_normalizer(None)
        return core_of(self._tokenizer, name, plain).with_normalizer(self._chinese.normalizer)

    def _add_tokens(self, new_tokens: Any, special_tokens: bool = False) -> int:
        added: int = super()._add_tokens(new_tokens, special_tokens=special_tokens)
        self._uses.changes += 1
        return added

    def __getstate__(self) -> dict[str, Any]:
        # The core is made again from the backend, which carries everything.
        return self.__dict__ | {"_followed": None}
