"""What is measured in a process of its own: loading, peak memory, inputs that may not end.

The parent calls `measure(task, ...)`; the child runs `race.py --probe`, reads the
task as JSON from standard input and prints one JSON line. A task that takes too
long is killed with its process; a library that brings its process down costs
nothing but its own row.
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from . import corpus, libraries, vocabularies
from .rows import Settings

RACE = Path(__file__).resolve().parents[1] / "race.py"


def environment(threads: int) -> dict[str, str]:
    """The variables by which the libraries are told how many threads to have."""
    count = str(threads)
    told = {
        "RAYON_NUM_THREADS": count,
        "FASTOKENS_BPE_THREADS": count,
        "TOKENIZERS_PARALLELISM": "false" if threads == 1 else "true",
        "OMP_NUM_THREADS": count,
        "PYTHONHASHSEED": "0",
    }
    return {**os.environ, **told}


def measure(
    settings: Settings, task: str, *, limit: float, threads: int = 1, **arguments: Any
) -> dict[str, Any]:
    """Run a task in a fresh process; `{"failed": why}` when it gives nothing."""
    asked = {"task": task, "threads": threads, "arguments": arguments, **paths(settings)}
    try:
        ran = subprocess.run(
            [sys.executable, str(RACE), "--probe"],
            input=json.dumps(asked),
            env=environment(threads),
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"more than {limit:g} s"}
    if ran.returncode or not ran.stdout.strip():
        last = (ran.stderr.strip().splitlines() or [f"exit {ran.returncode}"])[-1]
        return {"failed": last[:160]}
    return json.loads(ran.stdout.strip().splitlines()[-1])


def paths(settings: Settings) -> dict[str, Any]:
    return {
        "shared": str(settings.shared),
        "cache": str(settings.cache),
        "rounds": settings.rounds,
        "slice_bytes": settings.slice_bytes,
        "quick": settings.quick,
    }


def main() -> None:
    """The child: run the task of standard input and print what it found."""
    asked = json.load(sys.stdin)
    settings = Settings(
        Path(asked["shared"]),
        Path(asked["cache"]),
        asked["rounds"],
        asked["slice_bytes"],
        asked["quick"],
    )
    task = TASKS[asked["task"]]
    print(json.dumps(task(settings, asked["threads"], **asked["arguments"])))


def peak() -> float:
    """Most memory that this program has had, in MB of a million bytes.

    `getrusage` would carry over what the parent had before it became this program.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s+(\d+) kB", status.read_text())[1]) * 1024 / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def load(settings: Settings, threads: int, *, library: str, vocabulary: str) -> dict[str, Any]:
    """Seconds from a file on disk to a tokenizer that has encoded a word; imports not counted."""
    files = vocabularies.of_name(settings, vocabulary)
    __import__(library)
    before = peak()
    clock, cpu = time.perf_counter(), time.process_time()
    entrant = libraries.BUILDERS[library](files, threads)
    entrant.forms["call"]("你好 word")
    found = {"seconds": time.perf_counter() - clock, "cpu": time.process_time() - cpu}
    return {**found, "memory": peak() - before, "peak": peak()}


def memory(
    settings: Settings, threads: int, *, library: str | None, vocabulary: str, size: int
) -> dict[str, Any]:
    """Peak memory of a process that reads a text and encodes it flat, documents in one batch."""
    text = Path(settings.cache / f"text-{size}.txt").read_bytes()
    documents = [text[i : i + 3000].decode("utf-8", "ignore") for i in range(0, len(text), 3000)]
    del text
    if library is None:
        return {"peak": peak()}
    files = vocabularies.of_name(settings, vocabulary)
    entrant = libraries.BUILDERS[library](files, threads)
    result = entrant.forms["flat"](documents)
    return {"peak": peak(), "ids": len(libraries.ids_of(result))}


def batches(
    settings: Settings, threads: int, *, library: str, vocabulary: str, file: str
) -> dict[str, Any]:
    """Peak memory of a process that encodes 8 batches of 128 texts from a file."""
    files = vocabularies.of_name(settings, vocabulary)
    entrant = libraries.BUILDERS[library](files, threads)
    texts = Path(file).read_bytes().split(b"\0")
    for first in range(0, len(texts), len(texts) // 8):
        entrant.forms["lists"](corpus.fresh(texts[first : first + len(texts) // 8]))
    return {"peak": peak()}


def worst(
    settings: Settings,
    threads: int,
    *,
    library: str,
    vocabulary: str,
    family: str,
    sizes: list[int],
) -> dict[str, Any]:
    """Seconds of one call for each size, until `limit` seconds are used up by one."""
    from .worst_inputs import make

    files = vocabularies.of_name(settings, vocabulary)
    entrant = libraries.BUILDERS[library](files, threads)
    entrant.forms["flat"](["你好 word"])
    times: list[float] = []
    for size in sizes:
        # Small inputs take microseconds: several, each another one.
        runs = 5 if size <= 100_000 else 3 if size <= 1_000_000 else 1
        found = []
        for seed in range(runs):
            texts = [make(family, size, seed)]
            start = time.process_time()
            entrant.forms["flat"](texts)
            found.append(time.process_time() - start)
        times.append(sorted(found)[len(found) // 2])
        if times[-1] > 10:
            break
    return {"sizes": sizes[: len(times)], "seconds": times}


TASKS = {"load": load, "memory": memory, "batches": batches, "worst": worst}
