"""Parallel texts: the same lines in several languages, scripts or styles.

Two forms are read, packed (.gz, .xz) or not:

- text files; line i of every file says the same. In a folder of their own the
  file's name is the name of the side (`ntrex/eng.txt`, `ntrex/zho-TW.txt`),
  beside other sets the name of the set stands before it (`ntrex.eng.txt`);
- a table (`.tsv`) with a header; a column is a side.

A side is named by a language tag (`en`, `yue`, `zho-TW`) or by one of
`traditional`, `simplified`, `classical`, `modern`, `dialect`, `mandarin`. Of
a table, the columns with such names are taken, and where there is only a
column of segmented words (`nan_hanji_seg`), that one without its spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pytok.errors import CorpusError
from pytok.eval.kinds import stem
from pytok.eval.text_files import text_lines

__all__ = ["ParallelFiles", "Side", "find_parallel", "pairs_of", "sides_of"]

_TAG = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})*")
_STYLES = ("traditional", "simplified", "classical", "modern", "dialect", "mandarin")
_SEGMENTED = re.compile(r"_(?:\w+_)?seg$")
# `id` is also the tag of Indonesian, but at the head of a table it numbers rows.
_NOT_A_SIDE = ("id", "no", "nr", "idx", "src", "url", "doc")
_ENGLISH = ("en", "eng")
_DIALECTS = ("yue", "nan", "hak", "wuu", "cdo", "gan", "hsn", "cjy", "dialect")
_MANDARIN = ("cmn", "zho", "zh", "chi", "mandarin")
_TRADITIONAL = ("tw", "hk", "mo", "hant", "traditional")
_SIMPLIFIED = ("cn", "sg", "hans", "simplified")


@dataclass(frozen=True)
class ParallelFiles:
    """The files of one set of parallel texts.

    Parameters
    ----------
    name
        Name of the set.
    files
        One table, or one text file per side.
    base
        Side that all others are compared with; None to choose it.
    columns
        Columns of a table to take; empty to choose them by name.

    """

    name: str
    files: tuple[Path, ...]
    base: str | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Side:
    """One side of a set.

    Parameters
    ----------
    name
        Name of the side.
    path
        File it is in.
    column
        Column of the table; None for a file of its own.
    segmented
        Whether the column holds words with spaces between them.

    """

    name: str
    path: Path
    column: int | None = None
    segmented: bool = False

    def lines(self) -> Iterator[str]:
        """Read the lines, without their ends.

        Raises
        ------
        CorpusError
            If the file cannot be read, or a row of a table has another number
            of fields than its header.

        """
        if self.column is None:
            yield from text_lines(self.path)
            return
        rows = text_lines(self.path)
        width = next(rows, "").count("\t") + 1
        for number, row in enumerate(rows, start=2):
            cells = row.split("\t")
            if len(cells) != width:
                raise CorpusError(
                    f"{self.path}:{number}: {len(cells)} fields, but the header has {width}"
                )
            cell = cells[self.column]
            yield cell.replace(" ", "").replace("\u00a0", " ") if self.segmented else cell


def _is(path: Path, *suffixes: str) -> bool:
    bare = path.name.removesuffix(".gz").removesuffix(".xz")
    return bare.endswith(suffixes) and not bare.startswith((".", "README", "LICENSE"))


def find_parallel(folder: Path) -> tuple[ParallelFiles, ...]:
    """Find the sets in a folder: tables, text files, and folders of text files.

    A file without a partner makes a set too, which `sides_of` refuses: nothing
    is left out unsaid.
    """
    if not folder.is_dir():
        return ()
    sets: dict[str, list[Path]] = {}
    tables: list[ParallelFiles] = []
    for path in sorted(folder.iterdir()):
        inside = [path]
        if path.is_dir() and not path.name.startswith("."):
            inside = sorted(path.iterdir())
        for item in inside:
            if item.is_dir():
                continue
            if _is(item, ".tsv"):
                tables.append(ParallelFiles(stem(item), (item,)))
            elif _is(item, ".txt"):
                own = stem(item).rpartition(".")[0] or folder.name
                sets.setdefault(own if item is path else path.name, []).append(item)
    texts = [ParallelFiles(name, tuple(files)) for name, files in sets.items()]
    return tuple(sorted(tables + texts, key=lambda one: one.name))


def sides_of(files: ParallelFiles) -> list[Side]:
    """Name the sides of a set.

    Raises
    ------
    CorpusError
        If there are fewer than two, two of one name, or a column is missing.

    """
    if len(files.files) == 1 and (files.columns or not _is(files.files[0], ".txt")):
        sides = _columns(files.files[0], files.columns)
    else:
        sides = [Side(_last_part(path), path) for path in files.files]
    names = [side.name for side in sides]
    plain = [re.sub(r"\W", "_", name) for name in names]
    for name, bare in zip(names, plain, strict=True):
        if plain.count(bare) > 1:
            raise CorpusError(f"{files.name}: two sides are called {name!r}")
    if len(sides) < 2:
        raise CorpusError(
            f"{files.name}: parallel text needs two sides, found {', '.join(names) or 'none'}",
            hint="name columns by language (en, yue, zho-TW) or style (classical, modern)",
        )
    if files.base is not None and files.base not in names:
        raise CorpusError(f"{files.name}: no side {files.base!r} among {', '.join(names)}")
    return sides


def _last_part(path: Path) -> str:
    """Side of a file name: `laws.en.txt` and `en.txt` are both `en`."""
    return stem(path).rpartition(".")[2]


def _columns(path: Path, wanted: Sequence[str]) -> list[Side]:
    header = next(text_lines(path), "").split("\t")
    if missing := [name for name in wanted if name not in header]:
        raise CorpusError(
            f"{path}: no column {missing[0]!r}", hint=f"the header has {', '.join(header)}"
        )
    sides: dict[str, Side] = {}
    for at, column in enumerate(header):
        bare = _SEGMENTED.sub("", column)
        segmented = bare != column
        if wanted:
            known = column in wanted
        else:
            known = bare in _STYLES or (bool(_TAG.fullmatch(bare)) and bare not in _NOT_A_SIDE)
        if known and not (segmented and bare in sides):
            sides[bare] = Side(bare, path, at, segmented)
    return list(sides.values())


def _tag(name: str) -> tuple[str, set[str]]:
    language, *rest = re.split("[-_]", name.lower())
    return language, {language, *rest}


def pairs_of(names: Sequence[str], base: str | None = None) -> list[tuple[str, str]]:
    """Which side is compared with which, (numerator, denominator).

    With a base every other side is compared with it. Without, every side with
    English where there is English; traditional with simplified; a dialect
    with the Mandarin of its script (dialects are mostly written in
    traditional characters); classical with modern. What is in no pair is
    compared with the last side.

    Examples
    --------
    >>> pairs_of(["eng", "zho-CN", "zho-TW", "yue"])[3:]
    [('zho-TW', 'zho-CN'), ('yue', 'zho-TW')]
    >>> pairs_of(["classical", "modern"])
    [('classical', 'modern')]

    """
    if base is not None:
        return [(name, base) for name in names if name != base]
    tags = {name: _tag(name) for name in names}
    pairs: dict[tuple[str, str], None] = {}
    english = next((name for name in names if tags[name][0] in _ENGLISH), None)
    if english is not None:
        pairs.update({(name, english): None for name in names if name != english})
    dialects = [name for name in names if tags[name][0] in _DIALECTS]
    mandarin = [name for name in names if tags[name][0] in _MANDARIN]
    others = [name for name in names if name not in dialects]
    traditional, simplified = (
        [name for name in others if tags[name][1] & set(marks)]
        for marks in (_TRADITIONAL, _SIMPLIFIED)
    )
    pairs.update({(old, new): None for old in traditional for new in simplified})
    if mandarin:
        same_script = [name for name in mandarin if name in traditional]
        pairs.update({(name, (same_script or mandarin)[0]): None for name in dialects})
    if "classical" in names and "modern" in names:
        pairs["classical", "modern"] = None
    paired = {name for pair in pairs for name in pair}
    left = [name for name in names if name not in paired]
    pairs.update({(name, names[-1]): None for name in left if name != names[-1]})
    return list(pairs)
