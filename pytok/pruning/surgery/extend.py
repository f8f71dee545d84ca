"""Give a checkpoint rows for the pieces that an extended tokenizer has more.

The row of a new piece is the mean of the rows of the pieces that the old
tokenizer cuts it into (Koto, Lau and Baldwin 2021, IndoBERTweet), in the
embedding, the output matrix and the biases alike. It is where training begins,
not a substitute for it: before that the model has never seen the new ids.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pytok.errors import VocabError
from pytok.pruning.surgery.checkpoint import open_checkpoint
from pytok.pruning.surgery.cut import OldPieces
from pytok.pruning.surgery.layout import layout_of
from pytok.pruning.surgery.output import check_output
from pytok.pruning.surgery.prune import check_multiple, padded_rows
from pytok.pruning.surgery.report import SurgeryReport
from pytok.pruning.surgery.rows import RowPlan
from pytok.pruning.surgery.write import NewRows, write_checkpoint
from pytok.tokenizer import Tokenizer

__all__ = ["extend_model"]


def extend_model(
    model: str | os.PathLike[str],
    output: str | os.PathLike[str],
    old: Tokenizer,
    new: Tokenizer,
    *,
    pad_to_multiple_of: int = 64,
    tensors: Mapping[str, int | None] | None = None,
) -> SurgeryReport:
    """Write a checkpoint with rows for the pieces of an extended tokenizer.

    Old rows stay as they are, bit for bit. The row of a new piece is the mean
    of the rows of the old pieces that it is cut into, computed in double
    precision; rows that only pad are the mean of all.

    Parameters
    ----------
    model
        Folder of a safetensors checkpoint, in one file or in shards. Read only.
    output
        Folder to be made; new or empty.
    old, new
        The tokenizer of the model, and the same with more pieces, as
        `pytok.extend` gives it. The new one is saved into the folder.
    pad_to_multiple_of
        Rows are padded to a multiple of it, at least 1, default 64; there are
        never fewer than before.
    tensors
        As in `prune_model`.

    Returns
    -------
    report
        Sizes and tensors before and after, files left out.

    Raises
    ------
    VocabError
        If an id of the old tokenizer means something else in the new one, the
        model has no row for it, or no new piece is there.
    ConfigError, FormatError, TokenizerNotFoundError, ExportError
        As in `prune_model`.

    Examples
    --------
    >>> import pytok
    >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
    >>> extend_model("no-model", "large", tokenizer, tokenizer)
    Traceback (most recent call last):
    pytok.errors.TokenizerNotFoundError: no-model: no such folder, expected a checkpoint

    """
    check_multiple(pad_to_multiple_of)
    checkpoint = open_checkpoint(Path(model))
    check_output(Path(output), Path(model))
    layout = layout_of(checkpoint, tensors)
    added = _new_ids(old, new)
    highest = max(old.vocab.values())
    if highest >= layout.rows:
        raise VocabError(f"old: has the id {highest}, but the model has {layout.rows} rows")
    ids = max(highest, added[-1]) + 1
    total = padded_rows(max(ids, layout.rows), pad_to_multiple_of)
    everything = np.array(sorted(set(old.vocab.values())), dtype=np.int64)
    # Rows of the model that no id used stay: a new id may take one over.
    source = np.arange(layout.rows, dtype=np.int64)
    pieces = OldPieces(old)
    means = [pieces.of(new.token_bytes(token_id)) for token_id in added]
    plan = RowPlan.padded(source, means, total, everything)
    plan.source[added] = -1 - np.arange(len(added))
    return write_checkpoint(checkpoint, layout, NewRows(plan, ids, None, new), Path(output))


def _new_ids(old: Tokenizer, new: Tokenizer) -> list[int]:
    pieces = {token_id: piece for piece, token_id in new.vocab.items()}
    for piece, token_id in old.vocab.items():
        if pieces.pop(token_id, None) != piece:
            raise VocabError(
                f"new: id {token_id} is not {piece!r} as in the old tokenizer",
                hint="pass a tokenizer that pytok.extend made from the old one",
            )
    if not pieces:
        raise VocabError("new: has no piece that the old tokenizer has not")
    return sorted(pieces)
