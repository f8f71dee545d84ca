"""The progress bar that the commands share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

__all__ = ["bar_on_stderr"]


@contextmanager
def bar_on_stderr() -> Iterator[tuple[Progress, TaskID]]:
    """Show a bar on stderr when that is a terminal; it disappears at the end."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        yield bar, bar.add_task("reading", total=None)
