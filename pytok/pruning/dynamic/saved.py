"""The file of a dynamic vocabulary: one .npz archive, without code in it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pytok._written import written
from pytok.errors import ConfigError, FormatError, TokenizerNotFoundError
from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.records import EventFields
from pytok.pruning.dynamic.state import State
from pytok.tokenizer import Tokenizer, restore

__all__ = ["Saved", "read_state", "write_state"]

_FORM = "pytok.dynamic/1"
_ARRAYS = ("active", "removable", "used", "wanted", "streak", "rested")


@dataclass(frozen=True, eq=False)
class Saved:
    """What a file holds; the fields are those of a `DynamicVocab`."""

    tokenizer: bytes
    name: str
    protect: tuple[int, ...]
    options: DynamicOptions
    span: tuple[int | None, str]
    version: int
    state: State
    history: tuple[list[Any], npt.NDArray[np.uint32]]
    events: tuple[EventFields, ...]
    totals: tuple[int, int, int]
    inflation: float | None

    def restored(self) -> Tokenizer:
        """Compile the whole vocabulary."""
        return restore(self.tokenizer, self.name)


def write_state(path: Path, saved: Saved) -> Path:
    """Write a file beside its place and rename it.

    Raises
    ------
    ExportError
        When it cannot be written.

    """
    state = saved.state
    header = {
        "form": _FORM,
        "name": saved.name,
        "protect": saved.protect,
        "options": asdict(saved.options),
        "span": saved.span,
        "version": saved.version,
        "tokens": state.tokens,
        "probed": state.probed,
        "epoch": state.epoch,
        "history": saved.history[0],
        "events": saved.events,
        "totals": saved.totals,
        "inflation": saved.inflation,
    }
    arrays: dict[str, Any] = {name: getattr(state, name) for name in _ARRAYS}
    arrays["removed"] = saved.history[1]
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    arrays["tokenizer"] = np.frombuffer(saved.tokenizer, np.uint8)
    with written(path) as stream:
        np.savez_compressed(stream, **arrays)
    return path


def read_state(path: Path) -> Saved:
    """Read a file.

    Raises
    ------
    TokenizerNotFoundError
        When there is none.
    FormatError
        When it is damaged or of another kind.

    """
    if not path.is_file():
        raise TokenizerNotFoundError(f"{path}: no such file", hint="check the path")
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays["header"].tobytes())
        if header["form"] != _FORM:
            raise FormatError(f"{path}: of the form {header['form']!r}, expected {_FORM!r}")
        return _read(header, arrays)
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile, EOFError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{path}: no state of a dynamic vocabulary: {error}") from error


def _event(fields: list[Any]) -> EventFields:
    version, epoch, token_id, active, reason, utility = fields
    return version, epoch, token_id, active, reason, utility


def _read(header: dict[str, Any], arrays: dict[str, Any]) -> Saved:
    kinds = (np.bool_, np.bool_, np.float64, np.float64, np.int64, np.int64)
    for name, kind in zip(_ARRAYS, kinds, strict=True):
        if arrays[name].dtype != kind or arrays[name].shape != arrays["active"].shape:
            raise ConfigError(f"{name}: {arrays[name].dtype} of shape {arrays[name].shape}")
    state = State(
        **{name: arrays[name] for name in _ARRAYS},
        tokens=float(header["tokens"]),
        probed=float(header["probed"]),
        epoch=int(header["epoch"]),
    )
    removed = arrays["removed"]
    if removed.dtype != np.uint32 or len(removed) != sum(row[1] for row in header["history"]):
        raise ConfigError(f"removed: {removed.dtype} of shape {removed.shape}")
    first, second, third = header["totals"]
    return Saved(
        tokenizer=arrays["tokenizer"].tobytes(),
        name=header["name"],
        protect=tuple(header["protect"]),
        options=DynamicOptions(**header["options"]),
        span=(header["span"][0], header["span"][1]),
        version=int(header["version"]),
        state=state,
        history=(header["history"], removed),
        events=tuple(_event(event) for event in header["events"]),
        totals=(first, second, third),
        inflation=header["inflation"],
    )
