"""The harness itself: it finds differences, and the references agree with themselves."""

from __future__ import annotations

from pathlib import Path

import pytest

from . import corpus, outcome
from .components import added_token, character_model, definition, json, run_reference
from .outcome import Outcome
from .references import VOCABULARIES, Vocabulary, byte_piece, covering_spans
from .strategies import FIXED_TEXTS


class Words:
    """An encoder that gives each word its length; `wrong` makes a mistake on one word."""

    def __init__(self, wrong: str = "") -> None:
        self.wrong = wrong

    def encode(self, text: str) -> Outcome:
        words = text.split()
        ids = [len(word) + (word == self.wrong) for word in words]
        return Outcome(ids, words, [(0, 0)] * len(words), " ".join(words))

    def encode_batch(self, texts: list[str]) -> list[Outcome]:
        return [self.encode(text) for text in texts]


def test_a_difference_is_found_and_shrunk() -> None:
    texts = ["a b c", "this is a long text with a bug somewhere in the middle of it"]
    outcome.assert_equal(texts, Words(), Words())
    with pytest.raises(AssertionError) as caught:
        outcome.assert_equal(texts, Words(), Words("bug"))
    message = str(caught.value)
    assert "text 1: on 'bug'" in message
    assert "reference [3]" in message
    assert "pytok     [4]" in message


def test_shrinking_keeps_what_fails() -> None:
    assert outcome.shrink("xxaxxxbxx", lambda text: "a" in text and "b" in text) == "ab"
    assert outcome.shrink("x", lambda text: True) == ""


def test_covering_spans() -> None:
    assert covering_spans("a学b", [1, 1, 2, 1]) == [(0, 1), (1, 2), (1, 2), (2, 3)]
    assert covering_spans("a学b", [2, 3]) == [(0, 2), (1, 3)]
    assert byte_piece(b"\x00") == "Ā"


def test_snapshots_of_the_reference() -> None:
    import tokenizers

    from .components import Pair

    content = definition(character_model(), added_tokens=[added_token("<add>", 900)])
    reference = tokenizers.Tokenizer.from_str(json.dumps(content))
    found = run_reference(Pair(reference, None, ""), "a<add>学")
    assert found["tokens"] == ["a", "<add>", "学"]
    assert found["offsets"] == [(0, 1), (1, 6), (6, 7)]
    assert found["overflowing"] == []


@pytest.mark.needs_shared
@pytest.mark.parametrize("kind", corpus.KINDS)
def test_slices_are_large_and_always_the_same(kind: str, shared: Path) -> None:
    documents = list(corpus.documents(shared, kind, full=False))
    assert sum(len(document.text.encode()) for document in documents) >= corpus.SLICE_BYTES
    corpus._slice.cache_clear()
    assert list(corpus.documents(shared, kind, full=False)) == documents


@pytest.mark.needs_shared
@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda v: v.name)
def test_references_agree_with_themselves(vocabulary: Vocabulary, shared: Path) -> None:
    """One text or a batch: the same; where a token begins: as this file computes it."""
    reference = vocabulary.reference(shared)
    outcome.assert_equal(FIXED_TEXTS, reference, reference)
    if vocabulary.library == "tiktoken":
        for text in FIXED_TEXTS:
            found = reference.encode(text)
            raw = reference.encoding.decode_tokens_bytes(found.ids)
            assert list(found.offsets) == covering_spans(text, [len(piece) for piece in raw])
            assert found.decoded == text
