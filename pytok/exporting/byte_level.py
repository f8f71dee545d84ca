"""The tokenizer.json of a BPE over bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["byte_level_definition"]


def byte_level_definition(
    patterns: Iterable[str],
    vocab: Mapping[str, int],
    merges: Sequence[Sequence[str]],
    *,
    added_tokens: Sequence[Mapping[str, Any]] = (),
    ignore_merges: bool = False,
) -> dict[str, Any]:
    """Write a BPE over bytes as a tokenizer.json has it.

    Parameters
    ----------
    patterns
        What cuts a text, one after the other.
    vocab
        Pieces in the byte alphabet, and their ids.
    merges
        Pairs of pieces, in their order.
    added_tokens
        As tokenizer.json has them.
    ignore_merges
        Whether a whole word is looked up before it is merged.

    """
    stages: list[dict[str, Any]] = [
        {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}
        for regex in patterns
    ]
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": False,
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [dict(token) for token in added_tokens],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [*stages, byte_level]},
        "post_processor": None,
        "decoder": {**byte_level, "add_prefix_space": True, "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": ignore_merges,
            "vocab": dict(vocab),
            "merges": [list(pair) for pair in merges],
        },
    }
