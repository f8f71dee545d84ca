"""Unigram models over bytes: ids, tokens, offsets and decoding equal ``tokenizers``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from . import components, corpus, hybrid_files, outcome, strategies
from .references import PytokCandidate, TokenizersReference
from .test_worst_case import INPUTS

by_notation = pytest.mark.parametrize("across", [False, True], ids=["characters", "bytes"])


@cache
def sides(file: str) -> tuple[TokenizersReference, PytokCandidate]:
    """Both libraries with a file."""
    return (
        TokenizersReference(tokenizers.Tokenizer.from_str(file)),
        PytokCandidate(components.load_candidate(file), "special"),
    )


@pytest.mark.needs_shared
@pytest.mark.parametrize("kind", corpus.KINDS)
@by_notation
def test_corpus_is_encoded_as_by_the_library(across: bool, kind: str, shared: Path) -> None:
    documents = list(corpus.documents(shared, kind))
    count = outcome.assert_equal(
        [document.text for document in documents],
        *sides(hybrid_files.sample_file(across=across)),
        sources=[document.source for document in documents],
    )
    assert count > 10_000


@pytest.mark.needs_shared
@by_notation
def test_every_call_gives_the_same_ids(across: bool, shared: Path) -> None:
    _, candidate = sides(hybrid_files.sample_file(across=across))
    tokenizer = candidate.tokenizer
    options = {**candidate.options(), "add_special_tokens": False}
    texts = ["", *(document.text for document in corpus.documents(shared, "news", full=False))]
    encodings = [tokenizer.encode(text, **options) for text in texts]
    for threads in (1, 3):
        ids, bounds = tokenizer.encode_batch_ids(texts, threads=threads, **options)
        spans = tokenizer.encode_batch_spans(texts, threads=threads, **options)
        assert spans[0].tolist() == ids.tolist()
        for index, encoding in enumerate(encodings):
            part = slice(bounds[index], bounds[index + 1])
            assert ids[part].tolist() == list(encoding.ids)
            assert [tuple(span) for span in spans[1][part].tolist()] == list(encoding.byte_offsets)
    for text, encoding in zip(texts, encodings, strict=True):
        assert list(tokenizer.encode_ids(text, **options)) == list(encoding.ids)
        assert tokenizer.count(text, **options) == len(encoding.ids)
        raw = text.encode()
        for token, (start, end) in zip(encoding.ids, encoding.byte_offsets, strict=True):
            assert tokenizer.token_bytes(token) == raw[start:end]


@pytest.mark.parametrize("name", INPUTS)
@by_notation
def test_repeated_and_random_letters_are_encoded_as_by_the_library(across: bool, name: str) -> None:
    texts = [INPUTS[name](length) for length in (10_000, 1_000, 127, 64, 33)]
    outcome.assert_equal(texts, *sides(hybrid_files.sample_file(across=across)))


@pytest.mark.parametrize("name", INPUTS)
def test_a_million_characters_complete_and_round_trip(name: str) -> None:
    tokenizer = sides(hybrid_files.sample_file())[1].tokenizer
    text = INPUTS[name](1_000_000)
    ids = tokenizer.encode_ids(text, special="text")
    assert tokenizer.count(text, special="text") == len(ids)
    assert tokenizer.decode(ids) == text


@by_notation
def test_fixed_texts_are_encoded_as_by_the_library(across: bool) -> None:
    outcome.assert_equal(strategies.FIXED_TEXTS, *sides(hybrid_files.sample_file(across=across)))


@strategies.examples()
@given(text=strategies.texts())
@by_notation
def test_any_text_is_encoded_as_by_the_library(across: bool, text: str) -> None:
    outcome.assert_equal([text], *sides(hybrid_files.sample_file(across=across)))


@by_notation
def test_pieces_and_ids_are_those_of_the_library(across: bool) -> None:
    native, candidate = sides(hybrid_files.sample_file(across=across))
    tokenizer, vocab = candidate.tokenizer, native.tokenizer.get_vocab(with_added_tokens=True)
    assert dict(tokenizer.vocab) == vocab
    assert len(tokenizer) == len(vocab)
    for piece, token in vocab.items():
        assert tokenizer.token_to_id(piece) == token
        assert tokenizer.id_to_token(token) == piece
        for skip in (False, True):
            expected = native.tokenizer.decode([token], skip_special_tokens=skip)
            assert tokenizer.decode([token], skip_special_tokens=skip) == expected


LETTERS = "ab 中国人仭é😀"
BYTES = [bytes([byte]) for byte in range(256)]

PIECES = st.one_of(
    st.text(LETTERS, min_size=1, max_size=5).map(str.encode),
    st.builds(
        lambda text, start, size: text.encode()[start % len(text.encode()) :][: size + 1],
        st.text(LETTERS, min_size=1, max_size=3),
        st.integers(0, 11),
        st.integers(0, 7),
    ),
)
"""Strings of characters, and strings of bytes from the middle of them."""

COSTS = st.one_of(st.integers(1, 4), st.integers(1, 1_100 * 1_024), st.just(2**30))


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file with any costs; with few different ones there are many ties."""
    pieces = draw(st.lists(PIECES, max_size=30))
    byte_cost = draw(st.sampled_from([1, 2, 3, 4_096, 1_100 * 1_024]))
    costs = {piece: byte_cost + draw(st.integers(0, 2)) for piece in BYTES}
    costs |= {piece: draw(COSTS) for piece in pieces if len(piece) > 1}
    pattern = draw(st.sampled_from([r"\s+|\S+", ".", r"[^\n]+"]))
    return hybrid_files.tokenizer_json(costs, pattern=pattern, special="ab")


@strategies.examples(100, 2_000)
@given(file=files(), texts=st.lists(st.text(LETTERS + "\n<", max_size=60), max_size=8))
def test_any_vocabulary_encodes_as_in_the_library(file: str, texts: list[str]) -> None:
    outcome.assert_equal(texts, *sides.__wrapped__(file))
