"""The arguments of a call, checked and bundled before the core sees them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from pytok.added_token import AddedToken
from pytok.errors import ConfigError

if TYPE_CHECKING:
    from pytok import _pytok

__all__ = [
    "Ids",
    "PaddingMode",
    "Side",
    "SpecialPolicy",
    "TruncationStrategy",
    "added_token_fields",
    "check_count",
    "check_seed",
    "check_threads",
    "id_lists",
    "padding_arguments",
    "special_token_list",
    "truncation_arguments",
]

SpecialPolicy: TypeAlias = Literal["error", "text", "special"]
Side: TypeAlias = Literal["left", "right"]
SpanUnit: TypeAlias = Literal["chars", "bytes"]
TruncationStrategy: TypeAlias = Literal["longest_first", "only_first", "only_second"]
PaddingMode: TypeAlias = Literal["longest", "max_length"]
Ids: TypeAlias = "Iterable[int] | npt.NDArray[np.integer]"

TruncationArguments: TypeAlias = tuple[int, int, str, str]
PaddingArguments: TypeAlias = "tuple[int | None, int | None, str, int, int, str]"
AddedTokenFields: TypeAlias = tuple[str, bool, bool, bool, bool, bool]

# What the published tokenizers call their padding token, most specific first.
PAD_TOKENS = ("<|pad|>", "[PAD]", "<pad>", "<|PAD_TOKEN|>", "<|finetune_right_pad_id|>")


def truncation_arguments(
    max_length: int | None, stride: int, strategy: str, side: str
) -> TruncationArguments | None:
    """Bundle the truncation of a call; None when nothing is to be truncated.

    Raises
    ------
    ConfigError
        When a number is out of range, or `stride` is given without `max_length`.

    """
    _check_range("stride", stride, 0)
    if max_length is None:
        if stride:
            raise ConfigError(
                f"stride: {stride} without max_length", hint="pass max_length, or leave stride out"
            )
        return None
    _check_range("max_length", max_length, 0)
    return (max_length, stride, strategy, side)


def padding_arguments(
    mode: bool | str,
    *,
    max_length: int | None,
    multiple_of: int | None,
    side: str,
    pad: tuple[int | None, str | None],
    type_id: int,
    core: _pytok.Tokenizer,
) -> PaddingArguments | None:
    """Bundle the padding of a call; None when nothing is to be padded.

    Raises
    ------
    ConfigError
        When the mode is unknown, `padding="max_length"` has no `max_length`, a
        number is out of range, or the padding token cannot be found.

    """
    length = None
    if mode is False:
        return None
    if mode == "max_length":
        if max_length is None:
            raise ConfigError('padding: "max_length" without max_length', hint="pass max_length")
        length = max_length
    elif mode is not True and mode != "longest":
        raise ConfigError(
            f'padding: {mode!r}, expected False, True, "longest" or "max_length"',
        )
    if multiple_of is not None:
        _check_range("pad_to_multiple_of", multiple_of, 1)
    _check_range("pad_type_id", type_id, 0)
    pad_id, token = _padding_token(*pad, core)
    return (length, multiple_of, side, pad_id, type_id, token)


def check_threads(threads: int | None) -> int | None:
    """Check a number of threads; None lets the core choose."""
    if threads is not None:
        _check_range("threads", threads, 1)
    return threads


def check_seed(seed: int) -> int:
    """Check a seed.

    Raises
    ------
    ConfigError
        When it is no integer from 0 to 2**64 - 1.

    """
    _check_range("seed", seed, 0, 2**64)
    return int(seed)


def check_count(count: int) -> int:
    """Check how many segmentations are asked for; the core knows the most.

    Raises
    ------
    ConfigError
        When it is no integer of at least 1.

    """
    _check_range("n", count, 1)
    return int(count)


def special_token_list(special_tokens: Mapping[str, int] | None) -> list[tuple[str, int]] | None:
    """List special tokens and their ids.

    Raises
    ------
    ConfigError
        When an id is out of range.

    """
    if special_tokens is None:
        return None
    for content, token_id in special_tokens.items():
        _check_range(f"special_tokens[{content!r}]", token_id, 0)
    return list(special_tokens.items())


def added_token_fields(
    tokens: Iterable[str | AddedToken], special: bool
) -> Iterator[AddedTokenFields]:
    """Yield the core's view of added tokens; a str has the default settings.

    Raises
    ------
    ConfigError
        When a literal is empty.

    """
    if isinstance(tokens, (str, AddedToken)):
        raise TypeError(f"tokens: expected an iterable of tokens, got one: {tokens!r}")
    for item in tokens:
        token = item if isinstance(item, AddedToken) else AddedToken(item, special=special)
        yield (
            token.content,
            token.single_word,
            token.lstrip,
            token.rstrip,
            bool(token.normalized),
            token.special,
        )


def id_lists(
    batch: Iterable[Ids] | tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]],
) -> list[Ids]:
    """List the ids of each text of a batch; a tuple of two arrays is ``(ids, bounds)``.

    Raises
    ------
    ConfigError
        When the bounds do not rise from 0 to the number of ids.

    """
    if not isinstance(batch, tuple) or len(batch) != 2:
        return list(batch)
    ids, bounds = batch
    if not isinstance(ids, np.ndarray) or not isinstance(bounds, np.ndarray):
        return [ids, bounds]
    limits = bounds.tolist()
    if bounds.ndim != 1 or not limits or limits[0] != 0 or limits[-1] != len(ids):
        raise ConfigError(
            f"bounds: expected an array from 0 to the number of ids, {len(ids)}",
            hint="pass a list of arrays if these are the ids of two texts",
        )
    if any(start > end for start, end in pairwise(limits)):
        raise ConfigError("bounds: expected an array that never falls")
    return [ids[start:end] for start, end in pairwise(limits)]


def _padding_token(
    pad_id: int | None, token: str | None, core: _pytok.Tokenizer
) -> tuple[int, str]:
    if pad_id is not None:
        _check_range("pad_id", pad_id, 0)
        return pad_id, token if token is not None else (core.id_to_token(pad_id) or "")
    candidates = PAD_TOKENS if token is None else (token,)
    for candidate in candidates:
        found = core.token_to_id(candidate)
        if found is not None:
            return found, candidate
    names = ", ".join(candidates)
    raise ConfigError(f"padding: the vocabulary has no padding token: {names}", hint="pass pad_id")


def check_limit(limit: int) -> None:
    """Check a limit on the length of pieces.

    Raises
    ------
    ConfigError
        When it is no integer of at least 1.

    """
    _check_range("limit", limit, 1)


def _check_range(argument: str, value: int, least: int, bound: int = 2**32) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise ConfigError(f"{argument}: {value!r}, expected an integer")
    if not least <= value < bound:
        most = f"2**{bound.bit_length() - 1} - 1"
        raise ConfigError(f"{argument}: {value}, expected an integer from {least} to {most}")
