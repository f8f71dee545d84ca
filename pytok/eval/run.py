"""The passes over one kind: cut every batch with every system, and count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pytok.eval.cells import CutStates, cut_states
from pytok.eval.corpora import documents
from pytok.eval.differences import Differences
from pytok.eval.gold import words_of_line
from pytok.eval.kinds import Kind
from pytok.eval.layout import Segmentation
from pytok.eval.numbers import WordSource
from pytok.eval.rows import KnownWords, Row, TextUnits
from pytok.eval.scan import Progress, Source
from pytok.eval.spans import SpanFinder
from pytok.eval.systems import System
from pytok.eval.text_batch import TextBatch
from pytok.eval.units import word_units
from pytok.eval.words import Words

__all__ = ["BASELINE", "Batch", "KindRun", "Steps", "is_baseline"]

BASELINE = "jieba"
_BATCH_CHARACTERS = 1 << 18


def is_baseline(system: System) -> bool:
    """Whether a system is the baseline (its name may carry a version)."""
    return system.name.split()[:1] == [BASELINE]


@dataclass(frozen=True)
class Batch:
    """Texts of whole documents; `words` only where they are gold."""

    texts: list[str]
    documents: list[int]
    words: list[list[str]] | None


class Steps:
    """Turns characters done into calls of the progress function."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def say(self, label: str) -> None:
        """Report what goes on, with no more characters done."""
        self._progress(label, self._done, self._total)

    def advance(self, label: str, characters: int) -> None:
        """Report more characters as done."""
        self._done += characters
        self._progress(label, self._done, self._total)


class KindRun:
    """One pass over the text of a kind, and one over its gold words."""

    def __init__(
        self, kind: Kind, rows: list[Row], sources: dict[Path, Source], steps: Steps
    ) -> None:
        self._kind = kind
        self.rows = rows
        self._sources = sources
        self._steps = steps
        self.known = KnownWords()
        self.spans: SpanFinder | None = None
        self.differences = Differences([row.system.name for row in rows])
        self._baseline = next(row for row in rows if is_baseline(row.system))

    def measure(self) -> WordSource:
        """Fill the rows; returns where words came from."""
        kind = self._kind
        # Speed is that of text not seen before, so the gold text, which may
        # repeat the other, comes second.
        for batch in _batches(self._texts(kind.files)):
            self.one(batch, text=True, words=not kind.gold)
        for batch in _batches(self._gold(kind.gold)):
            self.one(batch, text=not kind.files, words=True)
        if kind.gold:
            label = ", ".join(path.name for path in kind.gold)
            return WordSource(label, gold=True, row=None)
        if self._baseline.failure is not None:
            return WordSource("", gold=False, row=None)
        return WordSource(self._baseline.system.name, gold=False, row=self._baseline)

    def _texts(self, paths: Iterable[Path]) -> Iterator[tuple[list[str], None]]:
        for path in paths:
            for text in documents(path, self._sources[path].file.rule):
                yield [text], None

    def _gold(self, paths: Iterable[Path]) -> Iterator[tuple[list[str], list[list[str]]]]:
        for path in paths:
            for text in documents(path, self._sources[path].file.rule):
                lines = [words for words in map(words_of_line, text.split("\n")) if words]
                yield ["".join(words) for words in lines], lines

    def one(self, batch: Batch, *, text: bool, words: bool) -> None:
        """Cut a batch with every system and count; a failing system only loses its own."""
        layout = TextBatch.of(batch.texts, batch.documents)
        units = TextUnits.of(layout) if text else None
        spans = self.spans.find(layout) if text and self.spans is not None else None
        gold = None if batch.words is None else Words.of(layout, batch.words, self.known.types)
        states: dict[int, CutStates] = {}
        # The baseline comes first, so that the others know its words.
        for row in sorted(self.rows, key=lambda row: row is not self._baseline):
            if row.failure is None:
                try:
                    pieces = row.cut(layout, timed=text)
                    if words and gold is None and row is self._baseline:
                        gold = self._words_of(pieces)
                    if units is not None:
                        row.add_text(pieces, units)
                        if row.has_offsets:
                            states[id(row)] = cut_states(pieces)
                    if spans is not None:
                        row.add_spans(pieces, spans)
                    if words and gold is not None:
                        row.add_words(pieces, gold, self.known)
                except (KeyboardInterrupt, SystemExit, GeneratorExit):
                    raise
                except BaseException as error:
                    # Also what a native extension throws past `Exception`:
                    # one system's failure must not lose the others' results.
                    row.failure = f"{type(error).__name__}: {error}"
            self._steps.advance(f"{self._kind.name}: {row.system.name}", layout.n_characters)
        if units is not None:
            cuts = [states.get(id(row)) for row in self.rows]
            self.differences.add(layout, units.sentences, cuts)

    def _words_of(self, pieces: Segmentation) -> Words:
        joined = "".join(pieces.batch.texts)
        edges = zip(pieces.first.tolist(), pieces.end.tolist(), strict=True)
        flat = [joined[first:end] for first, end in edges]
        return Words(
            word_units(pieces.batch, pieces.end - pieces.first), self.known.types.number(flat)
        )


def _batches(groups: Iterable[tuple[list[str], list[list[str]] | None]]) -> Iterator[Batch]:
    """Collect documents until a batch is full; a document is never divided."""
    texts: list[str] = []
    numbers: list[int] = []
    words: list[list[str]] = []
    size = number = 0
    for group, gold in groups:
        texts += group
        numbers += [number] * len(group)
        words += gold or []
        number += bool(group)
        size += sum(map(len, group))
        if size >= _BATCH_CHARACTERS:
            yield Batch(texts, numbers, None if gold is None else words)
            texts, numbers, words, size, number = [], [], [], 0, 0
    if texts:
        yield Batch(texts, numbers, words or None)
