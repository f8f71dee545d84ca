"""The steps that a pipeline can have, by name.

A step is made by a function from its options to its definition: the data that
the core compiles, with all tables. The definition of a step never depends on
anything but its options and the data of installed packages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import signature
from pathlib import Path
from typing import Any

from pytok.errors import ConfigError
from pytok.zh._characters import CHARACTER_STEPS
from pytok.zh._dialect import DIALECT_STEPS
from pytok.zh._options import Options, frozen
from pytok.zh._punctuation import PUNCTUATION_STEPS
from pytok.zh._script import SCRIPT_STEPS
from pytok.zh._variants import VARIANT_STEPS

__all__ = ["STEPS", "Definition", "Step", "definition", "joins"]

Definition = dict[str, Any]
"""What the core compiles: ``{"name": ..., "type": ..., tables}``."""


PATHS = {"segment": ("model",)}
"""Options that name a file, by step."""


@dataclass(frozen=True)
class Step:
    """A step by its name, with options where the step has some.

    Parameters
    ----------
    name
        One of `pytok.zh.STEPS`.
    options
        What differs from the step's defaults; see the step's documentation. They
        are copied: sets in sorted order, iterators as what they give, paths made
        absolute.

    Raises
    ------
    ConfigError
        When the name is no str, or an option is not text, a number, a path, a list
        or a dict.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("Ａ。", steps=[zh.Step("width")]).text
    'A。'

    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise ConfigError(f"steps: {self.name!r}, expected the name of a step")
        where = f"steps: {self.name}"
        if not isinstance(self.options, Mapping):
            raise ConfigError(f"{where}: the options {self.options!r}, expected a dict")
        options = dict(self.options)
        for name in PATHS.get(self.name, ()):
            # A pipeline may be loaded from another folder than it was made in.
            if isinstance(options.get(name), str) and Path(options[name]).exists():
                options[name] = Path(options[name])
        object.__setattr__(self, "options", Options(frozen(options, where)))


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
    _check_options(step)
    try:
        made = STEPS[step.name](mode=mode, **step.options)
    except TypeError as error:
        raise ConfigError(f"steps: {step.name}: {error}") from error
    return {"name": step.name, **made}


def _check_options(step: Step) -> None:
    known = [name for name in signature(STEPS[step.name]).parameters if name != "mode"]
    unknown = [name for name in step.options if name not in known]
    if unknown:
        hint = f"it has {', '.join(known)}" if known else "it has none"
        raise ConfigError(f"steps: {step.name}: no option {unknown[0]!r}", hint=hint)


def joins(step: Step) -> bool:
    """Return whether a step of single characters also takes several as one (``ｶﾞ``)."""
    made = definition(step, "careful") if step.name in CHARACTER_STEPS else {}
    return any(len(key) > 1 for key, *_ in made.get("rows", ()))
