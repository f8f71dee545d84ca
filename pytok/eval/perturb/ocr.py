"""Misread characters: one of like shape stands for another."""

from __future__ import annotations

import random
from functools import cache

from pytok.eval.perturb.perturbation import Perturbation
from pytok.eval.perturb.replacements import others_in_groups, replaced
from pytok.zh._tables import rows

__all__ = ["OCR"]


@cache
def _others() -> dict[str, str]:
    return others_in_groups([group for group, _ in rows("ocr-confusions.tsv")])


def _misread(text: str, generator: random.Random, rate: float) -> str:
    others = _others()
    return replaced(text, others, generator, rate, f"[{''.join(others)}]")


OCR = Perturbation(
    "ocr",
    "characters of the table of like shapes that the step ocr-report knows (未 末, 己 已 巳); "
    "each is misread with the rate as probability",
    _misread,
    rate=0.2,
)
