"""`pytok train`: a tokenizer from text or from word counts."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from pytok import TrainReport, WordCounts, train
from pytok.cli._training import (
    Config,
    Digits,
    Memory,
    Pretokenizer,
    Threads,
    TrainFiles,
    Work,
    config_of,
    progress_bar,
)
from pytok.errors import ConfigError, ExportError

__all__ = ["train_command"]


def train_command(
    files: TrainFiles = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder of the tokenizer.", show_default=False),
    ] = None,
    config: Config = None,
    counts: Annotated[
        list[Path] | None,
        typer.Option(
            "--counts",
            help="Word counts of `pytok count-words`, with or instead of text; may be repeated.",
            show_default=False,
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(help="How pieces are found: bpe. Default: bpe.", show_default=False),
    ] = None,
    vocab_size: Annotated[
        int | None,
        typer.Option(
            help="Ids, special tokens and 256 bytes included. Default: 32000.",
            show_default=False,
        ),
    ] = None,
    special_token: Annotated[
        list[str] | None,
        typer.Option(help="Control token; repeat for several.", show_default=False),
    ] = None,
    pretokenizer: Pretokenizer = None,
    digits: Digits = None,
    min_frequency: Annotated[
        int | None,
        typer.Option(help="Least count of a pair that is merged. Default: 1.", show_default=False),
    ] = None,
    tau: Annotated[
        int | None,
        typer.Option(
            help="Cut words where two characters meet fewer times; never changes the result. "
            "Default: 10.",
            show_default=False,
        ),
    ] = None,
    tau_c: Annotated[
        int | None,
        typer.Option(
            help="Least count of a Han character to be a piece; rarer ones are bytes.",
            show_default=False,
        ),
    ] = None,
    tau_w: Annotated[
        int | None,
        typer.Option(
            help="Least count of a piece of --min-chars characters or more.", show_default=False
        ),
    ] = None,
    min_chars: Annotated[
        int | None,
        typer.Option(
            help="Characters from which a piece counts as a word. Default: 2.",
            show_default=False,
        ),
    ] = None,
    max_chars: Annotated[
        int | None, typer.Option(help="Most characters of a word.", show_default=False)
    ] = None,
    span_bytes: Annotated[
        tuple[int, int] | None,
        typer.Option(help="Least and most bytes of a word, 1 to 8.", show_default=False),
    ] = None,
    max_token_bytes: Annotated[
        int | None,
        typer.Option(help="Most bytes of a piece. Default: 48.", show_default=False),
    ] = None,
    required_chars: Annotated[
        str | None,
        typer.Option(help="Characters that are pieces whatever their count.", show_default=False),
    ] = None,
    char_align: Annotated[
        bool | None,
        typer.Option(
            "--char-align/--no-char-align",
            help="Pieces are whole characters or part of one. Default: char-align.",
            show_default=False,
        ),
    ] = None,
    tie: Annotated[
        str | None,
        typer.Option(
            help="Pairs of equal count: bytes, or hf for the order of `tokenizers`. "
            "Default: bytes.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = None,
    memory: Memory = None,
    work: Work = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """Train a tokenizer."""
    if not files and not counts:
        raise ConfigError("FILE: nothing to train on", hint="name files, or pass --counts")
    if output is None:
        raise ConfigError("--output: missing", hint="pass -o FOLDER")
    _check_writable(output)
    options = config_of(
        config,
        {
            "algorithm": algorithm,
            "vocab_size": vocab_size,
            "special_tokens": special_token or None,
            "pretokenizer": pretokenizer,
            "digits": digits,
            "min_frequency": min_frequency,
            "tau": tau,
            "tau_c": tau_c,
            "tau_w": tau_w,
            "min_chars": min_chars,
            "max_chars": max_chars,
            "span_bytes": span_bytes,
            "max_token_bytes": max_token_bytes,
            "required_chars": required_chars,
            "char_align": char_align,
            "tie": tie,
            "threads": threads,
            "memory": memory,
        },
    )
    parts = (WordCounts.read(path, memory=options.memory) for path in counts or [])
    with progress_bar() as show:
        result = train(files or None, options, counts=parts, work=work, on_progress=show)
    result.tokenizer.save(output)
    if as_json:
        record = {
            "output": str(output),
            "vocab_size": result.tokenizer.vocab_size,
            "options": options.to_mapping(),
            "report": result.report.to_json(),
        }
        sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    else:
        _print(output, result.tokenizer.vocab_size, result.report)


def _check_writable(folder: Path) -> None:
    """Fail before the work rather than after it."""
    if folder.exists() and not folder.is_dir():
        raise ExportError(
            f"{folder}: is a file, expected a folder", hint="pass the path of a folder"
        )
    existing = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise ExportError(
            f"{folder}: cannot be written: {existing} is not a writable folder",
            hint="choose a writable folder",
        )


def _print(output: Path, vocab_size: int, report: TrainReport) -> None:
    table = Table("", box=None, show_header=False)
    table.add_column(justify="right")
    for name, value in (
        ("folder", str(output)),
        ("vocabulary", f"{vocab_size:,}"),
        ("text", f"{report.text_bytes:,} bytes"),
        ("different words", f"{report.unique_words:,} ({report.unique_word_bytes:,} bytes)"),
        ("segments after the cut", f"{report.segments:,} ({report.segment_bytes:,} bytes)"),
        ("tau", f"{report.tau} (run {report.runs})"),
        ("smallest count merged", "–" if report.least_count is None else f"{report.least_count:,}"),
        ("counting, training", f"{report.count_seconds:.1f} s, {report.train_seconds:.1f} s"),
    ):
        table.add_row(name, value)
    Console(highlight=False).print(table)
