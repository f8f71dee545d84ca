"""Inputs that make tokenizers slow: how time grows with the size, and the slowest."""

from __future__ import annotations

from collections.abc import Iterator

from . import figures, probe
from .rows import Row, Settings
from .worst_inputs import FAMILIES

SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
# Rivals show one size, the whole of what peers publish; they may not end.
RIVAL_SIZES = [1_000_000]
RIVALS = ("fastokens", "gigatoken", "tiktoken", "tokenizers")
LIMIT = 90.0


def rows(settings: Settings) -> Iterator[Row]:
    """For each family: slope over all sizes, and MB/s at the slowest size from 100 kB on.

    The slope leaves out 1 kB, where a call costs more than its text.
    """
    sizes = SIZES[:4] if settings.quick else SIZES
    for name in settings.choose(
        ("qwen", "cl100k", "deepseek", "zh-32k", "chinese-llama"), ["qwen"]
    ):
        slopes: dict[str, float] = {}
        slowest: dict[str, float] = {}
        for family in FAMILIES:
            task = {"vocabulary": name, "family": family}
            ours = probe.measure(
                settings, "worst", limit=LIMIT, library="pytok", sizes=sizes, **task
            )
            if "failed" in ours or len(ours["sizes"]) < 3:
                slowest[family] = 0.0
                slopes[family] = float("inf")
                why = ours.get("failed", "too slow for three sizes")
                yield Row("worst", "one text of 1 MB", name, family, "MB/s", {}, note=why)
                continue
            speeds = {
                size: size / second / 1e6
                for size, second in zip(ours["sizes"], ours["seconds"], strict=True)
            }
            slopes[family] = figures.slope(ours["sizes"][1:], ours["seconds"][1:])
            slowest[family] = min(speed for size, speed in speeds.items() if size >= 100_000)
            yield of_family(settings, name, family, ours, speeds)
        yield from of_vocabulary(name, slopes, slowest)


def of_family(
    settings: Settings, name: str, family: str, ours: dict, speeds: dict[int, float]
) -> Row:
    measured = {"pytok": speeds.get(1_000_000, min(speeds.values()))}
    failed = []
    rivals = RIVALS if name == "qwen" and not settings.quick else ()
    for library in rivals:
        task = {"vocabulary": name, "family": family, "library": library, "sizes": RIVAL_SIZES}
        found = probe.measure(settings, "worst", limit=LIMIT, **task)
        if "failed" in found:
            failed.append(f"{library}: {found['failed']}")
        else:
            measured[library] = RIVAL_SIZES[0] / found["seconds"][0] / 1e6
    row = Row("worst", "one text of 1 MB", name, family, "MB/s", measured, note="; ".join(failed))
    row.samples = {
        "sizes": [float(size) for size in ours["sizes"]],
        "seconds": ours["seconds"],
        "slope": [figures.slope(ours["sizes"][1:], ours["seconds"][1:])],
    }
    return row


def of_vocabulary(name: str, slopes: dict[str, float], slowest: dict[str, float]) -> Iterator[Row]:
    steepest = max(slopes, key=slopes.__getitem__)
    row = Row("worst", "slope of time over size", name, steepest, "", {"pytok": slopes[steepest]})
    row.smaller_is_better = True
    row.value, row.least, row.samples = slopes[steepest], 1.1, {}
    row.verdict = figures.verdict(row.value, 1.1, None, smaller_is_better=True)
    row.note = "steepest of all families"
    yield row
    slow = min(slowest, key=slowest.__getitem__)
    row = Row("worst", "slowest family", name, slow, "MB/s", {"pytok": slowest[slow]})
    row.value, row.least, row.aim = slowest[slow], 5, 20
    row.verdict = figures.verdict(row.value, 5, 20)
    row.note = "at the slowest size of 100 kB and more"
    yield row
