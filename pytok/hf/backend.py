"""The `tokenizers.Tokenizer` inside, and the core that follows it."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from typing import Any

import tokenizers

from pytok import AddedToken, ConfigError, PytokError, Tokenizer
from pytok._pytok import Tokenizer as _CoreTokenizer

__all__ = [
    "backend_of",
    "core_of",
    "has_steps",
    "set_prefix_space",
    "state_of",
    "untruncated",
    "with_tokens",
]


def backend_of(core: Tokenizer) -> Any:
    """Make a `tokenizers.Tokenizer` with the same ids, less Chinese steps that it cannot have.

    Raises
    ------
    ExportError
        When tokenizer.json cannot hold the tokenizer.

    """
    try:
        content = core._core.tokenizer_json()
    except PytokError:
        if not has_steps(core):
            raise
        content = core.with_normalizer(None)._core.tokenizer_json()
    return tokenizers.Tokenizer.from_buffer(content)


def core_of(backend: Any, name: str) -> Tokenizer:
    """Make the core that gives the ids of a `tokenizers.Tokenizer`.

    Raises
    ------
    PytokError
        When it has a component that pytok cannot honour.

    """
    content = backend.to_str().encode()
    return Tokenizer._of(_CoreTokenizer.load(content, None, None, None, None, _no_steps), name)


def _no_steps(_spec: str) -> Any:
    raise ConfigError("a tokenizer.json has no Chinese steps")


def has_steps(core: Tokenizer) -> bool:
    """Whether a core has Chinese steps; its `normalizer` would be built for the answer."""
    return core._core.chinese() is not None


def state_of(backend: Any) -> tuple[Any, ...]:
    """Sum up what others may have changed: cheap to compare, without the vocabulary."""
    parts = (backend.normalizer, backend.pre_tokenizer, backend.post_processor, backend.decoder)
    return (
        id(backend),
        backend.get_vocab_size(with_added_tokens=True),
        getattr(backend.model, "dropout", None),
        *(None if part is None else part.__getstate__() for part in parts),
    )


def untruncated(backend: Any) -> Any:
    """Copy a backend without the truncation and padding that a call may have left behind."""
    clean = tokenizers.Tokenizer.from_str(backend.to_str())
    clean.no_truncation()
    clean.no_padding()
    return clean


def set_prefix_space(backend: Any, wanted: bool) -> None:
    """Honour add_prefix_space: put a space before the text, or do not.

    The switch is the first pre-tokenizer's, where that is a ByteLevel or a
    Metaspace; behind others it would put a space before every word.

    Warns
    -----
    UserWarning
        When a space is wanted and there is no such switch.

    """
    component = backend.pre_tokenizer
    if component is not None:
        state = json.loads(component.__getstate__())
        first = state["pretokenizers"][0] if state.get("pretokenizers") else state
        if first["type"] in ("ByteLevel", "Metaspace"):
            if first["type"] == "ByteLevel":
                first["add_prefix_space"] = wanted
            elif wanted != (first["prepend_scheme"] != "never"):
                first["prepend_scheme"] = "always" if wanted else "never"
            component.__setstate__(json.dumps(state).encode())
            backend.pre_tokenizer = component
            return
    if wanted:
        warnings.warn(
            "add_prefix_space: has no effect, this tokenizer has no component that adds a space",
            stacklevel=3,
        )


def with_tokens(core: Tokenizer, tokens: Sequence[Any], special: bool) -> Tokenizer:
    """Add tokens to a core as transformers adds them to a backend."""
    return core.add_tokens(
        AddedToken(token, special=special)
        if isinstance(token, str)
        else AddedToken(
            token.content,
            single_word=token.single_word,
            lstrip=token.lstrip,
            rstrip=token.rstrip,
            normalized=token.normalized,
            special=special or token.special,
        )
        for token in tokens
    )
