"""Write a checkpoint with other rows: tensors, index, configuration, tokenizer."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from pytok.pruning.id_map import write_id_map
from pytok.pruning.surgery.checkpoint import (
    CONFIG,
    GENERATION_CONFIG,
    INDEX,
    Checkpoint,
    read_json,
)
from pytok.pruning.surgery.config_ids import Changes, moved_config
from pytok.pruning.surgery.layout import Layout
from pytok.pruning.surgery.output import copy_others, staged, write_json
from pytok.pruning.surgery.report import SurgeryReport, TensorChange
from pytok.pruning.surgery.rows import RowPlan, write_rows
from pytok.pruning.surgery.safetensors import SafetensorsFile, TensorInfo, write_header
from pytok.pruning.surgery.tokenizer_files import save_tokenizer
from pytok.tokenizer import Tokenizer

__all__ = ["NewRows", "write_checkpoint"]

_COPIED_BYTES = 8 << 20


@dataclass(frozen=True)
class NewRows:
    """The new vocabulary of a checkpoint.

    Parameters
    ----------
    plan
        Where each row comes from, padding included.
    ids
        Number of rows that an id uses.
    moved
        New id by old id; None if ids stay.
    tokenizer
        The tokenizer of the new ids, saved with the model; None for none.

    """

    plan: RowPlan
    ids: int
    moved: Mapping[int, int] | None
    tokenizer: Tokenizer | None


def write_checkpoint(
    checkpoint: Checkpoint, layout: Layout, new: NewRows, output: Path
) -> SurgeryReport:
    """Write the checkpoint with its new rows; the folder appears whole or not at all.

    Raises
    ------
    VocabError
        If the configuration names an id that is not kept.
    ExportError
        If it cannot be written.

    """
    configs, changes = _configs(checkpoint, layout, new)
    before, after = checkpoint.tensors(), {}
    for name, info in before.items():
        after[name] = _resized(info, layout.axes.get(name), len(new.plan))
    bytes_before = sum(info.size for info in before.values())
    bytes_after = sum(info.size for info in after.values())
    with staged(output, bytes_after) as folder:
        for name, file in checkpoint.files.items():
            _write_file(file, folder / name, after, layout, new.plan)
        if checkpoint.index is not None:
            write_json(folder / INDEX, _index(checkpoint.index, before, after))
        for name, content in configs.items():
            write_json(folder / name, content)
        copied, left_out = copy_others(checkpoint, folder)
        if new.moved is not None:
            write_id_map(new.moved, folder)
        if new.tokenizer is not None:
            save_tokenizer(new.tokenizer, folder, checkpoint.folder)
    return SurgeryReport(
        output=output,
        rows_before=layout.rows,
        rows_after=len(new.plan),
        ids=new.ids,
        tied=layout.tied,
        bytes_before=bytes_before,
        bytes_after=bytes_after,
        tensors=tuple(
            TensorChange(name, before[name].dtype, before[name].shape, after[name].shape)
            for name in layout.axes
        ),
        config_ids=changes,
        copied=copied,
        left_out=left_out,
    )


def _configs(
    checkpoint: Checkpoint, layout: Layout, new: NewRows
) -> tuple[dict[str, dict[str, Any]], Changes]:
    contents = {CONFIG: checkpoint.config}
    if (checkpoint.folder / GENERATION_CONFIG).is_file():
        contents[GENERATION_CONFIG] = read_json(checkpoint.folder / GENERATION_CONFIG)
    moved, changes = {}, {}
    for name, content in contents.items():
        rows = (layout.rows, len(new.plan))
        moved[name], changed = moved_config(content, name=name, ids=new.moved, rows=rows)
        changes.update(changed)
    return moved, changes


def _resized(info: TensorInfo, axis: int | None, rows: int) -> TensorInfo:
    if axis is None:
        return info
    size = info.size // info.shape[axis] * rows
    shape = (*info.shape[:axis], rows, *info.shape[axis + 1 :])
    return replace(info, shape=shape, end=info.start + size)


def _write_file(
    source: SafetensorsFile,
    path: Path,
    after: Mapping[str, TensorInfo],
    layout: Layout,
    plan: RowPlan,
) -> None:
    if not any(name in layout.axes for name in source.tensors):
        shutil.copyfile(source.path, path)
        return
    with path.open("wb") as file:
        write_header(file, [after[name] for name in source.tensors], source.metadata)
        for name, info in source.tensors.items():
            if name in layout.axes:
                write_rows(file, source.bytes_of(name), info, layout.axes[name], plan)
            else:
                _copy(file, source, name)
        file.flush()
        os.fsync(file.fileno())


def _copy(file: BinaryIO, source: SafetensorsFile, name: str) -> None:
    content = source.bytes_of(name)
    for start in range(0, len(content), _COPIED_BYTES):
        file.write(content[start : start + _COPIED_BYTES].data)


def _index(
    index: Mapping[str, Any], before: Mapping[str, TensorInfo], after: Mapping[str, TensorInfo]
) -> dict[str, Any]:
    """Correct the totals of the index by what changed."""
    metadata = dict(index.get("metadata") or {})
    if isinstance(metadata.get("total_size"), int):
        metadata["total_size"] += sum(after[name].size - before[name].size for name in before)
    if isinstance(metadata.get("total_parameters"), int):
        metadata["total_parameters"] += sum(
            _elements(after[name]) - _elements(before[name]) for name in before
        )
    return {**index, "metadata": metadata}


def _elements(info: TensorInfo) -> int:
    count = 1
    for length in info.shape:
        count *= length
    return count
