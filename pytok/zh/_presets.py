"""Lists of steps for kinds of text."""

from __future__ import annotations

from pytok.zh._steps import Step

__all__ = ["PRESETS"]

PRESETS: dict[str, tuple[Step, ...]] = {
    "modern": (Step("width"),),
}
"""The steps of each preset, in order."""
