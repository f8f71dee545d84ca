"""What is measured: tokenizers, and word segmenters as baselines, side by side.

A system has a name and turns texts into `Pieces`. Two kinds are ready made:
`TokenizerSystem` wraps anything with the interface of `pytok.Tokenizer`,
`Segmenter` wraps a function that cuts a text into words. To add one::

    from pytok.eval import Segmenter, register

    register("spaces", lambda: Segmenter("spaces", cut=str.split))

`pytok.eval.Encoder` makes a tokenizer of any library from functions.
An installed package adds systems to the command line with an entry point of
the group ``pytok.eval.systems`` that names such a function.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import PackageNotFoundError, entry_points, version
from typing import Any, Protocol, cast

import numpy as np

from pytok.errors import ConfigError, EncodeError, PytokError
from pytok.eval.broken import is_broken, straddling_tokens
from pytok.eval.distribution import id_limit, unreachable_ids
from pytok.eval.layout import BoolArray, IdArray, IntArray, spans_of_words

__all__ = [
    "Pieces",
    "Segmenter",
    "System",
    "TokenizerLike",
    "TokenizerSystem",
    "open_system",
    "register",
    "registered",
    "tile",
]


class TokenizerLike(Protocol):
    """The part of `pytok.Tokenizer` that the metrics use."""

    @property
    def name(self) -> str:
        """Name to print."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the definition, hexadecimal; empty where it is not known."""

    @property
    def vocab_size(self) -> int:
        """Number of ids."""

    @property
    def unk_id(self) -> int | None:
        """Id of the unknown token, or None."""

    def encode_batch_spans(
        self,
        texts: list[str],
        *,
        special: str = "text",
        add_special_tokens: bool = False,
        threads: int | None = None,
    ) -> tuple[IdArray, IntArray, IntArray]:
        """Ids (n,), byte spans in the own text (n, 2) and bounds (n_texts + 1,).

        A tokenizer without offsets raises NotImplementedError, or does not
        have the method; only metrics of its ids are then measured.
        """

    def encode_batch_ids(
        self,
        texts: list[str],
        *,
        special: str = "text",
        add_special_tokens: bool = False,
        threads: int | None = None,
    ) -> tuple[IdArray, IntArray]:
        """Ids (n,) and bounds (n_texts + 1,)."""

    def token_bytes(self, token_id: int, /) -> bytes:
        """Bytes that a token stands for."""


@dataclass(frozen=True)
class Pieces:
    """What a system made of some texts.

    Parameters
    ----------
    spans
        Byte spans in the own text's UTF-8, half open, shape (n_pieces, 2);
        None for a tokenizer without offsets.
    bounds
        First piece of each text, shape (n_texts + 1,).
    ids
        Token ids, shape (n_pieces,); None for a word segmenter.
    seconds
        Wall time of cutting the texts alone, one thread.

    """

    spans: IntArray | None
    bounds: IntArray
    ids: IdArray | None
    seconds: float


class System(Protocol):
    """Anything that cuts texts into pieces."""

    @property
    def name(self) -> str:
        """Name to print."""

    @property
    def sha256(self) -> str | None:
        """SHA-256 of what defines the system, or None."""

    @property
    def tokenizer(self) -> TokenizerLike | None:
        """The tokenizer, for metrics of ids and vocabularies; None for a segmenter."""

    @property
    def knows(self) -> Callable[[str], bool] | None:
        """Dictionary lookup, for `oov_lex`; None where there is no dictionary."""

    def pieces(self, texts: list[str]) -> Pieces:
        """Cut texts; shape and units as in `Pieces`."""


