"""Read every file once before the long work: bad ones are found early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pytok.errors import CorpusError
from pytok.eval.corpora import Kind, document_rule, documents, file_sha256, is_gold
from pytok.eval.report import SourceFile

__all__ = ["Progress", "Scan", "Source", "scan"]

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Source:
    """A file that was read through once, and how large it is."""

    path: Path
    file: SourceFile
    characters: int


@dataclass(frozen=True)
class Scan:
    """The kinds with their sound files.

    Parameters
    ----------
    kinds
        Kinds that have at least one sound file.
    sources
        Every sound file, by path.
    skipped
        Why files were left out, by kind.

    """

    kinds: list[Kind]
    sources: dict[Path, Source]
    skipped: dict[str, list[str]]


def scan(kinds: list[Kind], skip_bad: bool, progress: Progress) -> Scan:
    """Read every file through; raise on the first bad one unless `skip_bad`."""
    sources: dict[Path, Source] = {}
    skipped: dict[str, list[str]] = {}
    kept: list[Kind] = []
    total = sum(path.stat().st_size for kind in kinds for path in kind.all_files)
    done = 0
    for kind in kinds:
        for path in kind.all_files:
            progress("reading", done, total)
            done += path.stat().st_size
            try:
                sources[path] = _read_through(path)
            except CorpusError as error:
                if not skip_bad:
                    raise
                skipped.setdefault(kind.name, []).append(str(error))
        kept.append(
            Kind(
                kind.name,
                tuple(path for path in kind.files if path in sources),
                tuple(path for path in kind.gold if path in sources),
            )
        )
    kept = [kind for kind in kept if kind.files or kind.gold]
    if kinds and not kept:
        reasons = [reason for found in skipped.values() for reason in found[:1]]
        raise CorpusError("every file was left out", hint="; ".join(reasons))
    return Scan(kept, sources, skipped)


def _read_through(path: Path) -> Source:
    rule = document_rule(path)
    # What is measured of a gold line is the text without the spaces.
    fillers = str.maketrans("", "", " \n" if is_gold(path) else "")
    lengths = [len(text.translate(fillers)) for text in documents(path, rule)]
    file = SourceFile(str(path), file_sha256(path), len(lengths), rule)
    return Source(path, file, sum(lengths))
