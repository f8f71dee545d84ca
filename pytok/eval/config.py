"""Options of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytok.errors import ConfigError
from pytok.eval.bootstrap import FEWEST, RESAMPLES, SEED
from pytok.eval.perturb import Perturbation

__all__ = ["EvalConfig"]


@dataclass(frozen=True)
class EvalConfig:
    """Options of an evaluation.

    Parameters
    ----------
    resamples
        Bootstrap resamples and rounds of the paired tests, 100 or more,
        default 10,000.
    seed
        Seed of the bootstrap and of the tests.
    perturb
        Perturbations under which every kind is measured again, with `seed`.
    command
        Command line to note in the report.
    spans
        Files with terms whose integrity is measured, by the name of their
        list, beside those of the folder.
    known_spans
        Lists of terms known by name: ``"idioms"``, ``"legal"``, ``"finance"``.
    speed
        Measure speed by size of the text, which takes a while.

    """

    resamples: int = RESAMPLES
    seed: int = SEED
    perturb: tuple[Perturbation, ...] = ()
    command: tuple[str, ...] = ()
    spans: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    speed: bool = False
    known_spans: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.resamples < FEWEST:
            raise ConfigError(
                f"resamples: {self.resamples}, expected {FEWEST} or more",
                hint="a 95 % interval cannot be read off fewer; 10,000 is the default",
            )
