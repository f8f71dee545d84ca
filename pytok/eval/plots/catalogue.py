"""Which plots a report gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from pytok.eval.definitions import METRICS, describe
from pytok.eval.plots.intervals import Group, draw_intervals
from pytok.eval.plots.lengths import draw_lengths, scripts_of
from pytok.eval.plots.pareto import draw_pareto, points_of
from pytok.eval.plots.ranks import draw_ranks
from pytok.eval.plots.theme import Theme
from pytok.eval.report import KindReport, Number, ParallelReport, Report

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Plot", "metric_names", "plots_of", "system_names"]


@dataclass(frozen=True)
class Plot:
    """A plot that can be drawn.

    Parameters
    ----------
    name
        Name for a file, without suffix; unique in a report.
    subject
        Name of the metric, or ``"parity"``, ``"pareto"``, ``"ranks"`` or
        ``"lengths"``.
    kind
        Kind of text or set of parallel texts; empty where the plot shows all.
    title
        What it shows.
    draw
        Draws it with the colours of a theme.

    """

    name: str
    subject: str
    kind: str
    title: str
    draw: Callable[[Theme], Figure]


def plots_of(report: Report) -> list[Plot]:
    """All plots that have something to show, in order.

    Examples
    --------
    >>> plots_of(Report("texts", "0.1.0", 1, 10, None, kinds=()))
    []

    """
    plots = [
        *_of_metrics(report),
        *_of_parallel(report),
        *(plot for kind in report.kinds for plot in _of_kind(kind)),
    ]
    taken: dict[str, int] = {}
    unique = []
    for plot in plots:
        again = taken[plot.name] = taken.get(plot.name, 0) + 1
        name = plot.name if again == 1 else f"{plot.name}-{again}"
        unique.append(Plot(name, plot.subject, plot.kind, plot.title, plot.draw))
    return unique


def system_names(report: Report) -> list[str]:
    """Names of all systems, in the order in which colours and marks are given."""
    parts: list[KindReport | ParallelReport] = [*report.kinds, *report.parallel]
    names = [system.system for part in parts for system in part.systems]
    timed = [row.system for rows in report.speed.values() for row in rows]
    return list(dict.fromkeys([*names, *timed]))


def metric_names(report: Report) -> list[str]:
    """Names of all metrics of the kinds, those with a definition of their own first.

    The two numbers of a list of terms stand together, ``integrity_edges_law``
    after ``integrity_law``.
    """
    found = {name for kind in report.kinds for system in kind.systems for name in system.numbers}
    edges = "integrity_edges_"
    named = sorted(
        found - set(METRICS),
        key=lambda name: (name.replace(edges, "integrity_"), name.startswith(edges)),
    )
    return [*(name for name in METRICS if name in found), *named]


def _of_metrics(report: Report) -> Iterator[Plot]:
    for name in metric_names(report):
        metric = describe(name)
        groups = [
            Group(
                kind.kind,
                tuple(
                    (place, system.numbers[name])
                    for place, system in enumerate(kind.systems)
                    if name in system.numbers and system.numbers[name].value is not None
                ),
            )
            for kind in report.kinds
        ]
        groups = [group for group in groups if group.numbers]
        if metric.better and groups:
            draw = partial(draw_intervals, groups)
            yield Plot(f"metric-{_file_name(name)}", name, "", metric.label or name, draw)


def _of_parallel(report: Report) -> Iterator[Plot]:
    places = {name: place for place, name in enumerate(system_names(report))}
    for parallel in report.parallel:
        pairs: dict[str, list[tuple[int, Number]]] = {}
        for system in parallel.systems:
            for number in system.numbers.values():
                if number.value is not None:
                    pair = number.corpus.partition(": ")[2] or number.metric
                    pairs.setdefault(pair, []).append((places[system.system], number))
        groups = [Group(pair, tuple(numbers)) for pair, numbers in pairs.items()]
        if groups:
            name = f"parity-{_file_name(parallel.name)}"
            draw = partial(draw_intervals, groups, line=1.0)
            yield Plot(name, "parity", parallel.name, f"{parallel.name}: parity", draw)


def _of_kind(kind: KindReport) -> Iterator[Plot]:
    name = _file_name(kind.kind)
    points = points_of(kind.systems)
    if len(points) > 1:
        title = f"{kind.kind}: compression against word boundaries"
        yield Plot(f"pareto-{name}", "pareto", kind.kind, title, partial(draw_pareto, points))
    if any(system.rank_frequency for system in kind.systems):
        title = f"{kind.kind}: rank and frequency of ids"
        yield Plot(f"ranks-{name}", "ranks", kind.kind, title, partial(draw_ranks, kind.systems))
    if scripts_of(kind.systems):
        title = f"{kind.kind}: length of pieces by script"
        draw = partial(draw_lengths, kind.systems)
        yield Plot(f"lengths-{name}", "lengths", kind.kind, title, draw)


def _file_name(kind: str) -> str:
    r"""Make a kind part of a file name.

    Examples
    --------
    >>> _file_name("a/b c"), _file_name("新闻")
    ('a-b-c', '新闻')

    """
    return "".join(mark if mark.isalnum() or mark in "-_" else "-" for mark in kind)
