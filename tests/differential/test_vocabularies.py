"""Real vocabularies on real text: ids, tokens, offsets and decoding equal the library's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from . import corpus, outcome, references
from .references import VOCABULARIES, Vocabulary

pytestmark = pytest.mark.needs_shared

by_vocabulary = pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda v: v.name)
by_kind = pytest.mark.parametrize("kind", corpus.KINDS)


@by_kind
@by_vocabulary
def test_corpus_is_encoded_as_by_the_library(
    vocabulary: Vocabulary, kind: str, shared: Path
) -> None:
    documents = list(corpus.documents(shared, kind))
    count = outcome.assert_equal(
        [document.text for document in documents],
        vocabulary.reference(shared),
        vocabulary.candidate(shared),
        sources=[document.source for document in documents],
    )
    assert count > 10_000


@by_kind
@by_vocabulary
def test_batches_equal_single_texts(vocabulary: Vocabulary, kind: str, shared: Path) -> None:
    """Every call that encodes gives the ids of `encode`, on any number of threads."""
    candidate = vocabulary.candidate(shared)
    tokenizer, options = candidate.tokenizer, candidate.options()
    texts = [document.text for document in corpus.documents(shared, kind, full=False)]
    texts = ["", *texts, ""]
    encodings = [tokenizer.encode(text, **options) for text in texts]
    for threads in (1, 3, None):
        ids, bounds = tokenizer.encode_batch_ids(texts, threads=threads, **options)
        assert ids.dtype == np.uint32
        assert bounds.dtype == np.int64
        assert bounds.shape == (len(texts) + 1,)
        assert bounds[0] == 0
        assert bounds[-1] == len(ids)
        for index, encoding in enumerate(encodings):
            part = ids[bounds[index] : bounds[index + 1]]
            assert part.tolist() == list(encoding.ids), texts[index][:200]
    for text, encoding in zip(texts, encodings, strict=True):
        assert list(tokenizer.encode_ids(text, **options)) == list(encoding.ids), text[:200]
        assert tokenizer.count(text, **options) == len(encoding.ids), text[:200]


@by_vocabulary
def test_batch_spans_are_the_byte_offsets(vocabulary: Vocabulary, shared: Path) -> None:
    """Spans are of the text; tokens that a template adds have none, so they are left out."""
    candidate = vocabulary.candidate(shared)
    tokenizer = candidate.tokenizer
    options = {"special": candidate.special, "add_special_tokens": False}
    texts = [document.text for document in corpus.documents(shared, "news", full=False)][:300]
    ids, spans, bounds = tokenizer.encode_batch_spans(texts, threads=2, **options)
    for index, text in enumerate(texts):
        encoding = tokenizer.encode(text, **options)
        part = slice(bounds[index], bounds[index + 1])
        assert ids[part].tolist() == list(encoding.ids)
        assert [tuple(span) for span in spans[part].tolist()] == list(encoding.byte_offsets)


@by_kind
@pytest.mark.parametrize(
    "vocabulary",
    [vocabulary for vocabulary in VOCABULARIES if vocabulary.library == "sentencepiece"],
    ids=lambda v: v.name,
)
def test_a_megabyte_without_newline_is_encoded_as_by_the_library(
    vocabulary: Vocabulary, kind: str, shared: Path
) -> None:
    """The library adds single-precision scores from the first character to the last."""
    document = corpus.long_document(shared, kind)
    assert len(document.text.encode()) >= 1_000_000
    outcome.assert_equal(
        [document.text], vocabulary.reference(shared), vocabulary.candidate(shared)
    )


@by_vocabulary
def test_pieces_and_ids_are_those_of_the_library(vocabulary: Vocabulary, shared: Path) -> None:
    tokenizer = references.pytok_tokenizer(vocabulary, shared)
    native = vocabulary.reference(shared)
    if vocabulary.library == "tokenizers":
        expected = native.tokenizer.get_vocab(with_added_tokens=True)
        assert dict(tokenizer.vocab) == expected
        for piece, token in expected.items():
            assert tokenizer.token_to_id(piece) == token
            assert tokenizer.id_to_token(token) == native.tokenizer.id_to_token(token)
    elif vocabulary.library == "tiktoken":
        encoding = native.encoding
        for raw, token in encoding._mergeable_ranks.items():
            assert tokenizer.token_bytes(token) == raw
            assert tokenizer.id_to_token(token) == references.byte_piece(raw)
        for name, token in encoding._special_tokens.items():
            assert tokenizer.token_bytes(token) == name.encode()
            assert tokenizer.token_to_id(name) == token
    else:
        processor = native.processor
        size = processor.get_piece_size()
        assert tokenizer.vocab_size == size
        for token in range(size):
            piece = processor.id_to_piece(token)
            assert tokenizer.id_to_token(token) == piece
            assert tokenizer.token_to_id(piece) == processor.piece_to_id(piece)
    assert len(tokenizer.vocab) == tokenizer.vocab_size


@by_vocabulary
def test_every_id_alone_decodes_as_in_the_library(vocabulary: Vocabulary, shared: Path) -> None:
    tokenizer = references.pytok_tokenizer(vocabulary, shared)
    native = vocabulary.reference(shared)
    for token in sorted(set(tokenizer.vocab.values())):
        if vocabulary.library == "tokenizers":
            for skip in (False, True):
                expected = native.tokenizer.decode([token], skip_special_tokens=skip)
                assert tokenizer.decode([token], skip_special_tokens=skip) == expected, token
            continue
        if vocabulary.library == "tiktoken":
            try:
                expected = native.encoding.decode([token])
            except KeyError:  # A special token that the test does not list.
                continue
        else:
            expected = native.processor.decode([token])
        assert tokenizer.decode([token], skip_special_tokens=False) == expected, token


@by_vocabulary
def test_random_ids_decode_as_in_the_library(vocabulary: Vocabulary, shared: Path) -> None:
    """Ids in an order that no text gives: broken characters, spaces, control tokens."""
    tokenizer = references.pytok_tokenizer(vocabulary, shared)
    native = vocabulary.reference(shared)
    known = np.array(sorted(set(tokenizer.vocab.values())))
    if vocabulary.library == "tiktoken":
        known = known[: len(native.encoding._mergeable_ranks)]
    generator = np.random.default_rng(20_261_130)
    # Pieces of bytes and the first few hundred ids are where decoders differ.
    early = known[:600]
    for number in range(2_000):
        pool = early if number % 2 else known
        ids = generator.choice(pool, size=generator.integers(1, 12)).tolist()
        if vocabulary.library == "tokenizers":
            for skip in (False, True):
                expected = native.tokenizer.decode(ids, skip_special_tokens=skip)
                assert tokenizer.decode(ids, skip_special_tokens=skip) == expected, ids
        elif vocabulary.library == "tiktoken":
            assert tokenizer.decode_bytes(ids) == native.encoding.decode_bytes(ids), ids
            assert tokenizer.decode(ids) == native.encoding.decode(ids), ids
        else:
            assert tokenizer.decode(ids) == native.processor.decode(ids), ids


if corpus.FULL:

    @by_vocabulary
    def test_whole_files_are_encoded_as_by_the_library(
        vocabulary: Vocabulary, shared: Path
    ) -> None:
        """Every file as one text, up to what the reference holds in memory."""
        for kind in corpus.KINDS:
            for path in corpus.files(shared, kind):
                text = corpus.read(path)[:1_500_000]
                outcome.assert_equal(
                    [text],
                    vocabulary.reference(shared),
                    vocabulary.candidate(shared),
                    sources=[path.name],
                )
