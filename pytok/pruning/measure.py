"""How often a corpus has each id, and what of it a pruned tokenizer encodes as before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok._extend_report import batches, units
from pytok._train import WordCounts
from pytok._train_inputs import Inputs, open_sources
from pytok.errors import ConfigError
from pytok.pruning.plan import KindChange

__all__ = ["Corpus", "Usage", "corpus_of_counts", "corpus_of_texts"]

Batch = tuple[list[str], "npt.NDArray[np.int64] | None"]
Encoded = tuple["npt.NDArray[np.uint32]", "npt.NDArray[np.int64]"]
Differ = npt.NDArray[np.bool_]
# Without special tokens; what looks like one is text.
_OPTIONS = ("text", False, False, False)
_WORDS_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Usage:
    """Counts of a corpus under a tokenizer.

    Parameters
    ----------
    counts
        Uses of each id, in the ascending order of the tokenizer's ids, uint64.
    tokens
        Tokens of each kind.

    """

    counts: npt.NDArray[np.uint64]
    tokens: dict[str, int]

    @property
    def total(self) -> int:
        """Tokens of all kinds."""
        return sum(self.tokens.values())


class Corpus:
    """Texts by kind, which can be read again and again.

    Parameters
    ----------
    kinds
        By kind, a function that yields batches: texts, and how often each counts
        (None: once).

    """

    def __init__(
        self, kinds: Mapping[str, Callable[[], Iterator[Batch]]], threads: int | None
    ) -> None:
        self._kinds = dict(kinds)
        self._threads = threads

    def usage(
        self, tokenizer: _pytok.Tokenizer, ids: npt.NDArray[np.uint32], tell: Callable[[], None]
    ) -> Usage:
        """Count the uses of each of `ids`, which are all the tokenizer has, ascending."""
        is_dense = not len(ids) or int(ids[-1]) == len(ids) - 1
        counts = np.zeros(len(ids), dtype=np.uint64)
        tokens = dict.fromkeys(self._kinds, 0)
        for kind, read in self._kinds.items():
            for texts, weights in read():
                flat, bounds = tokenizer.encode_batch_ids(texts, _OPTIONS, self._threads)
                places = flat if is_dense else np.searchsorted(ids, flat)
                each = None if weights is None else np.repeat(weights, np.diff(bounds))
                found = np.bincount(places, each, minlength=len(ids)).astype(np.uint64)
                counts += found
                tokens[kind] += int(found.sum())
                tell()
        return Usage(counts, tokens)

    def changes(
        self,
        before: _pytok.Tokenizer,
        after: _pytok.Tokenizer,
        old: npt.NDArray[np.uint32],
        new: npt.NDArray[np.uint32],
    ) -> tuple[KindChange, ...]:
        """Compare both encodings of every text; `old` ids became `new` ones."""

        def differ(was: npt.NDArray[np.uint32], now: npt.NDArray[np.uint32]) -> Differ:
            differs: Differ = _mapped(was, old, new) != now.astype(np.int64)
            return differs

        changes = []
        for kind, read in self._kinds.items():
            numbers = np.zeros(4, dtype=np.int64)
            for texts, weights in read():
                was = before.encode_batch_ids(texts, _OPTIONS, self._threads)
                now = after.encode_batch_ids(texts, _OPTIONS, self._threads)
                once = np.ones(len(texts), dtype=np.int64) if weights is None else weights
                numbers += _compared(was, now, once, differ)
            changes.append(KindChange(kind, *map(int, numbers)))
        return tuple(changes)


def _compared(
    was: Encoded,
    now: Encoded,
    weights: npt.NDArray[np.int64],
    differ: Callable[[npt.NDArray[np.uint32], npt.NDArray[np.uint32]], Differ],
) -> npt.NDArray[np.int64]:
    """Return the texts of a batch, those that are as before, and the tokens of both."""
    lengths, lengths_now = np.diff(was[1]), np.diff(now[1])
    same = lengths == lengths_now
    # Where the lengths agree, the ids must: those texts stand side by side.
    kept_was, kept_now = np.repeat(same, lengths), np.repeat(same, lengths_now)
    owner = np.repeat(np.arange(len(lengths)), lengths)[kept_was]
    same[owner[differ(was[0][kept_was], now[0][kept_now])]] = False
    parts = (weights, weights[same], weights * lengths, weights * lengths_now)
    return np.array([part.sum() for part in parts], dtype=np.int64)


def _mapped(
    ids: npt.NDArray[np.uint32], old: npt.NDArray[np.uint32], new: npt.NDArray[np.uint32]
) -> npt.NDArray[np.int64]:
    """Return new ids; -1 for ids that went."""
    places = np.minimum(np.searchsorted(old, ids), len(old) - 1)
    return np.where(old[places] == ids, new[places].astype(np.int64), -1)


def corpus_of_texts(corpus: Inputs | Mapping[str, Inputs], threads: int | None) -> Corpus:
    """Make a corpus of inputs, or of inputs by kind."""
    kinds = dict(corpus) if isinstance(corpus, Mapping) else {"corpus": corpus}
    for name, inputs in kinds.items():
        if not isinstance(name, str):
            raise ConfigError(f"corpus: {name!r}, expected the name of a kind of text")
        kinds[name] = list(inputs) if isinstance(inputs, Iterator) else inputs
        open_sources(kinds[name])  # what is missing is said before the work

    def reader(inputs: Inputs) -> Callable[[], Iterator[Batch]]:
        return lambda: ((batch, None) for batch in batches(units(open_sources(inputs))))

    return Corpus({name: reader(inputs) for name, inputs in kinds.items()}, threads)


def corpus_of_counts(counts: WordCounts, threads: int | None) -> Corpus:
    """Make a corpus of words, each of which is a text. Words that are no text are left out."""

    def read() -> Iterator[Batch]:
        words = _decoded(counts.items())
        for start in range(0, len(words), _WORDS_AT_ONCE):
            part = words[start : start + _WORDS_AT_ONCE]
            yield [word for word, _ in part], np.array([n for _, n in part], dtype=np.int64)

    return Corpus({"counts": read}, threads)


def _decoded(items: Iterable[tuple[bytes, int]]) -> list[tuple[str, int]]:
    words = []
    for word, count in items:
        try:
            words.append((word.decode(), count))
        except UnicodeDecodeError:
            continue
    return words
