"""Training on large inputs under a memory budget: more words than it holds, and one line.

    PYTOK_SHARED=SHARED python bench/python/large_inputs.py FOLDER [--only line] [-o FILE]

Makes the inputs in FOLDER, the same bytes everywhere, trains on each with
`pytok train --memory 2G`. The tokenizer of the first is compared byte for byte with
one trained without a budget, and so is that of half as many lines, under 1G. Of the
line a quarter is trained on as well, which shows how time grows, and again with
``--memory 128M``, for the same tokenizer. Every run is a process of its own; wall
time, CPU time and the peak of resident memory are the operating system's figures.

    words    2.3 GB of lines
    half     1.2 GB of lines, with ``--memory 1G``
    line     1 GB, the same without newlines
    han      1 GB, the same without anything but Han characters: one endless word
    letter   1 GB of the letter a
    binary   1 GB of random bytes, which is no text

An input that exists with the right size is used again, and so are runs that the
JSON holds; nothing is removed but the tokenizers. All sizes are multiplied by
``--scale``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from large_texts import make

import pytok

MEMORY = "2G"
NO_BUDGET = "no budget"
QUARTER = "2G, a quarter"
QUARTER_LITTLE = "128M, a quarter"
MORE = {
    # Of how many parts one is trained on, and the budget.
    NO_BUDGET: (1, []),
    QUARTER: (4, ["--memory", MEMORY]),
    QUARTER_LITTLE: (4, ["--memory", "128M"]),
}
Record = dict[str, Any]


@dataclass(frozen=True)
class Input:
    """A file to train on, and how it is trained on.

    Parameters
    ----------
    size
        Bytes, about; a whole number of characters.
    runs
        Options of `pytok train`, by name.
    more
        What it is compared with, of `MORE`.
    memory
        The budget, in gibibytes.
    text
        Its name in `large_texts.py`, when that is another.

    """

    size: int
    runs: dict[str, list[str]]
    more: tuple[str, ...]
    memory: str = MEMORY
    text: str = ""


def options(algorithm: str, vocab_size: int, *more: str) -> list[str]:
    return ["--algorithm", algorithm, "--vocab-size", str(vocab_size), *more]


ALL = {algorithm: options(algorithm, 8000) for algorithm in ("hybrid", "unigram", "bpe")}
HYBRID = {"hybrid": ALL["hybrid"]}
# One letter has a few pieces and no Han characters.
SMALL = {
    "hybrid": options("hybrid", 261, "--no-han-prefixes"),
    "unigram": options("unigram", 261),
    "bpe": options("bpe", 261),
}
INPUTS = {
    "words": Input(2_300_000_000, ALL, (NO_BUDGET,)),
    "half": Input(1_200_000_000, ALL, (NO_BUDGET,), "1G", "words"),
    "line": Input(10**9, ALL, (QUARTER, QUARTER_LITTLE)),
    "han": Input(10**9, HYBRID, (QUARTER, QUARTER_LITTLE)),
    "letter": Input(10**9, SMALL, (QUARTER, QUARTER_LITTLE)),
    "binary": Input(10**9, HYBRID, ()),
}


def mebibytes(memory: str) -> int:
    return int(memory.removesuffix("G")) * 1024


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def train(text: Path, folder: Path, arguments: list[str]) -> Record:
    """Run `pytok train` and measure it."""
    shutil.rmtree(folder, ignore_errors=True)
    command = ["train", str(text), "-o", str(folder), "--json", *arguments]
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", "from pytok.cli import main; main()", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = process.stdout, process.stderr
    if out is None or err is None:
        raise RuntimeError("no pipes")
    # The report is short, so neither pipe can fill while the other is read.
    report, message = out.read(), err.read().decode("utf-8").splitlines()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 2):
        lines = "\n".join([f"{' '.join(command)}: ended with {process.returncode}", *message])
        raise RuntimeError(lines)
    record: Record = {
        "command": " ".join(["pytok", "train", text.name, *arguments]),
        "exit": process.returncode,
        "wall_seconds": round(time.perf_counter() - start, 1),
        "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_mebibytes": round(usage.ru_maxrss / 1024),
        "error": message[0].replace(f"{text.parent}/", "") if process.returncode else None,
        "report": json.loads(report)["report"] if process.returncode == 0 else None,
        "files": {path.name: sha256(path) for path in sorted(folder.glob("*"))},
    }
    shutil.rmtree(folder, ignore_errors=True)
    return record


def made(folder: Path, name: str, size: int) -> Path:
    path = folder / f"{name}-{size}"
    # A process begins with the peak of the one that starts it, so this one stays small.
    maker = multiprocessing.get_context("spawn").Process(target=make, args=(path, name, size))
    maker.start()
    maker.join()
    if maker.exitcode != 0:
        raise RuntimeError(f"{path}: not made")
    return path


def are_equal(runs: dict[str, Record]) -> bool | None:
    """Return whether runs on the same text made the same files; None of no two."""
    for one, other in ((next(iter(runs)), NO_BUDGET), (QUARTER, QUARTER_LITTLE)):
        if one in runs and other in runs:
            return bool(runs[one]["files"] == runs[other]["files"])
    return None


def compare(name: str, folder: Path, scale: float, wanted: list[str]) -> Iterator[Record]:
    """Yield each run with the budget, and what it is compared with."""
    if not wanted:
        return
    kind = INPUTS[name]
    source = kind.text or name
    text = made(folder, source, int(kind.size * scale))
    size, digest = text.stat().st_size, sha256(text)
    target = folder / "tokenizer"
    for algorithm in wanted:
        arguments = kind.runs[algorithm]
        runs = {kind.memory: train(text, target, [*arguments, "--memory", kind.memory])}
        for more in kind.more:
            parts, budget = MORE[more]
            part = made(folder, source, int(kind.size * scale) // parts)
            runs[more] = train(part, target, [*arguments, *budget])
        yield {
            "input": name,
            "bytes": size,
            "sha256": digest,
            "algorithm": algorithm,
            "pytok": pytok.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "cores": os.cpu_count(),
            "equal": are_equal(runs),
            "within": runs[kind.memory]["peak_mebibytes"] <= mebibytes(kind.memory),
            "runs": runs,
        }


HEAD = """\
| input | algorithm | different words | their MB | budget | wall s | CPU s | peak MiB | outcome |
|---|---|---|---|---|---|---|---|---|
"""


def rows(record: Record) -> Iterator[str]:
    """Yield the rows of a Markdown table."""
    for budget, run in record["runs"].items():
        report = run["report"] or {"unique_words": 0, "unique_word_bytes": 0}
        outcome = run["error"] or "a tokenizer"
        if budget in (NO_BUDGET, QUARTER_LITTLE):
            outcome = "the same" if record["equal"] else "**DIFFERENT**"
        is_first = budget == next(iter(record["runs"]))
        peak = f"{run['peak_mebibytes']:,}"
        cells = [
            record["input"],
            record["algorithm"],
            f"{report['unique_words']:,}",
            f"{report['unique_word_bytes'] / 1e6:,.0f}",
            budget,
            f"{run['wall_seconds']:,}",
            f"{run['cpu_seconds']:,}",
            peak if record["within"] or not is_first else f"**{peak}**",
            outcome,
        ]
        yield "| " + " | ".join(cells) + " |\n"


def place(record: Record) -> tuple[int, int]:
    """Return where a record stands among all."""
    name = record["input"]
    return list(INPUTS).index(name), list(INPUTS[name].runs).index(record["algorithm"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", default=list(INPUTS), choices=list(INPUTS))
    parser.add_argument("--algorithms", nargs="+", default=[])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("-o", "--output", type=Path, help="JSON of all figures; is added to")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    output: Path | None = arguments.output
    records: list[Record] = json.loads(output.read_bytes()) if output and output.exists() else []
    for name in arguments.only:
        known = {record["algorithm"] for record in records if record["input"] == name}
        asked = arguments.algorithms or INPUTS[name].runs
        wanted = [run for run in INPUTS[name].runs if run in asked and run not in known]
        for record in compare(name, arguments.folder, arguments.scale, wanted):
            records.append(record)
            records.sort(key=place)
            if output:
                output.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(HEAD)
    sys.stdout.writelines(line for record in records for line in rows(record))
    if not all(record["equal"] in (None, True) and record["within"] for record in records):
        sys.exit("tokenizers differ, or take more memory than the budget")


if __name__ == "__main__":
    main()
