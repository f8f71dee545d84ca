"""Into how many even parts sentences, clauses and words are cut."""

from __future__ import annotations

from pytok.eval.definitions.metric import SHARE, Metric, on_text, on_words

__all__ = ["METRICS"]

_ENTROPY = (
    "mean over {units} of H = -sum (l/L) log2 (l/L), l = characters of each piece inside the "
    "{unit} (a character in k pieces gives k of 1/k), L = their sum"
)
_NORMALISED = "mean over {units} of two or more characters of H / log2 L"

METRICS: tuple[Metric, ...] = (
    on_text(
        "fragmentation_entropy_sentence",
        "FE sentence",
        "bits",
        "low",
        _ENTROPY.format(units="sentences (split after 。！？ and closers)", unit="sentence"),
        "sentence_entropy",
        "sentences",
    ),
    on_text(
        "fragmentation_entropy_clause",
        "FE clause",
        "bits",
        "low",
        "the same over clauses (split after any punctuation mark, which stays with them)",
        "clause_entropy",
        "clauses",
    ),
    on_words(
        "fragmentation_entropy_word",
        "FE word",
        "bits",
        "low",
        "the same over words of two or more characters; 0 = never cut",
        "word_entropy",
        "long_words",
    ),
    on_text(
        "fe_norm_sentence",
        "",
        SHARE,
        "low",
        _NORMALISED.format(units="sentences"),
        "sentence_entropy_normalised",
        "long_sentences",
    ),
    on_text(
        "fe_norm_clause",
        "",
        SHARE,
        "low",
        _NORMALISED.format(units="clauses"),
        "clause_entropy_normalised",
        "long_clauses",
    ),
    on_words(
        "fe_norm_word",
        "",
        SHARE,
        "low",
        _NORMALISED.format(units="words"),
        "word_entropy_normalised",
        "long_words",
    ),
    on_words(
        "consistency_entropy",
        "",
        "bits",
        "low",
        "H(cuts inside the word | word type), weighted by frequency",
    ),
)
