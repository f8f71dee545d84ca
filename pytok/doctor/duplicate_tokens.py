"""Tokens that are there twice, and ids that two tokens share or nobody has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pytok.doctor.finding import ALL, Finding
from pytok.doctor.folder import TOKENIZER, Folder, shown

__all__ = ["duplicate_tokens"]


def duplicate_tokens(folder: Folder) -> Iterator[Finding]:
    """Find tokens with two ids, ids with two tokens, and added tokens at odds with the model."""
    if not folder.json(TOKENIZER):
        return
    lists = ([piece for piece, _ in folder.pieces], [token["content"] for token in folder.added])
    counts = [Counter(texts).items() for texts in lists]
    twice = [text for items in counts for text, count in items if count > 1] + folder.repeated
    if twice:
        yield _finding(
            f"{shown(twice)}: there twice, and only the last id is used",
            "model.vocab, added_tokens",
        )
    owners: dict[int, str] = {}
    shared = []
    for piece, number in folder.ids.items():
        if owners.setdefault(number, piece) != piece:
            shared.append(f"{owners[number]} and {piece}")
    if shared:
        yield _finding(
            f"{shown(shared)} have one id: decoding gives one of them", "model.vocab, added_tokens"
        )
    pieces = dict(folder.pieces)
    moved = [
        token["content"]
        for token in folder.added
        if pieces.get(token["content"], token["id"]) != token["id"]
    ]
    if moved:
        yield _finding(f"{shown(moved)}: another id in the model's vocabulary", "added_tokens")


def _finding(what: str, where: str) -> Finding:
    return Finding(
        "duplicate-tokens",
        "error",
        what,
        f"{TOKENIZER}: {where}",
        "take one of them out, and keep the id that the model was trained with",
        ALL,
    )
