"""From a folder to documents: kinds, files, and texts of bounded size.

The first folder below the root names the kind; files in the root itself have
the kind named after the root. Files are read as a stream, and no more than
one document of at most `LONGEST` characters is held. Documents tile the text
of a file, so sizes are those of the file:

- `.jsonl`: one record, its field ``text`` (or ``content``), or a string;
- a file that starts with ``===== FILE name =====``: one part (the marker
  lines are not text);
- a file with blank lines: a block and the blank lines after it;
- otherwise a block of 20 lines.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import json
import lzma
import os
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from pytok.errors import CorpusError

__all__ = [
    "GOLD",
    "GOLD_SUFFIX",
    "LONGEST",
    "PARALLEL",
    "SPANS",
    "Kind",
    "discover",
    "document_rule",
    "documents",
    "file_sha256",
    "is_gold",
    "require_regular",
    "stem",
    "text_lines",
]

LONGEST = 1 << 18
LONGEST_RECORD = 1 << 26
LINES_PER_BLOCK = 20
GOLD_SUFFIX = ".seg.txt"
GOLD = "gold"
PARALLEL = "parallel"
SPANS = "spans"
_CHUNK = 1 << 20
_PACKED = (".gz", ".xz")
_SUFFIXES = frozenset(
    """
    .txt .md .jsonl .c .cc .cpp .cs .css .go .h .hpp .html .ipynb .java .jl .js .json .jsx .kt .lua
    .m .php .pl .py .pyi .r .rb .rs .scala .sh .sql .swift .toml .ts .tsx .vue .xml .yaml .yml
    """.split()  # noqa: SIM905 - one suffix per string takes forty lines
)
_ABOUT = re.compile(r"(readme|licen[cs]e|notice|copying)(\.|$)|sources\.toml$", re.IGNORECASE)
_MARKER = re.compile(r"===== FILE .+ =====\s*")


@dataclass(frozen=True)
class Kind:
    """Files of one kind of text.

    Parameters
    ----------
    name
        Name of the folder, or of the file.
    files
        Files with text, sorted.
    gold
        Files with gold words, sorted.

    """

    name: str
    files: tuple[Path, ...]
    gold: tuple[Path, ...]

    @property
    def all_files(self) -> tuple[Path, ...]:
        """Files with text, then files with gold words."""
        return (*self.files, *self.gold)


def stem(path: Path) -> str:
    """Name of a file without its suffixes of packing and format.

    Examples
    --------
    >>> stem(Path("gold/news.seg.txt.xz")), stem(Path("a.b.py"))
    ('news', 'a.b')

    """
    name = path.name
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    if name.endswith(GOLD_SUFFIX):
        return name.removesuffix(GOLD_SUFFIX)
    return name.rpartition(".")[0] or name


def is_gold(path: Path) -> bool:
    """Whether the file name says gold words (`*.seg.txt`, packed or not)."""
    name = path.name
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    return name.endswith(GOLD_SUFFIX)


def _is_text(path: Path) -> bool:
    name = path.name
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    return Path(name).suffix.lower() in _SUFFIXES and not _ABOUT.match(name)


def discover(root: Path) -> list[Kind]:
    """Find the kinds below a folder, or take one file as a kind.

    Hidden files and folders, README, LICENSE and NOTICE files,
    ``sources.toml`` and the folders ``parallel`` and ``spans`` in the root
    are left out. A gold file belongs to the kind whose folder
    it is in; below a folder ``gold`` (or in the root) it makes or joins the
    kind of its own name.

    Raises
    ------
    CorpusError
        If `root` does not exist or holds no text.

    """
    if root.is_file():
        gold = (root,) if is_gold(root) else ()
        return [Kind(stem(root), () if gold else (root,), gold)]
    if not root.is_dir():
        raise CorpusError(
            f"no such folder or file: {root}", hint="give a folder with .txt, .md or .jsonl files"
        )
    texts: dict[str, list[Path]] = {}
    golds: dict[str, list[Path]] = {}
    for path in _walk(root):
        below = path.relative_to(root).parts
        if len(below) > 1 and below[0] in (PARALLEL, SPANS):
            continue
        folder = below[0] if len(below) > 1 else root.resolve().name
        if is_gold(path):
            own = len(below) == 1 or folder == GOLD
            golds.setdefault(stem(path) if own else folder, []).append(path)
        elif _is_text(path):
            texts.setdefault(folder, []).append(path)
    names = sorted({*texts, *golds})
    if not names:
        raise CorpusError(
            f"no text in {root}",
            hint="the folder needs .txt, .md, .jsonl or source files (.gz and .xz too)",
        )
    return [Kind(name, tuple(texts.get(name, ())), tuple(golds.get(name, ()))) for name in names]


def _walk(root: Path) -> Iterator[Path]:
    seen: set[str] = set()
    for folder, folders, names in os.walk(root, followlinks=True):
        # A link to a folder above would never end.
        real = os.path.realpath(folder)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(folder) / name


def require_regular(path: Path) -> None:
    """Refuse what cannot be read twice, or at all.

    Raises
    ------
    CorpusError
        If there is no file, or a folder, a pipe or a device has its name.

    Examples
    --------
    >>> require_regular(Path("nothing/here.txt"))
    Traceback (most recent call last):
    pytok.errors.CorpusError: cannot read nothing/here.txt: no such file

    """
    if path.is_file():
        return
    if path.exists():
        reason = "a folder" if path.is_dir() else "a pipe or a device, expected a file"
    else:
        reason = "a link to what is not there" if path.is_symlink() else "no such file"
    raise CorpusError(f"cannot read {path}: {reason}", hint="give a regular file")


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes as stored, hexadecimal."""
    require_regular(path)
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while block := stream.read(_CHUNK):
                digest.update(block)
    except OSError as error:
        raise CorpusError(f"cannot read {path}: {error.strerror or error}") from error
    return digest.hexdigest()


