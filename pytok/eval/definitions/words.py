"""Whether tokens keep to the words of the language."""

from __future__ import annotations

from pytok.eval.definitions.metric import SHARE, Metric, on_words

__all__ = ["METRICS"]

METRICS: tuple[Metric, ...] = (
    on_words(
        "fertility",
        "fertility",
        "tokens per word",
        "low",
        "tokens / words",
        "word_text_tokens",
        "words",
    ),
    on_words(
        "continued_word_share",
        "",
        SHARE,
        "low",
        "words in two or more pieces / words",
        "continued_words",
        "words",
    ),
    on_words(
        "boundary_precision",
        "boundary P",
        SHARE,
        "high",
        "token boundaries that are word boundaries / token boundaries, inside sentences",
        "boundary_hits",
        "token_boundaries",
    ),
    on_words(
        "boundary_recall",
        "boundary R",
        SHARE,
        "high",
        "word boundaries that are token boundaries / word boundaries, inside sentences",
        "boundary_hits",
        "word_boundaries",
    ),
    on_words(
        "boundary_f1",
        "boundary F1",
        SHARE,
        "high",
        "harmonic mean of boundary precision and recall; sentence edges not counted",
        "boundary_hits_twice",
        "boundaries_of_both",
    ),
    *(
        on_words(
            f"boundary_{name}_multi",
            "F1 multi" if name == "f1" else "",
            SHARE,
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
)
