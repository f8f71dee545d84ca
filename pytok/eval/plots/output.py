"""From figures to SVG for a page, and to PNG and SVG files."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pytok._written import written
from pytok.errors import ExportError
from pytok.eval.plots.catalogue import Plot, plots_of, system_names
from pytok.eval.plots.theme import (
    LIGHT,
    PLACEHOLDERS,
    VARIABLES,
    Theme,
    drawing,
    need_matplotlib,
)
from pytok.eval.report import Report
from pytok.eval.show import visible_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["svg_of", "write_plots"]

_DPI = 216
_NAMES_PER_ROW = 2
_ROW_INCHES = 0.2
_NO_DATE = {"Date": None, "Creator": None, "Format": None, "Type": None}
_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
# What stands before the element, metadata, and a rule that would reach the whole page.
_UNWANTED = re.compile(
    r"\A.*?(?=<svg)|\s*<metadata>.*?</metadata>|\s*<style type.*?</style>", re.DOTALL
)
_FONT = re.compile(r"font-family: [^;\"]*; ")
_PLACES = re.compile(r' (?:d|x|y|transform)="[^"]*"')
_NUMBER = re.compile(r"\d+\.\d\d+")
_USED = re.compile(r'(?:href="#|url\(#)([^")]+)')
_ID = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r'(\bhref="#|url\(#)')


def svg_of(plot: Plot, prefix: str) -> str:
    """Draw a plot as SVG for a page.

    Parameters
    ----------
    plot
        The plot.
    prefix
        Put in front of every id, so that several drawings fit in one page.

    Returns
    -------
    svg
        One ``<svg>`` element whose colours are CSS variables and whose text
        has the fonts of the page.

    """
    with drawing(), _quiet():
        figure = plot.draw(PLACEHOLDERS)
        stream = io.StringIO()
        figure.savefig(stream, format="svg", transparent=True, metadata=_NO_DATE)
    return _for_a_page(stream.getvalue(), prefix)


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found[0]):.1f}".removesuffix(".0")


def _for_a_page(text: str, prefix: str) -> str:
    size = _VIEW.search(text)
    assert size is not None, "matplotlib writes a view box"
    text = _UNWANTED.sub("", text)
    text = _FONT.sub("", text)
    text = _PLACES.sub(lambda places: _NUMBER.sub(_rounded, places[0]), text)
    for colour, variable in VARIABLES.items():
        text = text.replace(colour, variable)
    used = set(_USED.findall(text))
    text = _ID.sub(lambda found: f' id="{prefix}-{found[1]}"' if found[1] in used else "", text)
    text = _REFERENCE.sub(rf"\g<1>{prefix}-", text)
    width, height = size.groups()
    opening = f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    return re.sub(r"\A<svg[^>]*>", opening, text, count=1)


def write_plots(report: Report, folder: Path) -> list[Path]:
    """Write every plot as PNG and SVG, all of them or none.

    Parameters
    ----------
    report
        The report.
    folder
        Where to; made if it is not there.

    Returns
    -------
    paths
        The files, in order.

    Raises
    ------
    ConfigError
        If matplotlib is not installed.
    ExportError
        If a file cannot be written.

    """
    need_matplotlib("write_plots")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(
            f"cannot make the folder {folder}: {error.strerror or error}",
            hint="choose a writable folder",
        ) from error
    names = system_names(report)
    drawn: dict[Path, io.BytesIO] = {}
    with drawing(), _quiet():
        for plot in plots_of(report):
            figure = plot.draw(LIGHT)
            _explain(figure, plot.title, names, LIGHT)
            for suffix in ("png", "svg"):
                stream = drawn[folder / f"{plot.name}.{suffix}"] = io.BytesIO()
                metadata = _NO_DATE if suffix == "svg" else {"Software": None}
                figure.savefig(stream, format=suffix, dpi=_DPI, metadata=metadata)
    with ExitStack() as together:
        # The names are taken only when every file is whole.
        for path, stream in drawn.items():
            together.enter_context(written(path)).write(stream.getvalue())
    return list(drawn)


def _explain(figure: Figure, title: str, names: Sequence[str], theme: Theme) -> None:
    """Add what a page says around a plot: a title and the names of the systems."""
    from matplotlib.lines import Line2D

    width, height = figure.get_size_inches()
    rows = 1 + -(-len(names) // _NAMES_PER_ROW)
    figure.set_size_inches(width, height + _ROW_INCHES * (rows + 1))
    figure.set_layout_engine("constrained")
    figure.suptitle(visible_text(title), color=theme.ink, fontsize=11, x=0.01, ha="left")
    handles = [
        Line2D(
            [],
            [],
            color=theme.colour(place),
            marker=theme.mark(place),
            linewidth=2,
            label=visible_text(name),
        )
        for place, name in enumerate(names)
    ]
    figure.legend(
        handles=handles, loc="outside lower left", ncols=_NAMES_PER_ROW, frameon=False,
        fontsize=9, labelcolor=theme.ink,
    )  # fmt: skip


@contextmanager
def _quiet() -> Iterator[None]:
    """Be silent about characters that only the reader's fonts have."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield
