"""How long pieces are, in one panel for each of the scripts with the most pieces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytok.eval.piece_lengths import LONGEST_PIECE
from pytok.eval.plots.theme import Theme, canvas, tidy
from pytok.eval.report import SystemReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_lengths", "scripts_of"]

_PANELS = 4
_HEIGHT = 150
_NO_LENGTH = ("part of a character", "white space")
_SEEN = 0.005


def scripts_of(systems: Sequence[SystemReport]) -> list[str]:
    """Scripts with the most pieces of all systems together, four at most; no white space."""
    total: Counter[str] = Counter()
    for system in systems:
        for script, counts in system.piece_lengths.items():
            if script not in _NO_LENGTH:
                total[script] += sum(counts)
    return sorted(total, key=lambda script: (-total[script], script))[:_PANELS]


def draw_lengths(systems: Sequence[SystemReport], theme: Theme) -> Figure:
    """Draw, for every script, the share of its pieces that have each length.

    A panel ends where no system has more than 0.5 % of its pieces.
    """
    scripts = scripts_of(systems)
    rows = (len(scripts) + 1) // 2
    figure = canvas(_HEIGHT * rows)
    for at, script in enumerate(scripts):
        axes = figure.add_subplot(rows, min(len(scripts), 2), at + 1)
        tidy(axes, theme)
        axes.set_title(script, color=theme.ink, fontsize=10, fontweight="bold", loc="left")
        _panel(axes, [system.piece_lengths.get(script, ()) for system in systems], theme)
        if at >= len(scripts) - 2:
            axes.set_xlabel("characters")
        if at % 2 == 0:
            axes.set_ylabel("share of pieces")
    return figure


def _panel(axes: Axes, counts: Sequence[tuple[int, ...]], theme: Theme) -> None:
    longest = 4
    for place, found in enumerate(counts):
        if total := sum(found):
            shares = [count / total for count in found]
            longest = max([longest, *(at for at, share in enumerate(shares, 1) if share > _SEEN)])
            axes.plot(
                range(1, len(found) + 1), shares, color=theme.colour(place), linewidth=1.4,
                marker=theme.mark(place), markersize=4,
            )  # fmt: skip
    axes.set_ylim(0, None)
    axes.set_xlim(0.6, longest + 0.4)
    step = -(-longest // 5)
    ticks = [*range(1, longest - step + 1, step), longest]
    axes.set_xticks(ticks, [f"{at}+" if at == LONGEST_PIECE else str(at) for at in ticks])
