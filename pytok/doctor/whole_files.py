"""Files that are not whole: half-written, empty, or of another shape; or no tokenizer at all."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import ALL, PYTOK, TRANSFORMERS, Finding
from pytok.doctor.folder import CONFIG, TOKENIZER, Folder

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
            "write the folder again, or restore the file: whole, readable, UTF-8 without a mark",
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
    elif not patterns and _ours_alone(folder):
        yield Finding(
            "whole-files",
            "error",
            "transformers finds no tokenizer: there is pytok.json alone, and a class of another",
            f"{CONFIG}: tokenizer_class",
            "save with pytok.hf.PytokTokenizer.save_pretrained, or with tokenizer.json",
            TRANSFORMERS,
        )


def _ours_alone(folder: Folder) -> bool:
    others = any(folder.has(name) for name in _TOKENIZERS if name != "pytok.json")
    named = folder.config.get("tokenizer_class")
    return not others and TOKENIZER not in folder.broken and named != "PytokTokenizer"
