"""Tables of dialect words: ours, and files in the same form."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from pytok._train_checks import parse_toml
from pytok.errors import ConfigError

__all__ = ["REGIONS", "DialectEntry", "contexts", "entry_of", "read_table", "table"]

REGIONS = ("cantonese", "hokkien", "wu", "sichuanese", "northeastern")
"""The dialects that there are tables for."""

SCOPES = ("any", "dialect", "honorific")
COLUMNS = ("token", "standard", "region", "scope", "context", "example", "source")
NOTHING = "∅"


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

    """

    token: str
    standard: tuple[str, ...]
    scope: str = "any"
    context: tuple[str, ...] = ()
    example: str = ""
    source: str = ""


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
    place = Path(path)
    try:
        text = place.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{place}: {error.strerror}", hint="check the path") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{place}: not UTF-8", hint="convert the file to UTF-8") from error
    return _entries(text, str(place))


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


@lru_cache(maxsize=1)
def contexts() -> dict[str, dict[str, list[str]]]:
    """Return the contexts that rows may name, each with what must hold."""
    found = cast("dict[str, dict[str, list[str]]]", parse_toml(_data("contexts.toml")))
    return {
        name: {key: value for key, value in rule.items() if key != "why"}
        for name, rule in found.items()
    }


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
    if unknown or not {"token", "standard"} <= set(columns):
        raise ConfigError(
            f"{where}: the header {columns}, expected token, standard and some of "
            f"{', '.join(COLUMNS[2:])}"
        )


def entry_of(row: DialectEntry | Mapping[str, Any], where: str) -> DialectEntry:
    """Return an entry from a row of a table or of a saved pipeline, checked."""
    if isinstance(row, DialectEntry):
        row = {
            "token": row.token,
            "standard": row.standard,
            "scope": row.scope,
            "context": row.context,
            "example": row.example,
            "source": row.source,
        }
    unknown = sorted(set(row) - set(COLUMNS))
    if unknown or "token" not in row or "standard" not in row:
        raise ConfigError(f"{where}: the fields {sorted(row)}, expected token, standard, …")
    forms = _parts(row["standard"], "|")
    entry = DialectEntry(
        token=row["token"],
        standard=tuple("" if form == NOTHING else form for form in forms),
        scope=row.get("scope") or "any",
        context=_parts(row.get("context", ""), None),
        example=row.get("example", ""),
        source=row.get("source", ""),
    )
    if entry.scope not in SCOPES:
        raise ConfigError(
            f"{where}: the scope {entry.scope!r}, expected one of {', '.join(SCOPES)}"
        )
    if not forms:
        raise ConfigError(f"{where}: {entry.token!r} has no standard form ({NOTHING} for none)")
    return entry


def _parts(value: str | Iterable[str], separator: str | None) -> tuple[str, ...]:
    if not isinstance(value, str):
        return tuple(value)
    return tuple(part for part in value.split(separator) if part)
