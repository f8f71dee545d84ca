"""Training on large inputs under a memory budget: more words than it holds, and one line.

    PYTOK_SHARED=SHARED python bench/python/large_inputs.py FOLDER [--only line] [-o FILE]

Makes the inputs in FOLDER, the same bytes everywhere, trains on each with
`pytok train --memory 2G`. The tokenizer of the first is compared byte for byte with
one trained without a budget; the lines are trained on again by a quarter of them,
to show how time grows. Every run is a process of its own; wall time, CPU time and
the peak of resident memory are the operating system's figures for it.

    words    2.3 GB of lines
    line     1 GB, the same without newlines
    han      1 GB, the same without anything but Han characters: one endless word
    letter   1 GB of the letter a
    binary   1 GB of random bytes, which is no text

Text is the shared texts over and over, those of the kinds that may be trained on.
In each copy the clauses of a share of them exchange their ends, so that there are
more and more different words, nearly as many as in so much real text, while
characters meet as they do in it.

An input that exists with the right size is used again, and so are runs that the
JSON holds; nothing is removed but the tokenizers. All sizes are multiplied by
``--scale``.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import json
import lzma
import multiprocessing
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pytok

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("PYTOK_SHARED", REPOSITORY.parent / "shared"))
FOLDERS = ("classical", "code", "dialect", "news", "train")
# Evaluation data, never trained on.
LEFT_OUT = ("README.md", "ntrex-*")
MEMORY = "2G"
MEMORY_MEBIBYTES = 2048
QUARTER = "2G, a quarter"
NEWLINE = ord("\n")
# The share of clauses that exchange their ends. In the shared texts, lines in any
# order, the last eighth has 22 new words in a kilobyte, and 0.9 of the eighth
# before; a second copy has 20 with this share, and later ones fewer.
CHANGED = 0.7

Record = dict[str, Any]
Codes = NDArray[np.uint32]


@dataclass(frozen=True)
class Input:
    """A file to train on, and how it is trained on.

    Parameters
    ----------
    size
        Bytes, about; a whole number of characters.
    pieces
        Gives the bytes of the file, and more.
    runs
        Options of `pytok train`, by name.
    more
        What it is compared with: "no budget", or "2G, a quarter" of the input.

    """

    size: int
    pieces: Callable[[], Iterator[bytes]]
    runs: dict[str, list[str]]
    more: str | None


def shared_text() -> Codes:
    """Return the characters of the shared texts, a newline at the end."""
    parts = []
    for folder in FOLDERS:
        for path in sorted((SHARED / "data" / folder).iterdir()):
            if any(path.match(pattern) for pattern in LEFT_OUT):
                continue
            raw = path.read_bytes()
            raw = lzma.decompress(raw) if path.suffix == ".xz" else raw
            parts.append(raw.decode("utf-8").rstrip("\n") + "\n")
    return np.frombuffer("".join(parts).encode("utf-32-le"), dtype="<u4")


def is_han(codes: Codes) -> NDArray[np.bool_]:
    return (codes >= 0x4E00) & (codes <= 0x9FFF)


def varied(codes: Codes, number: int) -> Codes:
    """Return the text in which clauses have the ends of others.

    A clause is a run of Han characters, perhaps none, and the character after it.
    """
    random = np.random.Generator(np.random.PCG64(number))
    after = np.flatnonzero(~is_han(codes))
    first = np.concatenate(([0], after[:-1] + 1))
    length = after - first
    changed = np.flatnonzero((random.random(length.size) < CHANGED) & (length > 1))
    head = length.copy()
    head[changed] = 1 + (random.random(changed.size) * (length[changed] - 1)).astype(np.int64)
    other = np.arange(length.size)
    other[changed] = random.permutation(changed)
    # Of each clause its own head, the end of another, and the character after it.
    begins = np.stack((first, (first + head)[other], after), axis=1).ravel()
    lengths = np.stack((head, (length - head)[other], np.ones_like(after)), axis=1).ravel()
    offsets = np.cumsum(lengths) - lengths
    return codes[np.repeat(begins - offsets, lengths) + np.arange(codes.size)]


def texts(keep: Callable[[Codes], NDArray[np.bool_]] | None = None) -> Iterator[bytes]:
    """Yield the shared texts without an end, or of them what `keep` says."""
    codes = shared_text()
    for number in itertools.count():
        copy = varied(codes, number)
        if keep:
            copy = copy[keep(copy)]
        yield copy.astype("<u4").tobytes().decode("utf-32-le").encode("utf-8")


def letters() -> Iterator[bytes]:
    while True:
        yield b"a" * (1 << 20)


def noise() -> Iterator[bytes]:
    random = np.random.Generator(np.random.PCG64(0))
    while True:
        yield random.bytes(1 << 20)


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
    "words": Input(2_300_000_000, texts, ALL, "no budget"),
    "line": Input(10**9, lambda: texts(lambda codes: codes != NEWLINE), ALL, QUARTER),
    "han": Input(10**9, lambda: texts(is_han), HYBRID, QUARTER),
    "letter": Input(10**9, letters, SMALL, QUARTER),
    "binary": Input(10**9, noise, HYBRID, None),
}


def make(path: Path, name: str, size: int) -> None:
    """Write an input, whole or not at all."""
    if path.exists() and size - 4 < path.stat().st_size <= size:
        return
    staging = path.with_name(f".{path.name}")
    left = size
    with staging.open("wb") as stream:
        for piece in INPUTS[name].pieces():
            if len(piece) > left:
                # The last character may be cut: its bytes are left out.
                end = left
                while name != "binary" and 0x80 <= piece[end] < 0xC0:
                    end -= 1
                stream.write(piece[:end])
                break
            stream.write(piece)
            left -= len(piece)
    staging.replace(path)


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
        raise RuntimeError(f"ended with {process.returncode}: {' '.join(command)}")
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


def compare(name: str, folder: Path, scale: float, wanted: list[str]) -> Iterator[Record]:
    """Yield each run with the budget, and what it is compared with."""
    if not wanted:
        return
    kind = INPUTS[name]
    text = made(folder, name, int(kind.size * scale))
    size, digest = text.stat().st_size, sha256(text)
    target = folder / "tokenizer"
    for algorithm in wanted:
        arguments = kind.runs[algorithm]
        budget = [*arguments, "--memory", MEMORY]
        runs = {"2G": train(text, target, budget)}
        equal = None
        if kind.more == "no budget":
            runs[kind.more] = train(text, target, arguments)
            equal = runs["2G"]["files"] == runs[kind.more]["files"]
        elif kind.more:
            quarter = made(folder, name, int(kind.size * scale) // 4)
            runs[kind.more] = train(quarter, target, budget)
        yield {
            "input": name,
            "bytes": size,
            "sha256": digest,
            "algorithm": algorithm,
            "pytok": pytok.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "cores": os.cpu_count(),
            "equal": equal,
            "within": runs["2G"]["peak_mebibytes"] <= MEMORY_MEBIBYTES,
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
        if budget == "no budget":
            outcome = "the same" if record["equal"] else "**DIFFERENT**"
        peak = f"{run['peak_mebibytes']:,}"
        cells = [
            record["input"],
            record["algorithm"],
            f"{report['unique_words']:,}",
            f"{report['unique_word_bytes'] / 1e6:,.0f}",
            budget,
            f"{run['wall_seconds']:,}",
            f"{run['cpu_seconds']:,}",
            peak if record["within"] or budget != "2G" else f"**{peak}**",
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
