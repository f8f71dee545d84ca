"""Encoding with Chinese steps: all of it by the core, whose offsets know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transformers import BatchEncoding

from pytok import Tokenizer
from pytok.hf.options import RICH, first_row, holds_pairs, is_batch, text_of

__all__ = ["encode_through_core"]

_FIELDS = ("return_token_type_ids", "return_attention_mask", "return_length", *RICH)


def encode_through_core(
    tokenizer: Any, core: Tokenizer, text: Any, pair: Any, options: dict[str, Any]
) -> BatchEncoding:
    """Do what `_encode_plus` does, with the encodings of the core."""
    words = bool(options.get("is_split_into_words"))
    batched = is_batch(text, words)
    texts = list(text) if batched else [text]
    if pair is not None:
        texts = list(zip(texts, pair if batched else [pair], strict=True))
    elif holds_pairs(texts, words):
        texts = [tuple(item) for item in texts]
    encodings = _encodings(tokenizer, core, texts, options)
    wanted = {name: options[name] for name in _FIELDS if name in options}
    data: dict[str, list[Any]] = {}
    flat: list[Any] = []
    origins: list[int] = []
    for number, encoding in enumerate(encodings):
        fields, parts = tokenizer._convert_encoding(encoding=encoding, **wanted)
        for key, values in fields.items():
            data.setdefault(key, []).extend(values)
        flat += parts
        origins += [number] * len(parts)
    overflow = bool(options.get("return_overflowing_tokens"))
    if overflow:
        data["overflow_to_sample_mapping"] = origins
    for row in data.get("input_ids", ()):
        tokenizer._eventual_warn_about_too_long_sequence(
            row, options.get("max_length"), options.get("verbose", True)
        )
    tensors = options.get("return_tensors")
    if not batched and tensors is None and not overflow:
        data = first_row(data)
    return BatchEncoding(data, flat, tensor_type=tensors)


def _encodings(
    tokenizer: Any, core: Tokenizer, texts: list[Any], options: dict[str, Any]
) -> Sequence[Any]:
    split = options.get("split_special_tokens")
    split = tokenizer.split_special_tokens if split is None else split
    strategy = text_of(options.get("truncation_strategy") or "do_not_truncate")
    padding = text_of(options.get("padding_strategy") or "do_not_pad")
    arguments: dict[str, Any] = {}
    if strategy != "do_not_truncate" or padding == "max_length":
        arguments["max_length"] = options.get("max_length")
    if strategy != "do_not_truncate":
        arguments["stride"] = options.get("stride", 0)
        arguments["truncation_strategy"] = strategy
        arguments["truncation_side"] = tokenizer.truncation_side
    if padding != "do_not_pad":
        arguments["padding"] = padding
        arguments["pad_to_multiple_of"] = options.get("pad_to_multiple_of")
        arguments["padding_side"] = options.get("padding_side") or tokenizer.padding_side
        arguments["pad_id"] = tokenizer.pad_token_id
        arguments["pad_token"] = tokenizer.pad_token
        arguments["pad_type_id"] = tokenizer.pad_token_type_id
    return core.encode_batch(
        texts,
        is_pretokenized=bool(options.get("is_split_into_words")),
        special="text" if split else "special",
        add_special_tokens=options.get("add_special_tokens", True),
        **arguments,
    )
