"""What `pytok prune` prints for people."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pytok import PruneResult, Tokenizer

__all__ = ["print_report"]

# Of the plan, so many of the dearest pieces are shown.
_SHOWN = 20


def print_report(result: PruneResult, before: Tokenizer, output: Path | None) -> None:
    """Print the outcome: sizes, kinds of text, the curve, and the dearest pieces."""
    console = Console(highlight=False)
    report = result.report
    summary = Table("", "", box=None, show_header=False)
    if output is not None:
        summary.add_row("folder", escape(str(output)))
    size = f"{report.size_before:,} to {report.size_after:,}"
    summary.add_row("vocabulary", f"{size} ({report.size_after / report.size_before:.1%})")
    summary.add_row("pieces that must stay", f"{report.protected:,}")
    summary.add_row("pieces no text needs", f"{report.unreachable:,}")
    if report.inflation is not None:
        summary.add_row("tokens", f"{report.inflation:+.2%}")
    console.print(summary)
    if report.kinds:
        console.print(_kinds(result))
    if len(report.curve) > 1:
        console.print(_curve(result))
    if len(result.plan):
        console.print(_dearest(result, before))


def _kinds(result: PruneResult) -> Table:
    table = Table("kind", box=None, title="text", title_justify="left")
    for name in ("texts", "as before", "tokens before", "tokens after", "inflation"):
        table.add_column(name, justify="right")
    for kind in result.report.kinds:
        table.add_row(
            escape(kind.kind),
            f"{kind.texts:,}",
            f"{kind.share:.1%}",
            f"{kind.tokens_before:,}",
            f"{kind.tokens_after:,}",
            f"{kind.inflation:+.2%}",
        )
    return table


def _curve(result: PruneResult) -> Table:
    points = result.report.curve
    table = Table(box=None, title="size against inflation", title_justify="left")
    kinds = list(points[0].kinds)
    for name in ["size", "kept", "inflation", *(kinds if len(kinds) > 1 else [])]:
        table.add_column(escape(name), justify="right")
    for point in points:
        each = [f"{point.kinds[kind]:+.2%}" for kind in kinds] if len(kinds) > 1 else []
        kept = point.size / result.report.size_before
        table.add_row(f"{point.size:,}", f"{kept:.1%}", f"{point.inflation:+.2%}", *each)
    return table


def _dearest(result: PruneResult, before: Tokenizer) -> Table:
    plan = result.plan
    table = Table(box=None, title="dearest pieces that go", title_justify="left")
    for name in ("id", "piece", "tokens", "round"):
        table.add_column(name, justify="left" if name == "piece" else "right")
    order = sorted(range(len(plan)), key=lambda place: (-int(plan.utilities[place]), place))
    for place in order[:_SHOWN]:
        table.add_row(
            f"{plan.ids[place]}",
            escape(_shown(before.token_bytes(int(plan.ids[place])))),
            f"{plan.utilities[place]:,}",
            f"{plan.rounds[place]}",
        )
    return table


def _shown(piece: bytes) -> str:
    """Show a piece as the text that it stands for, or as bytes where it is none."""
    try:
        return repr(piece.decode())
    except UnicodeDecodeError:
        return repr(piece)
