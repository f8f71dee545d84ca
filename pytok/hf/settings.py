"""The settings of tokenizer_config.json, as both majors of transformers take them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokenizers import AddedToken
from transformers import PreTrainedTokenizerFast

from pytok import ConfigError, FormatError

__all__ = ["check_ids", "settled"]

# The first of the majors encodes batches by a method of its own.
_MAJOR_4 = hasattr(PreTrainedTokenizerFast, "_batch_encode_plus")


def settled(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Check the arguments of a constructor, and write them as this major reads them.

    Raises
    ------
    ConfigError
        When one of them is not what it has to be.

    """
    length = kwargs.get("model_max_length")
    if length is not None and (
        isinstance(length, bool) or not isinstance(length, (int, float)) or not length >= 1
    ):
        raise ConfigError(f"model_max_length: {length!r}, expected a number from 1")
    return _with_extra_tokens(kwargs)


def _with_extra_tokens(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Join the two lists of further special tokens, and keep those that have a name.

    transformers 5 drops ``additional_special_tokens`` beside
    ``extra_special_tokens``; transformers 4 fails on a list in the latter, and
    knows no token by its key alone (``"image_token": "<image>"``).
    """
    kwargs = dict(kwargs)
    extra = kwargs.pop("extra_special_tokens", None) or []
    listed = kwargs.pop("additional_special_tokens", None) or []
    named = dict(extra) if isinstance(extra, Mapping) else {}
    if not isinstance(extra, Mapping):
        listed = [*extra, *(token for token in listed if token not in extra)]
    if not _MAJOR_4:
        if named:
            kwargs["model_specific_special_tokens"] = {
                **(kwargs.get("model_specific_special_tokens") or {}),
                **named,
            }
        return kwargs | ({"extra_special_tokens": listed} if listed else {})
    for key in [key for key in kwargs if key.endswith("_token")]:
        if key not in PreTrainedTokenizerFast.SPECIAL_TOKENS_ATTRIBUTES and isinstance(
            kwargs[key], (str, AddedToken)
        ):
            named[key] = kwargs.pop(key)
    if named:
        kwargs["extra_special_tokens"] = named
    return kwargs | ({"additional_special_tokens": listed} if listed else {})


def check_ids(backend: Any, file: str | None, decoder: Mapping[int, Any]) -> None:
    """Check that added tokens have the ids that the files give them.

    tokenizers gives the next free id to an added token whose id leaves a hole or
    belongs to another token, and says nothing.

    Parameters
    ----------
    backend
        The `tokenizers.Tokenizer`.
    file
        The tokenizer.json that it was read from, if any.
    decoder
        ``added_tokens_decoder`` of tokenizer_config.json.

    Raises
    ------
    FormatError
        With the first token that has another id.

    """
    declared = [("tokenizer_config.json: added_tokens_decoder", decoder)]
    if file is not None and Path(file).is_file():
        tokens = json.loads(Path(file).read_text("utf-8")).get("added_tokens") or []
        declared.insert(
            0, (f"{file}: added_tokens", {token["id"]: token["content"] for token in tokens})
        )
    for place, tokens_by_id in declared:
        for token_id, token in tokens_by_id.items():
            found = backend.token_to_id(str(token))
            if found != int(token_id):
                raise FormatError(
                    f"{place}: {str(token)!r} has id {token_id}, but gets {found}; expected ids "
                    "without holes, each for one token",
                    hint="give it the next free id, or remove it",
                )
