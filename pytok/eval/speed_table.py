"""Speed as tables: one per kind and system, a row per size of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from pytok.eval.speed import SizeSpeed, Spread, SystemSpeed

__all__ = ["speed_lines"]


def speed_lines(speed: Mapping[str, Sequence[SystemSpeed]]) -> list[Table | Text]:
    """Lay out what `measure_speed` found, by kind."""
    lines: list[Table | Text] = []
    for kind, systems in speed.items():
        lines.append(Text(f"{kind} (speed)", style="bold"))
        for system in systems:
            lines += _system(system)
    if lines:
        lines.append(
            Text(
                "p50, p99: microseconds for one text, one thread; MB/s: median and quartiles over "
                "rounds in which the systems take turns; cold: first round of a fresh copy; "
                ""
                "memory: the most that the whole process had while the system cut the texts, with "
                "all other systems and the interpreter in it; it is no measure of one system"
            )
        )
    return lines


def _system(system: SystemSpeed) -> list[Table | Text]:
    if system.failure is not None:
        return [Text(f"{system.system} failed: {system.failure}", style="red")]
    memory = system.peak_memory
    title = system.system + ("" if memory is None else f" (process: {memory / 1e6:,.0f} MB)")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    columns: dict[str, Callable[[SizeSpeed], str]] = {
        "characters": lambda size: f"{size.characters:,}",
        "texts": lambda size: f"{size.texts:,}",
        "p50": lambda size: f"{size.p50 * 1e6:,.0f}",
        "p99": lambda size: "-" if size.p99 is None else f"{size.p99 * 1e6:,.0f}",
        "MB/s": lambda size: _spread(size.megabytes_per_second),
        "tokens/s": lambda size: f"{size.tokens_per_second.median:,.0f}",
        f"MB/s, {system.n_threads} threads": lambda size: _spread(size.threads),
        "cold MB/s": lambda size: "-" if size.cold is None else f"{size.cold:.3g}",
    }
    for column in columns:
        table.add_column(column, justify="right")
    for size in system.sizes:
        table.add_row(*(show(size) for show in columns.values()))
    return [Text(title), table]


def _spread(spread: Spread | None) -> str:
    if spread is None:
        return "-"
    return f"{spread.median:.3g} ({spread.low:.3g}–{spread.high:.3g})"
