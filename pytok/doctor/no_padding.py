"""No token to pad with."""

from __future__ import annotations

from collections.abc import Iterator

from pytok._roles import NAMES
from pytok.doctor.finding import TRANSFORMERS_4, TRANSFORMERS_5, Finding
from pytok.doctor.folder import CONFIG, SPECIAL_MAP, TOKENIZER, Folder, content_of

__all__ = ["no_padding"]


def no_padding(folder: Folder) -> Iterator[Finding]:
    """Find a folder without pad_token; a special token with a usual name can take the role."""
    if not folder.json(TOKENIZER) or CONFIG in folder.broken:
        return
    named = (folder.json(name).get("pad_token") for name in (CONFIG, SPECIAL_MAP))
    if any(content_of(token) is not None for token in named):
        return
    special = {token["content"] for token in folder.added if token.get("special")}
    usual = next((name for name in NAMES["pad_token"] if name in special), None)
    yield Finding(
        "no-padding",
        "warning",
        "padding=True raises ValueError: there is no pad_token",
        f"{CONFIG}: pad_token",
        f"set it to {usual!r}" if usual else "name a special token that the model does not use",
        (TRANSFORMERS_4, TRANSFORMERS_5),
        {"pad_token": usual} if usual else {},
    )
