"""Rank and frequency of the ids, both on logarithmic scales."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytok.eval.plots.theme import Theme, canvas, tidy
from pytok.eval.report import SystemReport

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_ranks"]

_HEIGHT = 240
_MARKS_PER_LINE = 6


def draw_ranks(systems: Sequence[SystemReport], theme: Theme) -> Figure:
    """Draw a line for every system with ids."""
    from matplotlib.ticker import FuncFormatter

    figure = canvas(_HEIGHT)
    axes = figure.add_subplot()
    tidy(axes, theme)
    for place, system in enumerate(systems):
        if system.rank_frequency:
            ranks, counts = zip(*system.rank_frequency, strict=True)
            every = max(len(ranks) // _MARKS_PER_LINE, 1)
            shifted = place * every // 4 % every
            axes.plot(
                ranks, counts, color=theme.colour(place), linewidth=1.6,
                marker=theme.mark(place), markersize=5, markevery=(shifted, every),
            )  # fmt: skip
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.set_xlabel("rank of the id")
    axes.set_ylabel("occurrences")
    return figure
