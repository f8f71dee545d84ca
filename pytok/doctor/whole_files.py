"""Files that are not whole: half-written, empty, or of another shape; or no tokenizer at all."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import ALL, PYTOK, Finding
from pytok.doctor.folder import TOKENIZER, Folder

__all__ = ["whole_files"]

_TOKENIZERS = (TOKENIZER, "pytok.json", "tekken.json", "vocab.json", "vocab.txt")
_PATTERNS = ("*.model", "*.tiktoken")


def whole_files(folder: Folder) -> Iterator[Finding]:
    """Find JSON files that cannot be read, and folders without a tokenizer."""
    for name, error in folder.broken.items():
        yield Finding(
            "whole-files",
            "error",
            f"it cannot be read: {error}",
            name,
            "write the folder again, or restore the file: saving was cut short",
            (*ALL, PYTOK),
        )
    patterns = any(True for pattern in _PATTERNS for _ in folder.path.glob(pattern))
    if not patterns and not any(folder.has(name) for name in _TOKENIZERS):
        yield Finding(
            "whole-files",
            "error",
            "there is no tokenizer in the folder",
            TOKENIZER,
            "save the tokenizer into it",
            (*ALL, PYTOK),
        )
