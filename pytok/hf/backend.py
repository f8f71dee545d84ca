"""The `tokenizers.Tokenizer` inside, and the core that follows it."""

from __future__ import annotations

import json
import warnings
from typing import Any

import tokenizers

from pytok import ConfigError, ExportError, PytokError, Tokenizer
from pytok._pytok import Tokenizer as _CoreTokenizer
from pytok.exporting.parts import Parts
from pytok.exporting.to_hf import definition_for_hf

__all__ = [
    "as_tokenizer_json",
    "backend_of",
    "core_of",
    "has_steps",
    "set_prefix_space",
    "untruncated",
]


def as_tokenizer_json(core: Tokenizer) -> Tokenizer:
    """Write a tokenizer of another format in the notation of tokenizer.json, if it is exact.

    Raises
    ------
    ExportError
        When ids of some texts would be others; it says why.

    """
    parts = Parts.of(core)
    if parts.source == "tokenizers":
        return core
    definition, inexact = definition_for_hf(parts)
    if inexact:
        raise ExportError(
            f"{core.name}: tokenizer.json cannot hold: {'; '.join(inexact)}",
            hint="pytok export --to hf --allow-inexact writes it all the same, and measures "
            "how many texts differ",
        )
    content = json.dumps(definition, ensure_ascii=False).encode()
    return Tokenizer._of(_CoreTokenizer.load(content, None, None, None, None, _no_steps), core.name)


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


def core_of(backend: Any, name: str, plain: Tokenizer | None = None) -> Tokenizer:
    """Make the core that gives the ids of a `tokenizers.Tokenizer`.

    Parameters
    ----------
    backend
        The `tokenizers.Tokenizer`.
    name
        What errors call it.
    plain
        A core whose normalizer is taken instead: the backend's may hold Chinese steps.

    Raises
    ------
    PytokError
        When it has a component that pytok cannot honour.

    """
    content = backend.to_str().encode()
    if plain is not None:
        normalizer = json.loads(plain._core.tokenizer_json())["normalizer"]
        content = json.dumps(json.loads(content) | {"normalizer": normalizer}).encode()
    return Tokenizer._of(_CoreTokenizer.load(content, None, None, None, None, _no_steps), name)


def _no_steps(_spec: str) -> Any:
    raise ConfigError("a tokenizer.json has no Chinese steps")


def has_steps(core: Tokenizer) -> bool:
    """Whether a core has Chinese steps; its `normalizer` would be built for the answer."""
    return core._core.chinese() is not None


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
