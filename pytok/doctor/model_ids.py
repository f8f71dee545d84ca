"""Ids in config.json and generation_config.json that do not fit the tokenizer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytok.doctor.finding import ALL, TRANSFORMERS, Finding
from pytok.doctor.folder import TOKENIZER, Folder, content_of

__all__ = ["model_ids"]


def model_ids(folder: Folder) -> Iterator[Finding]:
    """Find more ids than rows, and a model that stops at another token."""
    if not folder.json(TOKENIZER):
        return
    config = folder.json("config.json")
    text = config.get("text_config")
    rows: Any = config.get("vocab_size", text.get("vocab_size") if isinstance(text, dict) else None)
    largest = max(folder.ids.values(), default=-1)
    if isinstance(rows, int) and largest >= rows:
        yield Finding(
            "model-ids",
            "error",
            f"the model has {rows:,} rows, and ids go up to {largest:,}: the last fail or are "
            "arbitrary",
            "config.json: vocab_size",
            "resize the model (`pytok extend --model` makes rows), or use the tokenizer it had",
            ALL,
        )
    token = content_of(folder.config.get("eos_token"))
    number = None if token is None else folder.ids.get(token)
    name = "generation_config.json" if folder.has("generation_config.json") else "config.json"
    stops = folder.json(name).get("eos_token_id")
    stops = stops if isinstance(stops, list) else [stops]
    if number is not None and stops != [None] and number not in stops:
        yield Finding(
            "model-ids",
            "warning",
            f"the model stops at {stops}, and eos_token {token!r} has id {number}: it may not stop",
            f"{name}: eos_token_id",
            "write the ids of all tokens that end an answer",
            TRANSFORMERS,
        )
