"""Every number that is printed: its definition, unit and direction.

A metric with `numerator` and `denominator` is the ratio of these two columns
of per-document sums, which is what its interval is computed from.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["METRICS", "Metric", "describe"]


@dataclass(frozen=True)
class Metric:
    """One metric.

    Parameters
    ----------
    name
        Name in code and JSON.
    label
        Heading in the table; empty where the table leaves the metric out.
    unit
        Unit of the value.
    better
        ``"low"``, ``"high"`` or ``""``.
    on_words
        Whether it is measured on the text whose words are known (gold where
        there is gold).
    definition
        What the value is.
    numerator, denominator
        Columns of the per-document sums; empty for a metric that is not a
        ratio of such sums.

    """

    name: str
    label: str
    unit: str
    better: str
    on_words: bool
    definition: str
    numerator: str = ""
    denominator: str = ""


def _text(name: str, label: str, unit: str, better: str, definition: str, *columns: str) -> Metric:
    return Metric(name, label, unit, better, False, definition, *columns)


def _words(name: str, label: str, unit: str, better: str, definition: str, *columns: str) -> Metric:
    return Metric(name, label, unit, better, True, definition, *columns)


_SHARE = "share 0..1"
_ENTROPY = (
    "mean over {units} of H = -sum (l/L) log2 (l/L), l = characters of each piece inside the "
    "{unit} (a character in k pieces gives k of 1/k), L = their sum"
)
_NORMALISED = "mean over {units} of two or more characters of H / log2 L"

METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        _text("characters", "characters", "code points", "", "code points of the text"),
        _text("tokens", "tokens", "tokens", "", "pieces of the text, encoded by document"),
        _text(
            "chars_per_token",
            "chars/token",
            "characters per token",
            "high",
            "characters / tokens",
            "characters",
            "tokens",
        ),
        _text(
            "bytes_per_token",
            "bytes/token",
            "bytes per token",
            "high",
            "UTF-8 bytes / tokens",
            "bytes",
            "tokens",
        ),
        _text(
            "tokens_per_char",
            "tokens/char",
            "tokens per character",
            "low",
            "tokens / characters",
            "tokens",
            "characters",
        ),
        _text(
            "oov_char",
            "oov_char",
            _SHARE,
            "low",
            "characters for which, in context, no single token covers all bytes (or it is unk) / "
            "characters",
            "missing_characters",
            "characters",
        ),
        _text(
            "oov_unk",
            "oov_unk",
            _SHARE,
            "low",
            "ids that are the unknown token / ids",
            "unknown_tokens",
            "tokens",
        ),
        _words(
            "oov_word",
            "oov_word",
            _SHARE,
            "low",
            "word tokens that are not one piece and contain an oov_char or have no piece of two "
            "or more characters (one-character words: contain an oov_char) / word tokens",
            "missing_words",
            "words",
        ),
        _words(
            "oov_word_type",
            "",
            _SHARE,
            "low",
            "mean over distinct words of the share of their occurrences that are oov_word",
        ),
        _words(
            "oov_lex",
            "oov_lex",
            _SHARE,
            "low",
            "gold word tokens that the segmenter's dictionary lacks / gold word tokens",
            "words_not_in_dictionary",
            "words",
        ),
        _words(
            "oov_lex_han",
            "oov_lex_han",
            _SHARE,
            "low",
            "oov_lex over the gold words of Han characters only",
            "han_words_not_in_dictionary",
            "han_words",
        ),
        _text(
            "fragmentation_entropy_sentence",
            "FE sentence",
            "bits",
            "low",
            _ENTROPY.format(units="sentences (split after 。！？ and closers)", unit="sentence"),
            "sentence_entropy",
            "sentences",
        ),
        _text(
            "fragmentation_entropy_clause",
            "FE clause",
            "bits",
            "low",
            "the same over clauses (split after any punctuation mark, which stays with them)",
            "clause_entropy",
            "clauses",
        ),
        _words(
            "fragmentation_entropy_word",
            "FE word",
            "bits",
            "low",
            "the same over words of two or more characters; 0 = never cut",
            "word_entropy",
            "long_words",
        ),
        _text(
            "fe_norm_sentence",
            "",
            _SHARE,
            "low",
            _NORMALISED.format(units="sentences"),
            "sentence_entropy_normalised",
            "long_sentences",
        ),
        _text(
            "fe_norm_clause",
            "",
            _SHARE,
            "low",
            _NORMALISED.format(units="clauses"),
            "clause_entropy_normalised",
            "long_clauses",
        ),
        _words(
            "fe_norm_word",
            "",
            _SHARE,
            "low",
            _NORMALISED.format(units="words"),
            "word_entropy_normalised",
            "long_words",
        ),
        _words(
            "consistency_entropy",
            "",
            "bits",
            "low",
            "H(cuts inside the word | word type), weighted by frequency",
        ),
        _words(
            "fertility",
            "fertility",
            "tokens per word",
            "low",
            "tokens / words",
            "word_text_tokens",
            "words",
        ),
        _words(
            "continued_word_share",
            "",
            _SHARE,
            "low",
            "words in two or more pieces / words",
            "continued_words",
            "words",
        ),
        _words(
            "boundary_precision",
            "boundary P",
            _SHARE,
            "high",
            "token boundaries that are word boundaries / token boundaries, inside sentences",
            "boundary_hits",
            "token_boundaries",
        ),
        _words(
            "boundary_recall",
            "boundary R",
            _SHARE,
            "high",
            "word boundaries that are token boundaries / word boundaries, inside sentences",
            "boundary_hits",
            "word_boundaries",
        ),
        _words(
            "boundary_f1",
            "boundary F1",
            _SHARE,
            "high",
            "harmonic mean of boundary precision and recall; sentence edges not counted",
            "boundary_hits_twice",
            "boundaries_of_both",
        ),
        *(
            _words(
                f"boundary_{name}_multi",
                "F1 multi" if name == "f1" else "",
                _SHARE,
                "high",
                f"boundary {name} at positions inside or at the edge of words of two or more "
                "characters",
                f"multi_{numerator}",
                f"multi_{denominator}",
            )
            for name, numerator, denominator in (
                ("precision", "boundary_hits", "token_boundaries"),
                ("recall", "boundary_hits", "word_boundaries"),
                ("f1", "boundary_hits_twice", "boundaries_of_both"),
            )
        ),
        _text(
            "broken_char_share",
            "broken_char",
            _SHARE,
            "low",
            "broken_char_share: tokens whose bytes are not whole code points / tokens",
            "broken_tokens",
            "tokens",
        ),
        _text(
            "single_char_token_share",
            "",
            _SHARE,
            "low",
            "tokens that are one character (a leading space aside) / tokens",
            "single_character_tokens",
            "tokens",
        ),
        _text(
            "bits_per_bit",
            "",
            "ratio",
            "high",
            "8 x bytes / (tokens x log2 vocabulary size)",
            "bits",
            "id_bits",
        ),
        _text(
            "nsl",
            "",
            "ratio",
            "low",
            "tokens / tokens of the reference tokenizer (the first one)",
            "tokens",
            "reference_tokens",
        ),
        _text(
            "renyi_efficiency",
            "",
            _SHARE,
            "high",
            "log2(sum p^2.5) / (1 - 2.5) / log2 vocabulary size",
        ),
        _text("ids_used", "", "ids", "", "ids that occur"),
        _text("rare_ids", "", "ids", "", "ids with fewer than 5 occurrences per million tokens"),
        _text(
            "unreachable_ids",
            "",
            "ids",
            "low",
            "ids with text that encoding their text, special tokens allowed, does not give back",
        ),
        _text(
            "straddling_tokens",
            "",
            "vocabulary entries",
            "low",
            "vocabulary entries whose bytes cross the edge of a character",
        ),
        _text(
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
}

_NAMED = {
    "parity": Metric(
        "parity",
        "parity",
        "ratio",
        "",
        False,
        "tokens of the first side / tokens of the second, over parallel lines that neither side "
        "leaves empty, each encoded by itself; 1 is equal cost (Petrov et al. 2023)",
    ),
    "integrity": Metric(
        "integrity",
        "one piece",
        _SHARE,
        "high",
        False,
        "spans of two or more characters that are exactly one piece (a leading space aside) / "
        "spans",
    ),
    "integrity_edges": Metric(
        "integrity_edges",
        "edges",
        _SHARE,
        "high",
        False,
        "spans of two or more characters with a token edge at either end / spans",
    ),
}


def describe(name: str) -> Metric:
    """Find the definition of a metric, also of those that files give a name.

    Raises
    ------
    KeyError
        If there is no such metric.

    Examples
    --------
    >>> describe("parity_yue_zho_TW").unit, describe("integrity_edges_idiom").better
    ('ratio', 'high')

    """
    if name in METRICS:
        return METRICS[name]
    for prefix in ("parity", "integrity_edges", "integrity"):
        if name.startswith(prefix + "_"):
            label = f"{name.removeprefix(prefix + '_')} {_NAMED[prefix].label}".strip()
            return replace(_NAMED[prefix], name=name, label=label)
    raise KeyError(name)
