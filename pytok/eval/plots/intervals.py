"""One metric: a point and its 95 % interval for every kind and system."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytok.eval.definitions import describe
from pytok.eval.definitions.metric import SHARE
from pytok.eval.plots.theme import WIDTH, Theme, canvas, tidy
from pytok.eval.report import Number
from pytok.eval.show import visible_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Group", "draw_intervals"]

_ROW = 13
_AXIS = 22
_MARGIN = 10
_GAP = 0.5
_SHARE_END = 1.02


@dataclass(frozen=True)
class Group:
    """The numbers of one kind, each with the place of its system in the order."""

    kind: str
    numbers: tuple[tuple[int, Number], ...]


def draw_intervals(groups: Sequence[Group], theme: Theme, *, line: float | None = None) -> Figure:
    """Draw groups below each other.

    Parameters
    ----------
    groups
        The numbers; every one has a value.
    theme
        Colours.
    line
        Value to mark with a line, or None.

    """
    rows = sum(len(group.numbers) + 1 + _GAP for group in groups)
    height = round(rows * _ROW + _AXIS)
    figure = canvas(height, layout=None)
    # Placed by hand: a layout engine takes longer than all the rest.
    left, below = _MARGIN / WIDTH, _AXIS / height
    axes = figure.add_subplot()
    figure.subplots_adjust(left=left, right=1 - left, bottom=below, top=1.0)
    tidy(axes, theme, grid="x")
    placed: dict[int, list[tuple[float, Number]]] = {}
    row = 0.0
    for group in groups:
        axes.text(
            0.0, row, visible_text(group.kind), transform=axes.get_yaxis_transform(), va="center",
            color=theme.ink, fontweight="bold", fontsize=10,
        )  # fmt: skip
        for at, (place, number) in enumerate(group.numbers, 1):
            placed.setdefault(place, []).append((row + at, number))
        row += len(group.numbers) + 1 + _GAP
    for place, points in placed.items():
        _points(axes, points, theme.colour(place), theme.mark(place))
    axes.set_ylim(row - _GAP, -0.8)
    axes.set_yticks([])
    if line is not None:
        axes.axvline(line, color=theme.muted, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    _scale(axes, groups, [] if line is None else [line])
    return figure


def _points(axes: Axes, points: list[tuple[float, Number]], colour: str, mark: str) -> None:
    bars = [(row, one.low, one.high) for row, one in points if one.low is not None]
    if bars:
        rows, lows, highs = zip(*bars, strict=True)
        axes.hlines(rows, lows, highs, colors=colour, linewidth=2.4, alpha=0.45, capstyle="round")
    values = [(one.value, row) for row, one in points]
    axes.plot(*zip(*values, strict=True), mark, color=colour, markersize=6)


def _scale(axes: Axes, groups: Sequence[Group], shown: list[float]) -> None:
    """Begin at 0 unless all values are far from it; a share ends at 1, and a line has its tick."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    ends = shown + [
        end
        for group in groups
        for _, number in group.numbers
        for end in (number.value, number.low, number.high)
        if end is not None
    ]
    lowest, highest = min(ends), max(ends)
    is_share = all(
        describe(number.metric).unit == SHARE for group in groups for _, number in group.numbers
    )
    if lowest >= 0 and lowest < 0.6 * highest:
        axes.set_xlim(0 - 0.02 * highest, 1.04 * highest)
    elif lowest == highest == 0:
        axes.set_xlim(-0.02, 1)
    elif lowest == highest:
        axes.set_xlim(lowest - 0.5, highest + 0.5)
    if is_share and axes.get_xlim()[1] > _SHARE_END:
        axes.set_xlim(right=_SHARE_END)
    axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    if shown and not any(
        math.isclose(tick, value, abs_tol=1e-9) for value in shown for tick in axes.get_xticks()
    ):
        low, high = axes.get_xlim()
        axes.set_xticks(
            [tick for tick in axes.get_xticks() if _apart(tick, shown, high - low)] + shown
        )
        axes.set_xlim(low, high)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.10g}"))


def _apart(tick: float, shown: list[float], width: float) -> bool:
    """Whether the label of a tick is clear of those of the marked values."""
    return all(abs(tick - value) > 0.12 * width for value in shown)
