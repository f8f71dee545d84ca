"""Tables that ship with the package: TSV files whose first lines are comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import TypeVar

from pytok.errors import ConfigError

__all__ = ["chosen", "rows"]

Choice = TypeVar("Choice")

CODE_POINT = re.compile("U\\+([0-9A-F]{4,6})")


def rows(name: str) -> list[list[str]]:
    """Return the fields of each line of ``data/NAME``; ``U+XXXX`` is a character."""
    text = (files("pytok.zh") / "data" / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [[_field(field) for field in line.split("\t")] for line in lines]


def _field(field: str) -> str:
    match = CODE_POINT.fullmatch(field)
    return chr(int(match[1], 16)) if match else field


def chosen(step: str, option: str, value: Choice, choices: Sequence[Choice]) -> Choice:
    """Return an option's value.

    Raises
    ------
    ConfigError
        When it is none of the choices.

    """
    # `1 == True`: an option that is a switch takes nothing but a switch.
    if not any(value == choice and type(value) is type(choice) for choice in choices):
        expected = ", ".join(map(repr, choices))
        raise ConfigError(f"steps: {step}: {option}: {value!r}, expected one of {expected}")
    return value
