"""A checkpoint folder: config.json, and tensors in one safetensors file or several shards."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytok.errors import FormatError, TokenizerNotFoundError
from pytok.pruning.surgery.safetensors import SafetensorsFile, TensorInfo, read_header

__all__ = ["CONFIG", "GENERATION_CONFIG", "INDEX", "Checkpoint", "open_checkpoint", "read_json"]

CONFIG = "config.json"
GENERATION_CONFIG = "generation_config.json"
SINGLE = "model.safetensors"
INDEX = "model.safetensors.index.json"


@dataclass(frozen=True)
class Checkpoint:
    """Headers and configuration of a checkpoint; no tensor has been read.

    Parameters
    ----------
    folder
        Where it lies.
    config
        Content of config.json.
    index
        Content of the index of the shards; None for a single file.
    files
        By file name.

    """

    folder: Path
    config: dict[str, Any]
    index: dict[str, Any] | None
    files: dict[str, SafetensorsFile]

    def tensors(self) -> dict[str, TensorInfo]:
        """Every tensor by name."""
        return {name: info for file in self.files.values() for name, info in file.tensors.items()}

    def file_of(self, name: str) -> SafetensorsFile:
        """Return the file that holds a tensor."""
        return next(file for file in self.files.values() if name in file.tensors)


def open_checkpoint(folder: Path) -> Checkpoint:
    """Read the configuration and all headers of a checkpoint.

    Raises
    ------
    TokenizerNotFoundError
        If there is no such folder, no config.json or no safetensors file in it.
    FormatError
        If a shard or a tensor that the index names is missing, a tensor is in
        two shards, or a file is damaged.

    """
    if not folder.is_dir():
        raise TokenizerNotFoundError(
            f"{folder}: no such folder, expected a checkpoint", hint="check the path"
        )
    if not (folder / CONFIG).is_file():
        raise TokenizerNotFoundError(
            f"{folder}: no {CONFIG}, expected the folder of a checkpoint", hint="check the path"
        )
    config = read_json(folder / CONFIG)
    # transformers takes the single file where both are there.
    if (folder / SINGLE).is_file():
        return Checkpoint(folder, config, None, {SINGLE: read_header(folder / SINGLE)})
    if not (folder / INDEX).is_file():
        raise TokenizerNotFoundError(
            f"{folder}: neither {SINGLE} nor {INDEX}",
            hint="save the model with save_pretrained, which writes safetensors",
        )
    index = read_json(folder / INDEX)
    return Checkpoint(folder, config, index, _shards(folder, index))


def read_json(path: Path) -> dict[str, Any]:
    """Read a JSON file that holds an object.

    Raises
    ------
    FormatError
        If it cannot be read or holds something else.

    """
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path}: not JSON: {error}") from error
    if not isinstance(content, dict):
        raise FormatError(f"{path}: expected an object")
    return content


def _shards(folder: Path, index: dict[str, Any]) -> dict[str, SafetensorsFile]:
    path = folder / INDEX
    places = index.get("weight_map")
    if not isinstance(places, dict) or not places:
        raise FormatError(f"{path}: weight_map is missing or empty")
    names = sorted({str(name) for name in places.values()})
    for name in names:
        if Path(name).name != name:
            raise FormatError(f"{path}: {name!r} is not the name of a file in the folder")
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise FormatError(
            f"{folder}: {len(missing)} of {len(names)} shards missing: {', '.join(missing[:5])}",
            hint="finish the download",
        )
    files = {name: read_header(folder / name) for name in names}
    for tensor, name in places.items():
        if tensor not in files[str(name)].tensors:
            raise FormatError(f"{folder / str(name)}: tensor {tensor!r} of the index is missing")
    for name, file in files.items():
        for tensor in file.tensors:
            if places.get(tensor) != name:
                raise FormatError(f"{folder / name}: tensor {tensor!r} is not in the index")
    return files
