"""Variant shapes: what older prints and other editions put for a standard character."""

from __future__ import annotations

import random
from functools import cache

from pytok.eval.perturb.perturbation import Perturbation
from pytok.eval.perturb.replacements import replaced
from pytok.zh._tables import rows

__all__ = ["VARIANTS"]


@cache
def _others() -> dict[str, str]:
    """Shapes by standard character, of the block that every font has."""
    others: dict[str, str] = {}
    for variant, standard, step, script, _ in rows("variants.tsv"):
        if (step, script) == ("z-variants", "any") and "\u4e00" <= variant <= "\u9fff":
            others[standard] = others.get(standard, "") + variant
    return others


def _printed_otherwise(text: str, generator: random.Random, rate: float) -> str:
    return replaced(text, _others(), generator, rate, "[\u3400-\U0003ffff]")


VARIANTS = Perturbation(
    "variants",
    "characters that have variant shapes in U+4E00..9FFF (the rows that the step z-variants "
    "folds back: 爲 for 為); each is put with the rate as probability",
    _printed_otherwise,
    rate=0.1,
)
