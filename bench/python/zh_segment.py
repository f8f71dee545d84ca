"""How well the step `segment` finds the breaks of punctuated text from which they were taken.

    python bench/python/zh_segment.py [--shared FOLDER] [--model FILE] [-o FILE]

Every mark of 。，；：、！？ between two Chinese characters of a line is a break. The line
without anything but Chinese characters is given to the step; what it finds is compared
place by place. `sentence recall` counts 。！？ alone. `held out`: documents of what the
model is trained on, chosen by `bench/definitions/zh-segment.toml`; the other files are
not trained on. `every 5th` breaks each line after five characters: what is had for
nothing. `unseen` counts the places of which the ten characters around, in simplified
form, are nowhere in what is trained on: classics quote one another.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import zh_segment_text as texts
from opencc import OpenCC

from pytok import zh

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Row:
    """Breaks of one text; shares of 1, with a 95 % interval of F1 over parts of it.

    Parts are lines, and of long lines 1,000 characters.
    """

    text: str
    characters: int
    breaks: int
    precision: float
    recall: float
    f1: float
    f1_low: float
    f1_high: float
    sentence_recall: float
    f1_every_5th: float
    unseen: float
    f1_unseen: float


PART = 1000
AROUND = 5
simplified = OpenCC("t2s").convert
Counts = tuple[int, int, int, int, int]


def counts(run: texts.Run, found: set[int], counted: Callable[[int], bool]) -> list[Counts]:
    """Return right, found and true breaks, found and true ends of sentences, by part."""
    parts = []
    for start in range(0, len(run.characters), PART):
        inner = range(max(start, 1), min(start + PART, len(run.characters)))
        places = {place for place in inner if counted(place)}
        true = {place for place in places if run.places[place - 1] > 0}
        ends = {place for place in places if run.places[place - 1] == texts.SENTENCE}
        mine = places & found
        parts.append((len(true & mine), len(mine), len(true), len(ends & mine), len(ends)))
    return parts


def around(line: str, place: int) -> str:
    return line[place - AROUND : place + AROUND]


def windows(runs: list[texts.Run]) -> set[str]:
    """Return all that can be around a place of these runs, simplified."""
    lines = [simplified("".join(run.characters)) for run in runs]
    return {around(line, n) for line in lines for n in range(AROUND, len(line) - AROUND + 1)}


def shares(rows: list[Counts]) -> tuple[float, float, float, float]:
    right, found, true, ends, all_ends = (sum(row[i] for row in rows) for i in range(5))
    precision, recall = right / max(1, found), right / max(1, true)
    f1 = 2 * right / max(1, found + true)
    return precision, recall, f1, ends / max(1, all_ends)


def measure(
    name: str, runs: list[texts.Run], breaks: Callable[[str], set[int]], seen: set[str]
) -> Row:
    rows, fives, unseen = [], [], []
    size = all_places = 0
    for run in runs:
        found = breaks("".join(run.characters))
        rows += counts(run, found, lambda _: True)
        fives += counts(run, set(range(5, len(run.characters), 5)), lambda _: True)
        line = "".join(map(simplified, run.characters))
        is_new = {
            place
            for place in range(AROUND, len(line) - AROUND + 1)
            if around(line, place) not in seen
        }
        unseen += counts(run, found, is_new.__contains__)
        size, all_places = size + len(is_new), all_places + max(0, len(line) - 2 * AROUND + 1)
    generator = random.Random(1)
    again = sorted(shares(generator.choices(rows, k=len(rows)))[2] for _ in range(200))
    precision, recall, f1, sentences = shares(rows)
    return Row(
        name,
        sum(len(run.characters) for run in runs),
        sum(row[2] for row in rows),
        *(round(x, 4) for x in (precision, recall, f1, again[4], again[194], sentences)),
        round(shares(fives)[2], 4),
        round(size / max(1, all_places), 4),
        round(shares(unseen)[2], 4),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(os.environ.get("PYTOK_SHARED", ROOT.parent / "shared"))
    parser.add_argument("--shared", type=Path, default=default)
    parser.add_argument("--model", type=Path)
    parser.add_argument(
        "--definition", type=Path, default=ROOT / "bench/definitions/zh-segment.toml"
    )
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    definition = tomllib.loads(options.definition.read_text(encoding="utf-8"))
    pipeline = zh.Pipeline([zh.Step("segment", {"model": options.model} if options.model else {})])
    scored, seen = [], set()
    for source in definition["train"]:
        text = texts.read(options.shared / "data" / source["path"])
        kept, held = texts.divided(text, source, definition["held_out"], definition["seed"])
        seen |= windows(texts.punctuated(kept))
        if source["kind"] == "punctuated":
            scored.append((f"held out: {source['path']}", held))
            if source.get("block") == 0:
                scored += [(f"held out: {part[:12]}", part) for part in held.split("\n")]
    for source in definition.get("score", []):
        text = texts.read(options.shared / "data" / source["path"])
        scored.append((source["path"], texts.original(text, source)))
    found = []
    for name, text in scored:
        runs = texts.punctuated(text)
        found.append(measure(name, runs, lambda line: set(pipeline.normalize(line).breaks), seen))
        print(asdict(found[-1]), flush=True)
    if options.output:
        content = {"definition": definition, "rows": [asdict(row) for row in found]}
        options.output.write_text(
            json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
