"""`pytok normalize`: Chinese text normalised, and what was done to it and why."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from pytok import zh
from pytok.cli._explained import console, counts_table, diff_lines
from pytok.cli._options import Files, Json
from pytok.cli._text import STDIN, read_lines, read_text, source_name
from pytok.errors import ConfigError
from pytok.zh.dialect import REGIONS, DialectEntry, read_contexts, read_table

__all__ = ["normalize_command"]


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
    entries: Annotated[
        Path | None,
        typer.Option(help="A table (TSV) of your own dialect words.", metavar="FILE"),
    ] = None,
    contexts: Annotated[
        Path | None,
        typer.Option(help="Contexts (TOML) that its rows name.", metavar="FILE"),
    ] = None,
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
    if as_json and (diff or report):
        raise ConfigError("--json: has the edits and the counts, expected no --diff or --report")
    if list_steps:
        _list(as_json)
        return
    chosen = _chosen(preset, steps)
    if entries is not None or contexts is not None:
        rows = read_table(entries) if entries is not None else ()
        chosen = _with_own(chosen, rows, read_contexts(contexts) if contexts is not None else {})
    pipeline = zh.Pipeline(chosen, mode=mode.value)
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


def _chosen(preset: str | None, names: str | None) -> list[zh.Step]:
    """Return the steps of a preset or of names separated by commas."""
    if preset is None and names is None:
        raise ConfigError("nothing to do: expected --preset or --steps", hint="see --list")
    if names is None:
        return list(zh.Pipeline(preset=preset).steps)
    if preset is not None:
        raise ConfigError("--steps: given together with preset, expected one of them")
    steps = [zh.Step(name.strip()) for name in names.split(",") if name.strip()]
    if not steps:
        raise ConfigError(f"--steps: {names!r} names no step", hint="see --list")
    return steps


def _with_own(
    steps: list[zh.Step], rows: Iterable[DialectEntry], contexts: Mapping[str, Any]
) -> list[zh.Step]:
    """Return the steps with rows of the user's own in those that they are for."""
    rows = list(rows)
    here = [step.name for step in steps if step.name in REGIONS]
    if not here:
        raise ConfigError(
            "--entries: no step is one of a dialect", hint=f"use some of {', '.join(REGIONS)}"
        )
    for row in rows:
        if row.region and row.region not in here:
            raise ConfigError(
                f"--entries: {row.token!r} is of the region {row.region!r}, which is no step here"
            )

    def own(step: zh.Step) -> zh.Step:
        if step.name not in REGIONS:
            return step
        mine = [row for row in rows if row.region in ("", step.name)]
        return zh.Step(step.name, {**step.options, "entries": mine, "contexts": contexts})

    return list(map(own, steps))


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
    out = console()
    counts: dict[tuple[str, str, str], int] = {}
    for name, number, text in _texts(paths, by_line):
        normalized = pipeline.normalize(text)
        if diff:
            for line in diff_lines(name, number, text, normalized):
                out.print(line)
        for edit in normalized.edits:
            key = (edit.step, edit.status, edit.reason)
            counts[key] = counts.get(key, 0) + 1
    if report:
        out.print(counts_table(counts))


def _list(as_json: bool) -> None:
    made = {name: (make.__doc__ or "").strip().split("\n")[0] for name, make in zh.STEPS.items()}
    presets = {name: [step.name for step in steps] for name, steps in zh.PRESETS.items()}
    if as_json:
        record = {"steps": made, "presets": presets}
        sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
        return
    steps_table = Table("step", "what it does", box=None)
    for name, what in made.items():
        steps_table.add_row(name, what)
    presets_table = Table("preset", "steps", box=None)
    for name, names in presets.items():
        presets_table.add_row(name, ", ".join(names))
    out = console()
    out.print(steps_table)
    out.print()
    out.print(presets_table)
