"""Trained tokenizers that cut text into sentences: equal to ``tokenizers`` on any text."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hypothesis import given

import pytok

from . import components, corpus, outcome, strategies
from .references import PytokCandidate, TokenizersReference

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
SHAPES: dict[str, dict[str, Any]] = {
    "bpe": {"algorithm": "bpe"},
    "hybrid": {"algorithm": "hybrid", "tau_c": 3, "tau_w": 3},
    "triples": {"algorithm": "hybrid", "tau_c": 3, "tau_w": 3, "digits": 3, "segmenter": None},
}
by_shape = pytest.mark.parametrize("shape", SHAPES)
MARKS = "。！？"
CLOSERS = "’”」』）］｝】》〉〕〗﹂﹄)]}"


@cache
def texts() -> tuple[str, ...]:
    """The sample corpora."""
    paths = [path for kind in ("news", "code", "classical") for path in CORPORA.glob(f"{kind}/*")]
    return tuple(path.read_text(encoding="utf-8") for path in sorted(paths))


@cache
def file_of(shape: str) -> str:
    """The tokenizer.json of a trained tokenizer."""
    config = pytok.TrainConfig(vocab_size=3000, tau=2, pretokenizer="wide", **SHAPES[shape])
    with tempfile.TemporaryDirectory() as folder:
        saved = pytok.train(texts(), config).tokenizer.save(folder)
        return (saved / "tokenizer.json").read_text(encoding="utf-8")


@cache
def sides(shape: str) -> tuple[TokenizersReference, PytokCandidate]:
    """Both libraries with the tokenizer."""
    tokenizer = components.load_candidate(file_of(shape))
    return (
        TokenizersReference(tokenizers.Tokenizer.from_str(file_of(shape))),
        PytokCandidate(tokenizer, "special"),
    )


def pieces(shape: str) -> list[str]:
    """The pieces that are text."""
    tokenizer = sides(shape)[1].tokenizer
    spelled = (tokenizer.token_bytes(number) for number in range(tokenizer.vocab_size))
    return [text for raw in spelled if "\ufffd" not in (text := raw.decode("utf-8", "replace"))]


@by_shape
def test_the_sample_corpora_have_the_ids_of_the_library(shape: str) -> None:
    assert outcome.assert_equal(texts(), *sides(shape)) > 10_000
    tokenizer = sides(shape)[1].tokenizer
    for text in texts():
        assert tokenizer.decode(tokenizer.encode_ids(text, special="text")) == text


@pytest.mark.needs_shared
@pytest.mark.parametrize("kind", corpus.KINDS)
@by_shape
def test_corpora_have_the_ids_of_the_library(shape: str, kind: str, shared: Path) -> None:
    documents = list(corpus.documents(shared, kind))
    sources = [document.source for document in documents]
    found = outcome.assert_equal([d.text for d in documents], *sides(shape), sources=sources)
    assert found > 10_000


@by_shape
def test_hostile_texts_have_the_ids_of_the_library(shape: str) -> None:
    outcome.assert_equal(strategies.FIXED_TEXTS, *sides(shape))
    outcome.assert_equal(strategies.random_texts(300, tuple(MARKS + CLOSERS)), *sides(shape))


@given(strategies.texts())
@strategies.examples()
def test_any_text_has_the_ids_of_the_library(text: str) -> None:
    for shape in SHAPES:
        outcome.assert_equal([text], *sides(shape))


@cache
def splitter(shape: str) -> Any:
    """The library's own component, from the file."""
    split = json.loads(file_of(shape))["pre_tokenizer"]["pretokenizers"][0]
    return tokenizers.pre_tokenizers.Split(tokenizers.Regex(split["pattern"]["Regex"]), "isolated")


@cache
def is_digit(character: str) -> bool:
    """Whether it is a number and not Han, in the library's edition of Unicode."""
    numbers = tokenizers.pre_tokenizers.Split(tokenizers.Regex(r"[\p{N}&&[^\p{Han}]]"), "removed")
    return not numbers.pre_tokenize_str(character)


def sentences(text: str, digits: int) -> list[str]:
    """The words of a text, as documented."""
    words: list[str] = []
    place = 0

    def run(of: str, start: int) -> int:
        while start < len(text) and text[start] in of:
            start += 1
        return start

    while place < len(text):
        end = place
        while end < len(text) and end - place < digits and is_digit(text[end]):
            end += 1
        if end == place:
            while end < len(text) and text[end] not in MARKS + "\r\n" and not is_digit(text[end]):
                end += 1
            marks = run(MARKS, end)
            end = run("\r\n", marks if marks == end else run(CLOSERS, marks))
        words.append(text[place:end])
        place = end
    return words


@given(strategies.texts() | strategies.alphabet_texts(MARKS + "」)a 的，…\r\n〇12"))
@strategies.examples()
def test_the_library_cuts_sentences_as_documented(text: str) -> None:
    for shape, digits in (("hybrid", 1), ("triples", 3)):
        found = [word for word, _ in splitter(shape).pre_tokenize_str(text)]
        assert found == sentences(text, digits)


@by_shape
def test_pieces_follow_the_grammar(shape: str) -> None:
    found = pieces(shape)
    for piece in found:
        body = piece.rstrip("\r\n")
        assert not piece.strip() or not set("\r\n") & set(body), piece
        assert not any(map(is_digit, piece)) or all(map(is_digit, piece)), piece
    # Pieces of several words, with a line break, and with a mark at the end.
    assert any(len(piece.split()) > 1 for piece in found)
    assert any(piece.strip() and piece.endswith("\n") for piece in found)
    assert any(len(piece) > 2 and piece.endswith("，") for piece in found)


def test_superwords_grow() -> None:
    lines = ["import numpy as np\n", "the end of the day and the start of the game\n"]
    lines += ["好的时候，我们走。\n", "来的时候，你们看。\n"]
    config = pytok.TrainConfig(vocab_size=330, algorithm="bpe", tau=1, pretokenizer="wide")
    tokenizer = pytok.train(["".join(lines)] * 30, config).tokenizer
    found = {tokenizer.token_bytes(number).decode("utf-8", "replace") for number in range(330)}
    assert {"import numpy as np\n", "的时候，"} <= found
    assert any("of the" in piece for piece in found)


def test_boilerplate_counts_a_few_times_and_short_sentences_always() -> None:
    config = pytok.TrainConfig(pretokenizer="wide")
    counts = pytok.count_words(["Permission is hereby granted\n" * 60, "}\n" * 60], config)
    assert counts.items() == [(b"Permission is hereby granted\n", 3), (b"}\n", 60)]


def test_merges_of_sentences_are_those_of_the_library_without_the_grammar() -> None:
    config = pytok.TrainConfig(
        vocab_size=1500, algorithm="bpe", pretokenizer="wide", tie="hf", char_align=False
    )
    counts = pytok.count_words(texts(), config)
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE())
    theirs.pre_tokenizer = tokenizers.pre_tokenizers.Sequence(
        [
            splitter("bpe"),
            tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=1500,
        initial_alphabet=sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()),
        min_frequency=0,
        show_progress=False,
    )
    # Every counted word is a text of its own: the library has no cap.
    words = (word.decode() for word, count in counts.items() for _ in range(count))
    theirs.train_from_iterator(words, trainer)
    ours = pytok.train(None, config, counts=counts).tokenizer
    expected = [tuple(merge) for merge in json.loads(theirs.to_str())["model"]["merges"]]
    with tempfile.TemporaryDirectory() as folder:
        model = json.loads((ours.save(folder) / "tokenizer.json").read_text())["model"]
    assert [tuple(merge) for merge in model["merges"]] == expected
