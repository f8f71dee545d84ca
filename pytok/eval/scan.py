"""Read every file once before the long work: bad ones are found early."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pytok.errors import CorpusError
from pytok.eval.corpora import document_rule, documents
from pytok.eval.kinds import Kind, is_gold
from pytok.eval.report import KindReport, SourceFile
from pytok.eval.text_files import file_sha256

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
    lost
        What is reported of kinds without a file, or all of whose files were
        left out.

    """

    kinds: list[Kind]
    sources: dict[Path, Source]
    skipped: dict[str, list[str]]
    lost: list[KindReport]


def scan(kinds: list[Kind], progress: Progress) -> Scan:
    """Read every file through; those that cannot be read are left out."""
    sources: dict[Path, Source] = {}
    skipped: dict[str, list[str]] = {}
    kept: list[Kind] = []
    total = sum(_size(path) for kind in kinds for path in kind.all_files)
    done = 0
    for kind in kinds:
        for path in kind.all_files:
            progress("reading", done, total)
            done += _size(path)
            try:
                sources[path] = _read_through(path)
            except CorpusError as error:
                skipped.setdefault(kind.name, []).append(str(error))
        kept.append(
            Kind(
                kind.name,
                tuple(path for path in kind.files if path in sources),
                tuple(path for path in kind.gold if path in sources),
            )
        )
    lost = [_lost(kind.name, skipped.get(kind.name, [])) for kind in kept if not kind.all_files]
    kept = [kind for kind in kept if kind.all_files]
    return Scan(kept, sources, skipped, lost)


def _size(path: Path) -> int:
    """Bytes of a file, for the progress; 0 where there is none to read."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _lost(name: str, reasons: list[str]) -> KindReport:
    return KindReport(
        kind=name,
        files=(),
        gold=(),
        documents=0,
        characters=0,
        bytes=0,
        words_from="",
        words_are_gold=False,
        words=0,
        word_documents=0,
        word_characters=0,
        systems=(),
        skipped=tuple(reasons),
    )


def _read_through(path: Path) -> Source:
    rule = document_rule(path)
    # What is measured of a gold line is the text without the spaces.
    fillers = str.maketrans("", "", " \n" if is_gold(path) else "")
    lengths = [len(text.translate(fillers)) for text in documents(path, rule)]
    file = SourceFile(str(path), file_sha256(path), len(lengths), rule)
    return Source(path, file, sum(lengths))
