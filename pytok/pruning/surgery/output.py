"""The folder of the new checkpoint, written beside its place and then renamed into it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pytok.errors import ExportError, PytokError
from pytok.pruning.surgery.checkpoint import CONFIG, GENERATION_CONFIG, INDEX, Checkpoint

__all__ = ["check_output", "copy_others", "staged", "write_json"]

# They belong to the old vocabulary, whoever reads them.
_OF_TOKENIZERS = (
    "added_tokens.json",
    "merges.txt",
    "pytok.json",
    "special_tokens_map.json",
    "tekken.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.json",
    "vocab.txt",
)
_OF_TOKENIZERS_ENDS = (".model", ".tiktoken", ".vocab")
_WEIGHTS = (
    *(".bin", ".ckpt", ".gguf", ".h5", ".msgpack", ".npz", ".onnx", ".ot", ".pt", ".pth"),
    *(".safetensors", ".index.json"),
)


def check_output(output: Path, source: Path) -> None:
    """Fail when the new checkpoint cannot go there.

    Raises
    ------
    ExportError
        If the place is a file, a folder that is not empty, or in the source.

    """
    if output.resolve() == source.resolve() or source.resolve() in output.resolve().parents:
        raise ExportError(
            f"{output}: is in the folder of the model, which stays as it is",
            hint="choose another folder",
        )
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise ExportError(f"{output}: is there already", hint="choose an empty or a new folder")


@contextmanager
def staged(output: Path, needed: int) -> Iterator[Path]:
    """Give a folder to write into, which becomes `output` when all went well.

    Parameters
    ----------
    output
        The folder to be made.
    needed
        Bytes that will be written.

    Raises
    ------
    ExportError
        If the disk is full or nothing can be written.

    """
    parent = output.absolute().parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(parent).free
        if free < needed:
            raise ExportError(
                f"{output}: {needed:,} bytes are needed, {free:,} are free on the disk",
                hint="choose another disk",
            )
        # The inner folder has the rights of any new folder; the outer has none for others.
        outer = Path(tempfile.mkdtemp(prefix=f".{output.name}-", dir=parent))
    except OSError as error:
        raise _unwritable(output, error) from error
    try:
        inner = outer / output.name
        inner.mkdir()
        yield inner
        if output.is_dir():
            output.rmdir()
        inner.rename(output)
    except OSError as error:
        if isinstance(error, PytokError):
            raise
        raise _unwritable(output, error) from error
    finally:
        shutil.rmtree(outer, ignore_errors=True)


def _unwritable(output: Path, error: OSError) -> ExportError:
    return ExportError(
        f"{output}: cannot be written: {error.strerror or error}",
        hint="choose a writable folder on a disk with room",
    )


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write an object as transformers does, whole on the disk when it returns."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def copy_others(checkpoint: Checkpoint, folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Copy the files that do not depend on the vocabulary; name them and those left out."""
    written = {CONFIG, GENERATION_CONFIG, *checkpoint.files}
    written |= {INDEX} if checkpoint.index is not None else set()
    copied, left_out = [], []
    for entry in sorted(checkpoint.folder.iterdir()):
        if entry.name in written:
            continue
        if not entry.is_file() or _depends(entry.name):
            left_out.append(entry.name)
        else:
            shutil.copyfile(entry, folder / entry.name)
            copied.append(entry.name)
    return tuple(copied), tuple(left_out)


def _depends(name: str) -> bool:
    return (
        name.startswith((".", "tokenization_"))
        or name in _OF_TOKENIZERS
        or name.endswith(_OF_TOKENIZERS_ENDS + _WEIGHTS)
    )
