"""Every metric on cases that were computed by hand."""

import math
from collections import Counter

import numpy as np
import pytest
import tokenization_scorer
from fake_tokenizer import FakeTokenizer
from hypothesis import given, settings
from hypothesis import strategies as st

from pytok.eval.boundaries import boundaries
from pytok.eval.broken import is_broken, is_straddling, single_char_token_share
from pytok.eval.consistency import consistency_entropy, consistency_gain
from pytok.eval.distribution import renyi_efficiency, renyi_entropy, unreachable_ids, utilisation
from pytok.eval.fertility import fertility
from pytok.eval.fragmentation import fragmentation_entropy
from pytok.eval.layout import Segmentation
from pytok.eval.oov import oov_char, oov_unk, oov_word
from pytok.eval.text_batch import TextBatch
from pytok.eval.units import sentence_units
from pytok.eval.words import Words


def encode(tokenizer, *texts):
    ids, spans, bounds = tokenizer.encode_batch_spans(list(texts))
    return Segmentation.of_spans(
        TextBatch.of(texts), spans, bounds, ids=ids, unk_id=tokenizer.unk_id
    )


def measure_words(metric, tokenizer, line, **options):
    words = line.split(" ")
    pieces = encode(tokenizer, "".join(words))
    return metric(pieces, Words.of(pieces.batch, [words]), **options)


# --- oov ----------------------------------------------------------------------------------------


def test_oov_char_names_the_characters_that_bytes_had_to_spell():
    result = oov_char(encode(FakeTokenizer(["中", "国"]), "中国龘龘𠮷"))
    assert (result.share, result.worst) == (3 / 5, (("龘", 2), ("𠮷", 1)))


def test_oov_char_counts_the_unknown_token():
    result = oov_char(encode(FakeTokenizer(["中"], unknown=True), "中龘"))
    assert (result.share, result.worst) == (0.5, (("龘", 1),))


def test_oov_char_of_a_character_that_shares_a_token_with_half_another():
    # 中 = e4 b8 ad, 国 = e5 9b bd: one token holds 中 and the first byte of 国.
    result = oov_char(encode(FakeTokenizer([b"\xe4\xb8\xad\xe5"]), "中国"))
    assert result.worst == (("国", 1),)


def test_oov_char_leaves_out_white_space_that_no_piece_touches():
    spans = np.array([[0, 3], [4, 7]])
    pieces = Segmentation.of_spans(TextBatch.of(["中 国"]), spans, np.array([0, 2]))
    assert oov_char(pieces).missing == 0
    # A letter that a normalizer dropped is missing.
    pieces = Segmentation.of_spans(TextBatch.of(["中x国"]), spans, np.array([0, 2]))
    assert oov_char(pieces).worst == (("x", 1),)


def test_oov_unk_is_the_share_of_unknown_ids():
    result = oov_unk(encode(FakeTokenizer(["中国"], unknown=True), "中国龘龘"))
    assert (result.share, result.unknown, result.tokens) == (2 / 3, 2, 3)
    assert oov_unk(encode(FakeTokenizer(), "龘")).share == 0


@pytest.mark.parametrize(
    ("pieces", "line", "missing"),
    [
        (["中国"], "中国", 0),  # one piece
        (["中国人"], "中国 人", 0),  # inside a longer piece
        (["中", "国"], "中国", 1),  # falls to single characters
        (["中", "国"], "中", 0),  # one character, one piece
        (["国"], "中", 1),  # one character, no token covers it
        (["中国", "人"], "中国人", 0),  # cut, but one piece has two characters
        (["中国"], "中国龘", 1),  # holds a character without a token
        (["国人"], "中 国人", 1),  # only the one-character word
        (["中", "国人"], "中国 人", 1),  # the part inside the word is one character
    ],
)
def test_oov_word(pieces, line, missing):
    assert measure_words(oov_word, FakeTokenizer(pieces), line).missing == missing


def test_oov_word_of_one_unknown_token_is_missing():
    assert measure_words(oov_word, FakeTokenizer(unknown=True), "龘").missing == 1


def test_oov_word_by_type_gives_every_word_the_same_weight():
    result = measure_words(oov_word, FakeTokenizer(["中国"]), "中国 中国 中国 人民")
    assert (result.share, result.type_share, result.types) == (1 / 4, 1 / 2, 2)


# --- fragmentation ------------------------------------------------------------------------------


