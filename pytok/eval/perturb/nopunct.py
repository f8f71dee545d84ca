"""Text without punctuation, as most classical text was handed down."""

from __future__ import annotations

import random
import unicodedata

from pytok.eval.perturb.perturbation import Perturbation, drawn_places

__all__ = ["NOPUNCT"]


def _without_marks(text: str, generator: random.Random, rate: float) -> str:
    marks = {mark for mark in set(text) if unicodedata.category(mark)[0] == "P"}
    places = (place for place, character in enumerate(text) if character in marks)
    dropped = set(drawn_places(places, generator, rate))
    return "".join(text[place] for place in range(len(text)) if place not in dropped)


NOPUNCT = Perturbation(
    "nopunct",
    "punctuation marks (Unicode categories P) are taken out with the rate as probability",
    _without_marks,
    rate=1.0,
    keeps_length=False,
)
