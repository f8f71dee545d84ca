"""Print the quoted figures and what is measured under each definition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pytok.eval.definitions import METRICS
from pytok.eval.printable import made_printable
from pytok.eval.quoted import HYBRID, QUOTED, QUOTED_KINDS, SOURCE, Claim, claims, summary

if TYPE_CHECKING:
    from rich.console import Console

    from pytok.eval.report import Report

__all__ = ["print_quoted"]

_SIGNS = {"below": "<", "above": ">", "undecided": "~", "not measured": ""}


def print_quoted(report: Report, console: Console) -> None:
    """Print the quoted rows, then a row per system and definition.

    Parameters
    ----------
    report
        The evaluation.
    console
        Where to.

    """
    report = made_printable(report)
    console.print(Text("beside the quoted figures", style="bold"))
    found = claims(report)
    console.print(_table(report, found))
    _say(
        console,
        f"OOV in %, entropies in bits. '{SOURCE}'. <, >: the 95 % interval lies below or above "
        f"the figure quoted for the {HYBRID.system}; ~: undecided; -: not measured",
    )
    missing = [name for name in QUOTED_KINDS if name not in {kind.kind for kind in report.kinds}]
    if missing:
        _say(console, f"no kind named {', '.join(missing)} in {Path(report.root).name}")
    for kind in report.kinds:
        if kind.kind in QUOTED_KINDS and kind.words_from:
            what = "gold words of" if kind.words_are_gold else "no gold words: words cut by"
            _say(console, f"{kind.kind}: {what} {kind.words_from}")
    _say(
        console,
        "tokens/char belongs beside every entropy, which longer pieces always lower. oov_lex is "
        "the only definition that published figures of word segmenters can be compared under; "
        "segmenters have no oov_unk and no oov_char, tokenizers no oov_lex",
    )
    for sentence in summary(found):
        _say(console, sentence)
    for metric in dict.fromkeys(claim.metric for claim in found):
        _say(console, f"{metric}: {METRICS[metric].definition}")
    console.print()


def _say(console: Console, line: str) -> None:
    console.print(Padding(Text(line), (0, 0, 0, 2), expand=False))


def _table(report: Report, found: tuple[Claim, ...]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("system", overflow="fold")
    table.add_column("definition", overflow="fold")
    for kind in QUOTED_KINDS:
        table.add_column(kind, justify="right", overflow="fold")
    for quoted in QUOTED:
        shares = [f"{100 * quoted.oov[kind]:.1f}" for kind in QUOTED_KINDS]
        table.add_row(quoted.system, "OOV (quoted)", *shares)
        table.add_row("", "entropy (quoted)", f"{quoted.entropy}", "", "")
    compression = {
        (system.system, kind.kind): system.numbers["tokens_per_char"].value
        for kind in report.kinds
        for system in kind.systems
        if system.failure is None
    }
    cells = {(claim.system, claim.metric, claim.kind): claim for claim in found}
    named = ""
    for system, metric in dict.fromkeys((claim.system, claim.metric) for claim in found):
        if system != named:
            values = [compression.get((system, kind)) for kind in QUOTED_KINDS]
            shown = ["-" if value is None else f"{value:.3g}" for value in values]
            table.add_row(system, "tokens/char", *shown)
            named = system
        row = [_cell(cells.get((system, metric, kind))) for kind in QUOTED_KINDS]
        table.add_row("", metric, *row)
    return table


def _cell(claim: Claim | None) -> Text:
    if claim is None or claim.value is None:
        return Text("-")
    percent = METRICS[claim.metric].unit.startswith("share")
    value, low, high = (
        None if number is None else (100 if percent else 1) * number
        for number in (claim.value, claim.low, claim.high)
    )
    cell = Text(f"{value:.3g} {_SIGNS[claim.verdict]}")
    if low is not None and high is not None:
        cell.append(f"\n{low:.3g}–{high:.3g}", style="dim")
    return cell
