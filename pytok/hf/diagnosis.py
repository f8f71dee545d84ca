"""Why a folder cannot be loaded: which file, and what is wrong with it."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any

from pytok import FormatError, Tokenizer

__all__ = ["explain", "warn_of_stale_file"]


def explain(source: str | os.PathLike[str]) -> None:
    """Look for what is wrong with the files of a folder that could not be loaded.

    Raises
    ------
    FormatError
        With the first file that is half-written, or not what it has to be.

    """
    folder = Path(source)
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        path = folder / name
        if path.is_file():
            try:
                content = json.loads(path.read_text("utf-8"))
            except ValueError as error:
                raise FormatError(
                    f"{path}: not a valid JSON file: {error}", hint="save the tokenizer again"
                ) from error
            if not isinstance(content, dict):
                raise FormatError(f"{path}: a {type(content).__name__}, expected an object")
    path = folder / "tokenizer.json"
    if path.is_file():
        Tokenizer.from_file(path)


def warn_of_stale_file(core: Tokenizer, backend: Any, path: str) -> None:
    """Compare the pytok.json of a folder with its tokenizer.json, which is the one in use.

    Warns
    -----
    UserWarning
        With the first piece that they give different ids.

    """
    vocab = backend.get_vocab(with_added_tokens=True)
    for piece, token_id in core.vocab.items():
        if vocab.get(piece) != token_id:
            warnings.warn(
                f"{path}: {piece!r} has id {token_id}, but {vocab.get(piece)} in tokenizer.json, "
                "which is used; save the tokenizer again",
                stacklevel=3,
            )
            return
