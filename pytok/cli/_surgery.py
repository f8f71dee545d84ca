"""`pytok prune --model` and `pytok extend --model`: a checkpoint changes with its vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pytok.pruning.surgery import SurgeryReport

__all__ = ["Model", "Multiple", "print_surgery"]

Model = Annotated[
    Path | None,
    typer.Option(
        help="Folder of a safetensors checkpoint: OUTPUT gets the model, too, with the rows "
        "of the new vocabulary.",
        metavar="FOLDER",
        show_default=False,
    ),
]
Multiple = Annotated[int, typer.Option(help="Rows of the model are padded to a multiple of it.")]


def print_surgery(report: SurgeryReport) -> None:
    """Print what became of the model."""
    table = Table("", "", box=None, show_header=False, title="model", title_justify="left")
    padding = report.rows_after - report.ids
    table.add_row("rows", f"{report.rows_before:,} to {report.rows_after:,} ({padding} pad)")
    saved = 1 - report.bytes_after / report.bytes_before
    table.add_row("bytes", f"{report.bytes_before:,} to {report.bytes_after:,} ({saved:.1%} fewer)")
    for change in report.tensors:
        table.add_row(escape(change.name), f"{change.dtype} {list(change.after)}")
    for key, (before, after) in report.config_ids.items():
        table.add_row(escape(key), escape(f"{before} to {after}"))
    if report.left_out:
        table.add_row("left out", escape(", ".join(report.left_out)))
    Console(highlight=False).print(table)
