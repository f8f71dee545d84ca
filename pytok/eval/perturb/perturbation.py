"""What a perturbation is, and how it is applied: seeded, text by text."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import ne

from pytok.errors import ConfigError

__all__ = ["Perturbation", "changed_characters", "drawn_places"]


@dataclass(frozen=True)
class Perturbation:
    """A way in which real text differs from the text that a tokenizer was made for.

    Parameters
    ----------
    name
        Name for ``pytok eval --perturb``.
    definition
        What is changed, and how places and replacements are chosen.
    change
        Changes one text: the text, the random generator and the rate.
    rate
        Share of the places that are changed, above 0, up to 1.
    keeps_length
        Whether the number of characters stays, so that gold words still fit.
    in_parts
        Whether a part of the places can be changed; if not, the rate is 1.

    Examples
    --------
    >>> from pytok.eval.perturb import PERTURBATIONS
    >>> PERTURBATIONS["fullwidth"].of("A4 纸", seed=1)
    'Ａ４　纸'

    """

    name: str
    definition: str
    change: Callable[[str, random.Random, float], str]
    rate: float
    keeps_length: bool = True
    in_parts: bool = True

    def __post_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ConfigError(
                f"perturb: {self.name}: rate {self.rate:g}, expected a number above 0, up to 1"
            )
        if self.rate != 1 and not self.in_parts:
            raise ConfigError(
                f"perturb: {self.name}: rate {self.rate:g}, expected 1 (the whole text changes)"
            )

    def of(self, text: str, *, seed: int) -> str:
        """Change a text.

        The generator is seeded with `seed`, the name and the text itself: a
        text is changed alike wherever it stands and whatever was read before.
        """
        digest = zlib.crc32(text.encode())
        generator = random.Random(f"{seed}:{self.name}:{digest}")
        return self.change(text, generator, self.rate)


def drawn_places(places: Iterable[int], generator: random.Random, rate: float) -> Iterator[int]:
    """Yield each place with probability `rate`.

    Examples
    --------
    >>> list(drawn_places([2, 5], random.Random(1), 1.0))
    [2, 5]

    """
    for place in places:
        if generator.random() < rate:
            yield place


def changed_characters(before: str, after: str) -> int:
    """Characters that differ; where the lengths differ, those that were taken out.

    Examples
    --------
    >>> changed_characters("未来", "末来"), changed_characters("好。", "好")
    (1, 1)

    """
    if len(before) != len(after):
        return abs(len(before) - len(after))
    return sum(map(ne, before, after))
