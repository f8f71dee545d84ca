"""Changes between two reports as tables, one per system."""

from __future__ import annotations

from collections import Counter

from rich import box
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pytok.eval.changes import Change, Changes
from pytok.eval.printable import made_printable

__all__ = ["print_changes"]

_STYLES = {"better": "green", "worse": "red", "unclear": "dim"}
_WORDS = (
    "better, worse, changed: more than chance (p < 0.05 after Holm's correction over kinds, or "
    "intervals apart); unclear: may be chance, or cannot be told"
)


def print_changes(changes: Changes, console: Console) -> None:
    """Print what differs; equal numbers are only counted.

    Parameters
    ----------
    changes
        The changes.
    console
        Where to.

    """
    changes = made_printable(changes)
    systems = list(dict.fromkeys(change.system for change in changes.changes))
    for system in systems:
        found = [change for change in changes.changes if change.system == system]
        differing = [change for change in found if change.verdict != "same"]
        console.print(Text(system, style="bold"))
        if differing:
            console.print(_table(differing))
        _say(console, f"{len(found) - len(differing)} of {len(found)} numbers are the same")
        console.print()
    for note in changes.notes:
        _say(console, note)
    for loss in changes.lost:
        _say(console, Text(f"lost: {loss}", style="red"))
    ways = Counter(change.how for change in changes.changes if change.verdict != "same")
    for how, count in sorted(ways.items()):
        _say(console, f"{count} decided by {how}" if how[:5] != "none:" else f"{count} not: {how}")
    _say(console, _WORDS)


def _say(console: Console, line: str | Text) -> None:
    text = Text(line) if isinstance(line, str) else line
    console.print(Padding(text, (0, 0, 0, 2), expand=False))


def _table(changes: list[Change]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("kind", overflow="fold")
    table.add_column("metric", overflow="fold")
    for heading in ("old", "new", "change", "p"):
        table.add_column(heading, justify="right", overflow="fold")
    table.add_column("", overflow="fold")
    for change in changes:
        table.add_row(
            change.kind,
            change.metric,
            _figure(change.old),
            _figure(change.new),
            _difference(change),
            "" if change.p_holm is None else f"{change.p_holm:.2g}",
            Text(change.verdict, style=_STYLES.get(change.verdict, "")),
        )
    return table


def _figure(value: float | None) -> str:
    """Four significant digits, or all of a whole number.

    Examples
    --------
    >>> _figure(12345.0), _figure(1.23456), _figure(None)
    ('12,345', '1.235', '-')

    """
    if value is None:
        return "-"
    return f"{value:,.0f}" if value.is_integer() else f"{value:.4g}"


def _difference(change: Change) -> str:
    if change.old is None or change.new is None:
        return ""
    difference = change.new - change.old
    shown = f"{difference:+,.0f}" if difference.is_integer() else f"{difference:+.3g}"
    if change.low is None or change.high is None:
        return shown
    return f"{shown}\n({change.low:+.2g} to {change.high:+.2g})"
