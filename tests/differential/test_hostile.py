"""Real vocabularies on hostile text: equal to the library, and true to the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import corpus, outcome
from .references import BY_NAME, VOCABULARIES, Vocabulary
from .strategies import FIXED_ATOMS, FIXED_TEXTS, LOOK_ALIKES, examples, texts

pytestmark = pytest.mark.needs_shared

by_vocabulary = pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda v: v.name)
BYTE_EXACT = [v for v in VOCABULARIES if v.library != "sentencepiece"]


@by_vocabulary
def test_fixed_hostile_texts(vocabulary: Vocabulary, shared: Path) -> None:
    outcome.assert_equal(FIXED_TEXTS, vocabulary.reference(shared), vocabulary.candidate(shared))


@by_vocabulary
def test_long_runs(vocabulary: Vocabulary, shared: Path) -> None:
    """Runs of one piece around the lengths at which encoders change their method."""
    runs = [
        atom * count
        for atom in FIXED_ATOMS
        for count in (2, 3, 4, 7, 8, 16, 31, 100, 257, 1_000)
        if len(atom) * count <= 3_000
    ]
    outcome.assert_equal(runs, vocabulary.reference(shared), vocabulary.candidate(shared))


@by_vocabulary
def test_generated_hostile_texts(vocabulary: Vocabulary, shared: Path) -> None:
    reference, candidate = vocabulary.reference(shared), vocabulary.candidate(shared)

    @examples()
    @given(texts())
    def check(text: str) -> None:
        outcome.assert_equal([text], reference, candidate)

    check()


@pytest.mark.parametrize("name", ["cl100k", "qwen", "kimi-k2"])
def test_special_tokens_are_matched_when_allowed(name: str, shared: Path) -> None:
    """``special="special"`` is tiktoken's ``allowed_special="all"``."""
    vocabulary = BY_NAME[name]
    reference = vocabulary.reference(shared, special=True)
    candidate = vocabulary.candidate(shared, special=True)
    names = list(reference.encoding._special_tokens)
    alone = [
        f"{left}{name}{right}" for name in names for left in ("", "a ") for right in ("", "学")
    ]
    outcome.assert_equal([*alone, *FIXED_TEXTS], reference, candidate)

    @examples(100, 2_000)
    @given(st.lists(st.one_of(st.sampled_from([*names, *LOOK_ALIKES]), texts(3))).map("".join))
    def check(text: str) -> None:
        outcome.assert_equal([text], reference, candidate)

    check()


@pytest.mark.parametrize("vocabulary", BYTE_EXACT, ids=lambda v: v.name)
def test_byte_level_vocabularies_round_trip(vocabulary: Vocabulary, shared: Path) -> None:
    """Ids decode to the text, spans in bytes tile it, spans in characters cover them."""
    tokenizer = vocabulary.candidate(shared).tokenizer

    @examples(100, 2_000)
    @given(texts())
    def check(text: str) -> None:
        encoding = tokenizer.encode(text, special="text", add_special_tokens=False)
        data = text.encode()
        assert tokenizer.decode(encoding.ids) == text
        assert tokenizer.decode_bytes(encoding.ids) == data
        assert b"".join(map(tokenizer.token_bytes, encoding.ids)) == data
        end = 0
        for byte_span, char_span, token in zip(
            encoding.byte_offsets, encoding.offsets, encoding.ids, strict=True
        ):
            assert byte_span[0] == end
            end = byte_span[1]
            assert data[slice(*byte_span)] == tokenizer.token_bytes(token)
            covered = len(text[: char_span[0]].encode()), len(text[: char_span[1]].encode())
            assert covered[0] <= byte_span[0] < byte_span[1] <= covered[1]
        assert end == len(data)

    check()


@by_vocabulary
def test_lone_surrogates_are_an_error_that_can_be_caught(
    vocabulary: Vocabulary, shared: Path
) -> None:
    import pytok

    tokenizer = vocabulary.candidate(shared).tokenizer
    for text in ("\ud800", "a\udfffb", "学\ud83d"):
        with pytest.raises(pytok.errors.PytokError, match="surrogate"):
            tokenizer.encode(text)


if corpus.FULL:

    @by_vocabulary
    def test_all_pairs_of_fixed_pieces(vocabulary: Vocabulary, shared: Path) -> None:
        pairs = [first + second for first in FIXED_ATOMS for second in FIXED_ATOMS]
        outcome.assert_equal(pairs, vocabulary.reference(shared), vocabulary.candidate(shared))
