"""`pytok extend`: more pieces for a tokenizer that exists."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pytok import ExtendReport, TextChange, extend
from pytok.cli._options import Encoding, Json, Pattern, load
from pytok.cli._surgery import Model, Multiple, print_surgery
from pytok.cli._training import Memory, Threads, progress_bar
from pytok.cli.train import check_writable
from pytok.errors import ConfigError
from pytok.pruning.surgery import check_model, extend_model
from pytok.pruning.surgery.prune import check_multiple

__all__ = ["extend_command"]


def extend_command(
    tokenizer: Annotated[
        str, typer.Argument(help="Embedded name, file, folder or hub id.", metavar="TOKENIZER")
    ],
    text: Annotated[
        list[Path] | None,
        typer.Option(
            "--text",
            help="The new text: files, folders or quoted globs, as in `pytok train`. With "
            "TOKENIZER before, all up to the next option; may be repeated.",
            metavar="PATH",
            show_default=False,
        ),
    ] = None,
    add: Annotated[
        int | None, typer.Option(help="Number of new pieces.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder of the new tokenizer.", show_default=False),
    ] = None,
    check: Annotated[
        list[Path] | None,
        typer.Option(
            "--check",
            help="Other text, whose changes are reported with examples: a list, as with --text.",
            metavar="PATH",
            show_default=False,
        ),
    ] = None,
    min_frequency: Annotated[int, typer.Option(help="Least count of a new piece.")] = 2,
    max_token_bytes: Annotated[int, typer.Option(help="Most bytes of a new piece.")] = 48,
    max_chars: Annotated[
        int | None,
        typer.Option(help="Most characters of a new piece. Default: no limit.", show_default=False),
    ] = None,
    char_align: Annotated[
        bool,
        typer.Option(
            "--char-align/--no-char-align",
            help="New pieces are whole characters or part of one.",
        ),
    ] = True,
    only: Annotated[
        str | None,
        typer.Option(
            help=r"Regular expression that new pieces match, such as '\p{Han}+'. Default: any.",
            metavar="REGEX",
            show_default=False,
        ),
    ] = None,
    model: Model = None,
    pad_to_multiple_of: Multiple = 64,
    encoding: Encoding = None,
    pattern: Pattern = None,
    threads: Threads = None,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Add pieces for a new text to a tokenizer; old ids stay."""
    if not text:
        raise ConfigError("--text: missing", hint="pass --text PATH, the new text")
    if add is None:
        raise ConfigError("--add: missing", hint="pass --add N, the number of new pieces")
    if output is None:
        raise ConfigError("--output: missing", hint="pass -o FOLDER")
    if model is not None:
        check_multiple(pad_to_multiple_of)
        check_model(model, output)
    loaded = load(tokenizer, encoding=encoding, pattern=pattern)
    own = loaded._core.own_file()
    check_writable(output, own[0] if own else "tokenizer.json")
    with progress_bar() as show:
        result = extend(
            loaded,
            text,
            add=add,
            min_frequency=min_frequency,
            max_token_bytes=max_token_bytes,
            max_chars=max_chars,
            char_align=char_align,
            only=only,
            check=check or None,
            threads=threads,
            memory=memory,
            on_progress=show,
        )
    surgery = None
    if model is None:
        result.tokenizer.save(output)
    else:
        surgery = extend_model(
            model, output, loaded, result.tokenizer, pad_to_multiple_of=pad_to_multiple_of
        )
    if as_json:
        record = {
            "output": str(output),
            "vocab_size": result.tokenizer.vocab_size,
            "report": result.report.to_json(),
            "model": None if surgery is None else surgery.to_json(),
        }
        sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    else:
        _print(output, result.tokenizer.vocab_size, result.report)
        if surgery is not None:
            print_surgery(surgery)


def _change(change: TextChange) -> str:
    fewer = change.tokens_before - change.tokens_after
    part = f" ({-fewer / change.tokens_before:+.1%})" if change.tokens_before else ""
    return (
        f"{change.tokens_before:,} to {change.tokens_after:,} tokens{part}; "
        f"{change.changed:,} of {change.texts:,} texts change ({change.share:.1%})"
    )


def _print(output: Path, vocab_size: int, report: ExtendReport) -> None:
    rows = [
        ("folder", str(output)),
        ("vocabulary", f"{vocab_size:,}"),
        (
            "new pieces",
            f"{report.added:,}, ids {report.first_id:,} to {report.first_id + report.added - 1:,}",
        ),
        ("lowest count", f"{report.least_count:,}"),
        ("first pieces", " ".join(map(_shown, report.pieces))),
        ("new text", _change(report.text)),
    ]
    if report.check is not None:
        rows.append(("other text", _change(report.check)))
    table = Table("", "", box=None, show_header=False)
    for name, value in rows:
        table.add_row(name, escape(value))
    for difference in report.check.differences if report.check else ():
        table.add_row("before", escape("|".join(map(_shown, difference.before))))
        table.add_row("after", escape("|".join(map(_shown, difference.after))))
    Console(highlight=False).print(table)


def _shown(piece: str) -> str:
    """Return a piece with its spaces and line ends visible."""
    return piece.replace(" ", "␣").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