@dataclass(frozen=True)
class TokenizerSystem:
    """A tokenizer as a system.

    ``seconds`` of its pieces is the wall time of one call of
    `encode_batch_ids` with one thread, made before any other call sees the
    texts.

    Parameters
    ----------
    tokenizer
        Anything with the interface of `pytok.Tokenizer`.
    label
        What to print instead of the tokenizer's own name.

    """

    tokenizer: TokenizerLike
    knows: Callable[[str], bool] | None = None
    label: str | None = None

    @property
    def name(self) -> str:
        """Name to print."""
        return self.tokenizer.name if self.label is None else self.label

    @property
    def sha256(self) -> str | None:
        """SHA-256 of the tokenizer's definition; None where it is not known."""
        return self.tokenizer.sha256 or None

    def pieces(self, texts: list[str]) -> Pieces:
        """Encode texts; special tokens in them are text."""
        start = time.perf_counter()
        only_ids, bounds = self.tokenizer.encode_batch_ids(
            texts, special="text", add_special_tokens=False, threads=1
        )
        seconds = time.perf_counter() - start
        with_spans = getattr(self.tokenizer, "encode_batch_spans", None)
        if with_spans is None:
            return Pieces(None, bounds, only_ids, seconds)
        try:
            ids, spans, bounds = with_spans(texts, special="text", add_special_tokens=False)
        except NotImplementedError:
            return Pieces(None, bounds, only_ids, seconds)
        if not np.array_equal(only_ids, ids):
            raise EncodeError(
                f"{self.name}: encode_batch_ids and encode_batch_spans give different ids"
            )
        return Pieces(np.asarray(spans, dtype=np.int64), bounds, ids, seconds)

    @cached_property
    def vocabulary(self) -> tuple[bytes, ...]:
        """Bytes of every id; empty where an id has no piece."""
        return tuple(map(self._bytes_or_nothing, range(id_limit(self.tokenizer))))

    def _bytes_or_nothing(self, token_id: int) -> bytes:
        try:
            return self.tokenizer.token_bytes(token_id)
        except (PytokError, ValueError, LookupError):
            return b""

    @cached_property
    def broken_ids(self) -> BoolArray:
        """Whether the bytes of each id are not whole code points, shape (largest id + 1,)."""
        return np.fromiter(map(is_broken, self.vocabulary), dtype=np.bool_)

    @cached_property
    def straddling(self) -> int:
        """Vocabulary entries that cross the edge of a character."""
        return straddling_tokens(self.vocabulary)

    @cached_property
    def unreachable(self) -> int:
        """Ids with text that encoding their text does not give back."""
        return len(unreachable_ids(self.tokenizer))


def tile(text: str, words: Iterable[str]) -> list[str]:
    """Put back what a segmenter left out, as pieces of their own.

    Parameters
    ----------
    text
        The text.
    words
        Its words in order; white space of the text may be missing.

    Raises
    ------
    EncodeError
        If a word does not occur in the rest of the text, or the words leave
        out other characters than white space.

    Examples
    --------
    >>> tile("中国 人 ", ["中国", "人"])
    ['中国', ' ', '人', ' ']

    """
    tiled: list[str] = []
    at = 0
    for word in words:
        if not word:
            continue
        found = at if text.startswith(word, at) else text.find(word, at)
        if found < 0:
            raise EncodeError(f"the segmenter returned {word!r}, which the text does not contain")
        tiled += _left_out(text, at, found)
        tiled.append(word)
        at = found + len(word)
    return tiled + _left_out(text, at, len(text))


def _left_out(text: str, start: int, end: int) -> list[str]:
    """Give what stands between two words, which must be white space."""
    gap = text[start:end]
    if gap and not gap.isspace():
        lost = gap.strip()
        raise EncodeError(
            f"the segmenter left out {lost[:20]!r} at character {start + gap.index(lost)} of a "
            "text; expected words that hold all but white space"
        )
    return [gap] if gap else []


@dataclass(frozen=True)
class Segmenter:
    """A word segmenter as a system.

    Parameters
    ----------
    name
        Name to print.
    cut
        Cuts one text into words, in order; white space may be left out.
    knows
        Whether the segmenter's dictionary has a word, or None.
    sha256
        SHA-256 of what defines the segmenter (its dictionary), or None.

    Examples
    --------
    >>> Segmenter("spaces", cut=str.split).pieces(["a bc"]).spans.tolist()
    [[0, 1], [1, 2], [2, 4]]

    """

    name: str
    cut: Callable[[str], Iterable[str]]
    knows: Callable[[str], bool] | None = None
    sha256: str | None = None
    tokenizer: None = field(default=None, init=False)

    def pieces(self, texts: list[str]) -> Pieces:
        """Cut texts; ``seconds`` is the wall time of `cut` alone."""
        start = time.perf_counter()
        words = [list(self.cut(text)) for text in texts]
        seconds = time.perf_counter() - start
        spans, bounds = spans_of_words(texts, list(map(tile, texts, words)))
        return Pieces(spans, bounds, None, seconds)


