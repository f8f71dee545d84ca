"""The files of the new tokenizer in the folder of the model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytok.pruning.surgery.checkpoint import read_json
from pytok.pruning.surgery.output import write_json
from pytok.tokenizer import Tokenizer

__all__ = ["save_tokenizer"]

_CONFIG = "tokenizer_config.json"
_ROLES = "special_tokens_map.json"
# What names files, classes or ids of the old tokenizer.
_GONE = (
    *("auto_map", "tokenizer_file", "vocab_file", "merges_file", "tokenizer_class", "backend"),
    "added_tokens_decoder",
)
_LISTS = ("additional_special_tokens", "extra_special_tokens")


def save_tokenizer(tokenizer: Tokenizer, folder: Path, source: Path) -> None:
    """Save a tokenizer, with what the source's tokenizer_config.json says beyond it.

    Chat template, roles of special tokens and lengths are taken over; a role
    whose token is gone is not.
    """
    tokenizer.save(folder)
    if not (folder / _CONFIG).is_file():
        return
    old: dict[str, Any] = {}
    for name in (_ROLES, _CONFIG):
        if (source / name).is_file():
            old.update(read_json(source / name))
    kept = {key: value for key, value in old.items() if key not in _GONE}
    pieces = tokenizer.vocab
    for key in list(kept):
        if key.endswith("_token") and not _present(kept[key], pieces):
            del kept[key]
        elif key in _LISTS and isinstance(kept[key], list):
            kept[key] = [token for token in kept[key] if _present(token, pieces)]
    write_json(folder / _CONFIG, {**read_json(folder / _CONFIG), **kept})


def _present(token: Any, pieces: Mapping[str, int]) -> bool:
    """Whether a role has a token of the vocabulary, or none (null, or a flag of another kind)."""
    content = token.get("content") if isinstance(token, dict) else token
    return not isinstance(content, str) or content in pieces
