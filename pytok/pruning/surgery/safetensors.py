"""The safetensors format: a header that says where each tensor lies, then the tensors.

Eight bytes give the length of the header (little-endian), the header is JSON,
and offsets count from its end. Tensors stay bytes here, so that every type of
number goes through, those of quantised models too.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from pytok.errors import FormatError

__all__ = ["SafetensorsFile", "TensorInfo", "read_header", "write_header"]

# The limit of the reference reader.
_LONGEST_HEADER = 100_000_000
ELEMENT_BYTES = {
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0"), 1),
    **dict.fromkeys(("U16", "I16", "F16", "BF16"), 2),
    **dict.fromkeys(("U32", "I32", "F32"), 4),
    **dict.fromkeys(("U64", "I64", "F64", "C64"), 8),
}


@dataclass(frozen=True)
class TensorInfo:
    """Type, shape and place of a tensor; `start` and `end` are bytes after the header."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int

    @property
    def size(self) -> int:
        """Bytes."""
        return self.end - self.start


@dataclass(frozen=True)
class SafetensorsFile:
    """A file whose header has been read and fits its length.

    Parameters
    ----------
    path
        The file.
    data_start
        Bytes before the first tensor.
    tensors
        By name, in the order of the file.
    metadata
        The free strings of the header; None where it has none.

    """

    path: Path
    data_start: int
    tensors: Mapping[str, TensorInfo]
    metadata: Mapping[str, str] | None

    def bytes_of(self, name: str) -> npt.NDArray[np.uint8]:
        """Map a tensor's bytes, shape (size,); pages are read when they are used."""
        info = self.tensors[name]
        if not info.size:
            return np.zeros(0, dtype=np.uint8)
        place = self.data_start + info.start
        return np.memmap(self.path, dtype=np.uint8, mode="r", offset=place, shape=(info.size,))


def read_header(path: Path) -> SafetensorsFile:
    """Read the header of a file and check it against the file's length.

    Raises
    ------
    FormatError
        If the file cannot be read or is not in the format: cut short, a
        tensor outside of it, or of another length than its shape says.

    """
    try:
        length = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(8)
            header_bytes = struct.unpack("<Q", start)[0] if len(start) == 8 else length
            if header_bytes > min(_LONGEST_HEADER, length - 8):
                raise FormatError(
                    f"{path}: not a safetensors file: header of {header_bytes} bytes "
                    f"in a file of {length}",
                    hint="download or copy the file again",
                )
            header = json.loads(file.read(header_bytes))
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{path}: the header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise FormatError(f"{path}: the header is not an object")
    metadata = header.pop("__metadata__", None)
    tensors = [_info(path, name, value) for name, value in header.items()]
    tensors.sort(key=lambda info: (info.start, info.end))
    _check_places(path, tensors, length - 8 - header_bytes)
    return SafetensorsFile(path, 8 + header_bytes, {info.name: info for info in tensors}, metadata)


def _info(path: Path, name: str, value: Any) -> TensorInfo:
    try:
        start, end = value["data_offsets"]
        shape, dtype = tuple(value["shape"]), value["dtype"]
        whole = all(isinstance(number, int) and number >= 0 for number in (*shape, start, end))
    except (TypeError, KeyError, ValueError) as error:
        raise FormatError(
            f"{path}: tensor {name!r}: expected dtype, shape and data_offsets"
        ) from error
    if not whole or dtype not in ELEMENT_BYTES:
        raise FormatError(f"{path}: tensor {name!r}: {dtype} of shape {list(shape)} is not known")
    if end - start != math.prod(shape) * ELEMENT_BYTES[dtype]:
        raise FormatError(
            f"{path}: tensor {name!r}: {end - start} bytes, expected "
            f"{math.prod(shape) * ELEMENT_BYTES[dtype]} for {dtype} of shape {list(shape)}"
        )
    return TensorInfo(name, dtype, shape, start, end)


def _check_places(path: Path, tensors: list[TensorInfo], length: int) -> None:
    """Fail when tensors do not fill the file one after the other."""
    place = 0
    for info in tensors:
        if info.start != place:
            raise FormatError(
                f"{path}: tensor {info.name!r} starts at byte {info.start}, expected {place}"
            )
        place = info.end
    if place != length:
        raise FormatError(
            f"{path}: {length} bytes of tensors, expected {place}",
            hint="download or copy the file again",
        )


def write_header(
    file: BinaryIO, tensors: list[TensorInfo], metadata: Mapping[str, str] | None
) -> None:
    """Write the header of tensors that will follow in the same order."""
    header: dict[str, Any] = {} if metadata is None else {"__metadata__": dict(metadata)}
    place = 0
    for info in tensors:
        header[info.name] = {
            "dtype": info.dtype,
            "shape": list(info.shape),
            "data_offsets": [place, place + info.size],
        }
        place += info.size
    content = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    # Tensors start at a multiple of 8 bytes, as in the reference writer.
    content += b" " * (-len(content) % 8)
    file.write(struct.pack("<Q", len(content)) + content)
