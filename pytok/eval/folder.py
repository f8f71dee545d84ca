"""What a folder holds: kinds of text, parallel texts, and lists of spans.

Without more, the first folder below the root names the kind, ``parallel/``
holds parallel texts and ``spans/`` lists of terms. A file ``sources.toml`` in
the root may say otherwise::

    [[kind]]
    name = "news"
    files = ["papers/*.txt", "wire/2024-*.jsonl.xz"]
    gold = "gold/papers.seg.txt"

    [[parallel]]
    name = "laws"
    files = "translations/laws.*.txt"
    base = "en"

    [[spans]]
    name = "idiom"
    files = "lists/idioms.txt"

    [[spans]]
    name = "legal"

A table of spans without files names a list that is known. Once it has tables
of a sort, nothing else of that sort is looked for. Paths are relative to the
root and may hold ``*`` and ``?``. Tables ``[[source]]`` (where texts came
from) are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pytok._train_checks import parse_toml
from pytok.errors import CorpusError
from pytok.eval.kinds import GOLD, PARALLEL, SPANS, Kind, discover, stem
from pytok.eval.parallel import ParallelFiles, find_parallel
from pytok.eval.term_lists import KNOWN

__all__ = ["DECLARATION", "Folder", "read_folder"]

DECLARATION = "sources.toml"
_FIELDS = {
    "kind": {"name", "files", "gold"},
    "parallel": {"name", "files", "base", "columns"},
    "spans": {"name", "files"},
}
_NAME = re.compile(r"[\w-]+")


@dataclass(frozen=True)
class Folder:
    """What there is to measure.

    Parameters
    ----------
    kinds
        Kinds of text, without files where a folder holds no text; none where
        there are parallel texts only.
    parallel
        Sets of parallel texts.
    spans
        Files with terms, by the name of their list.
    known_spans
        Lists of terms that are known by name.

    """

    kinds: list[Kind]
    parallel: tuple[ParallelFiles, ...]
    spans: Mapping[str, tuple[Path, ...]]
    known_spans: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Table:
    """One table of the declaration, checked."""

    sort: str
    name: str
    files: tuple[Path, ...]
    gold: tuple[Path, ...]
    base: str | None
    columns: tuple[str, ...]


def read_folder(root: Path) -> Folder:
    r"""Find what a folder (or one file) holds.

    Raises
    ------
    CorpusError
        If `root` does not exist or holds no text, or its ``sources.toml`` is
        wrong; the message names the table and the field.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     root = Path(name)
    ...     _ = (root / "a.txt").write_text("weather")
    ...     _ = (root / "sources.toml").write_text('[[kind]]\nname = "news"\nfiles = "*.txt"')
    ...     [kind.name for kind in read_folder(root).kinds]
    ['news']

    """
    if root.is_file():
        return Folder(discover(root), (), {})
    tables = _declared(root)
    kinds = [Kind(table.name, table.files, table.gold) for table in tables if table.sort == "kind"]
    parallel = tuple(
        ParallelFiles(table.name, table.files, base=table.base, columns=table.columns)
        for table in tables
        if table.sort == "parallel"
    ) or find_parallel(root / PARALLEL)
    lists = [table for table in tables if table.sort == "spans"]
    spans = {table.name: table.files for table in lists if table.files}
    known = tuple(table.name for table in lists if not table.files)
    if not kinds:
        try:
            kinds = discover(root)
        except CorpusError:
            if not parallel:
                raise
        kinds += _empty(root, kinds)
    return Folder(kinds, parallel, spans if lists else _span_lists(root / SPANS), known)


def _empty(root: Path, kinds: list[Kind]) -> list[Kind]:
    """Folders that name a kind of which there is no text."""
    used = {path.relative_to(root).parts[0] for kind in kinds for path in kind.all_files}
    used |= {GOLD, PARALLEL, SPANS, *(kind.name for kind in kinds)}
    folders = sorted(path.name for path in root.iterdir() if path.is_dir())
    return [Kind(name, (), ()) for name in folders if name[0] != "." and name not in used]


def _span_lists(folder: Path) -> dict[str, tuple[Path, ...]]:
    if not folder.is_dir():
        return {}
    found: dict[str, tuple[Path, ...]] = {}
    for path in sorted(folder.iterdir()):
        bare = path.name.removesuffix(".gz").removesuffix(".xz")
        if path.is_file() and bare.endswith((".txt", ".tsv")) and not bare.startswith("."):
            found[stem(path)] = (*found.get(stem(path), ()), path)
    return found


def _declared(root: Path) -> list[_Table]:
    """Read the tables of ``sources.toml``; empty where there is none."""
    path = root / DECLARATION
    if not path.is_file():
        return []
    try:
        data = parse_toml(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"cannot read {path}: {error}") from error
    found: list[_Table] = []
    for sort, tables in data.items():
        if sort == "source":
            continue
        if sort not in _FIELDS or not isinstance(tables, list):
            raise CorpusError(
                f"{path}: unknown {sort!r}",
                hint="it may hold tables [[kind]], [[parallel]], [[spans]] and [[source]]",
            )
        for number, table in enumerate(tables, start=1):
            found.append(_table(root, sort, f"{path}: {sort} {number}", table))
        names = [table.name for table in found if table.sort == sort]
        for name in names:
            if names.count(name) > 1:
                raise CorpusError(f"{path}: two tables [[{sort}]] are called {name!r}")
    return found


def _table(root: Path, sort: str, where: str, table: object) -> _Table:
    if not isinstance(table, dict):
        raise CorpusError(f"{where}: not a table")
    for field in table:
        if field not in _FIELDS[sort]:
            known = ", ".join(sorted(_FIELDS[sort]))
            raise CorpusError(f"{where}: unknown field {field!r}", hint=f"use {known}")
    name, base = (_string(table, field, where) for field in ("name", "base"))
    if not name or not _NAME.fullmatch(name):
        raise CorpusError(f"{where}: name must be of letters, digits, _ and -, not {name!r}")
    files = _paths(root, table, "files", where)
    gold = _paths(root, table, "gold", where)
    if not (files or gold or (sort == "spans" and name in KNOWN and "files" not in table)):
        known = f"; known without files are {', '.join(KNOWN)}" if sort == "spans" else ""
        raise CorpusError(
            f"{where}: no files", hint=f'give files = "path" or a list of paths{known}'
        )
    return _Table(sort, name, files, gold, base, tuple(_strings(table, "columns", where)))


def _string(table: Mapping[str, object], field: str, where: str) -> str | None:
    value = table.get(field)
    if value is not None and not isinstance(value, str):
        raise CorpusError(f"{where}: {field} must be a string")
    return value


def _strings(table: Mapping[str, object], field: str, where: str) -> list[str]:
    value = table.get(field, [])
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(item, str) for item in values):
        raise CorpusError(f"{where}: {field} must be a string or a list of strings")
    return values


def _paths(root: Path, table: Mapping[str, object], field: str, where: str) -> tuple[Path, ...]:
    paths: dict[Path, None] = {}
    for pattern in _strings(table, field, where):
        if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
            raise CorpusError(f"{where}: {field} leaves the folder: {pattern!r}")
        try:
            # A link to nothing or a pipe stays: reading it says what is wrong.
            matched = sorted(path for path in root.glob(pattern) if not path.is_dir())
        except (ValueError, NotImplementedError) as error:
            raise CorpusError(f"{where}: {field}: {pattern!r}: {error}") from error
        if not matched:
            raise CorpusError(f"{where}: {field}: no file matches {pattern!r}")
        paths.update(dict.fromkeys(matched))
    return tuple(paths)