def _module(name: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ConfigError(
            f"the system {name!r} needs a package that is not installed: {package}",
            hint=f"pip install {package}",
        ) from error


def _labelled(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


@cache
def _jieba() -> System:
    jieba = _module("jieba", "jieba")
    jieba.setLogLevel(logging.WARNING)
    # An instance of its own: words that the user added to the global one must
    # not move the baseline.
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    with tokenizer.get_dict_file() as dictionary:
        digest = hashlib.sha256(dictionary.read()).hexdigest()
    frequencies: dict[str, int] = tokenizer.FREQ
    return Segmenter(
        _labelled("jieba"),
        cut=cast(Callable[[str], Iterable[str]], tokenizer.cut),
        # The table also holds every prefix of a word, with frequency 0.
        knows=lambda word: frequencies.get(word, 0) > 0,
        sha256=digest,
    )


def _rjieba() -> System:
    return Segmenter(_labelled("rjieba"), cut=_module("rjieba", "rjieba").cut)


def _thulac() -> System:
    package = _module("thulac", "thulac")
    # It prints that its model is loaded, which must not get into --json.
    with contextlib.redirect_stdout(io.StringIO()):
        segmenter = package.thulac(seg_only=True)
    return Segmenter(
        _labelled("thulac"), cut=lambda text: (word for word, _ in segmenter.cut(text))
    )


def _pkuseg() -> System:
    segmenter = _module("spacy_pkuseg", "spacy-pkuseg").pkuseg()
    return Segmenter(_labelled("spacy-pkuseg"), cut=segmenter.cut)


_FACTORIES: dict[str, Callable[[], System]] = {
    "jieba": _jieba,
    "rjieba": _rjieba,
    "thulac": _thulac,
    "pkuseg": _pkuseg,
}


def register(name: str, factory: Callable[[], System]) -> None:
    """Make a system known by name.

    Parameters
    ----------
    name
        Name for `open_system` and ``pytok eval --tokenizer``.
    factory
        Makes the system; called when the system is first used.

    Examples
    --------
    >>> register("characters", lambda: Segmenter("characters", cut=list))
    >>> open_system("characters").name
    'characters'

    """
    _FACTORIES[name] = factory


def registered() -> list[str]:
    """Names of the known systems that are not tokenizer files, sorted."""
    return sorted({*_FACTORIES, *(point.name for point in _entry_points())})


def _entry_points() -> Iterable[Any]:
    return entry_points(group="pytok.eval.systems")


def _naming_hint() -> str:
    return f"give an embedded name, a file, a folder, or one of {', '.join(registered())}"


def open_system(name: str) -> System:
    """Open a registered system, or else load a tokenizer.

    Parameters
    ----------
    name
        A name from `registered`, or a name or path for
        `pytok.Tokenizer.from_pretrained`.

    Raises
    ------
    ConfigError
        If the package behind a registered name is not installed, or the
        tokenizer cannot be loaded.

    Examples
    --------
    >>> open_system("jieba").pieces(["北京大学"]).spans.tolist()
    [[0, 12]]

    """
    for point in _entry_points():
        if point.name == name and name not in _FACTORIES:
            register(name, point.load())
    if name in _FACTORIES:
        return _FACTORIES[name]()
    try:
        tokenizer_class = import_module("pytok").Tokenizer
        tokenizer = cast(TokenizerLike, tokenizer_class.from_pretrained(name))
    except PytokError as error:
        error.hint = error.hint or _naming_hint()
        raise
    except (OSError, ValueError, AttributeError, ImportError) as error:
        raise ConfigError(
            f"cannot load the tokenizer {name!r}: {error}", hint=_naming_hint()
        ) from error
    return TokenizerSystem(tokenizer)
