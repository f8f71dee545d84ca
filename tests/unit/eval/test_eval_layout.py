import numpy as np
import pytest

from pytok.errors import EncodeError
from pytok.eval.layout import Segmentation, spans_of_words
from pytok.eval.text_batch import TextBatch


def test_widths_follow_utf_8():
    batch = TextBatch.of(["aé中𠮷"])
    assert batch.byte_starts.tolist() == [0, 1, 3, 6, 10]


def test_a_piece_without_characters_counts_as_a_piece_and_touches_nothing():
    spans = np.array([[0, 0], [0, 3], [3, 3]])
    pieces = Segmentation.of_spans(TextBatch.of(["中"]), spans, np.array([0, 3]))
    assert pieces.n_pieces == 3
    assert pieces.pieces_per_character.tolist() == [1]


@pytest.mark.parametrize(
    ("spans", "bounds", "reason"),
    [
        ([[0, 4]], [0, 1], "span"),
        ([[2, 1]], [0, 1], "span"),
        ([[-1, 1]], [0, 1], "span"),
        ([[0, 3]], [0, 2], "bounds"),
        ([[0, 3]], [0], "bounds"),
        ([0, 3], [0, 2], "shape"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(spans, bounds, reason):
    with pytest.raises(EncodeError, match=reason):
        Segmentation.of_spans(TextBatch.of(["中"]), np.array(spans), np.array(bounds))


def test_ids_and_spans_must_be_as_many():
    with pytest.raises(EncodeError, match="2 ids for 1 spans"):
        Segmentation.of_spans(
            TextBatch.of(["中"]),
            np.array([[0, 3]]),
            np.array([0, 1]),
            ids=np.array([1, 2], np.uint32),
        )


def test_words_that_do_not_join_to_the_text_are_refused():
    with pytest.raises(EncodeError, match="text 1"):
        spans_of_words(["中", "国"], [["中"], ["人"]])


def test_nothing_at_all_is_no_error():
    pieces = Segmentation.of_words([], [])
    assert (pieces.n_pieces, pieces.batch.n_documents) == (0, 0)
    assert Segmentation.of_words([""], [[]]).n_pieces == 0
