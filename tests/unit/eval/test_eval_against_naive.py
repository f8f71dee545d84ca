"""The vectorised counts equal the definitions written out one character at a time."""

from itertools import pairwise

import naive_metrics as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytok.eval.layout import Segmentation
from pytok.eval.tally import TEXT_COLUMNS, WORD_COLUMNS, text_sums, word_sums
from pytok.eval.text_batch import TextBatch
from pytok.eval.units import clause_units, sentence_units
from pytok.eval.words import Words, WordTypes, cut_words

ALPHABET = "中国人民龘𠮷é a。！”「，\n"


@st.composite
def cut_texts(draw):
    """Texts, byte spans that tile them (cut anywhere, also inside characters), and words."""
    texts, spans, words = [], [], []
    for _ in range(draw(st.integers(1, 4))):
        text = draw(st.text(ALPHABET, max_size=12))
        size = len(text.encode())
        cuts = sorted({0, size, *draw(st.lists(st.integers(0, size), max_size=10))})
        spans.append(list(pairwise(cuts)))
        edges = sorted({0, len(text), *draw(st.lists(st.integers(0, len(text)), max_size=6))})
        words.append([text[a:b] for a, b in pairwise(edges)])
        texts.append(text)
    documents = np.cumsum([0, *(draw(st.integers(0, 1)) for _ in texts[1:])]).tolist()
    return texts, spans, words, documents


def place(texts, spans, documents, **options):
    flat = np.array([s for line in spans for s in line], dtype=np.int64).reshape(-1, 2)
    bounds = np.cumsum([0, *map(len, spans)])
    return Segmentation.of_spans(TextBatch.of(texts, documents), flat, bounds, **options)


def naive_text_sums(text, spans):
    found = {
        "characters": len(text),
        "bytes": len(text.encode()),
        "tokens": len(spans),
        "missing_characters": sum(naive.missing(text, spans)),
    }
    for name, units in (("sentence", naive.sentences(text)), ("clause", naive.clauses(text))):
        bits = [naive.entropy(naive.part_lengths(text, spans, a, b)[0]) for a, b in units]
        scaled = [h / np.log2(b - a) for h, (a, b) in zip(bits, units, strict=True) if b - a > 1]
        found |= {
            f"{name}s": len(units),
            f"{name}_entropy": sum(bits),
            f"{name}_entropy_normalised": sum(scaled),
            f"long_{name}s": len(scaled),
        }
    return found


@settings(deadline=None)  # the first call builds the table of punctuation marks
@given(cut_texts())
def test_text_sums_are_those_of_the_definitions(case):
    texts, spans, _, documents = case
    pieces = place(texts, spans, documents)
    sums = text_sums(pieces, sentence_units(pieces.batch), clause_units(pieces.batch), None, None)
    assert set(sums) == set(TEXT_COLUMNS)
    for document in range(documents[-1] + 1):
        own = [
            naive_text_sums(t, s)
            for t, s, d in zip(texts, spans, documents, strict=True)
            if d == document
        ]
        for name in own[0]:
            assert sums[name][document] == pytest.approx(sum(o[name] for o in own), abs=1e-8), name


def naive_word_sums(text, spans, words):
    found = dict.fromkeys(
        ["words", "missing_words", "continued_words", "long_words", "word_entropy",
         "boundary_hits", "token_boundaries", "word_boundaries",
         "multi_boundary_hits", "multi_token_boundaries", "multi_word_boundaries"], 0
    )  # fmt: skip
    edges, multi, at = set(), set(), 0
    for word in words:
        start, at = at, at + len(word)
        edges.add(start)
        if not word.strip():
            continue
        lengths, _ = naive.part_lengths(text, spans, start, at)
        found["words"] += 1
        found["missing_words"] += naive.word_is_missing(text, spans, start, at)
        found["continued_words"] += len(lengths) > 1
        if len(word) > 1:
            found["long_words"] += 1
            found["word_entropy"] += naive.entropy(lengths)
            multi.update(range(start, at + 1))
    ends = naive.sentence_edges(text) & edges
    edges -= {0, len(text)} | ends
    token = naive.inner_boundaries(text, spans) - ends
    for which, chosen in (("", edges | token), ("multi_", multi)):
        found[f"{which}boundary_hits"] = len(token & edges & chosen)
        found[f"{which}token_boundaries"] = len(token & chosen)
        found[f"{which}word_boundaries"] = len(edges & chosen)
    return found


@settings(deadline=None)  # the first call builds the table of punctuation marks
@given(cut_texts())
def test_word_sums_are_those_of_the_definitions(case):
    texts, spans, words, documents = case
    pieces = place(texts, spans, documents)
    types = WordTypes()
    laid = Words.of(pieces.batch, words, types)
    nothing = np.zeros(len(types.words), dtype=bool)
    sums = word_sums(pieces, laid, cut_words(pieces, laid), nothing, None)
    assert set(sums) == set(WORD_COLUMNS)
    for document in range(documents[-1] + 1):
        own = [
            naive_word_sums(t, s, w)
            for t, s, w, d in zip(texts, spans, words, documents, strict=True)
            if d == document
        ]
        for name in own[0]:
            assert sums[name][document] == pytest.approx(sum(o[name] for o in own), abs=1e-8), name


@settings(deadline=None)  # the first call builds the table of punctuation marks
@given(cut_texts())
def test_pieces_of_a_split_character_may_report_the_whole_character(case):
    """Spans inside a character and spans of the whole character are measured alike."""
    texts, spans, _, documents = case
    wide = []
    for text, line in zip(texts, spans, strict=True):
        characters = naive.characters_of(text)
        wide.append(
            [
                (
                    max(a for a, b in characters if a <= start),
                    min(b for a, b in characters if b >= end),
                )
                for start, end in line
            ]
        )
    one, other = place(texts, spans, documents), place(texts, wide, documents)
    for name in ("first", "end", "pieces_per_character", "shared"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
