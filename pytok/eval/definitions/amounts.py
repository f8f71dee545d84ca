"""How much text there is, and how much of it a token carries."""

from __future__ import annotations

from pytok.eval.definitions.metric import Metric, on_text

__all__ = ["METRICS"]

METRICS: tuple[Metric, ...] = (
    on_text("characters", "characters", "code points", "", "code points of the text"),
    on_text("tokens", "tokens", "tokens", "", "pieces of the text, encoded by document"),
    on_text(
        "chars_per_token",
        "chars/token",
        "characters per token",
        "high",
        "characters / tokens",
        "characters",
        "tokens",
    ),
    on_text(
        "bytes_per_token",
        "bytes/token",
        "bytes per token",
        "high",
        "UTF-8 bytes / tokens",
        "bytes",
        "tokens",
    ),
    on_text(
        "tokens_per_char",
        "tokens/char",
        "tokens per character",
        "low",
        "tokens / characters",
        "tokens",
        "characters",
    ),
)
