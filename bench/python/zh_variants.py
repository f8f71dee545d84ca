"""How much of what editions differ in the steps for variants fold, and what they merge.

    python bench/python/zh_variants.py SHARED [-o FILE]

`SHARED` is the folder of shared texts. Two measurements:

* **Editions.** Differences of one character between two editions of the same text
  (`variants/kanripo-witness-pairs.tsv`). The groups of
  `bench/definitions/zh-variant-pairs.toml` say which pairs are different words
  (textual) or one word in characters that have uses of their own (loan); the others
  are one character in two shapes (graphic). `folded` counts pairs that become equal,
  `weighted` the same by how often a pair was seen.
* **Words.** Words of jieba's dictionary that a step changes, and words that it makes
  equal to another. The dictionary has simplified words, some traditional ones, and
  single characters with their variants, so that most merges are meant; those of the
  characters that the same file judges to be different words are counted apart.

`held out` leaves away the rows that `old-prints.tsv` alone has, which was written by
hand by people who had seen such editions.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import jieba

from pytok import zh
from pytok.zh._tables import rows

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).resolve().parent
JUDGED = HERE.parent / "definitions" / "zh-variant-pairs.toml"
TRADITIONAL = {"script": "traditional"}
SYSTEMS: dict[str, list[zh.Step]] = {
    "nothing": [],
    "z-variants, held out": [
        zh.Step(
            "z-variants",
            {"keep": "".join(row[0] for row in rows("variants.tsv") if row[4] == "old-prints")},
        )
    ],
    "z-variants": [zh.Step("z-variants")],
    "z-variants, semantic-variants": [zh.Step("z-variants"), zh.Step("semantic-variants")],
    "z-variants of traditional text": [zh.Step("z-variants", TRADITIONAL)],
}


@dataclass
class Folded:
    """How many pairs of one kind there are, and how many become equal."""

    pairs: int
    folded: int
    occurrences: int
    folded_occurrences: int
    examples: list[str]

    @property
    def share(self) -> float:
        """Pairs that become equal, of all."""
        return self.folded / self.pairs

    @property
    def weighted(self) -> float:
        """The same by occurrence."""
        return self.folded_occurrences / self.occurrences


@dataclass
class Merged:
    """What becomes of the words of a dictionary: all that change or become equal to
    another, and of these the ones that are different words.
    """

    words: int
    changed: int
    merged: int
    different: int
    groups: list[str]


def judged() -> tuple[dict[frozenset[str], str], list[frozenset[str]]]:
    """The kind of each pair that is not graphic, and merged characters that differ."""
    with JUDGED.open("rb") as file:
        definitions = tomllib.load(file)
    kinds: dict[frozenset[str], str] = {}
    for group in definitions["group"]:
        for pair in group["pairs"].split():
            assert kinds.setdefault(frozenset(pair), group["kind"]) == group["kind"], pair
    return kinds, [frozenset(pair) for pair in definitions["merged"]["different"].split()]


def editions(shared: Path) -> Counter[frozenset[str]]:
    """How often each pair of characters stands for one another."""
    path = shared / "data" / "variants" / "kanripo-witness-pairs.tsv"
    counts: Counter[frozenset[str]] = Counter()
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        one, other, count, *_ = line.split("\t")
        counts[frozenset((one, other))] += int(count)
    return counts


def folded(
    pipeline: zh.Pipeline, pairs: Counter[frozenset[str]], kinds: dict[frozenset[str], str]
) -> dict[str, Folded]:
    """Fold both characters of each pair."""
    found = {kind: Folded(0, 0, 0, 0, []) for kind in ("graphic", "loan", "textual")}
    for pair, count in pairs.most_common():
        kind = found[kinds.get(pair, "graphic")]
        kind.pairs += 1
        kind.occurrences += count
        if len({pipeline.text(character) for character in pair}) == 1:
            kind.folded += 1
            kind.folded_occurrences += count
            kind.examples.append("".join(sorted(pair)))
    return found


def merged(pipeline: zh.Pipeline, words: Iterable[str], different: list[frozenset[str]]) -> Merged:
    """Fold the words of a dictionary."""
    made: dict[str, list[str]] = {}
    result = Merged(0, 0, 0, 0, [])
    for word in words:
        result.words += 1
        put = pipeline.text(word)
        made.setdefault(put, []).append(word)
        result.changed += put != word
    for sources in made.values():
        if len(sources) > 1:
            result.merged += len(sources)
            characters = set("".join(sources))
            result.different += len(sources) * any(pair <= characters for pair in different)
            result.groups.append("=".join(sources))
    return result


def main() -> None:
    """Measure, print a table, write the rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    pairs = editions(arguments.shared)
    kinds, different = judged()
    unused = sorted("".join(sorted(pair)) for pair in kinds if pair not in pairs)
    if unused:
        print("judged, but not a difference of the editions:", *unused, file=sys.stderr)
    jieba.setLogLevel("WARNING")
    jieba.initialize()
    words = sorted(word for word, count in jieba.dt.FREQ.items() if count > 0)
    report = []
    for name, steps in SYSTEMS.items():
        pipeline = zh.Pipeline(steps)
        start = time.perf_counter()
        kinds_folded = folded(pipeline, pairs, kinds)
        of_words = merged(pipeline, words, different)
        figures = "  ".join(
            f"{kind} {one.folded}/{one.pairs} = {one.share:.1%}, weighted {one.weighted:.1%}"
            for kind, one in kinds_folded.items()
        )
        print(f"{name}: {figures}")
        print(
            f"    of {of_words.words} words {of_words.changed} change, {of_words.merged} become"
            f" equal to another in {len(of_words.groups)} groups, {of_words.different} of them"
            f" different words  [{time.perf_counter() - start:.1f} s]"
        )
        row = {kind: asdict(found) for kind, found in kinds_folded.items()}
        report.append({"steps": name, **row, "words": asdict(of_words)})
    if arguments.output:
        versions = {name: version(name) for name in ("pytok-tokenizers", "jieba")}
        data = {"versions": versions, "systems": report}
        text = json.dumps(data, ensure_ascii=False, indent=1)
        arguments.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
