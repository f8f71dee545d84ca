"""Loading, peak memory, and batches, in processes of their own."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from . import corpus, figures, probe, supply, timing, vocabularies
from .libraries import can_load, entrants
from .rows import Row, Settings, Target, against_rival, medians

ORDER = ("pytok", "fastokens", "gigatoken", "tokenizers", "tiktoken")
TEXT = 10_000_000
DOCUMENTS, DOCUMENT = 128, 2_000


def loading(settings: Settings) -> Iterator[Row]:
    """Load times of a tokenizer.json, a fresh process each, in turns."""
    for name in settings.choose(("qwen", "deepseek"), ["qwen"]):
        vocabulary = vocabularies.of_name(settings, name)
        seconds: dict[str, list[float]] = {}
        failed: dict[str, str] = {}
        for _ in range(settings.rounds):
            for library in ORDER:
                if library in failed or not can_load(library, vocabulary):
                    continue
                found = probe.measure(settings, "load", limit=120, library=library, vocabulary=name)
                if "failed" in found:
                    failed[library] = found["failed"]
                else:
                    seconds.setdefault(library, []).append(found["cpu"])
        note = "CPU time; tiktoken and gigatoken load ranks" if vocabulary.ranks else "CPU time"
        note = "; ".join([note, *(f"{library}: {why}" for library, why in failed.items())])
        row = Row(
            "load",
            "load of tokenizer.json to the first ids",
            name,
            "",
            "s",
            medians(seconds),
            seconds,
            smaller_is_better=True,
            note=note,
        )
        yield against_rival(row, Target(4, 10), rival="tokenizers")


def memory(settings: Settings) -> Iterator[Row]:
    """Peak memory with a vocabulary and 10 MB of modern Chinese, one thread, flat."""
    size = TEXT // 10 if settings.quick else TEXT
    text = b"\n".join(supply.kind(settings, "modern").documents)[:size]
    vocabularies.kept(settings.cache / f"text-{size}.txt", lambda path: path.write_bytes(text))
    for name in settings.choose(("qwen", "deepseek"), ["qwen"]):
        vocabulary = vocabularies.of_name(settings, name)
        peaks: dict[str, list[float]] = {}
        note = ""
        for _ in range(min(settings.rounds, 3)):
            for library in (None, *ORDER):
                if library and not can_load(library, vocabulary):
                    continue
                task = {"library": library, "vocabulary": name, "size": size}
                found = probe.measure(settings, "memory", limit=300, **task)
                if "failed" in found:
                    note = f"{library}: {found['failed']}"
                else:
                    peaks.setdefault(library or "no library", []).append(found["peak"])
        measured = medians(peaks)
        row = Row(
            "memory",
            f"peak memory of the process, {size / 1e6:g} MB of text",
            name,
            "modern",
            "MB",
            measured,
            peaks,
            smaller_is_better=True,
            note=note,
        )
        row.value, row.least, row.aim = measured.get("pytok"), 150, 100
        if row.value:
            row.verdict = figures.verdict(row.value, 150, 100, smaller_is_better=True)
        yield row


def batches(settings: Settings) -> Iterator[Row]:
    """128 documents of 2 kB to lists: latency, sequences per second, peak memory."""
    count = 12 if settings.quick else 48
    for threads in (1, 2):
        runners, failed = entrants(vocabularies.of_name(settings, "qwen"), ORDER, threads)
        seconds: dict[str, list[float]] = {entrant.name: [] for entrant in runners}
        supplied = supply.batches(settings, DOCUMENT, count + 2)
        for number, documents in enumerate(supplied, start=-2):
            for entrant in timing.turns(runners, number):
                texts = corpus.fresh(documents)
                _, taken = timing.timed(entrant.forms["lists"], texts, time.perf_counter)
                if number >= 0:
                    seconds[entrant.name].append(taken)
        yield from of_batches(settings, seconds, threads, "; ".join(failed))


def of_batches(
    settings: Settings, seconds: dict[str, list[float]], threads: int, note: str
) -> Iterator[Row]:
    what = f"batch of {DOCUMENTS} documents of 2 kB, {threads} thread{'s'[: threads - 1]}"
    columns = {
        "p50": ("ms", {name: 1e3 * statistics.median(s) for name, s in seconds.items()}),
        "p99": ("ms", {name: 1e3 * figures.quantile(s, 0.99) for name, s in seconds.items()}),
        "sequences": (
            "1/s",
            {name: DOCUMENTS * len(s) / sum(s) for name, s in seconds.items()},
        ),
        "peak memory": ("MB", peaks_of_batches(settings, list(seconds), threads)),
    }
    for column, (unit, measured) in columns.items():
        row = Row("batch", f"{what}: {column}", "qwen", "modern", unit, measured, note=note)
        row.smaller_is_better = column != "sequences"
        yield against_rival(row, Target(1, 1))


def peaks_of_batches(settings: Settings, names: list[str], threads: int) -> dict[str, float]:
    found = {}
    texts = [text for batch in supply.batches(settings, DOCUMENT, 8) for text in batch]
    file = settings.cache / "batches.txt"
    file.write_bytes(b"\0".join(texts))
    for name in names:
        task = {"library": name, "vocabulary": "qwen", "file": str(file)}
        answer = probe.measure(settings, "batches", limit=300, threads=threads, **task)
        if "peak" in answer:
            found[name] = answer["peak"]
    return found
