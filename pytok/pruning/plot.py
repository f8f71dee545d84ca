"""A plot of the size of a vocabulary against what it costs."""

from __future__ import annotations

from pathlib import Path

from pytok._written import written
from pytok.errors import ConfigError
from pytok.pruning.plan import PruneReport

__all__ = ["check_plot", "write_curve"]

_HEIGHT = 260
_DPI = 216
_SUFFIXES = (".png", ".svg")


def check_plot(path: Path) -> None:
    """Fail where `write_curve` could not write.

    Raises
    ------
    ConfigError
        When matplotlib is missing, or the path is no image in a folder that is there.

    """
    from pytok.eval.plots.theme import need_matplotlib

    need_matplotlib("a plot")
    if path.suffix not in _SUFFIXES or not path.absolute().parent.is_dir() or path.is_dir():
        raise ConfigError(
            f"plot: {path}, expected a .png or .svg file in a folder that is there",
            hint="give a path like curve.png",
        )


def write_curve(report: PruneReport, path: Path) -> None:
    """Write the curve of a report as PNG or SVG: a line for each kind of text.

    Parameters
    ----------
    report
        A report with a curve.
    path
        The file, whose suffix says which.

    Raises
    ------
    ConfigError
        As `check_plot`, and when the report has no curve.
    ExportError
        When the file cannot be written.

    """
    check_plot(path)
    if not report.curve:
        raise ConfigError("report: has no curve; expected one made with a corpus")
    from pytok.eval.plots.theme import LIGHT, canvas, drawing, tidy

    with drawing():
        figure = canvas(_HEIGHT)
        axes = figure.add_subplot()
        tidy(axes, LIGHT)
        sizes = [point.size for point in report.curve]
        for number, kind in enumerate(report.curve[0].kinds, start=1):
            shares = [100 * point.kinds[kind] for point in report.curve]
            axes.plot(
                sizes, shares, color=LIGHT.colour(number), marker=LIGHT.mark(number), label=kind
            )
        axes.set_xlabel("pieces")
        axes.set_ylabel("more tokens, %")
        axes.legend(frameon=False, labelcolor=LIGHT.ink, fontsize=9)
        nothing = {"Date": None, "Creator": None} if path.suffix == ".svg" else {"Software": None}
        with written(path) as stream:
            figure.savefig(stream, format=path.suffix[1:], dpi=_DPI, metadata=nothing)
