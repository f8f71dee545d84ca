"""Metrics that are read together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pytok.eval.ranking import RANKED

__all__ = ["FAMILIES", "HEADLINES", "Family", "family_of"]

HEADLINES = RANKED
"""Metrics of the first tables, as far as a kind has them."""


@dataclass(frozen=True)
class Family:
    """A family of metrics.

    Parameters
    ----------
    title
        Its name.
    question
        What it answers.
    prefixes
        How the names of its metrics begin.

    """

    title: str
    question: str
    prefixes: tuple[str, ...]


FAMILIES = (
    Family("Coverage", "What does the vocabulary lack?", ("oov_",)),
    Family(
        "Compression",
        "How much text does one token carry?",
        ("chars_per_token", "bytes_per_token", "tokens_per_char", "nsl", "bits_per_bit"),
    ),
    Family(
        "Fragmentation",
        "Into how many even parts are sentences, clauses and words cut?",
        ("fragmentation_entropy", "fe_norm", "consistency"),
    ),
    Family(
        "Words",
        "Do tokens keep to the words of the language?",
        ("fertility", "continued_word", "boundary_"),
    ),
    Family("Integrity", "Do numbers, names and terms stay whole?", ("integrity_",)),
    Family("Parity", "How many more tokens does the same text take?", ("parity_",)),
    Family(
        "Vocabulary",
        "How well are the entries of the vocabulary used?",
        ("broken_", "single_char", "renyi", "ids_", "rare_", "unreachable", "straddling"),
    ),
    Family("Speed", "How fast is it?", ("megabytes_per_second", "tokens_per_second")),
    Family("Size", "How much text was measured?", ("characters", "tokens")),
)
_OTHER = Family("Other", "What else was measured?", ("",))


def family_of(metrics: Iterable[str]) -> dict[Family, list[str]]:
    """Sort names of metrics into families; what belongs to none comes last.

    Examples
    --------
    >>> found = family_of(["nsl", "oov_char", "a_new_one"])
    >>> [(family.title, names) for family, names in found.items()]
    [('Coverage', ['oov_char']), ('Compression', ['nsl']), ('Other', ['a_new_one'])]

    """
    names = list(metrics)
    found: dict[Family, list[str]] = {}
    for family in (*FAMILIES, _OTHER):
        own = [name for name in names if name.startswith(family.prefixes)]
        names = [name for name in names if name not in own]
        if own:
            found[family] = own
    return found
