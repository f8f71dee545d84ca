"""How much nearer to Mandarin the dialect steps bring a text, and what they change wrongly.

    python bench/python/zh_dialect.py [--shared FOLDER] [--pairs 5000] [-o FILE]

Two parallel texts that the tables were not made from: UD Cantonese-HK with UD
Chinese-HK, and the Hokkien news of iCorpus. For each pair of sentences:

* `coverage`: of the characters of dialect words that the Mandarin side does not
  have, the share that a step changed. Words are those of the file's segmentation.
* `precision`: of the changed parts, the share whose new text stands in the Mandarin
  side (`any`: some candidate does). Mandarin says many things in more than one way,
  so this is a lower bound of what is right.
* `distance`: edit distance to the Mandarin side over the length of that side,
  before and after, in jieba's words (HMM off, dictionary in both scripts) and in
  characters.

And on Mandarin text, with every step in turn: changed parts in 10,000 characters.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from pytok import _pytok, zh
from pytok._segmenter import jieba_dictionary
from pytok.zh.dialect import REGIONS

MANDARIN = (
    "news/gov-reports.txt.xz",
    "news/icorpus-tw-news.txt",
    "news/ntrex-zho-CN.txt",
    "news/ntrex-zho-TW.txt",
    "news/ud-pud-news.txt",
)


@dataclass(frozen=True)
class Pair:
    """A sentence of a dialect in words, and the same in Mandarin."""

    words: tuple[str, ...]
    mandarin: str

    @property
    def text(self) -> str:
        return "".join(self.words)


@dataclass(frozen=True)
class Nearness:
    """The figures of one parallel text; shares are between 0 and 1."""

    pairs: int
    edits: int
    coverage: float
    precision: float
    precision_any: float
    words_before: float
    words_after: float
    characters_before: float
    characters_after: float


def rows(path: Path) -> Iterator[dict[str, str]]:
    lines = read(path).split("\n")
    yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def cantonese(shared: Path) -> list[Pair]:
    path = shared / "data/parallel/ud-hk-yue-cmn.tsv"
    return [Pair(tuple(row["yue_seg"].split()), row["cmn"]) for row in rows(path)]


def hokkien(shared: Path, limit: int) -> list[Pair]:
    path = shared / "data/parallel/icorpus-nan-cmn.tsv.xz"
    pairs = [
        Pair(tuple(row["nan_hanji_seg"].split()), "".join(row["cmn"].split())) for row in rows(path)
    ]
    step = max(1, len(pairs) // limit)
    return pairs[::step][:limit]


def edit_distance(left: Sequence[str], right: Sequence[str]) -> int:
    """Levenshtein (1966)."""
    before = list(range(len(right) + 1))
    for row, item in enumerate(left, start=1):
        after = [row]
        for column, other in enumerate(right, start=1):
            replaced = before[column - 1] + (item != other)
            after.append(min(replaced, before[column] + 1, after[-1] + 1))
        before = after
    return before[-1]


def segmenter() -> Callable[[str], list[str]]:
    core = _pytok.WordSegmenter.from_dictionary(jieba_dictionary())

    def cut(text: str) -> list[str]:
        edges = [0, *core.boundaries(text), len(text)]
        return [text[start:end] for start, end in pairwise(edges)]

    return cut


def nearness(region: str, pairs: Sequence[Pair], cut: Callable[[str], list[str]]) -> Nearness:
    pipeline = zh.Pipeline([region])
    totals: Counter[str] = Counter()
    for pair in pairs:
        normalized = pipeline.normalize(pair.text)
        changed = [edit for edit in normalized.edits if edit.status != "kept"]
        inside = {place for edit in changed for place in range(*edit.original)}
        start = 0
        for word in pair.words:
            if word not in pair.mandarin and any(character.isalpha() for character in word):
                totals["different"] += len(word)
                totals["covered"] += len(inside & set(range(start, start + len(word))))
            start += len(word)
        totals["edits"] += len(changed)
        totals["right"] += sum(edit.after in pair.mandarin for edit in changed)
        totals["some"] += sum(
            any(form in pair.mandarin for form in edit.candidates or (edit.after,))
            for edit in changed
        )
        for unit, divide in (("words", cut), ("characters", list)):
            target = divide(pair.mandarin)
            totals[unit] += len(target)
            totals[f"{unit} before"] += edit_distance(divide(pair.text), target)
            totals[f"{unit} after"] += edit_distance(divide(normalized.text), target)
    return Nearness(
        pairs=len(pairs),
        edits=totals["edits"],
        coverage=totals["covered"] / totals["different"],
        precision=totals["right"] / totals["edits"],
        precision_any=totals["some"] / totals["edits"],
        words_before=totals["words before"] / totals["words"],
        words_after=totals["words after"] / totals["words"],
        characters_before=totals["characters before"] / totals["characters"],
        characters_after=totals["characters after"] / totals["characters"],
    )


def read(path: Path) -> str:
    content = path.read_bytes()
    return (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8")


def false_changes(shared: Path) -> dict[str, dict[str, float]]:
    """Changed parts in 10,000 characters of Mandarin, by file and region."""
    found: dict[str, dict[str, float]] = {}
    for region in REGIONS:
        pipeline = zh.Pipeline([region])
        for name in MANDARIN:
            text = read(shared / "data" / name)
            changed = pipeline.normalize(text).report.changed
            found.setdefault(name, {})[region] = changed * 10_000 / len(text)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=os.environ.get("PYTOK_SHARED", "../shared"))
    parser.add_argument(
        "--pairs", type=int, default=5000, help="of the Hokkien text, spread evenly"
    )
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    shared = Path(arguments.shared)
    cut = segmenter()
    result = {
        "pairs": {
            "cantonese, UD-HK": asdict(nearness("cantonese", cantonese(shared), cut)),
            "hokkien, iCorpus": asdict(nearness("hokkien", hokkien(shared, arguments.pairs), cut)),
        },
        "false changes in 10,000 characters": false_changes(shared),
        "versions": {"pytok": _pytok.__version__, "python": sys.version.split()[0]},
    }
    printed = json.dumps(result, ensure_ascii=False, indent=2)
    sys.stdout.write(printed + "\n")
    if arguments.output:
        arguments.output.write_text(printed + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
