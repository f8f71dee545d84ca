"""Spans whose wholeness matters: numbers, addresses, names, and terms of lists.

Patterns find numbers, URLs, identifiers and names in mixed script; a list file
has one term a line (what follows a tab is not read; a line that starts with
``# `` is a comment). Spans of one list do not overlap: the leftmost, then the
longest wins. Spans of one character are always whole, so they do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pytok.errors import CorpusError
from pytok.eval.term_index import LONGEST_TERM, TermIndex
from pytok.eval.text_batch import IntArray, TextBatch
from pytok.eval.text_files import text_lines

__all__ = ["PATTERNS", "SpanFinder", "Spans", "read_terms"]

_URL = re.compile(r"(?<![A-Za-z0-9])(?:https?|ftp)://[!-~]+|(?<![A-Za-z0-9.])www\.[!-~]+")
_AFTER_URL = ".,;:!?'\")]}>"
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.０-９])[0-9０-９]+(?:[.,:．][0-9０-９]+)*[%％]?(?![A-Za-z0-9_０-９])"
)
_RUN = re.compile(r"[A-Za-z0-9_]+")
_IDENTIFIER = re.compile(
    r"_*[A-Za-z]+[0-9]*_\w*|_+[A-Za-z]\w*|[A-Za-z]*[a-z][A-Z]\w*|[A-Z]{2,}[a-z]\w*"
)
_HAN = re.compile("[〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_NAME = re.compile(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*")
_AFTER_LETTERS = frozenset("股恤光盘站型级座轮币照线粉咖")
_BEFORE_LETTERS = {"OK": "卡拉", "Q": "阿"}

PATTERNS = {
    "number": "digits with . , : between them, and %",
    "url": "http, https, ftp or www addresses, without the marks after them",
    "identifier": "names with an underscore or a capital inside",
    "mixed": "letters with digits beside Han (Mate60手机), letters with a Han character (A股, T恤)",
}


@dataclass(frozen=True)
class Spans:
    """Spans of a batch, in characters.

    Parameters
    ----------
    starts, ends
        Half open, shape (n_spans,), in order, not overlapping.

    """

    starts: IntArray
    ends: IntArray

    @classmethod
    def of(cls, found: Iterable[tuple[int, int]]) -> Spans:
        """Collect spans of two or more characters."""
        pairs = np.array([pair for pair in found if pair[1] - pair[0] > 1], dtype=np.int64)
        pairs = pairs.reshape(-1, 2)
        return cls(pairs[:, 0], pairs[:, 1])


class SpanFinder:
    """Finds the spans of every pattern and list in a batch.

    Parameters
    ----------
    lists
        Terms by the name of their list; a list that is named like a pattern
        takes its place.

    Examples
    --------
    >>> finder = SpanFinder({"idiom": ["画蛇添足"]})
    >>> batch = TextBatch.of(["画蛇添足，共12.5%，见 www.a.cn/x。iPhone15手机 max_len"])
    >>> for name, spans in finder.find(batch).items():
    ...     print(name, *(batch.texts[0][a:b] for a, b in zip(spans.starts, spans.ends)))
    number 12.5%
    url www.a.cn/x
    identifier max_len
    mixed iPhone15
    idiom 画蛇添足

    """

    def __init__(self, lists: Mapping[str, Iterable[str]] | None = None) -> None:
        self._lists = {name: TermIndex(terms) for name, terms in (lists or {}).items()}
        self.names = (*(name for name in PATTERNS if name not in self._lists), *self._lists)

    def find(self, batch: TextBatch) -> dict[str, Spans]:
        """Find the spans of a batch, by name."""
        found: dict[str, list[tuple[int, int]]] = {name: [] for name in PATTERNS}
        for start, text in zip(batch.text_starts.tolist(), batch.texts, strict=False):
            for name, first, end in _by_pattern(text):
                found[name].append((start + first, start + end))
        return {
            name: Spans.of(self._lists[name].find(batch) if name in self._lists else found[name])
            for name in self.names
        }


def _by_pattern(text: str) -> Iterator[tuple[str, int, int]]:
    if text.isascii() and not text.strip("\n "):
        return
    urls: list[tuple[int, int]] = []
    for match in _URL.finditer(text):
        address = match[0].rstrip(_AFTER_URL)
        urls.append((match.start(), match.start() + len(address)))
        yield "url", *urls[-1]
    for span in _outside((match.span() for match in _NUMBER.finditer(text)), urls):
        yield "number", *span
    mixed = list(_outside(_mixed(text), urls))
    yield from (("mixed", *span) for span in mixed)
    for span in _outside(_identifiers(text), sorted(urls + mixed)):
        yield "identifier", *span


def _identifiers(text: str) -> Iterator[tuple[int, int]]:
    for match in _RUN.finditer(text):
        if _IDENTIFIER.fullmatch(match[0]):
            yield match.span()


def _mixed(text: str) -> Iterator[tuple[int, int]]:
    """Names of letters and digits beside Han, and letters that make a word with Han."""
    for match in _NAME.finditer(text):
        name, (start, end) = match[0], match.span()
        before = _BEFORE_LETTERS.get(name)
        if "_" in name:
            continue
        if before and text.endswith(before, 0, start):
            yield start - len(before), end
        elif name.isupper() and len(name) < 4 and text[end : end + 1] in _AFTER_LETTERS:
            yield start, end + 1
        elif _is_model(name) and _HAN.search(text[max(start - 1, 0) : start] + text[end : end + 1]):
            yield start, end


def _is_model(name: str) -> bool:
    """Whether letters and digits may name a product: Mate60, GPT-4o, 5G, but not 12km."""
    return (
        any(map(str.isdigit, name))
        and any(map(str.isalpha, name))
        and (name[0].isalpha() or name[-1].isupper())
    )


def _outside(
    spans: Iterable[tuple[int, int]], taken: list[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Spans that touch none of `taken`; both in order."""
    at = 0
    for first, end in spans:
        while at < len(taken) and taken[at][1] <= first:
            at += 1
        if at == len(taken) or end <= taken[at][0]:
            yield first, end


def read_terms(paths: Iterable[Path]) -> list[str]:
    """Read list files, without terms of one character.

    Raises
    ------
    CorpusError
        If a file cannot be read or holds no term, or a term is longer than 64
        characters.

    """
    terms: dict[str, None] = {}
    for path in paths:
        for number, line in enumerate(text_lines(path), start=1):
            term = "" if line.startswith("# ") else line.partition("\t")[0].strip()
            if len(term) > LONGEST_TERM:
                raise CorpusError(
                    f"{path}:{number}: a term of {len(term)} characters, "
                    f"at most {LONGEST_TERM} are expected",
                    hint="a list has one term a line",
                )
            if len(term) > 1:
                terms[term] = None
    if not terms:
        raise CorpusError(f"{', '.join(map(str, paths))}: no term of two or more characters")
    return list(terms)
