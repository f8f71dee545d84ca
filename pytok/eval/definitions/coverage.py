"""What the vocabulary lacks, in several readings."""

from __future__ import annotations

from pytok.eval.definitions.metric import SHARE, Metric, on_text, on_words

__all__ = ["METRICS"]

METRICS: tuple[Metric, ...] = (
    on_text(
        "oov_char",
        "oov_char",
        SHARE,
        "low",
        "characters for which, in context, no single token covers all bytes (or it is unk) / "
        "characters",
        "missing_characters",
        "characters",
    ),
    on_text(
        "oov_unk",
        "oov_unk",
        SHARE,
        "low",
        "ids that are the unknown token / ids",
        "unknown_tokens",
        "tokens",
    ),
    on_words(
        "oov_word",
        "oov_word",
        SHARE,
        "low",
        "word tokens that are not one piece and contain an oov_char or have no piece of two "
        "or more characters (one-character words: contain an oov_char) / word tokens",
        "missing_words",
        "words",
    ),
    on_words(
        "oov_word_type",
        "",
        SHARE,
        "low",
        "mean over distinct words of the share of their occurrences that are oov_word",
    ),
    on_words(
        "oov_lex",
        "oov_lex",
        SHARE,
        "low",
        "gold word tokens that the segmenter's dictionary lacks / gold word tokens",
        "words_not_in_dictionary",
        "words",
    ),
    on_words(
        "oov_lex_han",
        "oov_lex_han",
        SHARE,
        "low",
        "oov_lex over the gold words of Han characters only",
        "han_words_not_in_dictionary",
        "han_words",
    ),
)
