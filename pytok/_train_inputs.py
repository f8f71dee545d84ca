r"""Texts to train on: strings, files, folders and globs.

A text file is read in blocks that end where a line ends and the next begins
with something visible. No word of the named pre-tokenizers crosses such a
place, so the words are those of the whole file. A line that is longer than a
block may be is cut after a mark or a space. Blocks stay bytes for those who
count words of bytes: to decode them here would keep all threads waiting.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import IO, TypeAlias

from pytok._train_archives import PARQUET, parquet_texts, plain_suffix, unpacked
from pytok.errors import ConfigError, CorpusError

__all__ = ["Block", "Inputs", "Sources", "open_sources"]

Inputs: TypeAlias = "str | PathLike[str] | Iterable[str | PathLike[str]]"

BLOCK_BYTES = 1 << 20
# A line of more characters than this is cut.
LONGEST_LINE = 1 << 23
# A line of .jsonl cannot be cut, and is refused above this.
LONGEST_RECORD = 1 << 26
GLOB_MARKS = frozenset("*?[")
# Where an endless line is cut: before the last of these that follows a letter.
STOPS = "。！？；，、 \t"


BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Block:
    """A part of a text file, in UTF-8 if the file is.

    Attributes
    ----------
    path
        The file.
    start
        The byte of the file (unpacked) at which the part begins.
    data
        Its bytes.

    """

    path: Path
    start: int
    data: bytes

    def __len__(self) -> int:
        """Return the number of bytes."""
        return len(self.data)

    def text(self) -> str:
        """Return the text.

        Raises
        ------
        CorpusError
            When it is not UTF-8.

        """
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            raise CorpusError(
                f"{self.path}: byte {self.start + error.start}: not UTF-8", hint=_hint(self)
            ) from error


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
        for path, pieces in self.pieces():
            yield path, (piece if isinstance(piece, str) else piece.text() for piece in pieces)

    def pieces(self) -> Iterator[tuple[Path | None, Iterator[str | Block]]]:
        """Yield the same, with the blocks of text files as they are stored."""
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

    def _file(self, path: Path) -> Iterator[str | Block]:
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
                pieces: Iterator[str | Block]
                pieces = _records(path, stream) if is_records else _blocks(path, stream)
                for piece in pieces:
                    self.read_bytes = before + raw.tell()
                    yield piece
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


def _blocks(path: Path, stream: IO[bytes]) -> Iterator[Block]:
    held = b""
    start = 0
    # No line that begins up to this byte of what is held is the next to be cut before.
    searched = 0
    while block := stream.read(BLOCK_BYTES):
        held += block
        if start == 0 and held.startswith(BYTE_ORDER_MARK):
            start = len(BYTE_ORDER_MARK)
            held = held[start:]
        cut, searched = _line_start(held, searched)
        cut = cut or _place_in_long_line(Block(path, start, held))
        if cut:
            yield Block(path, start, held[:cut])
            held, searched = held[cut:], 0
            start += cut
    if held:
        yield Block(path, start, held)


def _hint(block: Block) -> str:
    if block.data.startswith(b"pytok-counts"):
        return "these are word counts: pass them with --counts, or as WordCounts"
    return "convert the file, for example with `iconv -f GB18030 -t UTF-8`"


def _line_start(held: bytes, searched: int) -> tuple[int, int]:
    """Where the last line begins that begins with something visible; 0 if none does.

    No line is looked at that begins up to byte `searched`. The second number is the
    `searched` of a longer text that begins with this one.
    """
    end = known = len(held.rstrip())  # no line of blanks at the end is looked at
    while (end := held.rfind(b"\n", searched, end)) >= 0:
        first = held[end + 1 : end + 1 + _width(held[end + 1])]
        if len(first) < _width(first[0]):
            known = end  # the rest of the character is to come
        elif not first.decode(errors="replace").isspace():
            return end + 1, 0
    return 0, max(known, searched)


def _width(byte: int) -> int:
    """Return how many bytes a character has that begins with this one."""
    return 1 if byte < 0xC0 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4


def _place_in_long_line(block: Block) -> int:
    """Where a line is cut that is too long; 0 when it is not."""
    if len(block) <= LONGEST_LINE:
        return 0
    whole = len(block) - _unfinished(block.data)
    text = Block(block.path, block.start, block.data[:whole]).text()
    if len(text) <= LONGEST_LINE:
        return 0
    cut = max(_last_after_letter(text, mark) for mark in STOPS) or len(text)
    return len(text[:cut].encode())


def _unfinished(data: bytes) -> int:
    """Return how many bytes at the end are the beginning of a character."""
    for back, byte in enumerate(reversed(data[-3:]), start=1):
        if byte >= 0xC0:
            return back if back < _width(byte) else 0
        if byte < 0x80:
            break
    return 0


def _last_after_letter(text: str, mark: str) -> int:
    """Where a mark last follows a letter: no word holds both. 0 when nowhere."""
    place = text.rfind(mark)
    while place > 0 and not text[place - 1].isalnum():
        place = text.rfind(mark, 0, place)
    return max(place, 0)
