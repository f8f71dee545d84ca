"""Lists of terms: those of files, and those that are known by name.

`legal` and `finance` are files of the package; `idioms` are the words of four
characters with the tag ``i`` in the dictionary of the installed jieba. A list
known by name has its terms in simplified and in traditional characters
(OpenCC's s2t).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from pytok import zh
from pytok.errors import ConfigError
from pytok.eval.number import SourceFile
from pytok.eval.spans import PATTERNS, read_terms
from pytok.eval.text_files import file_sha256

__all__ = ["KNOWN", "TermList", "known_list", "term_lists"]

KNOWN = ("idioms", "legal", "finance")
_IDIOM_LENGTH = 4
_IDIOM_TAG = "i"


@dataclass(frozen=True)
class TermList:
    """Terms, and where they are from."""

    terms: tuple[str, ...]
    sources: tuple[SourceFile, ...]


def known_list(name: str) -> TermList:
    """Give a list that is known by name.

    Parameters
    ----------
    name
        ``"idioms"``, ``"legal"`` or ``"finance"``.

    Raises
    ------
    ConfigError
        If no list has this name.

    Examples
    --------
    >>> found = known_list("legal")
    >>> {"诉讼时效", "訴訟時效"} <= set(found.terms), found.sources[0].path
    (True, 'legal.txt of pytok')

    """
    if name not in KNOWN:
        raise ConfigError(
            f"spans: no list is called {name!r}", hint=f"known by name are {', '.join(KNOWN)}"
        )
    if name == "idioms":
        simplified, raw = _idioms()
        path = f"idioms of the dictionary of jieba {version('jieba')}"
    else:
        raw = files("pytok.eval").joinpath("terms").joinpath(f"{name}.txt").read_bytes()
        lines = raw.decode("utf-8").splitlines()
        simplified = [line for line in lines if line and not line.startswith("# ")]
        path = f"{name}.txt of pytok"
    terms = tuple(dict.fromkeys([*simplified, *_traditional(simplified)]))
    digest = hashlib.sha256(raw).hexdigest()
    return TermList(terms, (SourceFile(path, digest, len(simplified), "terms"),))


def _idioms() -> tuple[list[str], bytes]:
    """Idioms of jieba's dictionary, and the bytes of that file."""
    import jieba

    with jieba.Tokenizer().get_dict_file() as dictionary:
        raw: bytes = dictionary.read()
    rows = (line.split(" ") for line in raw.decode("utf-8").splitlines())
    return [row[0] for row in rows if row[-1] == _IDIOM_TAG and len(row[0]) == _IDIOM_LENGTH], raw


def _traditional(terms: Sequence[str]) -> list[str]:
    pipeline = zh.Pipeline(["s2t"], mode="opencc-exact")
    return pipeline.normalize("\n".join(terms)).text.split("\n")


def term_lists(
    found: Mapping[str, tuple[Path, ...]],
    given: Mapping[str, tuple[Path, ...]],
    known: Sequence[str],
) -> dict[str, TermList]:
    """Join the lists of a folder, those of given files, and those known by name.

    Parameters
    ----------
    found, given
        Files by the name of the list.
    known
        Names for `known_list`.

    Raises
    ------
    ConfigError
        If a name is taken, or no list has it.
    CorpusError
        If a file cannot be read or holds no term.

    """
    for name in (*found, *given, *known):
        if name in PATTERNS or (name in found and name in (*given, *known)):
            taken = "a pattern" if name in PATTERNS else "a list of the folder"
            raise ConfigError(
                f"spans: {name!r} is already the name of {taken}", hint="give another name"
            )
        if name in given and name in known:
            raise ConfigError(
                f"spans: {name!r} is given as a file and as a list known by name",
                hint="give the file another name",
            )
    lists = {name: _of_files(paths) for name, paths in {**found, **given}.items()}
    return lists | {name: known_list(name) for name in known}


def _of_files(paths: tuple[Path, ...]) -> TermList:
    sources = tuple(
        SourceFile(str(path), file_sha256(path), len(read_terms([path])), "terms") for path in paths
    )
    return TermList(tuple(read_terms(paths)), sources)
