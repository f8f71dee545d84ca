"""`pytok export`: a tokenizer in the format of another library, checked with that library."""

from __future__ import annotations

import json
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pytok.cli._options import Encoding, Json, Pattern, load
from pytok.errors import ConfigError
from pytok.exporting import Check, ExportReport, Plan, carry_out, plan_export

__all__ = ["export_command"]


class Target(str, Enum):
    """What to export to."""

    hf = "hf"
    sentencepiece = "sentencepiece"
    tiktoken = "tiktoken"
    tekken = "tekken"
    gguf = "gguf"


class Profile(str, Enum):
    """How a Hugging Face folder is loaded."""

    portable = "portable"
    native = "native"


def export_command(
    tokenizer: Annotated[
        str, typer.Argument(help="Embedded name, file, folder or hub id.", metavar="TOKENIZER")
    ],
    to: Annotated[
        Target | None, typer.Option("--to", help="The library.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder that is written.", show_default=False),
    ] = None,
    profile: Annotated[
        Profile,
        typer.Option(help="Of hf: portable loads without pytok, native as its drop-in class."),
    ] = Profile.portable,
    verify: Annotated[
        list[Path] | None,
        typer.Option(
            "--verify",
            help="Text whose ids are compared, besides built-in probes: files, folders or quoted "
            "globs, as in `pytok train`. With TOKENIZER before, all up to the next option; may "
            "be repeated.",
            metavar="PATH",
            show_default=False,
        ),
    ] = None,
    allow_inexact: Annotated[
        bool,
        typer.Option(
            "--allow-inexact", help="Write although ids of some texts differ; says how many."
        ),
    ] = False,
    renumber: Annotated[
        bool,
        typer.Option(
            "--renumber", help="Write although all ids change; id_map.json has the new ones."
        ),
    ] = False,
    encoding: Encoding = None,
    pattern: Pattern = None,
    as_json: Json = False,
) -> None:
    """Write a tokenizer for another library, and check that its ids are the same."""
    if to is None:
        raise ConfigError("--to: missing", hint=f"pass one of {', '.join(t.value for t in Target)}")
    if output is None:
        raise ConfigError("--output: missing", hint="pass -o FOLDER")
    loaded = load(tokenizer, encoding=encoding, pattern=pattern)
    plan = plan_export(loaded, to.value, profile.value)
    _declare(plan)
    report = carry_out(
        loaded,
        plan,
        output,
        texts=verify or None,
        allow_inexact=allow_inexact,
        renumber=renumber,
    )
    if as_json:
        sys.stdout.write(json.dumps(report.to_json(), ensure_ascii=False, indent=2) + "\n")
    else:
        _print(report)
    if not report.files:
        sys.stderr.write("error: ids differ, nothing was written\n")
        raise typer.Exit(1)


def _declare(plan: Plan) -> None:
    """Say what the export can be, before anything is written."""
    sys.stderr.write(f"{plan.target}: {'exact' if plan.exact else 'not exact'}\n")
    for reason in plan.inexact:
        sys.stderr.write(f"  cannot hold: {reason}\n")
    for loss in plan.losses:
        sys.stderr.write(f"  does not have: {loss}\n")
    if plan.id_map is not None:
        sys.stderr.write("  numbers tokens in its own way: all ids change\n")


def _print(report: ExportReport) -> None:
    table = Table("", "", box=None, show_header=False)
    for path in report.files:
        table.add_row("written", escape(str(path)))
    for check in report.checks:
        table.add_row(escape(check.library), _result(check))
        if check.first is not None:
            table.add_row("first difference", escape(repr(check.first.text)))
            pieces = " ".join(map(repr, check.first.pieces))
            table.add_row("expected", escape(f"{list(check.first.expected)} {pieces}"))
            table.add_row("found", escape(str(list(check.first.found))))
    Console(highlight=False, soft_wrap=True).print(table)


def _result(check: Check) -> str:
    parts = [f"{check.differing_probes:,} of {check.probes:,} probes differ"]
    if check.texts:
        share = f" ({check.share:.2%})" if check.differing else ""
        parts.insert(
            0,
            f"{check.differing:,} of {check.texts:,} texts differ{share}, "
            f"{check.characters:,} characters",
        )
    return "; ".join(parts)
