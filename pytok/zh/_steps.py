"""The steps that a pipeline can have, by name.

A step is made by a function from its options to its definition: the data that
the core compiles, with all tables. The definition of a step never depends on
anything but its options and the data of installed packages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pytok.errors import ConfigError
from pytok.zh._characters import CHARACTER_STEPS
from pytok.zh._dialect import DIALECT_STEPS
from pytok.zh._punctuation import PUNCTUATION_STEPS
from pytok.zh._script import SCRIPT_STEPS
from pytok.zh._variants import VARIANT_STEPS

__all__ = ["STEPS", "Definition", "Step", "definition"]

Definition = dict[str, Any]
"""What the core compiles: ``{"name": ..., "type": ..., tables}``."""


@dataclass(frozen=True)
class Step:
    """A step by its name, with options where the step has some.

    Parameters
    ----------
    name
        One of `pytok.zh.STEPS`.
    options
        What differs from the step's defaults; see the step's documentation.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("Ａ。", steps=[zh.Step("width")]).text
    'A。'

    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


STEPS: dict[str, Callable[..., Definition]] = {
    **CHARACTER_STEPS,
    **VARIANT_STEPS,
    **DIALECT_STEPS,
    **PUNCTUATION_STEPS,
    **SCRIPT_STEPS,
}
"""Every step by name: a function from keyword options to the step's definition.
Each also takes ``mode``."""


def definition(step: Step, mode: str) -> Definition:
    """Return the definition of a step.

    Raises
    ------
    ConfigError
        When there is no such step, or it has no such option.

    """
    if step.name not in STEPS:
        names = ", ".join(STEPS)
        raise ConfigError(f"steps: no step {step.name!r}", hint=f"use some of {names}")
    try:
        made = STEPS[step.name](mode=mode, **step.options)
    except TypeError as error:
        raise ConfigError(f"steps: {step.name}: {error}") from error
    return {"name": step.name, **made}
