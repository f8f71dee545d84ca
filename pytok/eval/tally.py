"""Per-document sums of one batch: the columns that `definitions` divides."""

from __future__ import annotations

import math

import numpy as np

from pytok.eval.boundaries import positions
from pytok.eval.broken import single_character_pieces
from pytok.eval.fragmentation import entropies, longest_entropies
from pytok.eval.layout import Segmentation
from pytok.eval.oov import missing_characters, missing_words
from pytok.eval.parts import Parts, Units, cut_at_units
from pytok.eval.text_batch import BoolArray, FloatArray, IntArray, TextBatch
from pytok.eval.words import WordCuts, Words

__all__ = [
    "TEXT_COLUMNS",
    "WORD_COLUMNS",
    "ids_only",
    "known_without_offsets",
    "text_sums",
    "word_sums",
]

# What is known of pieces whose places are not.
_OF_IDS = frozenset(
    """
    characters bytes tokens unknown_tokens broken_tokens bits id_bits
    word_text_characters word_text_tokens words
    words_not_in_dictionary han_words han_words_not_in_dictionary
    """.split()  # noqa: SIM905 - one name per string takes fourteen lines
)

TEXT_COLUMNS = [
    "characters",
    "bytes",
    "tokens",
    "unknown_tokens",
    "missing_characters",
    "broken_tokens",
    "single_character_tokens",
    "bits",
    "id_bits",
    *(
        f"{unit}{column}"
        for unit in ("sentence", "clause")
        for column in ("s", "_entropy", "_entropy_normalised")
    ),
    "long_sentences",
    "long_clauses",
]
WORD_COLUMNS = [
    "word_text_characters",
    "word_text_tokens",
    "words",
    "missing_words",
    "continued_words",
    "long_words",
    "word_entropy",
    "word_entropy_normalised",
    "words_not_in_dictionary",
    "han_words",
    "han_words_not_in_dictionary",
    *(
        f"{which}{column}"
        for which in ("", "multi_")
        for column in (
            "boundary_hits",
            "token_boundaries",
            "word_boundaries",
            "boundary_hits_twice",
            "boundaries_of_both",
        )
    ),
]


def known_without_offsets(*columns: str) -> bool:
    """Whether sums need no places of pieces.

    Examples
    --------
    >>> known_without_offsets("tokens", "bytes"), known_without_offsets("")
    (True, False)

    """
    return _OF_IDS.issuperset(columns)


def ids_only(sums: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Leave what needs no spans; the other sums become not a number."""
    return {
        name: values if name in _OF_IDS else np.full_like(values, np.nan)
        for name, values in sums.items()
    }


def text_sums(
    pieces: Segmentation,
    sentences: Units,
    clauses: Units,
    broken_ids: BoolArray | None,
    vocab_size: int | None,
) -> dict[str, FloatArray]:
    """Sum `TEXT_COLUMNS` per document; each has shape (n_documents,)."""
    batch = pieces.batch
    owners = pieces.piece_documents
    widths = np.diff(batch.byte_starts)
    n_bytes = batch.per_document(batch.character_documents, widths)
    tokens = batch.per_document(owners, np.ones(pieces.n_pieces))
    broken = np.zeros(pieces.n_pieces, dtype=np.bool_)
    if broken_ids is not None and pieces.ids is not None:
        broken = broken_ids[pieces.ids]
    sums = {
        "characters": batch.per_document(batch.character_documents, np.ones(batch.n_characters)),
        "bytes": n_bytes,
        "tokens": tokens,
        "unknown_tokens": batch.per_document(owners, pieces.unknown),
        "missing_characters": batch.per_document(
            batch.character_documents, missing_characters(pieces)
        ),
        "broken_tokens": batch.per_document(owners, broken),
        "single_character_tokens": batch.per_document(owners, single_character_pieces(pieces)),
        "bits": 8.0 * n_bytes,
        "id_bits": tokens * (math.log2(vocab_size) if vocab_size else 0.0),
    }
    for name, plural, units in (
        ("sentence", "sentences", sentences),
        ("clause", "clauses", clauses),
    ):
        found = _entropy_sums(pieces, units, cut_at_units(pieces, units), units.counts)
        sums[plural], sums[f"{name}_entropy"], sums[f"{name}_entropy_normalised"] = found[:3]
        sums[f"long_{plural}"] = found[3]
    return sums


def _entropy_sums(
    pieces: Segmentation, units: Units, parts: Parts, chosen: BoolArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Units, their H, their H / log2 L and the units with L > 1, per document."""
    batch = pieces.batch
    index = np.flatnonzero(chosen)
    bits = entropies(parts, len(units.starts))[index]
    highest = longest_entropies(pieces, units.starts[index], units.ends[index])
    owners = batch.character_documents[units.starts[index]]
    scaled = np.divide(bits, highest, out=np.zeros_like(bits), where=highest > 0)
    return (
        batch.per_document(owners, np.ones(len(index))),
        batch.per_document(owners, bits),
        batch.per_document(owners, scaled),
        batch.per_document(owners, highest > 0),
    )


def word_sums(
    pieces: Segmentation,
    words: Words,
    cuts: WordCuts,
    han_types: BoolArray,
    missing_types: BoolArray | None,
) -> dict[str, FloatArray]:
    """Sum `WORD_COLUMNS` per document; each has shape (n_documents,)."""
    batch = pieces.batch
    n_words = len(cuts.index)
    han = han_types[cuts.types]
    absent = np.zeros(n_words, np.bool_) if missing_types is None else missing_types[cuts.types]

    def by_word(flags: BoolArray | FloatArray) -> FloatArray:
        return batch.per_document(cuts.documents, flags)

    long_words = words.units.counts & (words.units.lengths > 1)
    # `long_words` is by length, so the count of units with L > 1 covered
    # characters is the same unless a tokenizer drops letters.
    counted, entropy, normalised, _ = _entropy_sums(pieces, words.units, cuts.parts, long_words)
    sums = {
        "word_text_characters": batch.per_document(
            batch.character_documents, np.ones(batch.n_characters)
        ),
        "word_text_tokens": batch.per_document(pieces.piece_documents, np.ones(pieces.n_pieces)),
        "words": by_word(np.ones(n_words)),
        "missing_words": by_word(missing_words(pieces, cuts)),
        "continued_words": by_word(cuts.pieces > 1),
        "long_words": counted,
        "word_entropy": entropy,
        "word_entropy_normalised": normalised,
        "words_not_in_dictionary": by_word(absent),
        "han_words": by_word(han),
        "han_words_not_in_dictionary": by_word(absent & han),
    }
    at = positions(pieces, words)
    for which, chosen in (("", at.inner), ("multi_", at.inner & at.multi)):
        sums |= _boundary_sums(batch, which, at.token & chosen, at.word & chosen)
    return sums


def _boundary_sums(
    batch: TextBatch, which: str, token: BoolArray, word: BoolArray
) -> dict[str, FloatArray]:
    owners: IntArray = batch.character_documents
    hits = batch.per_document(owners, token & word)
    tokens = batch.per_document(owners, token)
    gold = batch.per_document(owners, word)
    return {
        f"{which}boundary_hits": hits,
        f"{which}token_boundaries": tokens,
        f"{which}word_boundaries": gold,
        f"{which}boundary_hits_twice": 2 * hits,
        f"{which}boundaries_of_both": tokens + gold,
    }
