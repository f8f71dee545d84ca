"""`pytok compare`: what changed between two evaluations."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from pytok.cli._options import Json
from pytok.eval.changes import compare_reports
from pytok.eval.changes_table import print_changes
from pytok.eval.json_text import json_text
from pytok.eval.saved import read_report
from pytok.eval.show import printable

__all__ = ["compare_command"]

SCHEMA = "pytok.compare/1"


def compare_command(
    old: Annotated[Path, typer.Argument(help="Report of `pytok eval --json`.", metavar="OLD")],
    new: Annotated[Path, typer.Argument(help="A later one.", metavar="NEW")],
    *,
    as_json: Json = False,
    fail_if_worse: Annotated[
        bool,
        typer.Option("--fail-if-worse", help="Exit with 1 if a number is surely worse, or lost."),
    ] = False,
) -> None:
    """Show what changed between two evaluations, and whether it may be chance."""
    before, after = read_report(old), read_report(new)
    changes = compare_reports(before, after)
    if as_json:
        head = {"schema": SCHEMA, "old": before.path, "new": after.path}
        sys.stdout.write(json_text({**head, **changes.to_json()}) + "\n")
    else:
        print_changes(changes, Console(highlight=False))
    worse = [
        f"{change.system} on {change.kind}: {change.metric} is worse"
        for change in changes.changes
        if change.verdict == "worse"
    ]
    if fail_if_worse and (reasons := [*worse, *changes.lost]):
        for reason in reasons:
            sys.stderr.write(printable(f"failed: {reason}") + "\n")
        raise typer.Exit(1)
