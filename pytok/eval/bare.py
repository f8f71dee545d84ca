"""Text without its white space, and where each of its characters stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from pytok.eval.corpora import document_rule, documents
from pytok.eval.text_files import text_lines

__all__ = ["BareText", "bare", "bare_texts", "column_of"]

_OVERLAP = 1 << 12
_PART = 1 << 16


def bare(text: str) -> str:
    r"""Take the white space out of a text.

    Examples
    --------
    >>> bare(" 天气\u3000很 好\n")
    '天气很好'

    """
    return "".join(text.split())


@dataclass(frozen=True)
class BareText:
    """Lines of a file without their white space, joined.

    Parameters
    ----------
    path
        The file.
    text
        The characters.
    starts
        First character of each line that has any.
    lines
        Number of each of these lines in its file, from 1, and the line.

    """

    path: Path
    text: str
    starts: tuple[int, ...]
    lines: tuple[tuple[int, str], ...]

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of a character in the file, both from 1."""
        number = max(bisect_right(self.starts, at) - 1, 0)
        line, text = self.lines[number]
        return line, column_of(text, at - self.starts[number])


def column_of(line: str, at: int) -> int:
    """Column, from 1, of the character number `at` that is not white space.

    Examples
    --------
    >>> column_of("天气 很 好", 2), column_of("天", 1)
    (4, 2)

    """
    solid = [column for column, character in enumerate(line, 1) if not character.isspace()]
    return solid[at] if at < len(solid) else len(line) + 1


def bare_texts(path: Path) -> Iterator[BareText]:
    """Read a file in parts; each begins with the end of the one before.

    The overlap of about 4,096 characters lets a sentence be found that two
    parts share. The lines of a record have the number of the record.

    Raises
    ------
    CorpusError
        If the file cannot be read.

    """
    held: list[tuple[int, str]] = []
    size = 0
    for number, line in _numbered(path):
        if line.strip():
            held.append((number, line))
            size += len(line)
        if size >= _PART:
            part = _joined(path, held)
            yield part
            keep = bisect_right(part.starts, max(len(part.text) - _OVERLAP, 0)) - 1
            held, size = held[keep:] if keep else [], 0
    if held:
        yield _joined(path, held)


def _numbered(path: Path) -> Iterator[tuple[int, str]]:
    rule = document_rule(path)
    if rule == "records":
        for number, text in enumerate(documents(path, rule), start=1):
            yield from ((number, line) for line in text.split("\n"))
    else:
        yield from enumerate(text_lines(path), start=1)


def _joined(path: Path, lines: list[tuple[int, str]]) -> BareText:
    bares = [bare(line) for _, line in lines]
    starts = accumulate(map(len, bares[:-1]), initial=0)
    return BareText(path, "".join(bares), tuple(starts), tuple(lines))
