"""Options of steps, copied and put into one form when a step is made."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from pytok.errors import ConfigError

__all__ = ["Options", "frozen", "plain"]

DEEPEST = 8
"""How far options may be nested."""


class Options(Mapping[str, Any]):
    """Options by name. Immutable; equal to a dict with the same content."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Any]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: str) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)

    def __reduce__(self) -> tuple[object, ...]:
        return (Options, (self._items,))


def frozen(value: object, where: str, depth: int = 0) -> Any:
    """Return a copy of an option that nothing changes and that JSON can hold.

    Anything that can be gone through becomes a tuple, sets a sorted one; paths
    become absolute; mappings and dataclasses become `Options`.

    Raises
    ------
    ConfigError
        When it is of another kind, or has an unpaired surrogate.

    """
    if depth > DEEPEST:
        raise ConfigError(f"{where}: lists in lists, expected at most {DEEPEST} levels")
    if isinstance(value, str):
        return _text(value, where)
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, os.PathLike):
        return _text(str(Path(value).resolve()), where)
    if is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return _mapping(value, where, depth)
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        items = [frozen(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(value)]
        if isinstance(value, (set, frozenset)):
            items.sort(key=lambda item: (type(item).__name__, repr(item)))
        return tuple(items)
    raise ConfigError(f"{where}: {value!r}, expected text, numbers, lists or dicts")


def _mapping(value: Mapping[object, object], where: str, depth: int) -> Options:
    items = {}
    for key, item in value.items():
        if not isinstance(key, str):
            raise ConfigError(f"{where}: the name {key!r}, expected a str")
        items[_text(key, where)] = frozen(item, f"{where}: {key}", depth + 1)
    return Options(items)


def _text(value: str, where: str) -> str:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ConfigError(
            f"{where}: {value!r}: unpaired surrogate at index {error.start}"
        ) from error
    return str(value)


def plain(value: Any) -> Any:
    """Return a frozen option as JSON would give it back."""
    if isinstance(value, Options):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value
