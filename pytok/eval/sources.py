"""Public corpora: a list with addresses and checksums, fetched and cut.

`load_sources` reads the list, `fetch` downloads one file and verifies size and
SHA-256, `pytok.eval.cuts` turns it into the text that `pytok eval` reads. The
result is written beside its place and renamed, so a failure leaves nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from http.client import HTTPException
from importlib.resources import files
from pathlib import Path
from typing import IO

from pytok._written import target_of
from pytok.errors import CorpusError
from pytok.eval.cuts import CONVERTERS, cut

__all__ = ["CorpusSource", "fetch", "find_source", "load_sources", "read_sources"]

_BLOCK = 1 << 18
_TIMEOUT_SECONDS = 60
_LINE = re.compile(r'([a-z0-9_]+)\s*=\s*("(?:[^"\\]|\\.)*"|[0-9]+)\s*(?:#.*)?')


@dataclass(frozen=True)
class CorpusSource:
    """One public corpus.

    Parameters
    ----------
    name
        Name for the command line.
    about
        What it is.
    licence
        Licence of the text, with whom to name.
    url
        Address, http or https.
    bytes
        Size at the address.
    sha256
        SHA-256 of the bytes at the address, hexadecimal.
    convert
        One of the names in `pytok.eval.cuts.CONVERTERS`.
    output
        Where it goes, relative to the output folder.
    members
        Pattern of the files in an archive; empty for the file itself.
    field
        Field of each record, for ``jsonl``.
    first
        Lines to keep, 0 for all.

    """

    name: str
    about: str
    licence: str
    url: str
    bytes: int
    sha256: str
    convert: str
    output: str
    members: str = ""
    field: str = "text"
    first: int = 0

    def __post_init__(self) -> None:
        output = Path(self.output)
        if self.convert not in CONVERTERS:
            raise CorpusError(
                f"source {self.name!r}: convert is {self.convert!r}",
                hint=f"use one of {', '.join(sorted(CONVERTERS))}",
            )
        if output.is_absolute() or ".." in output.parts:
            raise CorpusError(f"source {self.name!r}: output leaves its folder: {self.output!r}")
        if not re.fullmatch("[0-9a-f]{64}", self.sha256):
            raise CorpusError(f"source {self.name!r}: sha256 is not 64 hexadecimal digits")
        if not self.url.startswith(("http://", "https://")):
            raise CorpusError(f"source {self.name!r}: url is not http or https: {self.url!r}")


def load_sources(path: Path | None = None) -> list[CorpusSource]:
    """Read a list of sources; without a path the one that comes with pytok.

    Raises
    ------
    CorpusError
        If the file cannot be read or a line or entry is wrong.

    Examples
    --------
    >>> "hkcancor" in [source.name for source in load_sources()]
    True

    """
    try:
        text = (files("pytok.eval").joinpath("sources.toml") if path is None else path).read_text(
            "utf-8"
        )
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(f"cannot read the list of sources: {error}") from error
    return read_sources(text)


def read_sources(text: str) -> list[CorpusSource]:
    r"""Read the part of TOML that a list of sources needs.

    Only ``[[source]]`` tables with strings on one line and whole numbers;
    Python has a TOML reader from 3.11 on only.

    Examples
    --------
    >>> read_sources('[[source]]\nname = 3')
    Traceback (most recent call last):
    pytok.errors.CorpusError: source 1: name must be a string

    """
    tables: list[dict[str, str | int]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        found = _LINE.fullmatch(stripped)
        if stripped == "[[source]]":
            tables.append({})
        elif found is None or not tables:
            raise CorpusError(f"list of sources, line {number}: cannot read {stripped!r}")
        elif found[1] in tables[-1]:
            raise CorpusError(f"list of sources, line {number}: second {found[1]!r}")
        else:
            tables[-1][found[1]] = json.loads(found[2])
    return [_source(number, table) for number, table in enumerate(tables, start=1)]


def _source(number: int, table: dict[str, str | int]) -> CorpusSource:
    known = {field.name: field for field in fields(CorpusSource)}
    for name, value in table.items():
        if name not in known:
            raise CorpusError(f"source {number}: unknown field {name!r}")
        wanted, noun = (int, "whole number") if name in ("bytes", "first") else (str, "string")
        if not isinstance(value, wanted):
            raise CorpusError(f"source {number}: {name} must be a {noun}")
    missing = [
        name for name in known if name not in table and name not in ("members", "field", "first")
    ]
    if missing:
        raise CorpusError(f"source {number}: no {', '.join(missing)}")
    return CorpusSource(**table)  # type: ignore[arg-type]  # checked above


def find_source(name: str, sources: Sequence[CorpusSource]) -> CorpusSource:
    """Find a source by name.

    Raises
    ------
    CorpusError
        If there is none.

    """
    for source in sources:
        if source.name == name:
            return source
    raise CorpusError(
        f"no such corpus: {name!r}",
        hint="`pytok corpora list` shows the names: " + ", ".join(s.name for s in sources),
    )


def fetch(
    source: CorpusSource,
    folder: Path,
    *,
    on_read: Callable[[int], None] | None = None,
) -> Path:
    """Download, verify and cut a corpus.

    Parameters
    ----------
    source
        What to fetch.
    folder
        Folder below which the output goes; made if it is not there.
    on_read
        Called with the number of bytes of each block that arrived.

    Returns
    -------
    path
        The file that was written.

    Raises
    ------
    CorpusError
        If the address cannot be reached, the size or checksum is wrong, the
        content cannot be cut, or the output cannot be written. Nothing is
        left behind.

    """
    target = folder / source.output
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target = target_of(target)
        with _beside(target) as archive_path, _beside(target) as text_path:
            with archive_path.open("wb") as archive:
                _download(source, archive, on_read or (lambda _size: None))
            with text_path.open("w", encoding="utf-8", newline="\n") as text:
                for written, line in enumerate(cut(source, archive_path)):
                    if source.first and written == source.first:
                        break
                    text.write(line + "\n")
            text_path.chmod(0o644)
            text_path.replace(target)
    except OSError as error:
        raise CorpusError(f"cannot write {target}: {error.strerror or error}") from error
    return target


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Give a new file in the folder of `target` that is gone afterwards."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _download(source: CorpusSource, archive: IO[bytes], on_read: Callable[[int], None]) -> None:
    digest = hashlib.sha256()
    size = 0
    try:
        with urllib.request.urlopen(source.url, timeout=_TIMEOUT_SECONDS) as response:
            # One byte more than expected is enough to know that it is wrong.
            while size <= source.bytes and (block := response.read(_BLOCK)):
                size += len(block)
                digest.update(block)
                archive.write(block)
                on_read(len(block))
    except urllib.error.HTTPError as error:
        raise CorpusError(
            f"{source.name}: the server answered {error.code} {error.reason} for {source.url}",
            hint="the address may have moved; look for the file by its sha256",
        ) from error
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError) as error:
        raise CorpusError(
            f"{source.name}: cannot download {source.url}: {getattr(error, 'reason', error)}",
            hint="check the network connection and try again",
        ) from error
    if size < source.bytes:
        raise CorpusError(
            f"{source.name}: the download ended after {size:,} of {source.bytes:,} bytes",
            hint="try again; nothing was kept",
        )
    if size > source.bytes or digest.hexdigest() != source.sha256:
        raise CorpusError(
            f"{source.name}: the bytes at {source.url} are not the expected ones "
            f"(sha256 {digest.hexdigest()}, expected {source.sha256})",
            hint="the file at the address has changed; nothing was kept",
        )
