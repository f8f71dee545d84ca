"""Packed files and Parquet files, read as a stream.

Whatever a file unpacks to, no more of it is in memory than a piece: a small
file that unpacks to terabytes costs time, not memory.
"""

from __future__ import annotations

import gzip
import io
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from pytok.errors import CorpusError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["PARQUET", "parquet_texts", "plain_suffix", "unpacked"]

PACKED = (".gz", ".xz", ".zst")
PARQUET = ".parquet"
# A byte of a zst file unpacks to 32 KiB at most, of an xz file to less: this
# much to 32 MiB.
PACKED_BLOCK = 1 << 10
ROWS = 64
# Columns are read in blocks of this many bytes; otherwise, a row group at once.
PARQUET_BLOCK = 1 << 20


def plain_suffix(path: Path) -> str:
    """Return the suffix that says what a file is once it is unpacked."""
    name = path.name
    for packed in PACKED:
        name = name.removesuffix(packed)
    return Path(name).suffix


def unpacked(path: Path, raw: IO[bytes]) -> IO[bytes]:
    """Return a stream of what a file holds, unpacked when its suffix says so.

    The stream raises OSError, EOFError or `zlib.error` when
    the file is damaged or ends too early.
    """
    if path.suffix == ".gz":
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw))
    if path.suffix == ".xz":
        return _stream(raw, lzma.LZMADecompressor, lzma.LZMAError)
    if path.suffix == ".zst":
        try:
            import zstandard
        except ImportError as error:
            raise CorpusError(
                f"{path}: needs the package zstandard",
                hint="pip install 'pytok-tokenizers[zst]'",
            ) from error
        return _stream(raw, zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError)
    return raw


def _stream(raw: IO[bytes], begin: Callable[[], Any], failure: type[Exception]) -> IO[bytes]:
    return io.BufferedReader(_Frames(raw, begin, failure), 1 << 16)


class _Frames(io.RawIOBase):
    """The content of frames that stand end to end.

    The packages' own streams end quietly where a file was cut (zst), or where
    what follows a frame is damaged (xz).
    """

    def __init__(self, raw: IO[bytes], begin: Callable[[], Any], failure: type[Exception]) -> None:
        self._raw = raw
        self._begin = begin
        self._failure = failure
        self._frame = begin()
        self._is_inside = False
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        target = memoryview(buffer)
        while not self._ready:
            packed = b""
            if self._frame.eof:
                packed = self._frame.unused_data
                self._frame = self._begin()
                self._is_inside = False
            packed = packed or self._raw.read(PACKED_BLOCK)
            if not packed:
                if self._is_inside:
                    raise EOFError("the file ends inside a frame")
                return 0
            if not self._is_inside:
                packed = packed.lstrip(b"\0")  # what frames may be padded with begins none
                self._is_inside = bool(packed)
            try:
                self._ready = memoryview(self._frame.decompress(packed))
            except self._failure as error:
                raise OSError(str(error)) from error
        length = min(len(target), len(self._ready))
        target[:length] = self._ready[:length]
        self._ready = self._ready[length:]
        return length


def parquet_texts(path: Path, raw: IO[bytes]) -> Iterator[tuple[str, float]]:
    """Yield the texts of a Parquet file, each with the share of rows that have been read.

    Raises
    ------
    CorpusError
        When the package is missing, the file is damaged or packed once more, or
        it is not clear which column has the texts.

    """
    if path.suffix != PARQUET:
        raise CorpusError(
            f"{path}: a packed Parquet file", hint="unpack it: Parquet packs its columns itself"
        )
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise CorpusError(
            f"{path}: needs the package pyarrow", hint="pip install 'pytok-tokenizers[parquet]'"
        ) from error
    try:
        file = parquet.ParquetFile(raw, buffer_size=PARQUET_BLOCK)
        column = _text_column(path, file.schema_arrow, pyarrow.types)
        total = file.metadata.num_rows
        done = 0
        for batch in file.iter_batches(batch_size=ROWS, columns=[column], use_threads=False):
            for text in batch.column(0).to_pylist():
                done += 1
                if text is not None:
                    yield text, done / total
    except (pyarrow.ArrowException, UnicodeDecodeError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CorpusError(f"{path}: cannot be read: {first}") from error


def _text_column(path: Path, schema: Any, types: Any) -> str:
    """Return the column `text`, or the only one of strings."""

    def is_text(kind: Any) -> bool:
        if types.is_dictionary(kind):
            kind = kind.value_type
        tests = (types.is_string, types.is_large_string, types.is_string_view)
        return any(test(kind) for test in tests)

    columns: list[str] = [field.name for field in schema if is_text(field.type)]
    if "text" in columns:
        return "text"
    if len(columns) != 1:
        found = ", ".join(columns) or "none"
        raise CorpusError(
            f"{path}: it is not clear which column has the texts; columns of strings: {found}",
            hint="name the column `text`, or keep only one column of strings",
        )
    return columns[0]
