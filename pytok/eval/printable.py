"""A report whose texts a terminal can be given.

Names of files, folders and systems come from others, and may hold escape
sequences, which a terminal obeys, or marks that turn the text around them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from pytok.eval.kept import KeptSums
from pytok.eval.show import printable

__all__ = ["made_printable"]

# Characters, each shown by its code point where that is needed.
_CHARACTERS = "worst_characters"
_T = TypeVar("_T")


def made_printable(found: _T) -> _T:
    r"""Escape every text of a report, in whatever depth.

    Parameters
    ----------
    found
        A dataclass, or what the fields of one hold.

    Examples
    --------
    >>> made_printable({"a\x1b[2J": ("b\u202e", 1.5)})
    {'a⟨U+001B⟩[2J': ('b⟨U+202E⟩', 1.5)}

    """
    return cast(_T, _printable(found))


def _printable(found: Any) -> Any:
    if isinstance(found, str):
        return printable(found)
    if isinstance(found, Mapping):
        return {_printable(name): _printable(value) for name, value in found.items()}
    if isinstance(found, (tuple, list)):
        return type(found)(map(_printable, found))
    if not is_dataclass(found) or isinstance(found, (type, KeptSums)):
        return found
    names = [field.name for field in fields(found) if field.init and field.name != _CHARACTERS]
    return replace(found, **{name: _printable(getattr(found, name)) for name in names})
