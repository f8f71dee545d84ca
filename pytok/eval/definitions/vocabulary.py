"""How the entries of the vocabulary are used, and how fast."""

from __future__ import annotations

from pytok.eval.definitions.metric import SHARE, Metric, on_text

__all__ = ["METRICS"]

METRICS: tuple[Metric, ...] = (
    on_text(
        "broken_char_share",
        "broken_char",
        SHARE,
        "low",
        "broken_char_share: tokens whose bytes are not whole code points / tokens",
        "broken_tokens",
        "tokens",
    ),
    on_text(
        "single_char_token_share",
        "",
        SHARE,
        "low",
        "tokens that are one character (a leading space aside) / tokens",
        "single_character_tokens",
        "tokens",
    ),
    on_text(
        "bits_per_bit",
        "",
        "ratio",
        "high",
        "8 x bytes / (tokens x log2 vocabulary size)",
        "bits",
        "id_bits",
    ),
    on_text(
        "nsl",
        "",
        "ratio",
        "low",
        "tokens / tokens of the reference tokenizer (the first one)",
        "tokens",
        "reference_tokens",
    ),
    on_text(
        "renyi_efficiency",
        "",
        SHARE,
        "high",
        "log2(sum p^2.5) / (1 - 2.5) / log2 vocabulary size",
    ),
    on_text("ids_used", "", "ids", "", "ids that occur"),
    on_text("rare_ids", "", "ids", "", "ids with fewer than 5 occurrences per million tokens"),
    on_text(
        "unreachable_ids",
        "",
        "ids",
        "low",
        "ids with text that encoding their text, special tokens allowed, does not give back",
    ),
    on_text(
        "straddling_tokens",
        "",
        "vocabulary entries",
        "low",
        "vocabulary entries whose bytes cross the edge of a character",
    ),
    on_text(
        "megabytes_per_second",
        "MB/s",
        "10^6 bytes per second",
        "high",
        "UTF-8 bytes / wall time of encode_batch_ids (a segmenter: of its cut), one thread, "
        "text not seen before in this process",
        "megabytes",
        "seconds",
    ),
)
