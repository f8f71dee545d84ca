"""Latin letters, digits and signs of full width, as in East Asian legacy text."""

from __future__ import annotations

import random

from pytok.eval.perturb.perturbation import Perturbation
from pytok.eval.perturb.replacements import replaced

__all__ = ["FULLWIDTH"]

_WIDE = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)} | {" ": "\u3000"}


def _widened(text: str, generator: random.Random, rate: float) -> str:
    if rate == 1:
        return text.translate({ord(narrow): wide for narrow, wide in _WIDE.items()})
    return replaced(text, _WIDE, generator, rate, "[ -~]")


FULLWIDTH = Perturbation(
    "fullwidth",
    "U+0021..007E become U+FF01..FF5E and the space U+3000, with the rate as probability",
    _widened,
    rate=1.0,
)
