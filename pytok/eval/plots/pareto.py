"""Compression against word boundaries: who gives up one for the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytok.eval.plots.theme import Theme, canvas, tidy
from pytok.eval.report import Number, SystemReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ACROSS", "UP", "Point", "draw_pareto", "front", "points_of"]

ACROSS = "chars_per_token"
UP = "boundary_f1"
_HEIGHT = 260


@dataclass(frozen=True)
class Point:
    """A system with both values, and its place in the order."""

    place: int
    across: Number
    up: Number

    @property
    def values(self) -> tuple[float, float]:
        """Both values; they are there, see `points_of`."""
        assert self.across.value is not None
        assert self.up.value is not None
        return self.across.value, self.up.value


def points_of(systems: Sequence[SystemReport]) -> list[Point]:
    """Systems that have both values."""
    points = []
    for place, system in enumerate(systems):
        across, up = system.numbers.get(ACROSS), system.numbers.get(UP)
        if across and up and across.value is not None and up.value is not None:
            points.append(Point(place, across, up))
    return points


def front(values: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points that no other point beats in one value without losing in the other.

    Parameters
    ----------
    values
        Pairs of which both parts are better when higher.

    Examples
    --------
    >>> front([(1.0, 0.9), (2.0, 0.5), (1.0, 0.4), (3.0, 0.5)])
    [(1.0, 0.9), (3.0, 0.5)]

    """
    best: list[tuple[float, float]] = []
    for pair in sorted(set(values), reverse=True):
        if not best or pair[1] > best[-1][1]:
            best.append(pair)
    return best[::-1]


def draw_pareto(points: Sequence[Point], theme: Theme) -> Figure:
    """Draw the points with their intervals and the front of the point estimates."""
    figure = canvas(_HEIGHT)
    axes = figure.add_subplot()
    tidy(axes, theme)
    across, up = zip(*front([point.values for point in points]), strict=True)
    axes.plot(across, up, color=theme.muted, linewidth=1.2, linestyle=(0, (4, 3)))
    for point in points:
        _cross(axes, point, theme)
    axes.set_xlabel("characters per token →")
    axes.set_ylabel("boundary F1 →")
    axes.margins(0.12)
    return figure


def _cross(axes: Axes, point: Point, theme: Theme) -> None:
    x, y = point.values
    colour = theme.colour(point.place)
    style = {"color": colour, "linewidth": 2.2, "alpha": 0.45}
    if point.across.low is not None and point.across.high is not None:
        axes.plot([point.across.low, point.across.high], [y, y], **style)  # type: ignore[arg-type]
    if point.up.low is not None and point.up.high is not None:
        axes.plot([x, x], [point.up.low, point.up.high], **style)  # type: ignore[arg-type]
    axes.plot([x], [y], theme.mark(point.place), color=colour, markersize=8)
