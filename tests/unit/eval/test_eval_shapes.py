from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytok.eval.layout import Segmentation
from pytok.eval.piece_lengths import by_script, piece_lengths
from pytok.eval.rank_frequency import rank_frequency
from pytok.eval.text_batch import TextBatch


def lengths(words):
    found = by_script(piece_lengths(Segmentation.of_words(["".join(words)], [words])))
    return {
        (script, length + 1): count
        for script, counts in found.items()
        for length, count in enumerate(counts)
        if count
    }


def test_pieces_are_counted_by_script_and_length():
    words = ["中国", "人", " the", "ab", "12", "。", "  ", " ", "あ", "€", "a中", "字" * 40, "㐀"]
    assert lengths(words) == {
        ("Han", 2): 1,
        ("Han", 1): 2,
        ("Han", 16): 1,
        ("Latin", 3): 1,
        ("Latin", 2): 1,
        ("digits", 2): 1,
        ("punctuation", 1): 1,
        ("white space", 1): 2,  # of two spaces the first stands in front
        ("kana", 1): 1,
        ("other", 1): 1,
        ("mixed", 2): 1,
    }


def test_parts_of_a_character_are_counted_apart():
    spans = np.array([[0, 1], [1, 3], [3, 6], [6, 6]])
    pieces = Segmentation.of_spans(TextBatch.of(["龘中"]), spans, np.array([0, 4]))
    assert {script: counts[0] for script, counts in by_script(piece_lengths(pieces)).items()} == {
        "Han": 1,
        "part of a character": 2,
    }


def test_nothing_has_no_lengths():
    assert lengths([]) == {}


@given(st.lists(st.text("中国aあ1。 ", min_size=1, max_size=20), max_size=30))
def test_every_piece_is_counted_once(words):
    counts = Counter(lengths(words))
    assert sum(counts.values()) == len(words)


def test_ranks_of_ties_and_of_ids_that_do_not_occur():
    assert rank_frequency([]) == rank_frequency([0, 0]) == ()
    assert rank_frequency([0, 2, 7, 2]) == ((1, 7), (2, 2), (3, 2))


@given(st.lists(st.integers(0, 50), max_size=3000))
def test_ranks_are_few_increasing_and_true(counts):
    pairs = rank_frequency(counts, points=20)
    ordered = sorted((count for count in counts if count), reverse=True)
    assert len(pairs) <= 20
    assert all(ordered[rank - 1] == count for rank, count in pairs)
    if ordered:
        assert (pairs[0][0], pairs[-1][0]) == (1, len(ordered))
    ranks = [rank for rank, _ in pairs]
    assert ranks == sorted(set(ranks))