def _unpacked(path: Path, raw: IO[bytes]) -> IO[bytes]:
    if path.name.endswith(".gz"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if path.name.endswith(".xz"):
        return cast(IO[bytes], lzma.LZMAFile(raw))
    return raw


def _chunks(path: Path) -> Iterator[str]:
    # A pipe would wait for a writer, a device may never end.
    require_regular(path)
    decoder = codecs.getincrementaldecoder("utf-8")()
    offset = 0
    try:
        with path.open("rb") as raw:
            stream = _unpacked(path, raw)
            while True:
                block = stream.read(_CHUNK)
                pending = len(decoder.getstate()[0])
                try:
                    text = decoder.decode(block, final=not block)
                except UnicodeDecodeError as error:
                    raise CorpusError(
                        f"{path} is not UTF-8: byte {offset - pending + error.start}",
                        hint="convert the file, for example with `iconv -f GB18030 -t UTF-8`",
                    ) from error
                if not offset:
                    text = text.removeprefix("\ufeff")
                offset += len(block)
                if text:
                    yield text
                if not block:
                    return
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise CorpusError(
            f"cannot read {path}: {error}",
            hint="the file is damaged or unreadable",
        ) from error


def _safe_cut(text: str, limit: int) -> int:
    """Where to cut a long text: after a sentence mark, else white space, else at `limit`."""
    half = limit // 2
    for marks in ("。！？", "，；、：", " \t　"):
        found = max(text.rfind(mark, half, limit) for mark in marks)
        if found >= 0:
            return found + 1
    return limit


def _lines(path: Path, limit: int) -> Iterator[str]:
    """Lines with their ends; a line above `limit` characters comes in parts."""
    rest = ""
    for chunk in _chunks(path):
        # Only the last part has no line end, and it stays below the limit.
        *whole, rest = (rest + chunk).split("\n")
        for line in whole:
            yield from _parts(line + "\n", limit)
        *parts, rest = _parts(rest, limit) if rest else [""]
        yield from parts
    if rest:
        yield rest


def text_lines(path: Path) -> Iterator[str]:
    """Read the lines of a packed or plain text file, without their ends.

    Raises
    ------
    CorpusError
        If the file cannot be read, is not UTF-8, or a line is longer than
        `LONGEST_RECORD` characters.

    """
    held: list[str] = []
    size = number = 0
    for part in _lines(path, _CHUNK):
        held.append(part)
        size += len(part)
        if size > LONGEST_RECORD:
            raise CorpusError(f"{path}:{number + 1}: line longer than {LONGEST_RECORD} characters")
        if part.endswith("\n"):
            yield "".join(held)[:-1].removesuffix("\r")
            held, size = [], 0
            number += 1
    if held:
        yield "".join(held).removesuffix("\r")


def _parts(text: str, limit: int) -> Iterator[str]:
    start = 0
    while len(text) - start > limit:
        cut = start + _safe_cut(text[start : start + limit], limit)
        yield text[start:cut]
        start = cut
    yield text[start:]


def document_rule(path: Path) -> str:
    """How a file falls into documents.

    Returns
    -------
    rule
        ``"records"``, ``"parts"``, ``"blank-line blocks"`` or ``"20-line blocks"``.

    """
    if _is_records(path):
        return "records"
    text_seen = blank_after_text = False
    for line in _lines(path, LONGEST):
        blank = not line.strip()
        if not blank and not text_seen and _MARKER.fullmatch(line):
            return "parts"
        if not blank and blank_after_text:
            return "blank-line blocks"
        blank_after_text = text_seen and blank
        text_seen |= not blank
    return f"{LINES_PER_BLOCK}-line blocks"


def _is_records(path: Path) -> bool:
    return any(path.name.endswith(".jsonl" + packed) for packed in ("", *_PACKED))


def documents(path: Path, rule: str) -> Iterator[str]:
    """Read a file document by document.

    Parameters
    ----------
    path
        A text file, packed (.gz, .xz) or not.
    rule
        The value of `document_rule`.

    Yields
    ------
    text
        A document of at most `LONGEST` characters, with its line ends. Longer
        ones come in several, cut at line ends, else after a mark or a space.

    Raises
    ------
    CorpusError
        If the file cannot be read, is not UTF-8, or a record has no text.

    """
    if rule == "records":
        yield from _records(path)
        return
    held: list[str] = []
    size = lines = 0
    blank_before = False
    text_held = False
    for line in _lines(path, LONGEST):
        blank = not line.strip()
        marker = rule == "parts" and bool(_MARKER.fullmatch(line))
        full = size + len(line) > LONGEST
        ends = {
            "parts": marker,
            "blank-line blocks": blank_before and not blank and text_held,
        }.get(rule, lines == LINES_PER_BLOCK)
        if held and (ends or full):
            yield "".join(held)
            held, size, lines, text_held = [], 0, 0, False
        if not marker:
            held.append(line)
            size += len(line)
            lines += line.endswith("\n")
            text_held |= not blank
        blank_before = blank
    if held:
        yield "".join(held)


def _records(path: Path) -> Iterator[str]:
    number = 1
    held: list[str] = []
    size = 0
    for part in _lines(path, _CHUNK):
        held.append(part)
        size += len(part)
        if size > LONGEST_RECORD:
            raise CorpusError(f"{path}:{number}: record longer than {LONGEST_RECORD} characters")
        if part.endswith("\n"):
            yield from _record("".join(held), path, number)
            held, size = [], 0
            number += 1
    yield from _record("".join(held), path, number)


def _record(line: str, path: Path, number: int) -> Iterator[str]:
    if not line.strip():
        return
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{path}:{number}: not JSON: {error}") from error
    if isinstance(record, dict):
        record = record.get("text", record.get("content"))
    if not isinstance(record, str):
        raise CorpusError(
            f"{path}:{number}: the record has no text",
            hint='each line must be a string or an object with a string field "text"',
        )
    if any("\ud800" <= character <= "\udfff" for character in record):
        raise CorpusError(f"{path}:{number}: the text holds a lone surrogate, which is not Unicode")
    yield from filter(None, _parts(record, LONGEST))
