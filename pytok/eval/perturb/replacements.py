"""Replace single characters by others that a table gives for them."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from pytok.eval.perturb.perturbation import drawn_places

__all__ = ["others_in_groups", "replaced"]


def replaced(
    text: str, others: Mapping[str, str], generator: random.Random, rate: float, pattern: str
) -> str:
    """Put one of its `others` for each drawn character.

    Parameters
    ----------
    text
        The text.
    others
        Characters that may stand for a character, as one string.
    generator, rate
        Which places, and which of the others.
    pattern
        Regular expression of one character: where to look; a character
        without others is passed over.

    Examples
    --------
    >>> replaced("未来", {"未": "末"}, random.Random(1), 1.0, ".")
    '末来'

    """
    letters = list(text)
    places = (found.start() for found in re.finditer(pattern, text) if found[0] in others)
    for place in drawn_places(places, generator, rate):
        letters[place] = generator.choice(others[letters[place]])
    return "".join(letters)


def others_in_groups(groups: list[str]) -> dict[str, str]:
    """For each character, the others of all groups that it is in, in order.

    Examples
    --------
    >>> others_in_groups(["己已巳", "末未"])["己"]
    '已巳'

    """
    others: dict[str, dict[str, None]] = {}
    for group in groups:
        for character in group:
            others.setdefault(character, {}).update(dict.fromkeys(group.replace(character, "")))
    return {character: "".join(found) for character, found in others.items()}
