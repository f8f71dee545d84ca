"""The fast way: the ids of texts and their masks, and nothing per token."""

from __future__ import annotations

from typing import Any

from pytok import Tokenizer
from pytok.hf.flat_batch import FlatBatch, Frame, Padding
from pytok.hf.options import text_of

__all__ = ["flat_batch", "laid_out", "padding_of", "truncated"]


def flat_batch(core: Tokenizer, texts: list[str], add_special_tokens: bool) -> FlatBatch:
    """Encode texts; control tokens in them are tokens, as in transformers.

    Raises
    ------
    EncodeError
        When the model has no token for a part of a text.

    """
    return FlatBatch(
        *core.encode_batch_ids(texts, special="special", add_special_tokens=add_special_tokens)
    )


def truncated(
    batch: FlatBatch, core: Tokenizer, side: str, options: dict[str, Any]
) -> FlatBatch | None:
    """Truncate as a call asks; None when there is no room for the special tokens."""
    if text_of(options.get("truncation_strategy")) not in ("longest_first", "only_first"):
        return batch
    max_length = options.get("max_length")
    frame = _frame(core) if options.get("add_special_tokens", True) else Frame(0, 0)
    if max_length is None or max_length <= frame.before + frame.after:
        return None
    return batch.truncated(max_length, frame, side)


def _frame(core: Tokenizer) -> Frame:
    """Count the special tokens around a text."""
    mask = core.encode("a", special="special").special_tokens_mask
    inside = [at for at, special in enumerate(mask) if not special]
    if not inside:
        return Frame(len(mask), 0)
    return Frame(inside[0], len(mask) - inside[-1] - 1)


def padding_of(tokenizer: Any, options: dict[str, Any]) -> Padding | None:
    """Read how a call wants its rows padded; None for not at all."""
    strategy = text_of(options.get("padding_strategy"))
    if strategy not in ("longest", "max_length"):
        return None
    return Padding(
        length=options.get("max_length") if strategy == "max_length" else None,
        multiple_of=options.get("pad_to_multiple_of"),
        side=options.get("padding_side") or tokenizer.padding_side,
        pad_id=tokenizer.pad_token_id,
    )


def laid_out(
    batch: FlatBatch, padding: Padding | None, names: list[str], options: dict[str, Any]
) -> dict[str, Any] | None:
    """Lay a batch out under the names of model inputs; None when an array has no such shape."""
    ids: Any
    mask: Any
    if options.get("return_tensors") is None:
        ids, mask = batch.rows(padding)
    else:
        found = batch.matrix(padding)
        if found is None:
            return None
        ids, mask = found
    data = {"input_ids": ids}
    wanted = options.get("return_attention_mask")
    if "attention_mask" in names if wanted is None else wanted:
        data["attention_mask"] = mask
    if options.get("return_length"):
        data["length"] = [len(row) for row in ids]
    return data
