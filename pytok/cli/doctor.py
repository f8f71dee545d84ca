"""`pytok doctor`: what a loader of a tokenizer folder will trip over."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pytok.cli._options import Json
from pytok.doctor import Finding, examine, mend
from pytok.eval.show import printable

__all__ = ["doctor_command"]


def doctor_command(
    folder: Annotated[Path, typer.Argument(help="Tokenizer folder.", metavar="FOLDER")],
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what can be mended without changing an id.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find what transformers, vLLM and GGUF will trip over in a tokenizer folder.

    Exit code 1 when something is wrong; notes alone are no reason.
    """
    findings = examine(folder)
    mended: tuple[Finding, ...] = ()
    if fix:
        mended = mend(folder, findings)
        findings = examine(folder)
    if as_json:
        record = {
            "folder": str(folder),
            "findings": [finding.to_json() for finding in findings],
            "mended": [finding.to_json() for finding in mended],
        }
        sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    else:
        _print(findings, mended)
    if any(finding.level != "note" for finding in findings):
        raise typer.Exit(1)


def _print(findings: tuple[Finding, ...], mended: tuple[Finding, ...]) -> None:
    lines = [f"mended: {finding.where}: {finding.mend}" for finding in mended]
    for finding in findings:
        fixable = " (--fix does it)" if finding.fixable else ""
        lines += [
            f"{finding.level}: {finding.where} [{finding.check}]",
            f"  {finding.what}",
            f"  mend: {finding.mend}{fixable}",
            f"  concerns: {', '.join(finding.loaders)}",
        ]
    if not findings:
        lines.append("nothing is wrong")
    sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
