"""`pytok corpora`: list and fetch public corpora to measure on."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn
from rich.text import Text

from pytok.eval.sources import fetch, find_source, load_sources
from pytok.eval.text_files import file_sha256

__all__ = ["corpora_app"]

corpora_app = typer.Typer(help="List and fetch public corpora.", no_args_is_help=True)

_Sources = Annotated[
    Path | None,
    typer.Option("--sources", help="Another list of sources (TOML).", show_default=False),
]
_AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@corpora_app.command("list")
def list_command(*, sources: _Sources = None, as_json: _AsJson = False) -> None:
    """List the public corpora, with licence and size."""
    found = load_sources(sources)
    if as_json:
        listed = [asdict(source) for source in found]
        sys.stdout.write(json.dumps(listed, ensure_ascii=False, indent=2) + "\n")
        return
    console = Console(highlight=False)
    for source in found:
        line = Text(source.name, style="bold")
        line.append(f"  {source.about}", style="not bold")
        console.print(line)
        console.print(Text(f"  {source.licence}; {source.bytes / 1e6:.1f} MB to download"))


@corpora_app.command("get")
def get_command(
    name: Annotated[str, typer.Argument(help="Name in `pytok corpora list`.")],
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder below which the text goes.")
    ] = Path("corpora"),
    sources: _Sources = None,
    as_json: _AsJson = False,
) -> None:
    """Download a corpus, verify its checksum, and cut it for `pytok eval`."""
    source = find_source(name, load_sources(sources))
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(source.name, total=source.bytes)
        path = fetch(source, output, on_read=lambda size: bar.advance(task, size))
    if as_json:
        row = {
            "name": source.name,
            "path": str(path),
            "bytes": path.stat().st_size,
            "sha256": file_sha256(path),
            "licence": source.licence,
        }
        sys.stdout.write(json.dumps(row, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(f"{path}\n")
    sys.stderr.write(f"licence: {source.licence}\n")
