"""Losses as tables: one per perturbation, one row per system."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich import box
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pytok.eval.definitions import METRICS

if TYPE_CHECKING:
    from rich.console import Console

    from pytok.eval.perturb.losses import Loss, PerturbedReport

__all__ = ["print_losses"]

_SHOWN = (
    "tokens_per_char",
    "oov_char",
    "oov_word",
    "fragmentation_entropy_sentence",
    "fragmentation_entropy_word",
    "boundary_f1",
)


def print_losses(reports: Iterable[PerturbedReport], console: Console) -> None:
    """Print the losses of one kind under every perturbation; --json has all metrics.

    Parameters
    ----------
    reports
        The perturbations of one kind.
    console
        Where to.

    """
    for report in reports:
        _say(console, Text(f"perturbed: {report.perturbation} (rate {report.rate:g})", "bold"))
        _say(console, Text(f"{report.definition}; seed {report.seed}"))
        share = report.changed / report.characters if report.characters else 0.0
        verb = "changed" if not report.unmeasured else "taken out"
        _say(
            console,
            Text(f"{report.changed:,} of {report.characters:,} characters {verb} ({share:.2%})"),
        )
        if report.unmeasured:
            _say(console, Text(f"not measured: {report.unmeasured}"))
        console.print(_table(report))
        _say(console, Text(f"loss: the change for the worse; {report.interval}"))
        for system in report.systems:
            if system.failure is not None:
                _say(console, Text(f"{system.system} failed: {system.failure}", style="red"))


def _say(console: Console, line: Text) -> None:
    console.print(Padding(line, (0, 0, 0, 2), expand=False))


def _table(report: PerturbedReport) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("system", overflow="fold")
    table.add_column("metric", no_wrap=True)
    for heading in ("before", "after", "loss", "95 %"):
        table.add_column(heading, justify="right", overflow="fold")
    for system in report.systems:
        name = system.system
        for metric in _SHOWN:
            if metric in system.losses:
                table.add_row(name, METRICS[metric].label, *_cells(system.losses[metric]))
                name = ""
    return table


def _cells(loss: Loss) -> list[str]:
    figures = [f"{loss.clean:.4g}", f"{loss.perturbed:.4g}", f"{loss.loss:+.3g}"]
    if loss.low is None or loss.high is None:
        return [*figures, "-"]
    return [*figures, f"{loss.low:+.3g} to {loss.high:+.3g}"]
