"""Checks of single options, for the configs of training."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Mapping
from typing import TypeAlias

from pytok.errors import ConfigError

__all__ = [
    "LARGEST_COUNT",
    "LARGEST_SIZE",
    "Json",
    "check_choice",
    "check_number",
    "check_real",
    "check_text",
    "parse_toml",
    "span",
    "strings",
    "to_json",
]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

LARGEST_COUNT = 2**63 - 1
LARGEST_SIZE = 2**30


def parse_toml(text: str) -> dict[str, object]:
    """Parse TOML; a ValueError says what is wrong."""
    # The standard library's parser, under its older name in Python 3.10.
    name = "tomllib" if sys.version_info >= (3, 11) else "tomli"
    parse: Callable[[str], dict[str, object]] = importlib.import_module(name).loads
    return parse(text)


def to_json(name: str, section: Mapping[str, Json]) -> str:
    """Write a section as JSON."""
    try:
        return json.dumps(dict(section))
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{name}: is not JSON: {error}") from error


def check_choice(name: str, value: object, choices: tuple[object, ...]) -> None:
    """Check that a value is one of a few."""
    # By identity of type too: True is 1 in Python.
    if not any(value == choice and type(value) is type(choice) for choice in choices):
        expected = ", ".join(map(repr, choices))
        raise ConfigError(f"{name}: {value!r}, expected one of {expected}")


def check_number(
    name: str, value: object, largest: int, *, least: int = 1, optional: bool = False
) -> None:
    """Check that a value is an integer in a range, or None where that is allowed."""
    if value is None and optional:
        return
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= largest:
        raise ConfigError(f"{name}: {value!r}, expected an integer from {least} to {largest}")


def check_real(name: str, value: object, least: float, most: float) -> None:
    """Check that a value is None or a number in a range."""
    if value is None:
        return
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return
    raise ConfigError(f"{name}: {value!r}, expected a number from {least:g} to {most:g}")


def check_text(name: str, value: object) -> None:
    """Check that a value is text that can be written."""
    try:
        if isinstance(value, str) and value.encode("utf-8") is not None:
            return
    except UnicodeEncodeError as error:
        raise ConfigError(f"{name}: unpaired surrogate at index {error.start}") from error
    raise ConfigError(f"{name}: {value!r}, expected a str")


def strings(name: str, values: object) -> tuple[str, ...]:
    """Check a list of texts."""
    if not isinstance(values, list | tuple):
        raise ConfigError(f"{name}: {values!r}, expected a list of str")
    for number, value in enumerate(values):
        check_text(f"{name}[{number}]", value)
    return tuple(values)


def span(values: object) -> tuple[int, int] | None:
    """Check the option `span_bytes`."""
    if values is None:
        return None
    if not isinstance(values, list | tuple) or len(values) != 2:
        raise ConfigError(f"span_bytes: {values!r}, expected (least, most)")
    for value in values:
        check_number("span_bytes", value, 8)
    return (values[0], values[1])
