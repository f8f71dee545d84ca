"""Rank files (tiktoken) and tekken.json, written in the tests."""

from __future__ import annotations

import base64
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def rank_file(ranks: Mapping[bytes, int]) -> str:
    """The text of a .tiktoken file."""
    lines = (f"{base64.b64encode(piece).decode()} {rank}\n" for piece, rank in ranks.items())
    return "".join(lines)


def load_ranks(
    ranks: Mapping[bytes, int],
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
    encoding: str | None = None,
) -> Any:
    """A rank file as pytok loads it."""
    import pytok

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.tiktoken"
        path.write_text(rank_file(ranks))
        return pytok.Tokenizer.from_file(
            path, pattern=pattern, special_tokens=special_tokens, encoding=encoding
        )


def tekken(
    pieces: Sequence[bytes],
    pattern: str,
    *,
    vocab_size: int,
    special_count: int,
    special_tokens: Sequence[str] | None = None,
) -> str:
    """The text of a tekken.json: special tokens come first, pieces after them."""
    config = {
        "pattern": pattern,
        "num_vocab_tokens": len(pieces),
        "default_vocab_size": vocab_size,
        "default_num_special_tokens": special_count,
        "version": "v7" if special_tokens is not None else "v3",
    }
    vocab = []
    for rank, piece in enumerate(pieces):
        try:
            text: str | None = piece.decode()
        except UnicodeDecodeError:
            text = None
        entry = {"rank": rank, "token_bytes": base64.b64encode(piece).decode(), "token_str": text}
        vocab.append(entry)
    result: dict[str, Any] = {"config": config, "vocab": vocab}
    if special_tokens is not None:
        result["special_tokens"] = [
            {"rank": rank, "token_str": name, "is_control": True}
            for rank, name in enumerate(special_tokens)
        ]
    return json.dumps(result, ensure_ascii=False)
