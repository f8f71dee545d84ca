"""The result as a picture: each judged ratio beside what was asked of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .rows import Row

COLOURS = {"missed": "#c0392b", "met": "#2e86c1", "aim": "#1e8449"}


def draw(rows: Sequence[Row], path: Path) -> None:
    """Draw how many times each judged row reaches what was asked of it at least."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    from .report import closeness

    judged = [row for row in rows if row.least is not None and row.value is not None][::-1]
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.19 * len(judged)))
    for place, row in enumerate(judged):
        axes.barh(place, max(closeness(row), 0.01), color=COLOURS.get(row.verdict, "#888888"))
        if row.aim is not None and row.rival:
            axes.plot(row.aim / row.least, place, marker="|", color="black", markersize=8)
    labels = [" · ".join(filter(None, [row.what, row.vocabulary, row.text])) for row in judged]
    axes.set_yticks(range(len(judged)), labels, fontsize=6)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_ylim(-0.6, len(judged) - 0.4)
    axes.set_xlabel("measured / least (line: least; mark: aim)")
    # Letters as text, not as outlines: a twentieth of the size.
    with pyplot.rc_context({"svg.fonttype": "none"}):
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)
