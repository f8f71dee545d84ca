"""Time and memory of training, beside the trainers of other libraries.

    python bench/python/training_text.py TEXT --megabytes 16
    python bench/python/train_speed.py TEXT [--vocab-size 32000] [--rounds 3] [-o FILE]

All train on the same text and vocabulary size. Every run is a process of its own
that reads one file, so that its CPU time and peak memory are its own; starting
Python, importing the library, and parsing what was trained to compare merges are
left out of the times, reading the file is not. Lines of white space only are left
out of the text: without them, reading by lines and reading whole give the same words.

Before anything is timed, the merges of pytok under ``tie="hf"`` are compared with
those of `tokenizers` and gigabpe on the same words. The order of the contestants
turns from round to round. Libraries that are not installed are named and left
out; ``--rivals PYTHON`` runs all rivals with another interpreter.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from patterns import GPT2, QWEN

AS_TOKENIZERS = {"algorithm": "bpe", "tie": "hf", "char_align": False}

Record = dict[str, Any]
Merges = list[list[str]]
# Gives the merges, if any.
Reader = Callable[[], "Merges | None"]
# Gets a file, the vocabulary size and the number of threads.
Trainer = Callable[[Path, int, int], "Reader | None"]


@dataclass(frozen=True)
class Contestant:
    """A way to train with a library; `equal` names those with the same merges."""

    train: Trainer
    library: str
    equal: str = ""
    timed: bool = True


def lines_of(text: Path) -> Iterator[str]:
    with text.open(encoding="utf-8", newline="\n") as stream:
        yield from stream


def with_pytok(
    text: Path, vocab_size: int, threads: int, *, by_line: bool = False, **options: Any
) -> Reader:
    import pytok

    options |= {"vocab_size": vocab_size, "threads": threads}
    config = pytok.TrainConfig.from_mapping(options)
    tokenizer = pytok.train(lines_of(text) if by_line else text, config).tokenizer
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save(folder)
        saved = (Path(folder) / "tokenizer.json").read_text(encoding="utf-8")
    return lambda: json.loads(saved)["model"].get("merges")


def with_tokenizers(text: Path, vocab_size: int, _threads: int, *, pattern: str) -> Reader:
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(pattern), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    if pattern == GPT2:
        # Its own scanner is faster than the pattern.
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        min_frequency=0,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train([str(text)], trainer)
    saved = tokenizer.to_str()
    return lambda: [list(merge) for merge in json.loads(saved)["model"]["merges"]]


def with_gigabpe(text: Path, vocab_size: int, threads: int) -> Reader:
    import gigabpe

    _, merges = gigabpe.train_bpe(
        [str(text)], vocab_size, special_tokens=[], pretokenizer="bytelevel", threads=threads
    )
    return lambda: [list(merge) for merge in merges]


def with_rustbpe(text: Path, vocab_size: int, _threads: int) -> None:
    import rustbpe

    rustbpe.Tokenizer().train_from_iterator(lines_of(text), vocab_size, pattern=QWEN)


def with_sentencepiece(text: Path, vocab_size: int, threads: int, *, model_type: str) -> None:
    import sentencepiece

    with tempfile.TemporaryDirectory() as folder:
        sentencepiece.SentencePieceTrainer.train(
            input=str(text),
            model_prefix=str(Path(folder) / "model"),
            model_type=model_type,
            vocab_size=vocab_size,
            normalization_rule_name="identity",
            add_dummy_prefix=False,
            remove_extra_whitespaces=False,
            allow_whitespace_only_pieces=True,
            split_digits=True,
            byte_fallback=True,
            max_sentence_length=1_000_000,
            num_threads=threads,
            minloglevel=1,
        )


def pytok_with(*, equal: str = "", timed: bool = True, **options: Any) -> Contestant:
    return Contestant(functools.partial(with_pytok, **options), "pytok", equal, timed)


def tokenizers_with(pattern: str, *, equal: str) -> Contestant:
    return Contestant(functools.partial(with_tokenizers, pattern=pattern), "tokenizers", equal)


def sentencepiece_with(model_type: str) -> Contestant:
    train = functools.partial(with_sentencepiece, model_type=model_type)
    return Contestant(train, "sentencepiece")


GPT2_BY_LINE = {"pretokenizer": GPT2, "by_line": True}
CONTESTANTS = {
    "pytok BPE": pytok_with(algorithm="bpe"),
    "pytok BPE, GPT-2 words": pytok_with(algorithm="bpe", **GPT2_BY_LINE),
    "pytok BPE, tie=hf": pytok_with(equal="qwen", timed=False, **AS_TOKENIZERS),
    "pytok BPE, tie=hf, GPT-2 words": pytok_with(
        equal="gpt2", timed=False, **AS_TOKENIZERS, **GPT2_BY_LINE
    ),
    "pytok Unigram": pytok_with(algorithm="unigram"),
    "pytok hybrid": pytok_with(algorithm="hybrid", preset="balanced"),
    "tokenizers BPE": tokenizers_with(QWEN, equal="qwen"),
    "tokenizers BPE, GPT-2 words": tokenizers_with(GPT2, equal="gpt2"),
    "gigabpe, GPT-2 words": Contestant(with_gigabpe, "gigabpe", equal="gpt2"),
    "rustbpe": Contestant(with_rustbpe, "rustbpe"),
    "SentencePiece BPE": sentencepiece_with("bpe"),
    "SentencePiece Unigram": sentencepiece_with("unigram"),
}
LIBRARIES = ("pytok-tokenizers", "tokenizers", "gigabpe", "rustbpe", "sentencepiece")
MEASURES = ("cpu_seconds", "wall_seconds", "peak_bytes", "peak_bytes_before")
TRIAL = 1


@dataclass(frozen=True)
class Race:
    """What all runs share."""

    text: Path
    vocab_size: int
    rounds: int
    rivals: str


def cpu_seconds() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_bytes() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def run_here(name: str, text: Path, vocab_size: int, threads: int) -> None:
    """Train once and print what it took, as the child of `run`."""
    __import__(CONTESTANTS[name].library)
    peak_before, before, start = peak_bytes(), cpu_seconds(), time.perf_counter()
    read = CONTESTANTS[name].train(text, vocab_size, threads)
    record: Record = {
        "wall_seconds": time.perf_counter() - start,
        "cpu_seconds": cpu_seconds() - before,
        "peak_bytes": peak_bytes(),
        "peak_bytes_before": peak_before,
    }
    merges = read() if read else None
    if merges is not None:
        # gigabpe counts only the bytes of the text into the vocabulary, so it merges more.
        shared = json.dumps(merges[: vocab_size - 256])
        record["digest"] = hashlib.sha256(shared.encode()).hexdigest()
    print(json.dumps(record))


def run(name: str, threads: int, race: Race) -> Record:
    """Train in a process of its own; a failure comes back as `failure`."""
    environment = dict(os.environ, RAYON_NUM_THREADS=str(threads))
    environment["TOKENIZERS_PARALLELISM"] = "true" if threads > 1 else "false"
    python = sys.executable if CONTESTANTS[name].library == "pytok" else race.rivals
    command = [python, __file__, str(race.text), "--run", name, "--threads", str(threads)]
    command += ["--vocab-size", str(race.vocab_size)]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    if done.returncode != 0:
        return {"failure": done.stderr.decode(errors="replace").strip().rpartition("\n")[2]}
    record: Record = json.loads(done.stdout.splitlines()[-1])
    return record


def write_text(folder: Path, target: Path) -> None:
    """Join the training files, without the lines of white space only."""
    with target.open("wb") as out:
        for path in sorted((folder / "train").glob("*.txt")):
            for line in path.read_bytes().splitlines(keepends=True):
                if line.strip():
                    out.write(line if line.endswith(b"\n") else line + b"\n")


def check_merges(names: list[str], race: Race) -> dict[str, str]:
    """Run everything once; end when merges differ, give who cannot run and why."""
    failures: dict[str, str] = {}
    digests: dict[str, dict[str, str]] = {}
    for name in names:
        record = run(name, TRIAL, race)
        if "failure" in record:
            failures[name] = record["failure"]
            print(f"left out: {name}: {failures[name]}", file=sys.stderr)
        elif group := CONTESTANTS[name].equal:
            digests.setdefault(group, {})[name] = record["digest"]
    for group in digests.values():
        if len(set(group.values())) > 1:
            sys.exit(f"error: merges differ, nothing was timed: {group}")
    return failures


def hold(names: list[str], threads: list[int], race: Race) -> list[Record]:
    entries = [(name, count) for name in names for count in threads]
    runs: dict[tuple[str, int], list[Record]] = {entry: [] for entry in entries}
    for number in range(race.rounds):
        turned = entries[number % len(entries) :] + entries[: number % len(entries)]
        for entry in turned:
            runs[entry].append(run(*entry, race))
    return [summary(entry, runs[entry]) for entry in entries]


def summary(entry: tuple[str, int], runs: list[Record]) -> Record:
    medians = {key: round(statistics.median(record[key] for record in runs), 3) for key in MEASURES}
    return {"trainer": entry[0], "threads": entry[1], **medians, "runs": runs}


def print_rows(rows: list[Record], rounds: int) -> None:
    print(f"{'trainer':30} {'threads':>7} {'CPU s':>8} {'wall s':>8} {'peak MB':>8}")
    for row in rows:
        print(
            f"{row['trainer']:30} {row['threads']:7} {row['cpu_seconds']:8.2f} "
            f"{row['wall_seconds']:8.2f} {row['peak_bytes'] / 1e6:8.0f}"
        )
    print(f"median of {rounds}")


def versions(python: str) -> dict[str, str]:
    """Versions of the libraries that an interpreter has."""
    if python != sys.executable:
        asked = [python, __file__, "-", "--versions"]
        done = subprocess.run(asked, capture_output=True, check=True)
        found: dict[str, str] = json.loads(done.stdout)
        return found
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def record_of(rows: list[Record], failures: dict[str, str], race: Race) -> Record:
    return {
        "machine": {
            "date": time.strftime("%Y-%m-%d"),
            "cpu": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "versions": versions(sys.executable),
            "versions_of_rivals": versions(race.rivals),
        },
        "text_bytes": race.text.stat().st_size,
        "text_sha256": hashlib.sha256(race.text.read_bytes()).hexdigest(),
        "vocab_size": race.vocab_size,
        "rounds": race.rounds,
        "left_out": failures,
        "rows": rows,
    }


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path, help="a folder that training_text.py wrote")
    parser.add_argument("--vocab-size", type=int, default=32_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", nargs="+", choices=CONTESTANTS, metavar="NAME")
    parser.add_argument("--rivals", default=sys.executable, metavar="PYTHON")
    parser.add_argument("-o", "--output", type=Path)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--versions", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    arguments = parse()
    if arguments.versions:
        print(json.dumps(versions(sys.executable)))
        return
    if arguments.run:
        run_here(arguments.run, arguments.text, arguments.vocab_size, arguments.threads[0])
        return
    if not (arguments.text / "train").is_dir():
        sys.exit(f"error: {arguments.text}: no folder train; run training_text.py first")
    names = arguments.only or list(CONTESTANTS)
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "text.txt"
        write_text(arguments.text, text)
        race = Race(text, arguments.vocab_size, arguments.rounds, arguments.rivals)
        failures = check_merges(names, race)
        timed = [name for name in names if name not in failures and CONTESTANTS[name].timed]
        rows = hold(timed, arguments.threads, race)
        print_rows(rows, arguments.rounds)
        if arguments.output:
            record = record_of(rows, failures, race)
            arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
