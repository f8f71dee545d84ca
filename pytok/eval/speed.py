"""Speed by the size of the text: latency, throughput, threads, cold and warm.

The text of a kind is cut into texts of 100 to 100,000 characters. Systems
take turns, round by round, so that what else the machine does hits them all.
Every text is timed alone with one thread (p50, p99); a round of all texts
gives MB/s with one thread and with all; the first round of a fresh copy of
the tokenizer, whose caches are empty, is "cold".
"""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from pytok.errors import EncodeError
from pytok.eval.peak_memory import peak_memory
from pytok.eval.systems import System, TokenizerSystem

__all__ = ["SIZES", "SizeSpeed", "Spread", "SystemSpeed", "measure_speed", "texts_of_size"]

SIZES = (100, 1_000, 10_000, 100_000)
_CHARACTERS = 200_000
_ROUNDS = 7
_SECONDS = 3.0
_FEWEST_FOR_P99 = 100


@dataclass(frozen=True)
class Spread:
    """Median and quartiles over rounds."""

    median: float
    low: float
    high: float
    rounds: int

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Summarise one value per round.

        Examples
        --------
        >>> Spread.of([1.0, 2.0, 3.0])
        Spread(median=2.0, low=1.5, high=2.5, rounds=3)

        """
        low, median, high = np.percentile(values, [25, 50, 75]).tolist()
        return cls(median, low, high, len(values))


@dataclass(frozen=True)
class SizeSpeed:
    """Speed of one system on texts of one size.

    Parameters
    ----------
    characters
        Characters of each text.
    texts, bytes
        How many texts, and their UTF-8 bytes in all.
    p50, p99
        Seconds for one text, one thread; `p99` is None for fewer than 100
        measurements.
    megabytes_per_second, tokens_per_second
        One thread, text by text.
    threads
        10^6 bytes per second in one call with all threads; None for a system
        without threads.
    cold
        10^6 bytes per second of the first round of a fresh copy; None where
        there can be no copy.

    """

    characters: int
    texts: int
    bytes: int
    p50: float
    p99: float | None
    megabytes_per_second: Spread
    tokens_per_second: Spread
    threads: Spread | None
    cold: float | None


@dataclass(frozen=True)
class SystemSpeed:
    """Speed of one system on one kind.

    Parameters
    ----------
    system
        Name of the system.
    n_threads
        Threads of `SizeSpeed.threads`.
    sizes
        One entry per size that the text is long enough for.
    peak_memory
        Largest resident memory of the process, in bytes, while the system
        cuts the texts with all threads; None where it cannot be known.
    failure
        Why there is nothing, or None.

    """

    system: str
    n_threads: int
    sizes: tuple[SizeSpeed, ...]
    peak_memory: int | None
    failure: str | None


@dataclass
class _Timed:
    """Measurements of one system on texts of one size."""

    latencies: list[float] = field(default_factory=list)
    rounds: list[float] = field(default_factory=list)
    threaded: list[float] = field(default_factory=list)
    tokens: int = 0
    cold: float | None = None


def texts_of_size(text: str, size: int, *, most: int = _CHARACTERS) -> list[str]:
    """Cut the front of a text into texts of exactly `size` characters.

    Examples
    --------
    >>> texts_of_size("abcdefg", 3), texts_of_size("ab", 3)
    (['abc', 'def'], [])

    """
    end = min(len(text), max(most, size)) // size * size
    return [text[start : start + size] for start in range(0, end, size)]


def measure_speed(
    documents: Iterable[str],
    systems: Sequence[System],
    *,
    threads: int | None = None,
    seconds: float = _SECONDS,
    on_progress: Callable[[str], None] = lambda _label: None,
) -> tuple[SystemSpeed, ...]:
    """Measure systems on the front of a text.

    Parameters
    ----------
    documents
        The text; no more than the first 200,000 characters are used.
    systems
        The systems.
    threads
        Threads of the measurement with several; None for all that the process
        may use.
    seconds
        After so long no further round begins for a system and size; there is
        at least one.
    on_progress
        Called with a label before each size.

    """
    text = ""
    for document in documents:
        text += document
        if len(text) >= _CHARACTERS:
            break
    n_threads = threads or _all_threads()
    by_size = {size: texts for size in SIZES if (texts := texts_of_size(text, size))}
    failures: dict[int, str] = {}
    found: list[list[SizeSpeed]] = [[] for _ in systems]
    for size, texts in by_size.items():
        on_progress(f"speed, {size:,} characters")
        timed = _rounds(systems, texts, n_threads, seconds, failures)
        for number, measured in enumerate(timed):
            if number not in failures:
                found[number].append(_summary(size, texts, measured))
    longest = by_size[max(by_size)] if by_size else []
    return tuple(
        SystemSpeed(system.name, n_threads, (), None, failures[number])
        if number in failures
        else SystemSpeed(
            system.name, n_threads, tuple(sizes), _peak(system, longest, n_threads), None
        )
        for number, (system, sizes) in enumerate(zip(systems, found, strict=True))
    )


def _rounds(
    systems: Sequence[System],
    texts: list[str],
    threads: int,
    seconds: float,
    failures: dict[int, str],
) -> list[_Timed]:
    """Let the systems take turns; those that fail are noted in `failures`."""
    timed = [_Timed() for _ in systems]
    for step in range(_ROUNDS + 1):
        for number, system in enumerate(systems):
            if number in failures or sum(timed[number].rounds) > seconds:
                continue
            try:
                _one_round(system, texts, timed[number], threads, cold=step == 0)
            except (KeyboardInterrupt, SystemExit, GeneratorExit):
                raise
            except BaseException as error:
                # Also what a native extension throws past `Exception`.
                failures[number] = f"{type(error).__name__}: {error}"
    return timed


def _all_threads() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _one_round(
    system: System, texts: list[str], timed: _Timed, threads: int, *, cold: bool
) -> None:
    if cold:
        fresh = _fresh(system)
        if fresh is not None:
            seconds = sum(_cut(fresh, [text], 1)[0] for text in texts)
            timed.cold = _bytes(texts) / 1e6 / seconds
        # The round that warms the system up is not counted.
        _cut(system, texts, 1)
        return
    latencies, tokens = zip(*(_cut(system, [text], 1) for text in texts), strict=True)
    timed.latencies += latencies
    timed.rounds.append(sum(latencies))
    if system.tokenizer is not None:
        seconds, together = _cut(system, texts, threads)
        if together != sum(tokens):
            raise EncodeError(f"{sum(tokens)} tokens with one thread, {together} with {threads}")
        timed.threaded.append(seconds)
    timed.tokens = sum(tokens)


def _cut(system: System, texts: list[str], threads: int) -> tuple[float, int]:
    """Seconds and tokens of one call."""
    if system.tokenizer is None:
        pieces = system.pieces(texts)
        return pieces.seconds, int(pieces.bounds[-1])
    start = time.perf_counter()
    ids, _ = system.tokenizer.encode_batch_ids(
        texts, special="text", add_special_tokens=False, threads=threads
    )
    return time.perf_counter() - start, len(ids)


def _fresh(system: System) -> System | None:
    """Copy a tokenizer by its saved form, with empty caches."""
    if not isinstance(system, TokenizerSystem):
        return None
    try:
        return TokenizerSystem(pickle.loads(pickle.dumps(system.tokenizer)))
    except Exception:  # whatever a foreign tokenizer raises, it has no copy
        return None


def _bytes(texts: Sequence[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def _summary(size: int, texts: list[str], timed: _Timed) -> SizeSpeed:
    megabytes = _bytes(texts) / 1e6
    p50, p99 = np.percentile(timed.latencies, [50, 99]).tolist()
    return SizeSpeed(
        characters=size,
        texts=len(texts),
        bytes=_bytes(texts),
        p50=p50,
        p99=p99 if len(timed.latencies) >= _FEWEST_FOR_P99 else None,
        megabytes_per_second=Spread.of([megabytes / seconds for seconds in timed.rounds]),
        tokens_per_second=Spread.of([timed.tokens / seconds for seconds in timed.rounds]),
        threads=Spread.of([megabytes / s for s in timed.threaded]) if timed.threaded else None,
        cold=timed.cold,
    )


def _peak(system: System, texts: list[str], threads: int) -> int | None:
    return peak_memory(lambda: _cut(system, texts, threads)) if texts else None
