"""Gold word segmentation: one sentence per line, words separated by one space.

A space inside a word is written U+00A0. Removing the spaces gives the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pytok.eval.corpora import document_rule, documents
from pytok.eval.kinds import Kind
from pytok.eval.units import SENTENCE_MARKS

__all__ = ["match_gold", "words_of_line"]

_SAMPLE = 200
_ENOUGH = 0.9
_SENTENCES = re.compile(
    f"[^{SENTENCE_MARKS}]*[{SENTENCE_MARKS}]+[”’」』）》]*|[^{SENTENCE_MARKS}]+"
)


def words_of_line(line: str) -> list[str]:
    r"""Words of one gold line.

    Examples
    --------
    >>> words_of_line("New\u00a0York 的 人民 。\n")
    ['New York', '的', '人民', '。']

    """
    words = line.rstrip("\r\n").split(" ")
    return [word.replace("\u00a0", " ") for word in words if word]


def match_gold(kinds: list[Kind]) -> list[Kind]:
    """Give gold files that stand alone to the kind whose text they segment.

    A gold file that shares its name with a kind is already with it. Of any
    other, the first 200 lines are looked up in the lines and sentences of the
    kinds with text, white space aside; a kind that has 9 in 10 gets the file.
    """
    texts = [kind for kind in kinds if kind.files]
    alone = [kind for kind in kinds if not kind.files]
    if not texts or not alone:
        return kinds
    wanted = {path: _sample(path) for kind in alone for path in kind.gold}
    missing = set().union(*wanted.values())
    found_in = {kind.name: _found(kind.files, missing) for kind in texts}
    given: dict[str, list[Path]] = {kind.name: list(kind.gold) for kind in texts}
    left: dict[str, list[Path]] = {kind.name: [] for kind in alone}
    for kind in alone:
        for path in kind.gold:
            sample = wanted[path]
            best = max(texts, key=lambda text: len(sample & found_in[text.name]))
            enough = sample and len(sample & found_in[best.name]) >= _ENOUGH * len(sample)
            (given[best.name] if enough else left[kind.name]).append(path)
    return [
        Kind(kind.name, kind.files, tuple(given[kind.name] if kind.files else left[kind.name]))
        for kind in kinds
        if kind.files or left[kind.name]
    ]


def _bare(text: str) -> str:
    return "".join(text.split())


def _sample(path: Path) -> set[str]:
    sample: set[str] = set()
    for document in documents(path, document_rule(path)):
        for line in document.splitlines():
            if bare := _bare(line):
                sample.add(bare)
            if len(sample) == _SAMPLE:
                return sample
    return sample


def _found(files: Iterable[Path], wanted: set[str]) -> set[str]:
    found: set[str] = set()
    for path in files:
        for document in documents(path, document_rule(path)):
            for line in document.splitlines():
                found.update(wanted.intersection({_bare(line)}))
                found.update(wanted.intersection(map(_bare, _SENTENCES.findall(line))))
    return found
