r"""Texts to train on: strings, files, folders and globs.

A text file is read in blocks that end where a line ends and the next begins
with something visible. No word of the named pre-tokenizers crosses such a
place, so the words are those of the whole file. A line that is longer than a
block may be is cut after a mark or a space.
"""

from __future__ import annotations

import codecs
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, TypeAlias

from pytok._train_archives import PARQUET, parquet_texts, plain_suffix, unpacked
from pytok.errors import ConfigError, CorpusError

__all__ = ["Inputs", "Sources", "open_sources"]

Inputs: TypeAlias = "str | PathLike[str] | Iterable[str | PathLike[str]]"

BLOCK_BYTES = 1 << 20
# A line of more characters than this is cut.
LONGEST_LINE = 1 << 23
# A line of .jsonl cannot be cut, and is refused above this.
LONGEST_RECORD = 1 << 26
GLOB_MARKS = frozenset("*?[")
# Where an endless line is cut: before the last of these that follows a letter.
STOPS = "。！？；，、 \t"


@dataclass
class Sources:
    """What is to be read, and how much of it has been.

    Attributes
    ----------
    paths
        Files; empty when the input is an iterable of texts.
    total_bytes
        Their size as stored; None when it cannot be known.
    read_bytes
        How much of that has been read; of texts, their characters.

    """

    paths: list[Path]
    texts: Iterable[object]
    total_bytes: int | None
    read_bytes: int = 0

    def __iter__(self) -> Iterator[str]:
        """Yield texts."""
        for _, texts in self.parts():
            yield from texts

    def parts(self) -> Iterator[tuple[Path | None, Iterator[str]]]:
        """Yield each file with its texts, and each text that was given as one."""
        for path in self.paths:
            yield path, self._file(path)
        for number, text in enumerate(self.texts):
            if isinstance(text, PathLike):
                for path in _expand(Path(text)):
                    yield path, self._file(path)
                continue
            if not isinstance(text, str):
                raise ConfigError(
                    f"inputs[{number}]: {type(text).__name__}, expected str for a text or "
                    "pathlib.Path for a file"
                )
            if number == 0 and _names_a_file(text):
                raise ConfigError(
                    f"inputs[0]: {text!r} is a text, but it names a file",
                    hint="pass pathlib.Path for files: a str in a list is a text",
                )
            self.read_bytes += len(text)
            yield None, iter((text,))

    def skip(self, path: Path) -> None:
        """Treat a file as read."""
        self.read_bytes += path.stat().st_size

    def _file(self, path: Path) -> Iterator[str]:
        before = self.read_bytes
        try:
            with path.open("rb") as raw:
                if plain_suffix(path) == PARQUET:
                    size = path.stat().st_size
                    for text, share in parquet_texts(path, raw):
                        self.read_bytes = before + int(size * share)
                        yield text
                    return
                is_records = plain_suffix(path) == ".jsonl"
                stream = unpacked(path, raw)
                for text in _records(path, stream) if is_records else _blocks(path, stream):
                    self.read_bytes = before + raw.tell()
                    yield text
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise CorpusError(f"{path}: cannot be read: {reason}") from error


def open_sources(inputs: Inputs) -> Sources:
    """Find out what the inputs are: one path or glob, paths, or texts.

    Raises
    ------
    CorpusError
        When a path or glob matches nothing.

    """
    if inputs == "":
        raise ConfigError("inputs: empty, expected a path, paths, or an iterable of texts")
    if isinstance(inputs, str | PathLike):
        inputs = [Path(inputs)]
    if isinstance(inputs, list | tuple) and all(isinstance(item, PathLike) for item in inputs):
        paths = [path for item in inputs for path in _expand(Path(item))]
        try:
            total = sum(path.stat().st_size for path in paths)
        except OSError as error:
            raise CorpusError(f"{error.filename}: {error.strerror}") from error
        return Sources(paths, (), total)
    if not isinstance(inputs, Iterable):
        raise ConfigError(
            f"inputs: {type(inputs).__name__}, expected paths, or an iterable of texts"
        )
    return Sources([], inputs, None)


def _expand(path: Path) -> list[Path]:
    """Return a file, the files of a folder, or those that a glob matches, in order."""
    if path.is_dir():
        found = sorted(
            file
            for file in path.rglob("*")
            if file.is_file()
            and not any(part.startswith(".") for part in file.relative_to(path).parts)
        )
        if not found:
            raise CorpusError(f"{path}: the folder has no files")
        return found
    if path.exists():
        return [path]
    if not GLOB_MARKS & set(str(path)):
        raise CorpusError(f"{path}: no such file", hint="check the path")
    fixed = 0
    while fixed < len(path.parts) and not GLOB_MARKS & set(path.parts[fixed]):
        fixed += 1
    root = Path(*path.parts[:fixed])
    found = sorted(file for file in root.glob(str(Path(*path.parts[fixed:]))) if file.is_file())
    if not found:
        raise CorpusError(f"{path}: matches no files", hint="check the pattern")
    return found


def _names_a_file(text: str) -> bool:
    try:
        return len(text) < 1024 and "\n" not in text and Path(text).is_file()
    except (OSError, ValueError):
        return False


def _records(path: Path, stream: IO[bytes]) -> Iterator[str]:
    lines = iter(lambda: stream.readline(LONGEST_RECORD + 1), b"")
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_RECORD:
            raise CorpusError(
                f"{path}: line {number}: more than {LONGEST_RECORD:,} bytes",
                hint="a line is one document: split it",
            )
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise CorpusError(f"{path}: line {number}: is not JSON: {error}") from error
        text = record.get("text") if isinstance(record, dict) else record
        if not isinstance(text, str):
            raise CorpusError(
                f"{path}: line {number}: has no text",
                hint='a line is a JSON string or an object with the field "text"',
            )
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise CorpusError(
                f"{path}: line {number}: unpaired surrogate at character {error.start}",
                hint="write the file with whole characters: \\ud83d\\ude00, not half of it",
            ) from error
        yield text


def _blocks(path: Path, stream: IO[bytes]) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    held = ""
    decoded = 0
    while True:
        block = stream.read(BLOCK_BYTES)
        try:
            held += decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            # The decoder may hold up to three bytes of the block before.
            start = max(decoded - (len(error.object) - len(block)), 0) + error.start
            raise CorpusError(
                f"{path}: byte {start}: not UTF-8", hint=_hint_for(error.object)
            ) from error
        if not block:
            break
        decoded += len(block)
        cut = _safe_cut(held)
        if cut:
            yield held[:cut]
            held = held[cut:]
    if held:
        yield held


def _hint_for(block: bytes) -> str:
    if block.startswith(b"pytok-counts"):
        return "these are word counts: pass them with --counts, or as WordCounts"
    return "convert the file, for example with `iconv -f GB18030 -t UTF-8`"


def _safe_cut(text: str) -> int:
    """Where a text may be cut; 0 when nowhere yet."""
    end = len(text.rstrip())  # no line of blanks at the end is looked at
    while (end := text.rfind("\n", 0, end)) >= 0:
        if not text[end + 1].isspace():
            return end + 1
    if len(text) <= LONGEST_LINE:
        return 0
    return max(_last_after_letter(text, mark) for mark in STOPS) or len(text)


def _last_after_letter(text: str, mark: str) -> int:
    """Where a mark last follows a letter: no word holds both. 0 when nowhere."""
    place = text.rfind(mark)
    while place > 0 and not text[place - 1].isalnum():
        place = text.rfind(mark, 0, place)
    return max(place, 0)
