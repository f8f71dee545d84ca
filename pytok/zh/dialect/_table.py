"""Tables of dialect words: ours, and files in the same form."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any
from unicodedata import category

from pytok.errors import ConfigError
from pytok.zh.dialect._files import read_utf8

__all__ = ["REGIONS", "DialectEntry", "own_rows", "read_table", "table"]

REGIONS = ("cantonese", "hokkien", "wu", "sichuanese", "northeastern")
"""The dialects that there are tables for."""

SCOPES = ("any", "dialect", "honorific")
COLUMNS = ("token", "standard", "region", "scope", "context", "example", "source")
NOTHING = "∅"
UNCHECKED = "unchecked"
"""The source of rows that no work which was read confirms."""

LONGEST = 8
"""Characters of a token."""


@dataclass(frozen=True)
class DialectEntry:
    """A word of a dialect and what Mandarin has for it.

    Parameters
    ----------
    token
        The word, as it is written.
    standard
        What Mandarin has, the best first; an empty string for a particle that
        Mandarin leaves out.
    scope
        ``"any"``: no word of Mandarin, replaced wherever it stands as a word.
        ``"dialect"``: also a word of Mandarin, replaced in a sentence in which a
        word of scope ``"any"`` is. ``"honorific"``: a form of address, replaced
        where its contexts hold.
    context
        Names of contexts that must all hold; see the tables' README.
    example, source
        A sentence with the word, and the works that have it.
    region
        One of `REGIONS`: the only step that takes the row; empty for any.

    """

    token: str
    standard: tuple[str, ...]
    scope: str = "any"
    context: tuple[str, ...] = ()
    example: str = ""
    source: str = ""
    region: str = ""


def read_table(path: str | os.PathLike[str]) -> tuple[DialectEntry, ...]:
    r"""Read a table of dialect words: a TSV file in the form of the tables' README.

    Raises
    ------
    ConfigError
        When the file cannot be read, or names the line that is not in that form.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pytok import zh
    >>> from pytok.zh.dialect import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.tsv"
    ...     _ = path.write_text("token\tstandard\tscope\n係咁\t就這樣\tany\n", "utf-8")
    ...     entries = read_table(path)
    >>> zh.normalize("係咁先啦", steps=[zh.Step("cantonese", {"entries": entries})]).text
    '就這樣先啦'

    """
    return _entries(read_utf8(path), str(path))


@lru_cache(maxsize=len(REGIONS))
def table(region: str) -> tuple[DialectEntry, ...]:
    """Return the table of a dialect.

    Parameters
    ----------
    region
        One of `REGIONS`.

    Raises
    ------
    ConfigError
        When there is no such table.

    Examples
    --------
    >>> from pytok.zh.dialect import table
    >>> [entry.standard for entry in table("cantonese") if entry.token == "唔該"]
    [('謝謝',), ('請', '麻煩')]

    """
    if region not in REGIONS:
        raise ConfigError(f"region: {region!r}, expected one of {', '.join(REGIONS)}")
    name = f"{region}.tsv"
    return _entries(_data(name), name)


def _data(name: str) -> str:
    return (files("pytok.zh.dialect") / "data" / name).read_text(encoding="utf-8")


def _entries(text: str, name: str) -> tuple[DialectEntry, ...]:
    columns: list[str] = []
    entries = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line or line.startswith("#"):
            continue
        fields = line.rstrip("\r").split("\t")
        if not columns:
            columns = fields
            _check_columns(columns, f"{name}: line {number}")
            continue
        if len(fields) != len(columns):
            raise ConfigError(
                f"{name}: line {number}: {len(fields)} columns, expected {len(columns)}"
            )
        row = dict(zip(columns, fields, strict=True))
        entries.append(entry_of(row, f"{name}: line {number}"))
    return tuple(entries)


def _check_columns(columns: list[str], where: str) -> None:
    unknown = [column for column in columns if column not in COLUMNS]
    twice = len(set(columns)) < len(columns)
    if unknown or twice or not {"token", "standard"} <= set(columns):
        raise ConfigError(
            f"{where}: the header {columns}, expected token, standard and some of "
            f"{', '.join(COLUMNS[2:])}, each once"
        )


def own_rows(rows: Iterable[Any], where: str, region: str) -> list[DialectEntry]:
    """Return the rows of a user, checked, for the step of a region.

    Raises
    ------
    ConfigError
        Names the row that is not as expected, or that is of another region.

    """
    if isinstance(rows, (str, Mapping)):
        raise ConfigError(f"{where}: {rows!r}, expected a list of rows")
    own = [entry_of(row, f"{where}[{place}]") for place, row in enumerate(rows)]
    for place, entry in enumerate(own):
        if entry.region not in ("", region):
            raise ConfigError(
                f"{where}[{place}]: {entry.token!r} is of the region {entry.region!r}, "
                f"expected {region!r}"
            )
    return own


def entry_of(row: Any, where: str) -> DialectEntry:
    """Return an entry from a row of a table or of a saved pipeline, checked."""
    if not isinstance(row, Mapping):
        raise ConfigError(f"{where}: {row!r}, expected a DialectEntry or a dict with its fields")
    unknown = sorted(set(row) - set(COLUMNS))
    if unknown or "token" not in row or "standard" not in row:
        raise ConfigError(f"{where}: the fields {sorted(row)}, expected token, standard, …")
    texts = {name: row.get(name) or "" for name in ("scope", "region", "example", "source")}
    for name, text in {"token": row["token"], **texts}.items():
        if not isinstance(text, str):
            raise ConfigError(f"{where}: {name}: {text!r}, expected a text")
    entry = DialectEntry(
        token=row["token"],
        standard=tuple("" if form == NOTHING else form for form in _parts(row, "standard", where)),
        context=_parts(row, "context", where),
        **{**texts, "scope": texts["scope"] or "any"},
    )
    _check(entry, where)
    return entry


def _check(entry: DialectEntry, where: str) -> None:
    token = entry.token
    if not 1 <= len(token) <= LONGEST or not _is_word(token) or "|" in token:
        raise ConfigError(
            f"{where}: the token {token!r}, expected 1 to {LONGEST} characters without spaces, "
            "bars and control characters"
        )
    if entry.scope not in SCOPES:
        raise ConfigError(
            f"{where}: the scope {entry.scope!r}, expected one of {', '.join(SCOPES)}"
        )
    if entry.region not in ("", *REGIONS):
        raise ConfigError(
            f"{where}: the region {entry.region!r}, expected one of {', '.join(REGIONS)}"
        )
    if not entry.standard:
        raise ConfigError(f"{where}: {token!r} has no standard form ({NOTHING} for none)")
    forms = entry.standard
    if len(set(forms)) < len(forms) or not all(map(_is_word, forms)):
        raise ConfigError(
            f"{where}: {token!r}: the standard forms {list(forms)}, expected each once and "
            "without spaces and control characters"
        )


def _is_word(text: str) -> bool:
    return not any(character.isspace() or category(character) == "Cc" for character in text)


def _parts(row: Mapping[str, Any], name: str, where: str) -> tuple[str, ...]:
    """Return the parts of a field: of a text, or of a list as it is."""
    value = row.get(name) or ""
    if isinstance(value, str):
        return tuple(part for part in value.split("|" if name == "standard" else None) if part)
    if not isinstance(value, Iterable) or not all(isinstance(part, str) for part in value):
        raise ConfigError(f"{where}: {name}: {value!r}, expected a text or a list of texts")
    return tuple(value)
