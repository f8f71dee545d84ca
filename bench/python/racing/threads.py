"""Two threads over one: a batch of documents, and one long text."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from functools import partial

import pytok

from . import corpus, figures, supply, timing, vocabularies
from .rows import Row, Settings, medians

# Four megabytes a round, or what the text allows when each round has its own.
SIZE = 4_000_000
TARGETS = {"batch of 3 kB documents": (1.8, 1.95), "one long text": (1.7, 1.95)}


def rows(settings: Settings) -> Iterator[Row]:
    """Time both numbers of threads by the clock, in turns, on the same unseen text.

    Each number of threads has a tokenizer of its own, since a tokenizer keeps words
    that it has seen.
    """
    for name in settings.choose(("qwen", "zh-32k", "chinese-llama"), ["qwen"]):
        for what, (least, aim) in TARGETS.items():
            speeds, size = two_and_one(settings, name, is_long=what == "one long text")
            one, two = (statistics.median(values) for values in speeds.values())
            row = Row(
                "threads",
                f"2 threads over 1: {what}",
                name,
                "modern",
                "MB/s",
                medians(speeds),
                speeds,
                note=f"{size / 1e6:.1f} MB a round",
            )
            row.rival, row.value = "1 thread", figures.ratio(two, one)
            row.least, row.aim = least, aim
            row.verdict = figures.verdict(row.value, least, aim)
            yield row


def two_and_one(
    settings: Settings, name: str, *, is_long: bool
) -> tuple[dict[str, list[float]], int]:
    """MB/s of each round with one thread and with two, and the bytes of a round."""
    vocabulary = vocabularies.of_name(settings, name)
    calls = {}
    for count in (1, 2):
        tokenizer = pytok.Tokenizer.from_file(vocabulary.own, encoding=vocabulary.encoding)
        plain = {"special": "text", "add_special_tokens": False, "threads": count}
        calls[count] = partial(tokenizer.encode_batch_ids, **plain)
    speeds: dict[int, list[float]] = {1: [], 2: []}
    size = 0
    texts = supply.slices(settings, "modern", size=400_000 if settings.quick else SIZE)
    for number, documents in zip(range(-1, settings.rounds), texts, strict=False):
        joined = [b"\n".join(documents)] if is_long else documents
        size = sum(map(len, joined))
        for count in (1, 2) if number % 2 else (2, 1):
            _, seconds = timing.timed(calls[count], corpus.fresh(joined), time.perf_counter)
            if number >= 0:
                speeds[count].append(size / seconds / 1e6)
    return {"1 thread": speeds[1], "2 threads": speeds[2]}, size
