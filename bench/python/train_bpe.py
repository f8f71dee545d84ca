"""Time and memory of BPE training beside the trainer of `tokenizers`.

    python bench/python/train_bpe.py [--megabytes 16] [--vocab-size 32000] [--rounds 3] [-o FILE]

Both train on the same text, with the same pre-tokens and vocabulary size. Every
run is a process of its own that reads the text from one file, so that its CPU
time and peak memory are its own; the time to read the text is left out, the
memory to hold it is not. First the merges of `tokenizers` are compared with
those of pytok under ``tie="hf"``: nothing is timed when they differ. The order
of the contestants turns from round to round.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

# Kinds of text in turn, so that any size is mixed.
SOURCES = [
    "news/gov-reports.txt.xz",
    "code/python.txt.xz",
    "news/icorpus-tw-news.txt",
    "code/go.txt.xz",
    "classical/shiji-punctuated.txt.xz",
    "code/javascript-typescript.txt.xz",
    "dialect/ctcpc-yue-sents.txt.xz",
    "code/c-java-kotlin-swift.txt.xz",
]
QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
OPTIONS: dict[str, dict[str, object]] = {
    "pytok": {"threads": 1},
    "pytok, 2 threads": {"threads": 2},
    "pytok, no tau-cut": {"threads": 1, "tau": 1},
    "pytok, tie=hf": {"threads": 1, "tie": "hf", "char_align": False},
}
RIVALS = ["tokenizers", "tokenizers, 2 threads"]


def train_with_tokenizers(lines: list[str], vocab_size: int) -> list[list[str]]:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(lines, trainer)
    return [list(merge) for merge in json.loads(tokenizer.to_str())["model"]["merges"]]


def train_with_pytok(lines: list[str], vocab_size: int, name: str) -> list[list[str]]:
    import pytok

    config = pytok.TrainConfig(vocab_size=vocab_size, **OPTIONS[name])
    tokenizer = pytok.train(lines, config).tokenizer
    with tempfile.TemporaryDirectory() as folder:
        saved = tokenizer.save(folder) / "tokenizer.json"
        return json.loads(saved.read_text(encoding="utf-8"))["model"]["merges"]


def run_here(name: str, text: Path, vocab_size: int) -> None:
    """Train once and print what it took, as the child of `run`."""
    lines = text.read_text(encoding="utf-8").splitlines(keepends=True)
    before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    if name in OPTIONS:
        merges = train_with_pytok(lines, vocab_size, name)
    else:
        merges = train_with_tokenizers(lines, vocab_size)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if sys.platform == "darwin" else 1024
    record = {
        "wall_seconds": wall,
        "cpu_seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "peak_bytes": after.ru_maxrss * unit,
        "peak_bytes_before": before.ru_maxrss * unit,
        "merges": len(merges),
        "digest": hashlib.sha256(json.dumps(merges).encode()).hexdigest(),
    }
    print(json.dumps(record))


def run(name: str, text: Path, vocab_size: int) -> dict[str, float | str]:
    environment = dict(os.environ, RAYON_NUM_THREADS="2" if "2 threads" in name else "1")
    environment["TOKENIZERS_PARALLELISM"] = "true" if "2 threads" in name else "false"
    command = [sys.executable, __file__, "--run", name, "--text", str(text)]
    command += ["--vocab-size", str(vocab_size)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: {name}: {done.stderr.decode()}")
    record: dict[str, float | str] = json.loads(done.stdout)
    return record


def write_text(shared: Path, size: int, target: Path) -> None:
    """Write about `size` bytes, the same share of every source."""
    with target.open("wb") as out:
        for name in SOURCES:
            path = shared / "data" / name
            data = path.read_bytes()
            data = lzma.decompress(data) if path.suffix == ".xz" else data
            share = data[: size // len(SOURCES)]
            out.write(share[: share.rfind(b"\n") + 1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=16)
    parser.add_argument("--vocab-size", type=int, default=32_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--text", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        run_here(arguments.run, arguments.text, arguments.vocab_size)
        return
    default = Path(__file__).resolve().parents[2].parent / "shared"
    shared = Path(os.environ.get("PYTOK_SHARED", default))
    if not shared.is_dir():
        sys.exit(f"error: {shared}: no such folder; set PYTOK_SHARED")
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text.txt"
        write_text(shared, int(arguments.megabytes * 1e6), text)
        rows = race(text, arguments.vocab_size, arguments.rounds)
        size = text.stat().st_size
    if arguments.output:
        record = {
            "machine": {
                "date": time.strftime("%Y-%m-%d"),
                "cpu": platform.processor() or platform.machine(),
                "cores": os.cpu_count(),
                "python": platform.python_version(),
                "versions": {n: version(n) for n in ("pytok-tokenizers", "tokenizers")},
            },
            "text_bytes": size,
            "sources": SOURCES,
            "vocab_size": arguments.vocab_size,
            "rounds": arguments.rounds,
            "rows": rows,
        }
        arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def race(text: Path, vocab_size: int, rounds: int) -> list[dict[str, object]]:
    names = [*OPTIONS, *RIVALS]
    runs: dict[str, list[dict[str, float | str]]] = {name: [] for name in names}
    ours, theirs = (run(name, text, vocab_size) for name in ("pytok, tie=hf", "tokenizers"))
    if ours["digest"] != theirs["digest"]:
        sys.exit("error: merges differ; nothing was timed")
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            runs[name].append(run(name, text, vocab_size))
    print(f"{'trainer':24} {'CPU s':>8} {'wall s':>8} {'peak MB':>8}  (median of {rounds})")
    rows: list[dict[str, object]] = []
    for name in names:
        row = {
            key: round(statistics.median(float(r[key]) for r in runs[name]), 3)
            for key in ("cpu_seconds", "wall_seconds", "peak_bytes", "peak_bytes_before")
        }
        rows.append({"trainer": name, **row, "runs": runs[name]})
        megabytes = row["peak_bytes"] / 1e6
        print(f"{name:24} {row['cpu_seconds']:8.2f} {row['wall_seconds']:8.2f} {megabytes:8.0f}")
    return rows


if __name__ == "__main__":
    main()
