"""Files that `pytok eval` writes beside what it prints."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from pytok._written import target_of
from pytok.errors import ConfigError, ExportError
from pytok.eval import Report
from pytok.eval.show import printable

__all__ = ["Outputs"]


@dataclass(frozen=True)
class Outputs:
    """Where to write a page and plots; None for neither.

    What cannot work is refused on construction, before the long work.

    Parameters
    ----------
    html
        File for the page.
    plots
        Folder for the plots.

    Raises
    ------
    ConfigError
        If a package is missing, or a path cannot be what it should be.

    """

    html: Path | None = None
    plots: Path | None = None

    def __post_init__(self) -> None:
        if self.html is not None:
            from pytok.eval.html import need_packages

            need_packages("--html")
            _require_file(self.html, "--html")
        if self.plots is not None:
            from pytok.eval.plots.theme import need_matplotlib

            need_matplotlib("--plots")
            if self.plots.exists() and not self.plots.is_dir():
                raise ConfigError(f"--plots: {self.plots} is not a folder", hint="give a folder")

    def write(self, report: Report, *, quoted: bool) -> None:
        """Write what was asked for, and say so on stderr.

        With `quoted` the page has the figures that the field quotes.
        """
        if self.html is not None:
            from pytok.eval.html import write_html

            write_html(report, self.html, quoted=quoted)
            sys.stderr.write(printable(f"report: {self.html}") + "\n")
        if self.plots is not None:
            from pytok.eval.plots import write_plots

            paths = write_plots(report, self.plots)
            sys.stderr.write(printable(f"plots: {len(paths)} files in {self.plots}") + "\n")


def _require_file(path: Path, option: str) -> None:
    """Refuse what is not a regular file, or a new one in a folder that is there."""
    try:
        fits = target_of(path).parent.is_dir()
    except ExportError as error:
        raise ConfigError(f"{option}: {error}", hint=error.hint) from error
    if not fits:
        raise ConfigError(
            f"{option}: {path} is not a file in a folder that is there",
            hint="give a path like report.html",
        )
