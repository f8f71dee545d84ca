"""Whether gold words are those of the text: where the two differ, exactly.

White space aside, every gold line must occur in the text of its kind; gold words
of another text belong into a kind of their own. For a line that does not occur,
the place that is most like it is looked for, and the first difference is reported
with file, line and column on both sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pytok.errors import CorpusError
from pytok.eval.bare import BareText, bare, bare_texts, column_of
from pytok.eval.kinds import Kind, stem
from pytok.eval.term_index import TermIndex
from pytok.eval.text_batch import TextBatch
from pytok.eval.text_files import text_lines

__all__ = ["GoldCheck", "GoldMismatch", "check_gold"]

_ANCHOR = 8
_REPORTED = 20
_BELONGS = 0.5
_EXCERPT = 12
# How much is compared before a search is given up: characters in all for the lines
# of a file, and places for one line. A place of a long line counts as more.
_MOST_COMPARED = 200_000_000
_MOST_PLACES = 1_000
_CHARACTERS_OF_A_PLACE = 10_000
# Longer lines are searched for one by one.
_LONG = 10_000
# What begins at more places of one line says little about where it stands.
_MOST_ANCHORS = 8


@dataclass(frozen=True)
class GoldMismatch:
    """A gold line that the text does not have.

    Parameters
    ----------
    gold_line, gold_column
        Where the difference starts in the gold file, from 1.
    gold
        Gold characters from there on, without spaces.
    path, line, column
        Where it starts in the text, from 1; an empty path when nothing in
        the text is like the line.
    text
        Characters of the text from there on.

    """

    gold_line: int
    gold_column: int
    gold: str
    path: str = ""
    line: int = 0
    column: int = 0
    text: str = ""

    def explained(self, gold_path: str) -> str:
        """Say it in one line."""
        where = f"{gold_path}:{self.gold_line}:{self.gold_column}"
        if not self.path:
            return f"{where}: nothing in the text is like {self.gold!r}"
        return (
            f"{where}: gold has {self.gold!r}, "
            f"but {self.path}:{self.line}:{self.column} has {self.text!r}"
        )


@dataclass(frozen=True)
class GoldCheck:
    """How one gold file fits the text of its kind.

    Parameters
    ----------
    path
        The gold file.
    lines, found
        Its lines, and how many of them the text has.
    belongs
        Whether it is surely meant to be of this text: it is named like a file
        of it, or the text has at least half of its lines. If not, it may be
        of another text.
    mismatches
        The first 20 lines that the text does not have.
    note
        Why the check was given up, or empty.

    """

    path: str
    lines: int
    found: int
    belongs: bool
    mismatches: tuple[GoldMismatch, ...]
    note: str = ""

    @property
    def summary(self) -> str:
        """One sentence for people."""
        if self.note:
            return f"{self.path} was not compared with the text: {self.note}"
        found = f"the text has {self.found:,} of the {self.lines:,} lines of {self.path}"
        if self.belongs:
            return found
        return f"{found}, fewer than half: gold words of another text need a kind of their own"


@dataclass(frozen=True)
class _Line:
    number: int
    line: str
    text: str


def check_gold(kind: Kind) -> tuple[GoldCheck, ...]:
    """Compare every gold file of a kind with the text of the kind.

    A kind without other text has nothing to compare.
    """
    if not kind.files:
        return ()
    return tuple(_checked(path, kind.files) for path in kind.gold)


def _checked(path: Path, files: Sequence[Path]) -> GoldCheck:
    try:
        return _check(path, files)
    except CorpusError as error:
        return GoldCheck(str(path), 0, 0, belongs=False, mismatches=(), note=str(error))


def _check(path: Path, files: Sequence[Path]) -> GoldCheck:
    lines = [
        _Line(number, line, text)
        for number, line in enumerate(text_lines(path), start=1)
        if (text := bare(line))
    ]
    missing = _Missing(line.text for line in lines)
    for found in _all_texts(files):
        missing.look_in(found.text)
        if missing.done:
            break
    absent = [line for line in lines if line.text in missing.left]
    belongs = any(stem(path) == stem(file) for file in files)
    belongs |= len(lines) - len(absent) >= _BELONGS * len(lines)
    reported = [] if missing.given_up else absent[:_REPORTED]
    return GoldCheck(
        path=str(path),
        lines=len(lines),
        found=len(lines) - len(absent),
        belongs=belongs,
        mismatches=tuple(_explain(reported, files)),
        note="the text repeats itself too much to be searched" * missing.given_up,
    )


def _all_texts(files: Iterable[Path]) -> Iterator[BareText]:
    for path in files:
        yield from bare_texts(path)


class _Missing:
    """Lines not found yet, by how they begin."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.left = set(texts)
        self.given_up = False
        self._compared = 0
        self._by_anchor: dict[str, dict[int, set[str]]] = {}
        self._long = {text for text in self.left if len(text) > _LONG}
        for text in self.left - self._long:
            lengths = self._by_anchor.setdefault(text[:_ANCHOR], {})
            lengths.setdefault(len(text), set()).add(text)
        self._index = TermIndex(self._by_anchor)

    @property
    def done(self) -> bool:
        return not self.left or self.given_up

    def look_in(self, text: str) -> None:
        """Take out the lines that occur in a text."""
        found_here = {line for line in self._long if line in text}
        self._long -= found_here
        self.left -= found_here
        for start, size in self._index.occurrences(TextBatch.of([text])):
            lengths = self._by_anchor.get(text[start : start + size], {})
            for length in list(lengths):
                if start + length > len(text):
                    continue
                self._compared += length
                found = text[start : start + length]
                if found in lengths[length]:
                    lengths[length].discard(found)
                    self.left.discard(found)
                if not lengths[length]:
                    del lengths[length]
            if self._compared > _MOST_COMPARED:
                self.given_up = True
                return


