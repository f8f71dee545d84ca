"""What the normalizer of a tokenizer.json makes of its own pieces."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator

from pytok.doctor.folder import Folder
from pytok.exporting.parts import CHARACTER_BYTES

__all__ = ["over_bytes", "with_normal_forms"]

# Those whose result they leave as it is: a piece that they change is in no normalised text.
_STEPS: dict[str, Callable[[str], str]] = {
    "NFC": lambda text: unicodedata.normalize("NFC", text),
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "NFKD": lambda text: unicodedata.normalize("NFKD", text),
    "Lowercase": str.lower,
}


def over_bytes(folder: Folder) -> bool:
    """Whether pieces are written with a character for each byte."""
    steps = [*folder.steps("pre_tokenizer"), *folder.steps("normalizer")]
    return any(step.get("type") == "ByteLevel" for step in steps)


def with_normal_forms(folder: Folder) -> Iterator[tuple[str, str, str]]:
    """List pieces that are whole text with their text, and what the normalizer makes of it.

    Nothing when there is no normalizer, or a step of it is not known here.
    """
    names = [str(step.get("type")) for step in folder.steps("normalizer")]
    if not names or any(name not in _STEPS for name in names):
        return
    steps = [_STEPS[name] for name in names]
    bytewise = over_bytes(folder)
    added = {token["content"] for token in folder.added}
    for piece, _ in folder.pieces:
        text = _text(piece) if bytewise else piece
        if piece in added or text is None:
            continue
        normal = text
        for step in steps:
            normal = step(normal)
        yield piece, text, normal


def _text(piece: str) -> str | None:
    """Give the text of a piece over bytes; None when it is no whole text."""
    try:
        return bytes(CHARACTER_BYTES[character] for character in piece).decode("utf-8")
    except (KeyError, UnicodeDecodeError):
        return None
