"""How many misread characters the step `ocr-report` finds, and how many are none.

    python bench/python/zh_ocr.py [--shared FOLDER] [-o FILE]

* News (`news/ntrex-zho-CN.txt`, `-TW.txt`, the first 20,000 characters each), into
  which 200 characters each were put that the step knows as confusions, drawn with a
  seed: `found` are reports whose first candidate is what stood there.
* `classical/derived-shiji-ocrnoise.txt`, whose noise is real differences between
  editions, beside the edition that it was made from.
* `false`: reports in 10,000 characters of the texts without errors.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import sys
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path

from pytok import zh
from pytok.zh._tables import rows

ROOT = Path(__file__).resolve().parents[2]
MARGINS = (0, 2, 4, 6, 8)
NEWS = ("zho-CN", "zho-TW")


@dataclass(frozen=True)
class Row:
    """Reports of one margin on one kind of text."""

    text: str
    margin: float
    errors: int
    found: int
    reports: int
    false_in_10000: float


def confusions() -> dict[str, str]:
    """Return the characters that each character may be taken for."""
    others: dict[str, str] = {}
    for group, _ in rows("ocr-confusions.tsv"):
        for character in group:
            others[character] = others.get(character, "") + group.replace(character, "")
    return others


def with_errors(text: str, count: int, seed: int) -> str:
    others = confusions()
    generator = random.Random(seed)
    places = [place for place, character in enumerate(text) if character in others]
    letters = list(text)
    for place in generator.sample(places, count):
        letters[place] = generator.choice(others[letters[place]])
    return "".join(letters)


def differences(noisy: str, clean: str) -> dict[int, str]:
    """Return the character of the edition for each place that has a confusion of it."""
    others = confusions()
    found: dict[int, str] = {}
    for tag, a, b, c, d in SequenceMatcher(None, noisy, clean, autojunk=False).get_opcodes():
        if tag == "replace" and b - a == d - c:
            found.update(zip(range(a, b), clean[c:d], strict=True))
    return {place: char for place, char in found.items() if char in others.get(noisy[place], "")}


def measure(text: str, pairs: list[tuple[str, str]], margin: float) -> Row:
    pipeline = zh.Pipeline([zh.Step("ocr-report", {"margin": margin})])
    errors = found = reports = false = 0
    for noisy, clean in pairs:
        wrong = differences(noisy, clean)
        edits = pipeline.normalize(noisy).edits
        errors += len(wrong)
        reports += len(edits)
        found += sum(wrong.get(edit.original[0]) == edit.candidates[0] for edit in edits)
        false += len(pipeline.normalize(clean).edits)
    characters = sum(len(clean) for _, clean in pairs)
    return Row(text, margin, errors, found, reports, round(1e4 * false / characters, 1))


def lines_of_news(folder: Path) -> list[tuple[str, str]]:
    pairs = []
    for seed, name in enumerate(NEWS):
        clean = (folder / f"news/ntrex-{name}.txt").read_text(encoding="utf-8")[:20000]
        noisy = with_errors(clean, 200, seed)
        pairs += list(zip(noisy.split("\n"), clean.split("\n"), strict=True))
    return pairs


def lines_of_edition(folder: Path) -> list[tuple[str, str]]:
    path = folder / "classical/derived-shiji-ocrnoise.txt"
    noisy = path.read_text(encoding="utf-8").split("\n")[:100]
    with lzma.open(folder / "classical/shiji-punctuated.txt.xz") as file:
        clean = file.read().decode("utf-8").split("\n")
    return list(zip(noisy, clean, strict=False))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(os.environ.get("PYTOK_SHARED", ROOT.parent / "shared"))
    parser.add_argument("--shared", type=Path, default=default)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    folder = options.shared / "data"
    texts = {"news": lines_of_news(folder), "shiji": lines_of_edition(folder)}
    found = [measure(name, texts[name], margin) for name in texts for margin in MARGINS]
    print(f"{'text':8}{'margin':>8}{'errors':>8}{'found':>8}{'reports':>9}{'false':>8}")
    for row in found:
        print(
            f"{row.text:8}{row.margin:8}{row.errors:8}{row.found:8}{row.reports:9}"
            f"{row.false_in_10000:8}"
        )
    if options.output:
        content = {"python": sys.version.split()[0], "rows": [asdict(row) for row in found]}
        options.output.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
