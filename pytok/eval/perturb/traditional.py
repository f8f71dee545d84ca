"""The same text in traditional characters."""

from __future__ import annotations

import random
from functools import cache

from pytok import zh
from pytok.eval.perturb.perturbation import Perturbation

__all__ = ["TRADITIONAL"]


@cache
def _pipeline() -> zh.Pipeline:
    return zh.Pipeline(["s2t"], mode="opencc-exact")


def _in_traditional(text: str, _: random.Random, rate: float) -> str:
    del rate  # Always 1: a sentence is in one script.
    return _pipeline().normalize(text).text


TRADITIONAL = Perturbation(
    "traditional",
    "the text is converted to traditional characters by OpenCC's s2t (text that is traditional "
    "hardly changes)",
    _in_traditional,
    rate=1.0,
    in_parts=False,
)
