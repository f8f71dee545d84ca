"""Take the rows of the kept ids out of a checkpoint."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pytok.errors import ConfigError, VocabError
from pytok.pruning.surgery.checkpoint import open_checkpoint
from pytok.pruning.surgery.kept import KeptIds, kept_ids_of
from pytok.pruning.surgery.layout import layout_of
from pytok.pruning.surgery.output import check_output
from pytok.pruning.surgery.report import SurgeryReport
from pytok.pruning.surgery.rows import RowPlan
from pytok.pruning.surgery.write import NewRows, write_checkpoint
from pytok.tokenizer import Tokenizer

__all__ = ["check_model", "check_multiple", "padded_rows", "prune_model"]


def prune_model(
    model: str | os.PathLike[str],
    output: str | os.PathLike[str],
    kept_ids: KeptIds,
    *,
    tokenizer: Tokenizer | None = None,
    pad_to_multiple_of: int = 64,
    tensors: Mapping[str, int | None] | None = None,
) -> SurgeryReport:
    """Write a checkpoint that has rows for the kept ids alone.

    Embeddings, output matrices (tied or not) and biases lose the rows of the
    other ids, bit for bit as they were otherwise, in whatever type they are.
    Memory is bounded by blocks of rows. Rows that only pad are the mean of the
    kept ones: none of them has the highest logit, and each has at most the
    probability 1/n.

    Parameters
    ----------
    model
        Folder of a safetensors checkpoint, in one file or in shards. Read only.
    output
        Folder to be made; new or empty.
    kept_ids
        Old ids, whose places are the new ids, shape (n,); or a mapping of old
        id to new id, or pairs of them, shape (n, 2); or a .npy or .json file of
        any of these.
    tokenizer
        The pruned tokenizer, saved into the folder with the chat template and
        the roles of the old tokenizer_config.json; None to save none.
    pad_to_multiple_of
        Rows are padded to a multiple of it, at least 1, default 64.
    tensors
        Axis of the vocabulary by name of tensor, where names do not say it;
        None for a tensor that is as long as the vocabulary by chance.

    Returns
    -------
    report
        Sizes, tensors and ids before and after, files left out.

    Raises
    ------
    ConfigError
        If an option is out of range, or a tensor may belong to the vocabulary.
    VocabError
        If the ids do not fit the model, the tokenizer or the configuration.
    FormatError
        If the checkpoint is damaged or incomplete, its tensors disagree in
        length, or are not tied as config.json says.
    TokenizerNotFoundError
        If there is no checkpoint.
    ExportError
        If the folder is not empty, the disk is full or nothing can be written.

    Examples
    --------
    >>> prune_model("no-model", "small", [0, 1])
    Traceback (most recent call last):
    pytok.errors.TokenizerNotFoundError: no-model: no such folder, expected a checkpoint

    """
    check_multiple(pad_to_multiple_of)
    checkpoint = open_checkpoint(Path(model))
    check_output(Path(output), Path(model))
    layout = layout_of(checkpoint, tensors)
    kept = kept_ids_of(kept_ids, layout.rows)
    if tokenizer is not None and (highest := max(tokenizer.vocab.values())) >= len(kept):
        raise VocabError(
            f"tokenizer: has the id {highest}, but {len(kept)} ids are kept",
            hint="pass the tokenizer and the id map of the same pruning",
        )
    plan = RowPlan.padded(kept, [], padded_rows(len(kept), pad_to_multiple_of), kept)
    moved = {int(old): new for new, old in enumerate(kept)}
    return write_checkpoint(
        checkpoint, layout, NewRows(plan, len(kept), moved, tokenizer), Path(output)
    )


def check_model(
    model: str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    *,
    tensors: Mapping[str, int | None] | None = None,
) -> int:
    """Read the headers of a checkpoint, and fail as `prune_model` would before it writes.

    Parameters
    ----------
    model, tensors
        As in `prune_model`.
    output
        The folder that will be made; None when none will.

    Returns
    -------
    rows
        Rows of the vocabulary, padding included.

    Raises
    ------
    ConfigError, FormatError, TokenizerNotFoundError, ExportError
        As in `prune_model`.

    Examples
    --------
    >>> check_model("no-model")
    Traceback (most recent call last):
    pytok.errors.TokenizerNotFoundError: no-model: no such folder, expected a checkpoint

    """
    checkpoint = open_checkpoint(Path(model))
    if output is not None:
        check_output(Path(output), Path(model))
    return layout_of(checkpoint, tensors).rows


def check_multiple(multiple: object) -> None:
    """Fail when a number of rows cannot be padded to a multiple of it.

    Raises
    ------
    ConfigError
        If it is not a whole number of at least 1.

    """
    if not isinstance(multiple, (int, np.integer)) or isinstance(multiple, bool) or multiple < 1:
        raise ConfigError(
            f"pad_to_multiple_of: {multiple!r}, expected a whole number of at least 1"
        )


def padded_rows(ids: int, multiple: int) -> int:
    """Return the next multiple.

    Examples
    --------
    >>> padded_rows(65, 64), padded_rows(64, 64)
    (128, 64)

    """
    return -(-ids // multiple) * multiple