def fragmentation(tokenizer, text):
    pieces = encode(tokenizer, text)
    return fragmentation_entropy(pieces, sentence_units(pieces.batch))


def test_one_piece_has_no_entropy_and_single_characters_have_the_most():
    assert fragmentation(FakeTokenizer(["中国人民"]), "中国人民").entropy == 0
    single = fragmentation(FakeTokenizer(list("中国人民")), "中国人民")
    assert (single.entropy, single.normalised) == (pytest.approx(2), pytest.approx(1))


def test_entropy_by_hand():
    # 2 + 1 + 1 of 4 characters: 1/2 * 1 + 2 * 1/4 * 2 = 1.5 bits.
    result = fragmentation(FakeTokenizer(["中国", "人", "民"]), "中国人民")
    assert result.entropy == pytest.approx(1.5)
    assert result.normalised == pytest.approx(0.75)


def test_a_split_character_is_k_pieces_of_one_kth():
    # 中 whole, 国 as three bytes: lengths 1, 1/3, 1/3, 1/3 of 2.
    expected = 0.5 + 3 * (1 / 6) * math.log2(6)
    for char_spans in (False, True):
        result = fragmentation(FakeTokenizer(["中"], char_spans=char_spans), "中国")
        assert result.entropy == pytest.approx(expected)


def test_a_piece_over_the_edge_counts_with_its_part_inside():
    # The piece 。国 belongs to both sentences with one character each: (2, 1) and (1, 1) of 3 and 2.
    result = fragmentation(FakeTokenizer(["中国", "。国", "人"]), "中国。国人")
    first = -(2 / 3) * math.log2(2 / 3) - (1 / 3) * math.log2(1 / 3)
    assert result.units == 2
    assert result.entropy == pytest.approx((first + 1) / 2)


def test_word_units_are_words_of_two_or_more_characters():
    pieces = encode(FakeTokenizer(["中国", "人", "民"]), "中国人民好")
    words = Words.of(pieces.batch, [["中国", "人民", "好"]])
    result = fragmentation_entropy(pieces, words.units, shortest=2)
    assert (result.units, result.entropy) == (2, pytest.approx(0.5))


# --- consistency --------------------------------------------------------------------------------


def test_consistency_weighs_words_by_frequency():
    # 人民 is cut once as one piece and once as two (1 bit, 2 of 4 words); 中国 always alike.
    pieces = Segmentation.of_words(["人民人民中国中国"], [["人民", "人", "民", "中国", "中国"]])
    result = consistency_entropy(pieces, Words.of(pieces.batch, [["人民", "人民", "中国", "中国"]]))
    assert (result.entropy, result.types, result.varying_types) == (0.5, 2, 1)


def test_a_neighbour_in_the_same_piece_does_not_change_the_pattern():
    pieces = Segmentation.of_words(["人民中人民国"], [["人民中", "人民", "国"]])
    words = Words.of(pieces.batch, [["人民", "中", "人民", "国"]])
    assert consistency_entropy(pieces, words).entropy == 0


def test_patterns_with_the_same_number_of_pieces_differ():
    pieces = Segmentation.of_words(["中国人中国人"], [["中国", "人", "中", "国人"]])
    words = Words.of(pieces.batch, [["中国人", "中国人"]])
    assert consistency_entropy(pieces, words).entropy == pytest.approx(1)


def test_consistency_gain_is_a_ratio():
    pieces = Segmentation.of_words(["人民人民"], [["人民", "人", "民"]])
    words = Words.of(pieces.batch, [["人民", "人民"]])
    varying = consistency_entropy(pieces, words)
    assert consistency_gain(varying, varying) == 1


# --- fertility, boundaries ----------------------------------------------------------------------


def test_fertility_counts_every_token_and_every_word():
    result = measure_words(fertility, FakeTokenizer(["中国人", "民"]), "中国 人民")
    assert (result.tokens_per_word, result.continued_word_share) == (1.0, 0.5)


def test_boundaries_by_hand():
    # Gold 中国|人民|好, pieces 中国|人|民好: inner token edges 2, 3; gold 2, 4.
    result = measure_words(boundaries, FakeTokenizer(["中国", "人", "民好"]), "中国 人民 好")
    assert (result.precision, result.recall, result.f1) == (0.5, 0.5, 0.5)


def test_boundaries_of_single_characters_are_all_found():
    result = measure_words(boundaries, FakeTokenizer(list("中国人民")), "中国 人民")
    assert (result.precision, result.recall) == (1 / 3, 1.0)


