"""From a report to a page: what the template needs, and the file."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytok._written import written
from pytok.errors import ConfigError
from pytok.eval.definitions import describe
from pytok.eval.html.families import HEADLINES, family_of
from pytok.eval.html.pieces import grouped_differences, parts_of
from pytok.eval.html.sources import (
    claims_by_system,
    lost_metrics,
    measured,
    rows_by_name,
    source_files,
)
from pytok.eval.plots import Plot, metric_names, plots_of, svg_of, system_names
from pytok.eval.plots.theme import HINT, LIGHT, need_matplotlib
from pytok.eval.quoted import QUOTED, QUOTED_KINDS
from pytok.eval.ranking import SIGNS, rankings
from pytok.eval.report import Report
from pytok.eval.show import figure, signed, visible, visible_text

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["need_packages", "render_html", "write_html"]


def need_packages(what: str) -> None:
    """Raise `ConfigError` with the name of the extra if a package is missing."""
    need_matplotlib(what)
    try:
        import jinja2  # noqa: F401
    except ImportError as error:
        raise ConfigError(f"{what} needs the package jinja2", hint=HINT) from error


def render_html(report: Report, *, quoted: bool = False) -> str:
    """Make the page.

    Parameters
    ----------
    report
        The report.
    quoted
        Whether to set the numbers beside the figures that the field quotes.

    Returns
    -------
    html
        A whole document without references to anything outside of it. Text of
        the report is escaped.

    Raises
    ------
    ConfigError
        If jinja2 or matplotlib is not installed.

    """
    need_packages("render_html")
    from markupsafe import Markup

    plots = plots_of(report)
    # `svg_of` escapes the text in it.
    drawn = {plot.name: Markup(svg_of(plot, f"p{n}")) for n, plot in enumerate(plots)}
    names = system_names(report)
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            names=names,
            places={name: place for place, name in enumerate(names)},
            marks=[LIGHT.mark(place) for place in range(len(names))],
            colours=[place % len(LIGHT.series) for place in range(len(names))],
            plots=_by_subject(plots, drawn),
            families=family_of(metric_names(report)),
            headlines=_headlines(report),
            rankings={kind.kind: rankings(kind) for kind in report.kinds},
            signs=SIGNS,
            command=shlex.join(report.provenance.command) if report.provenance else "",
            rows_by_name=rows_by_name(report),
            claims_by_system=claims_by_system(report) if quoted else {},
            quoted_rows=QUOTED,
            quoted_kinds=QUOTED_KINDS,
            source_files=source_files(report),
            differences={kind.kind: grouped_differences(kind) for kind in report.kinds},
        )
    )


def write_html(report: Report, path: Path, *, quoted: bool = False) -> None:
    """Write the page, whole or not at all; `quoted` as in `render_html`.

    Raises
    ------
    ConfigError
        If jinja2 or matplotlib is not installed.
    ExportError
        If the file cannot be written.

    """
    page = render_html(report, quoted=quoted)
    with written(path) as stream:
        # Names of files may hold bytes that are not UTF-8.
        stream.write(page.encode("utf-8", "backslashreplace"))


def _by_subject(
    plots: Iterable[Plot], drawn: dict[str, Markup]
) -> defaultdict[str, list[tuple[Plot, Markup]]]:
    found: defaultdict[str, list[tuple[Plot, Markup]]] = defaultdict(list)
    for plot in plots:
        found[plot.subject].append((plot, drawn[plot.name]))
    return found


def _headlines(report: Report) -> list[str]:
    """Metrics of the first tables that any kind has."""
    rows = [system.numbers for kind in report.kinds for system in kind.systems]
    return [
        name
        for name in HEADLINES
        if any(name in numbers and numbers[name].value is not None for numbers in rows)
    ]


def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("pytok.eval.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = files("pytok.eval.html").joinpath("templates/style.css").read_text("utf-8")
    filters: dict[str, Any] = {
        "figure": figure,
        "signed": signed,
        "visible": visible,
        "shown": visible_text,
    }
    environment.filters.update(filters)
    functions = {
        "describe": describe,
        "parts_of": parts_of,
        "lost_metrics": lost_metrics,
        "measured": measured,
    }
    environment.globals.update(functions, style=Markup(style))
    return environment
