"""The options of training, checked when they are given."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal, TypeAlias

from pytok import _pytok
from pytok._memory import memory_of
from pytok.errors import ConfigError, FormatError

__all__ = ["TrainConfig"]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

ALGORITHMS = ("bpe",)
TIES = ("bytes", "hf")
DIGITS = (1, 3)

# The longest piece by default, in bytes: long enough for words, too short for rulers of dashes.
MAX_TOKEN_BYTES = 48

LARGEST_COUNT = 2**63 - 1
LARGEST_SIZE = 2**30


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    r"""What `pytok.train` makes of a text. Every option is checked at once.

    Parameters
    ----------
    vocab_size
        Ids of the tokenizer, special tokens and the 256 bytes included; exactly
        so many. 256 + special tokens <= n <= 2^30, default 32,000.
    algorithm
        ``"bpe"``: byte-pair encoding, every piece made of two smaller ones.
    pretokenizer
        How text is cut into words, which pieces never cross: ``"qwen"``
        (default; the pattern of Qwen's tokenizers), ``"han"`` (runs of Han
        characters apart from other letters), ``"iso"`` (also every CJK mark
        alone: best word boundaries, more tokens), a regular expression whose
        matches are the words, or the ``pre_tokenizer`` section of a
        tokenizer.json.
    normalizer
        The ``normalizer`` section of a tokenizer.json, applied before the text
        is cut; None (default) leaves text as it is.
    special_tokens
        Control tokens, which get the first ids in this order. Default none.
    digits
        For the named pre-tokenizers, digits in one word: 1 (each digit alone)
        or 3 (up to three, from the left). None (default) is 1, and the only
        choice with a pattern or section, which says itself what it does.
    min_frequency
        The least count of a pair that is merged, >= 1, default 1. Higher values
        keep chance sequences of a small text out; the vocabulary must then be
        small enough for what is left.
    tau
        Words are cut where two characters meet fewer than `tau` times, >= 1,
        default 10; 1 is off. It saves time and memory and never changes the
        result: when a merge would have a smaller count, training runs again with
        half of it. Not used with ``tie="hf"`` or without `char_align`.
    tau_c
        The least count of a Han character to be a piece, >= 1: such a character
        is one whatever its pairs' counts, a rarer one is written in bytes. None
        (default): characters are merged as any other pair.
    tau_w
        The least count of a word, that is a piece of `min_chars` characters or
        more, >= 1. None (default): as `min_frequency`.
    min_chars
        The number of characters from which a piece counts as a word, >= 1,
        default 2.
    max_chars
        The most characters of a word, >= 1; None (default) for no limit.
    span_bytes
        ``(least, most)`` bytes of a word, 1 <= least <= most <= 8; with `tau_c`
        and `tau_w` the fixed granularity of Chinese vocabularies. Pieces grow
        from pairs, so a word whose beginnings are too short is not made either.
        None (default) for no limit.
    max_token_bytes
        The most bytes of a piece, >= 4; None (default) is 48, and no limit with
        ``tie="hf"``.
    required_chars
        Characters that are pieces whatever their count, as one string. Default
        none.
    char_align
        Whether a piece is made of whole characters or is a part of one (default
        True). False allows pieces that straddle two characters, as the trainer
        of `tokenizers` makes them.
    tie
        Which of two pairs with the same count comes first: ``"bytes"`` (default)
        the one with the smaller bytes; ``"hf"`` the one with the smaller ids.
        ``tie="hf", char_align=False`` gives the merges of `tokenizers`.
    threads
        Threads for counting words, >= 1; None (default) for one per core. It
        does not change the result.
    memory
        Bytes that different words may take while they are counted or merged, as
        a number or as "512M" or "2G" (powers of 1024), >= 64 KiB; what is more
        goes to files in the folder for temporary files, or in `work`, and the
        result is the same. Texts that are being read take up to a few times
        their batch of 16 MB, or less with a small budget, beside it. It covers
        counting: training itself needs what is left of the words after the cut
        at `tau`, and what lies in files is only read. None (default): no limit.

    Raises
    ------
    ConfigError
        When an option is unknown, out of its range, or contradicts another.

    Examples
    --------
    >>> TrainConfig(vocab_size=1000, special_tokens=["<|end|>"]).special_tokens
    ('<|end|>',)
    >>> TrainConfig(vocab_size=100)
    Traceback (most recent call last):
    pytok.errors.ConfigError: vocab_size: 100; expected at least 256: 0 special tokens and 256 bytes

    """

    vocab_size: int = 32_000
    algorithm: Literal["bpe"] = "bpe"
    pretokenizer: str | Mapping[str, Json] = "qwen"
    normalizer: Mapping[str, Json] | None = None
    special_tokens: tuple[str, ...] = ()
    digits: int | None = None
    min_frequency: int = 1
    tau: int = 10
    tau_c: int | None = None
    tau_w: int | None = None
    min_chars: int = 2
    max_chars: int | None = None
    span_bytes: tuple[int, int] | None = None
    max_token_bytes: int | None = None
    required_chars: str = ""
    char_align: bool = True
    tie: Literal["bytes", "hf"] = "bytes"
    threads: int | None = None
    memory: str | int | None = None

    def __post_init__(self) -> None:
        _check_choice("algorithm", self.algorithm, ALGORITHMS)
        _check_choice("tie", self.tie, TIES)
        _check_choice("digits", self.digits, (None, *DIGITS))
        _check_choice("char_align", self.char_align, (True, False))
        _check_number("vocab_size", self.vocab_size, LARGEST_SIZE)
        for name in ("min_frequency", "tau"):
            _check_number(name, getattr(self, name), LARGEST_COUNT)
        _check_number("min_chars", self.min_chars, LARGEST_SIZE)
        for name in ("tau_c", "tau_w"):
            _check_number(name, getattr(self, name), LARGEST_COUNT, optional=True)
        for name in ("max_chars", "max_token_bytes"):
            _check_number(name, getattr(self, name), LARGEST_SIZE, optional=True)
        _check_number("threads", self.threads, 1024, optional=True)
        object.__setattr__(self, "special_tokens", _strings("special_tokens", self.special_tokens))
        object.__setattr__(self, "span_bytes", _span(self.span_bytes))
        _check_text("required_chars", self.required_chars)
        self._check_sections()
        _pytok.check_bpe(self._bpe_options())
        self._counter(threads=1, memory=memory_of(self.memory, Path()))

    def _check_sections(self) -> None:
        if not isinstance(self.pretokenizer, str | Mapping):
            raise ConfigError(
                f"pretokenizer: {self.pretokenizer!r}, expected a name, a pattern or a section",
                hint="the names are qwen, han and iso",
            )
        if isinstance(self.pretokenizer, str):
            _check_text("pretokenizer", self.pretokenizer)
        if not isinstance(self.normalizer, Mapping | None):
            raise ConfigError(
                f"normalizer: {self.normalizer!r}, expected a section of a tokenizer.json, or None"
            )

    @classmethod
    def from_mapping(cls, options: Mapping[str, object]) -> TrainConfig:
        """Make a config of named options.

        Raises
        ------
        ConfigError
            As the constructor, and when a name is unknown.

        Examples
        --------
        >>> TrainConfig.from_mapping({"vocab_size": 1000}).vocab_size
        1000

        """
        known = [field.name for field in fields(cls)]
        unknown = next((name for name in options if name not in known), None)
        if unknown is not None:
            raise ConfigError(
                f"{unknown}: no such option of training", hint=f"the options are {', '.join(known)}"
            )
        return cls(**options)  # type: ignore[arg-type]  # checked by the constructor

    @classmethod
    def options_in_toml(cls, path: Path) -> dict[str, object]:
        """Read options from a TOML file, for `from_mapping`.

        Raises
        ------
        ConfigError
            When the file cannot be read or is not TOML.

        """
        try:
            return _parse_toml(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error
        except ValueError as error:  # TOML and UTF-8 errors alike
            raise ConfigError(f"{path}: is not TOML: {error}") from error

    def to_mapping(self) -> dict[str, object]:
        """Return all options by name, as `from_mapping` takes them."""
        return asdict(self)

    def _bpe_options(self) -> dict[str, object]:
        """Give the options of the trainer, defaults that depend on others filled in."""
        names = ["vocab_size", "min_frequency", "tau", "tau_c", "tau_w", "min_chars", "max_chars"]
        names += ["span_bytes", "char_align", "tie"]
        options: dict[str, object] = {name: getattr(self, name) for name in names}
        limit = self.max_token_bytes
        if limit is None and self.tie != "hf":
            limit = MAX_TOKEN_BYTES
        options["max_token_bytes"] = limit
        options["special_tokens"] = list(self.special_tokens)
        options["required_chars"] = list(self.required_chars)
        return options

    def _words(self) -> tuple[str, int | None, str | None, tuple[int, int] | None]:
        """Give what decides which words there are: pre-tokenizer, digits, normalizer, cap."""
        scheme = self.pretokenizer
        section = scheme if isinstance(scheme, str) else _json("pretokenizer", scheme)
        normalizer = None if self.normalizer is None else _json("normalizer", self.normalizer)
        return section, self.digits, normalizer, None

    def _counter(
        self, *, threads: int, memory: tuple[int, str] | None = None
    ) -> _pytok.WordCounter:
        """Make a counter of the words that this config trains on."""
        section, digits, normalizer, cap = self._words()
        try:
            return _pytok.WordCounter(section, digits, normalizer, threads, cap, memory)
        except FormatError as error:
            # A section is an option here, not a file.
            raise ConfigError(str(error)) from error


def _parse_toml(text: str) -> dict[str, object]:
    # The standard library's parser, under its older name in Python 3.10.
    name = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    parse: Callable[[str], dict[str, object]] = importlib.import_module(name).loads
    return parse(text)


def _json(name: str, section: Mapping[str, Json]) -> str:
    try:
        return json.dumps(dict(section))
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{name}: is not JSON: {error}") from error


def _check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    # By identity of type too: True is 1 in Python.
    if not any(value == choice and type(value) is type(choice) for choice in choices):
        expected = ", ".join(map(repr, choices))
        raise ConfigError(f"{name}: {value!r}, expected one of {expected}")


def _check_number(name: str, value: object, largest: int, *, optional: bool = False) -> None:
    if value is None and optional:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= largest:
        raise ConfigError(f"{name}: {value!r}, expected an integer from 1 to {largest}")


def _check_text(name: str, value: object) -> None:
    try:
        if isinstance(value, str) and value.encode("utf-8") is not None:
            return
    except UnicodeEncodeError as error:
        raise ConfigError(f"{name}: unpaired surrogate at index {error.start}") from error
    raise ConfigError(f"{name}: {value!r}, expected a str")


def _strings(name: str, values: object) -> tuple[str, ...]:
    if not isinstance(values, list | tuple):
        raise ConfigError(f"{name}: {values!r}, expected a list of str")
    for number, value in enumerate(values):
        _check_text(f"{name}[{number}]", value)
    return tuple(values)


def _span(values: object) -> tuple[int, int] | None:
    if values is None:
        return None
    if not isinstance(values, list | tuple) or len(values) != 2:
        raise ConfigError(f"span_bytes: {values!r}, expected (least, most)")
    for value in values:
        _check_number("span_bytes", value, 8)
    return (values[0], values[1])
