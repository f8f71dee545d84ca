"""Other forms of the result: lists, one document a call, objects with offsets, short calls."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence

from . import corpus, supply, timing, vocabularies
from .libraries import Entrant, entrants
from .rows import Row, Settings, Target, against_rival, medians

ORDER = ("pytok", "fastokens", "gigatoken", "tokenizers", "sentencepiece", "tiktoken")
LISTED = ("qwen", "deepseek", "zh-32k", "chinese-llama")
NAMES = {"lists": "ids as Python lists, batch", "single": "one encode_ids per 3 kB document"}
SHORT, SHORT_CALLS = 20, 5_000


def as_lists(settings: Settings) -> Iterator[Row]:
    """Ids as lists: a batch, and one call a document."""
    for name in settings.choose(LISTED, LISTED[:1]):
        runners, failed = entrants(vocabularies.of_name(settings, name), ORDER)
        for kind in corpus.KINDS:
            for part, form in enumerate(NAMES):
                where = f"lists, {name}, {kind}"
                texts = supply.slices(settings, kind, part=part, parts=2)
                times = timing.race(runners, form, texts, settings.rounds, where=where)
                row = Row(
                    "lists",
                    NAMES[form],
                    name,
                    kind,
                    "MB/s",
                    medians(times.speeds),
                    times.speeds,
                    note="; ".join(failed),
                )
                yield against_rival(row, Target(1.5, 2), inexact=times.inexact)


def encodings(settings: Settings) -> Iterator[Row]:
    """`encode_batch` with ids and offsets read, against `tokenizers`."""
    for name in settings.choose(("qwen", "deepseek", "zh-32k", "xlnet-json"), ["qwen"]):
        runners, failed = entrants(vocabularies.of_name(settings, name), ("pytok", "tokenizers"))
        for kind in corpus.KINDS:
            texts = supply.slices(settings, kind)
            where = f"encodings, {name}, {kind}"
            times = timing.race(runners, "encodings", texts, settings.rounds, where=where)
            row = Row(
                "encodings",
                "Encoding objects, ids and offsets read",
                name,
                kind,
                "MB/s",
                medians(times.speeds),
                times.speeds,
                note="; ".join(failed),
            )
            yield against_rival(row, Target(8, 20), rival="tokenizers")


def strings(settings: Settings, kind: str, count: int) -> list[bytes]:
    """Cut `count` different strings of 20 characters out of a kind of text, without newlines."""
    found: dict[str, None] = {}
    text = b" ".join(supply.kind(settings, kind).documents).decode().replace("\n", " ")
    places = list(range(0, len(text) - SHORT, SHORT))
    random.Random(8).shuffle(places)
    for place in places:
        found[text[place : place + SHORT]] = None
        if len(found) == count:
            break
    return [string.encode() for string in found]


def short(settings: Settings) -> Iterator[Row]:
    """Calls per second on strings of 20 characters that no library has seen."""
    calls = 1_000 if settings.quick else SHORT_CALLS
    for name in settings.choose(("qwen", "cl100k", "zh-32k", "chinese-llama"), ["qwen"]):
        runners, failed = entrants(vocabularies.of_name(settings, name), ORDER)
        for kind in ("modern", "english"):
            every = strings(settings, kind, calls * (settings.rounds + supply.WARM_UP))
            speeds: dict[str, list[float]] = {entrant.name: [] for entrant in runners}
            for number in range(-supply.WARM_UP, settings.rounds):
                first = (number + supply.WARM_UP) * calls
                one_round(runners, every[first : first + calls], number, speeds)
            row = Row(
                "short",
                "calls with a string of 20 characters",
                name,
                kind,
                "calls/s",
                medians(speeds),
                speeds,
                note="; ".join(failed),
            )
            yield against_rival(row, Target(1, 1.5))


def one_round(
    runners: Sequence[Entrant], texts: list[bytes], number: int, speeds: dict[str, list[float]]
) -> None:
    for entrant in timing.turns(runners, number):
        call = entrant.forms["call"]

        def every(strings: list[str], call=call) -> None:
            for string in strings:
                call(string)

        _, seconds = timing.timed(every, corpus.fresh(texts), time.process_time)
        if number >= 0:
            speeds[entrant.name].append(len(texts) / seconds)
