"""Colours, marks and sizes that all plots share.

A figure is drawn either with the colours of `LIGHT`, or with `PLACEHOLDERS`,
unlikely colours that become CSS variables, so that one drawing serves a light
and a dark page. Every system has a colour and a mark: colour alone tells
nothing to many readers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pytok.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "LIGHT",
    "MARKS",
    "PLACEHOLDERS",
    "VARIABLES",
    "WIDTH",
    "Theme",
    "canvas",
    "drawing",
    "need_matplotlib",
    "tidy",
]

WIDTH = 310
"""Width of every figure, in points of its SVG (pixels of a page)."""
MARKS = ("o", "s", "^", "D", "v", "P", "X", "p")
_POINTS_PER_INCH = 72
_FONTS = ("DejaVu Sans", "Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei",
          "Hiragino Sans GB", "WenQuanYi Zen Hei")  # fmt: skip
HINT = "pip install 'pytok-tokenizers[report]'"


@dataclass(frozen=True)
class Theme:
    """Colours of a figure, each as ``#rrggbb``.

    Parameters
    ----------
    ink, muted, grid
        Of text, of secondary text, of lines behind the data.
    series
        Of the systems, in order; the first is the baseline.

    """

    ink: str
    muted: str
    grid: str
    series: tuple[str, ...]

    def colour(self, number: int) -> str:
        """Colour of a system."""
        return self.series[number % len(self.series)]

    def mark(self, number: int) -> str:
        """Mark of a system; colours and marks repeat at different paces."""
        return MARKS[(number + number // len(MARKS)) % len(MARKS)]


LIGHT = Theme(
    ink="#1f2328",
    muted="#5d6670",
    grid="#e3e3de",
    series=("#737a83", "#2468b2", "#c2531d", "#1a8457", "#8550a5", "#9a7000", "#0f7f8f", "#bb3f78"),
)
PLACEHOLDERS = Theme(
    ink="#fe0a01",
    muted="#fe0a02",
    grid="#fe0a03",
    series=tuple(f"#fe0b{number:02x}" for number in range(1, 9)),
)
VARIABLES = {
    PLACEHOLDERS.ink: "var(--ink)",
    PLACEHOLDERS.muted: "var(--muted)",
    PLACEHOLDERS.grid: "var(--grid)",
    **{colour: f"var(--series-{n})" for n, colour in enumerate(PLACEHOLDERS.series)},
}


def need_matplotlib(what: str) -> None:
    """Raise `ConfigError` with the name of the extra if matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ConfigError(f"{what} needs the package matplotlib", hint=HINT) from error


@contextmanager
def drawing() -> Iterator[None]:
    """Draw and save figures with our settings; those of the user come back after."""
    import matplotlib
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    settings: dict[Any, Any] = {
        "font.family": [name for name in _FONTS if name in installed] or ["sans-serif"],
        "font.size": 10.5,
        "text.parse_math": False,
        "axes.unicode_minus": False,
        "svg.fonttype": "none",
        "svg.hashsalt": "pytok",
        "path.simplify": True,
    }
    with matplotlib.rc_context(settings):
        yield


def canvas(height: int, *, layout: Literal["constrained"] | None = "constrained") -> Figure:
    """Make an empty figure of the common width; `height` in points."""
    from matplotlib.figure import Figure

    size = (WIDTH / _POINTS_PER_INCH, height / _POINTS_PER_INCH)
    return Figure(figsize=size, dpi=_POINTS_PER_INCH, layout=layout)


def tidy(axes: Axes, theme: Theme, *, grid: str = "both") -> None:
    """Take away what is not data, and colour the rest."""
    for side in ("top", "right", "left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.tick_params(colors=theme.muted, length=0, labelsize=10)
    axes.patch.set_visible(False)
    axes.grid(True, axis=grid, color=theme.grid, linewidth=0.8)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    axes.xaxis.label.set_color(theme.muted)
    axes.yaxis.label.set_color(theme.muted)
