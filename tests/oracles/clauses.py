"""The step ``segment``, slowly: a model's file, its scores, and all ways to divide a run."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from itertools import pairwise

__all__ = ["BreakModel"]

PATTERNS = [
    (-1,), (0,), (-2,), (1,), (-3,), (2,),
    (-2, -1), (-1, 0), (0, 1), (-3, -2), (1, 2), (-2, 0), (-1, 1),
    (-3, -2, -1), (-2, -1, 0), (-1, 0, 1), (0, 1, 2),
    (-4, -3, -2, -1), (-2, -1, 0, 1), (0, 1, 2, 3),
]  # fmt: skip
WORD = (1 << 64) - 1
MULTIPLIER = 0x9E3779B97F4A7C15


@dataclass
class BreakModel:
    """What a file says; scores are in units."""

    slots: list[tuple[int, int]]
    bias: int
    lengths: list[int]
    unit: float = 0.5
    folds: dict[str, str] = field(default_factory=dict)

    def file(self) -> bytes:
        folds = [ord(c) for pair in self.folds.items() for c in pair]
        return (
            b"pytokbrk"
            + struct.pack("<IIfi", 1, len(self.slots), self.unit, self.bias)
            + struct.pack(f"<I{len(self.lengths)}i", len(self.lengths), *self.lengths)
            + struct.pack(f"<I{len(folds)}I", len(folds) // 2, *folds)
            + b"".join(struct.pack("<Bb", *slot) for slot in self.slots)
        )

    def score(self, text: str, place: int) -> int:
        """Return the score of a break before the character at a place."""
        total = self.bias
        for number, pattern in enumerate(PATTERNS, start=1):
            hashed = number
            for offset in pattern:
                at = place + offset
                inside = 0 <= at < len(text)
                code = ord(self.folds.get(text[at], text[at])) if inside else 0
                hashed = ((hashed ^ code) * MULTIPLIER) & WORD
                hashed ^= hashed >> 29
            hashed = (hashed * MULTIPLIER) & WORD
            known, weight = self.slots[((hashed >> 32) * len(self.slots)) >> 32]
            total += weight if known == hashed & 0xFF else 0
        return total

    def total(self, text: str, places: list[int]) -> int:
        """Return the score of a way to divide a run."""
        ends = [0, *places, len(text)]
        lengths = [end - start for start, end in pairwise(ends)]
        clauses = sum(self.lengths[min(length, len(self.lengths)) - 1] for length in lengths)
        return clauses + sum(self.score(text, place) for place in places)

    def best(self, text: str) -> int:
        """Return the score of the best way, of all ways."""
        ways = range(1 << (len(text) - 1))
        return max(
            self.total(text, [place for place in range(1, len(text)) if way >> (place - 1) & 1])
            for way in ways
        )
