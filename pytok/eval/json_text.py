"""JSON that people can read and that stays small: lists of numbers on one line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

__all__ = ["JsonValue", "json_text"]

JsonValue: TypeAlias = (
    bool | int | float | str | list["JsonValue"] | Mapping[str, "JsonValue"] | None
)


def json_text(value: JsonValue) -> str:
    """Write JSON with an indent of two; a list of plain values is one line.

    Raises
    ------
    ValueError
        If a number is not finite.

    Examples
    --------
    >>> print(json_text({"a": [1, 2.5], "b": [{}]}))
    {
      "a": [1,2.5],
      "b": [
        {}
      ]
    }

    """
    return "".join(_parts(value, "\n"))


def _parts(value: JsonValue, line: str) -> Iterator[str]:
    inner = line + "  "
    if isinstance(value, Mapping) and value:
        opening = "{"
        for name, item in value.items():
            yield f"{opening}{inner}{_plain(name)}: "
            yield from _parts(item, inner)
            opening = ","
        yield line + "}"
    elif isinstance(value, list | tuple) and any(
        isinstance(item, list | tuple | Mapping) for item in value
    ):
        opening = "["
        for item in value:
            yield opening + inner
            yield from _parts(item, inner)
            opening = ","
        yield line + "]"
    else:
        yield _plain(value)


def _plain(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
