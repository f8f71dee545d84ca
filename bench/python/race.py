"""The whole race: every promised speed, every rival, one command.

    python bench/python/race.py [--only FAMILY ...] [--rounds 7] [--quick] [-o NAME]

Writes NAME.json, NAME.md and NAME.svg (bench/results/race-DATE by default) and prints
each row as it is measured. A family of rows is a module of `racing/` and runs in
a process of its own, with the number of threads in the variables that the libraries
read. Rivals are what is installed of fastokens, gigatoken, tiktoken, tokenizers and
sentencepiece; one that is missing is named in the result.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from racing import (
    corpus,
    decoding,
    encode_flat,
    encode_forms,
    machine,
    plot,
    probe,
    processes,
    report,
    stages,
    supply,
    threads,
    worst,
)
from racing.rows import Row, Settings

# Each with the number of threads that its process is allowed.
FAMILIES: dict[str, tuple[Callable[[Settings], Iterator[Row]], int]] = {
    "bpe": (encode_flat.bpe, 1),
    "unigram": (encode_flat.unigram, 1),
    "foreign": (encode_flat.foreign, 1),
    "lists": (encode_forms.as_lists, 1),
    "encodings": (encode_forms.encodings, 1),
    "decode": (decoding.rows, 1),
    "short": (encode_forms.short, 1),
    "threads": (threads.rows, 2),
    "load": (processes.loading, 1),
    "memory": (processes.memory, 1),
    "batch": (processes.batches, 2),
    "worst": (worst.rows, 1),
    "stages": (stages.rows, 1),
}
REPOSITORY = Path(__file__).resolve().parents[2]


def run_family(name: str, settings: Settings) -> Iterator[Row | str]:
    """Run a family in its own process: rows as they come, a text when it failed."""
    command = [sys.executable, __file__, "--family", name, *settings_as_arguments(settings)]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        child = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=probe.environment(FAMILIES[name][1]),
        )
        assert child.stdout is not None
        try:
            for line in child.stdout:
                yield Row(**json.loads(line))
        except BaseException:
            child.kill()
            raise
        if child.wait():
            errors.seek(0)
            yield (errors.read().strip().splitlines() or [f"exit {child.returncode}"])[-1]


def settings_as_arguments(settings: Settings) -> list[str]:
    given = ["--rounds", str(settings.rounds), "--cache", str(settings.cache)]
    given += ["--megabytes", str(settings.slice_bytes / 1e6)]
    return [*given, "--quick"] if settings.quick else given


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--rounds", type=int, help="default 7, 3 with --quick")
    parser.add_argument("--megabytes", type=float, help="text a round, default 0.5")
    parser.add_argument("--quick", action="store_true", help="one vocabulary, little text")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "pytok-race")
    parser.add_argument("-o", "--output", type=Path, help="without a suffix")
    parser.add_argument("--family", choices=FAMILIES, help=argparse.SUPPRESS)
    parser.add_argument("--probe", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def settings_of(arguments: argparse.Namespace) -> Settings:
    shared = Path(os.environ.get("PYTOK_SHARED", REPOSITORY.parent / "shared"))
    if not shared.is_dir():
        sys.exit(f"error: {shared}: no such folder; set PYTOK_SHARED")
    quick = arguments.quick
    rounds = arguments.rounds or (3 if quick else 7)
    megabytes = arguments.megabytes or (0.1 if quick else 0.5)
    return Settings(shared, arguments.cache.resolve(), rounds, int(megabytes * 1e6), quick)


def show(row: Row) -> None:
    where = ", ".join(filter(None, [row.vocabulary, row.text]))
    figures = "  ".join(f"{name} {report.number(value)}" for name, value in row.measured.items())
    value = report.number(row.value)
    print(f"{row.verdict:8} {value:>6} {row.what:44} {where:26} {row.unit:7} {figures}", flush=True)


def main() -> None:
    arguments = parsed()
    if arguments.probe:
        return probe.main()
    settings = settings_of(arguments)
    settings.cache.mkdir(parents=True, exist_ok=True)
    if arguments.family:
        for row in FAMILIES[arguments.family][0](settings):
            print(json.dumps(dataclasses.asdict(row), ensure_ascii=False), flush=True)
        return None
    about = machine.machine()
    rows: list[Row] = []
    failed: dict[str, str] = {}
    for name in arguments.only:
        for found in run_family(name, settings):
            if isinstance(found, Row):
                rows.append(found)
                show(found)
            else:
                failed[name] = found
                print(f"FAILED   {name}: {found}", flush=True)
    about["load_at_end"] = machine.load()
    write(arguments, settings, about, rows, failed)
    return sys.exit(1) if failed else None


def write(
    arguments: argparse.Namespace,
    settings: Settings,
    about: dict[str, object],
    rows: list[Row],
    failed: dict[str, str],
) -> None:
    default = REPOSITORY / "bench" / "results" / f"race-{time.strftime('%Y-%m-%d')}"
    output = arguments.output or default
    record = {
        "machine": about,
        "arguments": " ".join(sys.argv[1:]),
        "rounds": settings.rounds,
        "bytes_per_round": settings.slice_bytes,
        "texts": {name: supply.kind(settings, name).sources for name in corpus.KINDS},
        "failed": failed,
    }
    picture = output.with_suffix(".svg")
    content = report.markdown(record, rows, picture.name)
    saved = {**record, "rows": [dataclasses.asdict(row) for row in rows]}
    output.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(saved, indent=1, ensure_ascii=False)
    output.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    output.with_suffix(".md").write_text(content, encoding="utf-8")
    plot.draw(rows, picture)
    print(f"\n{report.summary(rows)}\n\nwrote {output.with_suffix('.md')}")


if __name__ == "__main__":
    main()
