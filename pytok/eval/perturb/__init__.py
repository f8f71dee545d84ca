"""Seeded perturbations: how much a tokenizer loses on text that is not clean.

`PERTURBATIONS` has them by name, one module each. `chosen` reads the value of
``pytok eval --perturb``.
"""

from __future__ import annotations

from dataclasses import replace

from pytok.errors import ConfigError
from pytok.eval.perturb.fullwidth import FULLWIDTH
from pytok.eval.perturb.nopunct import NOPUNCT
from pytok.eval.perturb.ocr import OCR
from pytok.eval.perturb.perturbation import Perturbation
from pytok.eval.perturb.traditional import TRADITIONAL
from pytok.eval.perturb.typo import TYPO
from pytok.eval.perturb.variants import VARIANTS

__all__ = ["PERTURBATIONS", "Perturbation", "chosen"]

PERTURBATIONS = {
    perturbation.name: perturbation
    for perturbation in (OCR, VARIANTS, NOPUNCT, FULLWIDTH, TRADITIONAL, TYPO)
}


def chosen(names: str) -> tuple[Perturbation, ...]:
    """Perturbations by name, each with its rate where one is given.

    Parameters
    ----------
    names
        Names, separated by commas; ``name=rate`` takes another rate.

    Raises
    ------
    ConfigError
        If a name is unknown or occurs twice, or a rate is not a number above 0
        and up to 1.

    Examples
    --------
    >>> [(found.name, found.rate) for found in chosen("nopunct,typo=0.05")]
    [('nopunct', 1.0), ('typo', 0.05)]

    """
    found: dict[str, Perturbation] = {}
    for item in filter(None, map(str.strip, names.split(","))):
        name, given, rate = (part.strip() for part in item.partition("="))
        if name not in PERTURBATIONS:
            raise ConfigError(
                f"perturb: no perturbation {name!r}", hint=f"use some of {','.join(PERTURBATIONS)}"
            )
        if name in found:
            raise ConfigError(f"perturb: {name} is given twice")
        found[name] = _rated(PERTURBATIONS[name], rate) if given else PERTURBATIONS[name]
    if not found:
        raise ConfigError("perturb: no name", hint=f"use some of {','.join(PERTURBATIONS)}")
    return tuple(found.values())


def _rated(perturbation: Perturbation, rate: str) -> Perturbation:
    try:
        number = float(rate)
    except ValueError as error:
        raise ConfigError(
            f"perturb: {perturbation.name}: rate {rate!r}, expected a number above 0, up to 1"
        ) from error
    return replace(perturbation, rate=number)
