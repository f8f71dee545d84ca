"""Lists of steps for kinds of text."""

from __future__ import annotations

from pytok.zh._steps import Step

__all__ = ["PRESETS"]

PRESETS: dict[str, tuple[Step, ...]] = {
    "modern": (
        Step("width"),
        Step("compatibility"),
        Step("radicals"),
        Step("variation-sequences"),
    ),
    "classical": (
        Step("compatibility"),
        Step("radicals"),
        Step("vertical-forms"),
        Step("variation-sequences"),
        Step("z-variants"),
    ),
    "cantonese": (Step("width"), Step("cantonese")),
    "hokkien": (Step("width"), Step("hokkien")),
    "wu": (Step("width"), Step("wu")),
    "sichuanese": (Step("width"), Step("sichuanese")),
    "northeastern": (Step("width"), Step("northeastern")),
}
"""The steps of each preset, in order."""
