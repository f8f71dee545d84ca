"""From a file to documents: texts of bounded size.

Files are read as a stream, and no more than one document of at most `LONGEST`
characters is held. Documents tile the text of a file, so sizes are those of
the file:

- `.jsonl`: one record, its field ``text`` (or ``content``), or a string;
- a file that starts with ``===== FILE name =====``: one part (the marker
  lines are not text);
- a file with blank lines: a block and the blank lines after it;
- otherwise a block of 20 lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pytok.errors import CorpusError
from pytok.eval.text_files import LONGEST_RECORD, PACKED, PART, line_parts, parts_of

__all__ = ["LINES_PER_BLOCK", "LONGEST", "document_rule", "documents"]

LONGEST = 1 << 18
LINES_PER_BLOCK = 20
_MARKER = re.compile(r"===== FILE .+ =====\s*")


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
    for line in line_parts(path, LONGEST):
        blank = not line.strip()
        if not blank and not text_seen and _MARKER.fullmatch(line):
            return "parts"
        if not blank and blank_after_text:
            return "blank-line blocks"
        blank_after_text = text_seen and blank
        text_seen |= not blank
    return f"{LINES_PER_BLOCK}-line blocks"


def _is_records(path: Path) -> bool:
    return any(path.name.endswith(".jsonl" + packed) for packed in ("", *PACKED))


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
    for line in line_parts(path, LONGEST):
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
    for part in line_parts(path, PART):
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
    yield from filter(None, parts_of(record, LONGEST))
