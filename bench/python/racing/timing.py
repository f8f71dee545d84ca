"""Times libraries in turns, on text that none of them has seen.

Each library first warms up on two slices, where its ids are compared, and then
takes one slice a round; which one begins moves on by one each round. Ids of a timed
slice are compared after it was timed, on what the timed calls returned. Each
library gets strings of its own, since a string that was encoded keeps its UTF-8.

The time of one thread is the CPU time of the process, system included: on an idle
machine the time on the clock, on a busy one without the waiting. More threads are
timed by the clock.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import corpus
from .libraries import Entrant, ids_of


class DifferentIdsError(Exception):
    """pytok gives other ids than the reference; nothing that follows would mean anything."""


@dataclass
class Times:
    """MB/s of each round, and the libraries whose ids differed from the reference's."""

    speeds: dict[str, list[float]] = field(default_factory=dict)
    inexact: list[str] = field(default_factory=list)
    bytes_per_round: list[int] = field(default_factory=list)
    results: list[Any] = field(default_factory=list)


def timed(
    call: Callable[[Any], Any], argument: Any, clock: Callable[[], float]
) -> tuple[Any, float]:
    """Call once without the garbage collector; give the result and the seconds."""
    gc.collect()
    gc.disable()
    try:
        start = clock()
        result = call(argument)
        seconds = clock() - start
    finally:
        gc.enable()
    return result, max(seconds, 1e-9)


def turns(entrants: Sequence[Entrant], number: int) -> list[Entrant]:
    """The order of a round: everyone is first once before anyone is again."""
    start = number % len(entrants)
    return [*entrants[start:], *entrants[:start]]


def compare(entrants: Sequence[Entrant], results: dict[str, Any], times: Times, where: str) -> None:
    """Compare with the last entrant, the reference."""
    reference = entrants[-1].name
    expected = ids_of(results[reference])
    for entrant in entrants[:-1]:
        if np.array_equal(ids_of(results[entrant.name]), expected):
            continue
        if entrant.name == "pytok":
            raise DifferentIdsError(f"{where}: pytok and {reference} differ")
        if entrant.name not in times.inexact:
            times.inexact.append(entrant.name)


def race(
    entrants: Sequence[Entrant],
    form: str,
    supply: Iterator[list[bytes]],
    rounds: int,
    *,
    where: str,
    same_ids: bool = True,
    threads: int = 1,
) -> Times:
    """Race the entrants in a form over the slices of `supply`.

    Parameters
    ----------
    entrants
        The libraries; the last one is the reference for ids.
    same_ids
        Whether all have the same vocabulary, and so must give the same ids.

    """
    runners = [entrant for entrant in entrants if form in entrant.forms]
    clock = time.process_time if threads == 1 else time.perf_counter
    times = Times({entrant.name: [] for entrant in runners})
    for number in range(-2, rounds):
        documents = next(supply, None)
        if documents is None:
            break
        size = sum(map(len, documents))
        results = {}
        for entrant in turns(runners, number):
            texts = corpus.fresh(documents)
            results[entrant.name], seconds = timed(entrant.forms[form], texts, clock)
            if number >= 0:
                times.speeds[entrant.name].append(size / seconds / 1e6)
        if number >= 0:
            times.bytes_per_round.append(size)
        if same_ids:
            compare(runners, results, times, where)
    return times