def test_cuts_inside_a_character_are_not_positions():
    with_bytes = measure_words(boundaries, FakeTokenizer(["中国"]), "中国 人民")
    with_characters = measure_words(boundaries, FakeTokenizer(["中国", "人", "民"]), "中国 人民")
    assert with_bytes == with_characters


def test_boundaries_on_multi_character_words_only():
    # 学|而|时习|之, all single: positions 1, 2, 3, 4; those of 时习 are 2, 3, 4.
    words = "学 而 时习 之"
    result = measure_words(boundaries, FakeTokenizer(list("学而时习之")), words, multi_only=True)
    assert (result.precision, result.recall) == (2 / 3, 1.0)
    assert (result.token_boundaries, result.word_boundaries) == (3, 2)


# --- broken -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("token", "broken", "straddling"),
    [
        ("中".encode(), False, False),
        (b"\xe4\xb8", True, False),
        (b"\xb8\xad", True, False),
        (b"\xad\xe5", True, True),
        (b"a\xe4", True, True),
        (b"\xada", True, True),
        ("中国".encode(), False, False),
        (b"\xff", True, False),
        (b"", False, False),
    ],
)
def test_broken_and_straddling(token, broken, straddling):
    assert (is_broken(token), is_straddling(token)) == (broken, straddling)


def test_single_character_tokens_leave_the_leading_space_out():
    pieces = encode(FakeTokenizer([" 中", "国人", "é"]), "é 中国人龘")
    # é, " 中", 国人 and three bytes of 龘.
    assert single_char_token_share(pieces) == 2 / 6


# --- distribution -------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.integers(1, 50), min_size=2, max_size=30), st.sampled_from([0.5, 2.5, 3.0]))
def test_renyi_agrees_with_tokenization_scorer(counts, alpha):
    text = " ".join(f"t{number}" for number, count in enumerate(counts) for _ in range(count))
    expected = tokenization_scorer.score(text, metric="renyi_entropy", power=alpha)
    assert renyi_entropy(counts, alpha=alpha) == pytest.approx(expected, abs=1e-9)
    expected = tokenization_scorer.score(text, metric="renyi", power=alpha, vocab=1000)
    assert renyi_efficiency(counts, 1000, alpha=alpha) == pytest.approx(expected, abs=1e-9)


def test_renyi_of_order_one_is_shannon():
    expected = tokenization_scorer.score("a a b c", metric="shannon_entropy")
    assert renyi_entropy([2, 1, 1], alpha=1.0) == pytest.approx(expected) == 1.5


def test_utilisation_counts_unused_ids_as_rare():
    # 5 of a million is common, 4 is rare.
    result = utilisation([999_991, 5, 4], vocab_size=10)
    assert (result.used, result.rare) == (3, 8)


def test_unreachable_ids_are_those_that_a_longer_or_earlier_match_hides():
    class Hiding(FakeTokenizer):
        def _one(self, text):
            return super()._one(text.replace("人民", "民人"))

    tokenizer = Hiding(["中国", "人民", " 中"])
    assert unreachable_ids(tokenizer) == [257]
    assert tokenizer.calls == ["ids special=special threads=None"]


def test_the_fake_tokenizer_counts_as_written():
    tokenizer = FakeTokenizer(["中国"])
    ids, _ = tokenizer.encode_batch_ids(["中国a"])
    assert Counter(ids.tolist()) == {256: 1, ord("a"): 1}


@pytest.mark.parametrize(
    "words",
    [
        ["好", "。", "天气", "好", "！", "”", "很", "好"],
        ["好", "。", "天气", "好", "！”", "很", "好"],
        ["好。天气", "好！”", "很好"],
    ],
)
def test_no_sentence_edge_is_a_boundary_also_inside_a_line(words):
    """好。|天气好！”|很好: the two edges count only where a word runs across one."""
    text = "好。天气好！”很好"
    pieces = Segmentation.of_words([text], [list(text)])
    found = boundaries(pieces, Words.of(pieces.batch, [words]))
    inside = sum(1 for at in (2, 7) if at not in np.cumsum(list(map(len, words))))
    assert found.token_boundaries == 8 - 2 + inside
    edges = set(np.cumsum(list(map(len, words)))[:-1].tolist()) - {2, 7}
    assert found.word_boundaries == found.hits == len(edges)
