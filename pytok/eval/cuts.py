"""From a downloaded file to lines of text: unpacking and converters.

A converter turns the text of one file into lines. Nothing is unpacked to
disk, so a file name inside an archive can do no harm.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Protocol

from pytok.errors import CorpusError

__all__ = ["CONVERTERS", "cut"]

_CHAT_WORDS = re.compile(r"\*[^:\s]+:\s*(.*)")


class _Source(Protocol):
    """The part of `CorpusSource` that cutting needs."""

    @property
    def name(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def members(self) -> str: ...
    @property
    def convert(self) -> str: ...
    @property
    def field(self) -> str: ...


def cut(source: _Source, archive: Path) -> Iterator[str]:
    """Lines of a downloaded file, without line ends.

    Raises
    ------
    CorpusError
        If the archive is damaged, has no matching file, or a file in it is
        not what the converter reads.

    """
    convert = CONVERTERS[source.convert]
    found = False
    try:
        for name, content in _members(source, archive):
            found = True
            yield from convert(name, content.decode("utf-8"), source.field)
    except (OSError, EOFError, ValueError, KeyError) as error:
        if isinstance(error, CorpusError):
            raise
        raise CorpusError(f"{source.name}: cannot cut the download: {error}") from error
    except (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error) as error:
        raise CorpusError(f"{source.name}: the archive is damaged: {error}") from error
    if not found:
        raise CorpusError(f"{source.name}: no file in the archive matches {source.members!r}")


def _members(source: _Source, archive: Path) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the chosen files, sorted by name."""
    address = source.url.lower()
    if not source.members:
        content = archive.read_bytes()
        if address.endswith(".gz"):
            content = gzip.decompress(content)
        elif address.endswith(".xz"):
            content = lzma.decompress(content)
        yield source.url.rpartition("/")[2], content
    elif address.endswith((".zip", ".whl")):
        with zipfile.ZipFile(archive) as packed:
            for name in sorted(packed.namelist()):
                if fnmatchcase(name, source.members):
                    yield name, packed.read(name)
    else:
        with tarfile.open(archive) as packed_tar:
            for member in sorted(packed_tar.getmembers(), key=lambda member: member.name):
                stream_or_none = packed_tar.extractfile(member) if member.isfile() else None
                if stream_or_none is not None and fnmatchcase(member.name, source.members):
                    yield member.name, stream_or_none.read()


def _lines(_name: str, text: str, _field: str) -> Iterator[str]:
    yield from text.splitlines()


def _json_strings(_name: str, text: str, _field: str) -> Iterator[str]:
    """One line per string of a JSON array; line breaks and control characters are spaces."""
    for item in json.loads(text):
        if not isinstance(item, str):
            raise CorpusError(f"expected an array of strings, found {item!r}")
        if line := "".join(c if c.isprintable() else " " for c in item).strip():
            yield line


def _jsonl(_name: str, text: str, field: str) -> Iterator[str]:
    for line in text.splitlines():
        if line.strip():
            yield " ".join(json.loads(line)[field].split("\n")).strip()


def _source_files(name: str, text: str, _field: str) -> Iterator[str]:
    yield f"===== FILE {name} ====="
    yield from text.splitlines()


def _chat_gold(_name: str, text: str, _field: str) -> Iterator[str]:
    r"""Words of the speakers' lines of CHAT, which are separated by spaces.

    Examples
    --------
    >>> list(_chat_gold("", "@Begin\n*XXA:\t係 咩\n\t?\n%mor:\tv|hai6 y|me1 ?\n", ""))
    ['係 咩 ?']

    """
    # A line that starts with a tab continues the one before.
    for line in re.sub(r"\n\t", " ", text).splitlines():
        found = _CHAT_WORDS.fullmatch(line)
        if found and (words := found[1].split()):
            yield " ".join(words)


def _conllu_gold(_name: str, text: str, _field: str) -> Iterator[str]:
    r"""Surface words of CoNLL-U; a range such as 3-4 stands for its members.

    Examples
    --------
    >>> table = "# text\n1\tNew York\t_\n2-3\t別的\t_\n2\t別\t_\n3\t的\t_\n\n"
    >>> list(_conllu_gold("", table, "")) == ["New\u00a0York 別的"]
    True

    """
    words: list[str] = []
    covered = 0
    for line in [*text.splitlines(), ""]:
        columns = line.split("\t")
        if not line.strip():
            if words:
                yield " ".join(words)
            words, covered = [], 0
        elif line.startswith("#") or "." in columns[0]:
            continue
        elif "-" in columns[0]:
            covered = int(columns[0].partition("-")[2])
            words.append(columns[1].replace(" ", "\u00a0"))
        elif int(columns[0]) > covered:
            words.append(columns[1].replace(" ", "\u00a0"))


CONVERTERS: dict[str, Callable[[str, str, str], Iterator[str]]] = {
    "lines": _lines,
    "json-strings": _json_strings,
    "jsonl": _jsonl,
    "source-files": _source_files,
    "chat-gold": _chat_gold,
    "conllu-gold": _conllu_gold,
}
