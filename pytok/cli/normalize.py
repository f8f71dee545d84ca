"""`pytok normalize`: Chinese text normalised, and what was done to it and why."""

from __future__ import annotations

import json
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pytok import zh
from pytok.cli._options import Files, Json
from pytok.cli._text import STDIN, read_lines, read_text, source_name
from pytok.errors import ConfigError

__all__ = ["normalize_command"]

_COLOURS = {"sure": "green", "ambiguous": "yellow", "kept": "cyan"}


class Mode(str, Enum):
    """How steps that convert scripts choose."""

    careful = "careful"
    opencc_exact = "opencc-exact"


def normalize_command(
    files: Files = None,
    preset: Annotated[
        str | None, typer.Option(help=f"One of {', '.join(zh.PRESETS)}.", metavar="NAME")
    ] = None,
    steps: Annotated[
        str | None,
        typer.Option(help="Steps, separated by commas; --list names them all.", metavar="NAMES"),
    ] = None,
    mode: Annotated[
        Mode, typer.Option(help="Scripts: by words, or exactly as OpenCC.")
    ] = Mode.careful,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print what changed and why instead of the text.")
    ] = False,
    report: Annotated[
        bool, typer.Option("--report", help="Print counts by step and reason instead of the text.")
    ] = False,
    by_line: Annotated[
        bool, typer.Option("--by-line", help="Each line is a text of its own.")
    ] = False,
    list_steps: Annotated[
        bool, typer.Option("--list", help="Name all steps and presets, and stop.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Normalise Chinese text: widths, variants, scripts, punctuation, dialects.

    Without --diff, --report or --json the normalised text is printed.
    """
    if list_steps:
        _list()
        return
    if preset is None and steps is None:
        raise ConfigError("nothing to do: expected --preset or --steps", hint="see --list")
    names = None if steps is None else [name.strip() for name in steps.split(",") if name.strip()]
    pipeline = zh.Pipeline(names, preset=preset, mode=mode.value)
    paths = files or [STDIN]
    if as_json:
        _print_json(pipeline, paths, by_line)
    elif diff or report:
        _explain(pipeline, paths, by_line, diff=diff, report=report)
    else:
        for path in paths:
            if by_line:
                sys.stdout.writelines(pipeline.text(line) + "\n" for line in read_lines(path))
            else:
                sys.stdout.write(pipeline.text(read_text(path)))


def _texts(paths: Iterable[Path], by_line: bool) -> Iterator[tuple[str, int, str]]:
    """Yield texts, each with what it is called and the number of its first line."""
    for path in paths:
        if by_line:
            for number, line in enumerate(read_lines(path), start=1):
                yield source_name(path), number, line
        else:
            yield source_name(path), 1, read_text(path)


def _print_json(pipeline: zh.Pipeline, paths: Iterable[Path], by_line: bool) -> None:
    for name, number, text in _texts(paths, by_line):
        normalized = pipeline.normalize(text)
        record = {
            "source": name,
            "line": number,
            "text": normalized.text,
            "breaks": normalized.breaks,
            "edits": [asdict(edit) for edit in normalized.edits],
            "report": asdict(normalized.report),
        }
        sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")


def _explain(
    pipeline: zh.Pipeline, paths: Iterable[Path], by_line: bool, *, diff: bool, report: bool
) -> None:
    console = Console(soft_wrap=True, highlight=False)
    counts: dict[tuple[str, str, str], int] = {}
    for name, number, text in _texts(paths, by_line):
        normalized = pipeline.normalize(text)
        if diff:
            for line in _diff(name, number, text, normalized):
                console.print(line)
        for edit in normalized.edits:
            key = (edit.step, edit.status, edit.reason)
            counts[key] = counts.get(key, 0) + 1
    if report:
        console.print(_table(counts))


def _diff(name: str, first: int, text: str, normalized: zh.Normalized) -> Iterator[Text]:
    """Yield the lines of a text that a step spoke of, old and new, and why."""
    starts = [0, *(place + 1 for place, character in enumerate(text) if character == "\n")]

    def line_of(edit: zh.Edit) -> int:
        return bisect_right(starts, edit.original[0]) - 1

    edits = sorted(normalized.edits, key=lambda edit: (edit.original, edit.normalized))
    for line, group in groupby(edits, key=line_of):
        here = list(group)
        end = starts[line + 1] - 1 if line + 1 < len(starts) else len(text)
        span = (starts[line], end)
        yield Text(f"{name}:{first + line}", style="bold")
        old = (text, span, [(edit.original, edit.status) for edit in here])
        yield _marked("- ", *old)
        new = normalized.alignment.to_normalized(span)
        if text[span[0] : span[1]] != normalized.text[new[0] : new[1]]:
            marks = [(edit.normalized, edit.status) for edit in here]
            yield _marked("+ ", normalized.text, new, marks)
        yield from map(_why, here)


def _marked(
    sign: str, text: str, span: tuple[int, int], marks: Iterable[tuple[tuple[int, int], str]]
) -> Text:
    line = Text(sign + text[span[0] : span[1]])
    for (start, end), status in marks:
        shift = len(sign) - span[0]
        line.stylize(f"bold {_COLOURS[status]}", max(start, span[0]) + shift, end + shift)
    return line


def _why(edit: zh.Edit) -> Text:
    what = edit.before if edit.status == "kept" else f"{edit.before} → {edit.after}"
    line = Text("    ")
    line.append(what, style=_COLOURS[edit.status])
    line.append(f"  {edit.step}: {edit.reason}")
    if edit.status != "sure":
        line.append(f" ({edit.status})")
    if edit.candidates:
        line.append(f" [{' '.join(edit.candidates)}]")
    return line


def _table(counts: dict[tuple[str, str, str], int]) -> Table:
    table = Table("step", "status", "reason", box=None)
    table.add_column("parts", justify="right")
    for (step, status, reason), count in counts.items():
        table.add_row(step, status, reason, f"{count:,}")
    return table


def _list() -> None:
    table = Table("step", "what it does", box=None)
    for name, make in zh.STEPS.items():
        table.add_row(name, (make.__doc__ or "").strip().split("\n")[0])
    presets = Table("preset", "steps", box=None)
    for name, steps in zh.PRESETS.items():
        presets.add_row(name, ", ".join(step.name for step in steps))
    console = Console()
    console.print(table)
    console.print()
    console.print(presets)