@dataclass
class _Best:
    """The place that is most like a line so far."""

    score: tuple[int, int, int] = (0, 0, 0)
    place: tuple[str, int, int] = ("", 0, 0)
    text: str = ""
    prefix: int = 0
    tries: int = 0


def _explain(lines: Sequence[_Line], files: Sequence[Path]) -> Iterator[GoldMismatch]:
    """Find for each line the place that is most like it."""
    anchors: dict[str, list[tuple[int, int]]] = {}
    for number, line in enumerate(lines):
        size = min(_ANCHOR, max(len(line.text) // 2, 1))
        seen: Counter[str] = Counter()
        for at in range(max(len(line.text) - size + 1, 1)):
            anchor = line.text[at : at + size]
            seen[anchor] += 1
            if seen[anchor] <= _MOST_ANCHORS:
                anchors.setdefault(anchor, []).append((number, at))
    best = [_Best() for _ in lines]
    open_lines = len(lines)
    index = TermIndex(anchors)
    for found in _all_texts(files) if lines else ():
        for start, size in index.occurrences(TextBatch.of([found.text])):
            if not open_lines:
                break
            for number, at in anchors[found.text[start : start + size]]:
                if start >= at and best[number].tries < _MOST_PLACES:
                    _improve(best[number], lines[number].text, found, start - at)
                    open_lines -= best[number].tries >= _MOST_PLACES
    for line, place in zip(lines, best, strict=True):
        gold = line.text[place.prefix : place.prefix + _EXCERPT]
        yield GoldMismatch(
            line.number, column_of(line.line, place.prefix), gold, *place.place, place.text
        )


def _improve(best: _Best, line: str, found: BareText, start: int) -> None:
    """Take a place if it begins more like the line, or else has more of it."""
    best.tries += 1 + len(line) // _CHARACTERS_OF_A_PLACE
    there = found.text[start : start + len(line)]
    same = _code_points(line[: len(there)]) == _code_points(there)
    prefix = len(same) if same.all() else int(same.argmin())
    # A long common beginning is surest: after it, one character too many
    # moves all that follows.
    score = (prefix if prefix >= _ANCHOR else 0, int(same.sum()), prefix)
    if score > best.score:
        best.score = score
        best.prefix = prefix
        best.place = (str(found.path), *found.place(start + prefix))
        best.text = there[prefix : prefix + _EXCERPT]


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
