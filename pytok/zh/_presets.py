"""Lists of steps for kinds of text."""

from __future__ import annotations

from pytok.zh._steps import Step
from pytok.zh.dialect import REGIONS

__all__ = ["PRESETS"]

MODERN = tuple(map(Step, ("width", "compatibility", "radicals", "variation-sequences")))
CLASSICAL = tuple(
    map(
        Step,
        (
            "compatibility",
            "radicals",
            "vertical-forms",
            # Lines beside names come between a character and what follows it, and
            # marks of sentences are read by the characters beside them.
            "name-marks",
            "variation-sequences",
            "quotes",
            "sentence-marks",
            "z-variants",
            "sentence-breaks",
        ),
    )
)

PRESETS: dict[str, tuple[Step, ...]] = {
    "modern": MODERN,
    "classical": CLASSICAL,
    **{region: (*MODERN, Step(region)) for region in REGIONS},
}
"""The steps of each preset, in order: for modern and for classical text, and for
each dialect, which becomes Mandarin."""
