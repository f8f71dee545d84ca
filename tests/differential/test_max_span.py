"""Tokenizers that use no long pieces: what they save means the same to the libraries."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

import pytok

from . import components, corpus, hybrid_files, outcome, strategies
from .references import (
    BY_NAME,
    BYTE_ALPHABET,
    QWEN_PATTERN,
    PytokCandidate,
    SentencePieceReference,
    TiktokenReference,
    TokenizersReference,
    Vocabulary,
    pytok_tokenizer,
    read_ranks,
)

LIMITS = [(1, "chars"), (2, "chars"), (3, "chars"), (1, "bytes"), (4, "bytes"), (7, "bytes")]
by_limit = pytest.mark.parametrize(("limit", "unit"), LIMITS)


def characters(piece: bytes) -> int:
    """The characters that a piece touches, counted by hand."""
    return sum(1 for index, byte in enumerate(piece) if index == 0 or not 0x80 <= byte < 0xC0)


def fits(piece: bytes, limit: int, unit: str) -> bool:
    """Whether a piece may be used."""
    touched = characters(piece)
    return touched <= 1 or (touched if unit == "chars" else len(piece)) <= limit


def saved(tokenizer: pytok.Tokenizer, folder: Path) -> tuple[str, pytok.Tokenizer]:
    """The saved tokenizer.json, and what pytok makes of it; pytok.json is compared here."""
    tokenizer.save(folder)
    assert pytok.Tokenizer.from_file(folder / "pytok.json") == tokenizer
    content = (folder / "tokenizer.json").read_text(encoding="utf-8")
    again = components.load_candidate(content)
    assert again == tokenizer
    return content, again


def check(
    tokenizer: pytok.Tokenizer, limit: int, unit: str, texts: list[str], folder: Path
) -> None:
    """The limited tokenizer keeps to the limit, and its file means the same to `tokenizers`."""
    limited = tokenizer.with_max_span(limit, unit)  # type: ignore[arg-type]
    assert limited.vocab == tokenizer.vocab
    assert limited.with_max_span(None) == tokenizer
    assert limited.with_max_span(10**6) == tokenizer
    assert limited.with_max_span(2).with_max_span(limit, unit) == limited  # type: ignore[arg-type]
    added = {token.id for token in tokenizer.added_tokens}
    for text in texts:
        ids = limited.encode_ids(text, special="text", add_special_tokens=False)
        assert limited.decode(ids) == tokenizer.decode(ids) == text
        pieces = [limited.token_bytes(token) for token in ids if token not in added]
        assert all(fits(piece, limit, unit) for piece in pieces)
    content, again = saved(limited, folder)
    native = TokenizersReference(tokenizers.Tokenizer.from_str(content))
    outcome.assert_equal(texts, native, PytokCandidate(again, "special"))
    outcome.assert_equal(texts, native, PytokCandidate(limited, "special"))


TEXTS = [
    *(text for text in strategies.FIXED_TEXTS if "<" not in text and "[" not in text),
    "我们在学校里学习中文，老师说：“学而时习之，不亦说乎？”  Hello, world! 12345\n\n",
    " " * 100 + "a" * 100 + "学" * 100,
]


@cache
def byte_level_bpe() -> pytok.Tokenizer:
    """A tokenizer of merges, trained on the sample texts."""
    config = pytok.TrainConfig(algorithm="bpe", vocab_size=6000, special_tokens=["<|end|>"])
    return pytok.train(Path(__file__).parents[2] / "corpora", config).tokenizer


@by_limit
def test_byte_level_bpe_keeps_to_the_limit(limit: int, unit: str, tmp_path: Path) -> None:
    check(byte_level_bpe(), limit, unit, TEXTS, tmp_path)


@by_limit
def test_a_hybrid_keeps_to_the_limit(limit: int, unit: str, tmp_path: Path) -> None:
    check(pytok.Tokenizer.from_pretrained("zh-32k"), limit, unit, TEXTS, tmp_path)


@by_limit
def test_whole_words_keep_to_the_limit(limit: int, unit: str, tmp_path: Path) -> None:
    byte_level_bpe().save(tmp_path)
    file = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))
    file["model"]["ignore_merges"] = True
    tokenizer = components.load_candidate(json.dumps(file))
    check(tokenizer, limit, unit, TEXTS, tmp_path)


@by_limit
@pytest.mark.parametrize("across", [False, True], ids=["characters", "bytes"])
def test_byte_level_unigram_keeps_to_the_limit(
    limit: int, unit: str, across: bool, tmp_path: Path
) -> None:
    tokenizer = components.load_candidate(hybrid_files.sample_file(across=across))
    check(tokenizer, limit, unit, TEXTS, tmp_path)
    limited = tokenizer.with_max_span(limit, unit)  # type: ignore[arg-type]
    file = json.loads(saved(limited, tmp_path)[0])
    for (piece, before), (_, after) in zip(
        json.loads(hybrid_files.sample_file(across=across))["model"]["vocab"],
        file["model"]["vocab"],
        strict=True,
    ):
        raw = bytes(BYTE_ALPHABET.index(character) for character in piece)
        assert after == (before if fits(raw, limit, unit) else hybrid_files.NEVER)


@pytest.mark.needs_shared
@pytest.mark.parametrize("kind", corpus.KINDS)
def test_limited_unigram_encodes_corpora_as_the_library(
    kind: str, shared: Path, tmp_path: Path
) -> None:
    tokenizer = components.load_candidate(hybrid_files.sample_file()).with_max_span(2)
    content, _ = saved(tokenizer, tmp_path)
    documents = list(corpus.documents(shared, kind, full=False))
    native = TokenizersReference(tokenizers.Tokenizer.from_str(content))
    texts = [document.text for document in documents]
    assert outcome.assert_equal(texts, native, PytokCandidate(tokenizer, "special")) > 10_000


@pytest.mark.needs_shared
@by_limit
@pytest.mark.parametrize("name", ["gpt2", "deepseek"])
def test_foreign_bpe_keeps_to_the_limit(
    name: str, limit: int, unit: str, shared: Path, tmp_path: Path
) -> None:
    check(pytok_tokenizer(BY_NAME[name], shared), limit, unit, _some(shared), tmp_path)


def _some(shared: Path) -> list[str]:
    documents = corpus.documents(shared, "news", full=False)
    return [*TEXTS, *(document.text for document in list(documents)[:40])]


@pytest.mark.needs_shared
@by_limit
def test_ranks_keep_to_the_limit_as_tiktoken_without_the_longer_ones(
    limit: int, unit: str, shared: Path, tmp_path: Path
) -> None:
    vocabulary = BY_NAME["qwen"]
    tokenizer = pytok_tokenizer(vocabulary, shared)
    limited = tokenizer.with_max_span(limit, unit)
    ranks = read_ranks(vocabulary.path(shared))
    short = {piece: rank for piece, rank in ranks.items() if fits(piece, limit, unit)}
    assert 256 < len(short) < len(ranks)
    native = tiktoken.Encoding(
        "short", pat_str=QWEN_PATTERN, mergeable_ranks=short, special_tokens={}
    )
    texts = _some(shared)
    outcome.assert_equal(texts, TiktokenReference(native), PytokCandidate(limited, "text"))
    assert limited.vocab == tokenizer.vocab
    assert limited.with_max_span(None) == tokenizer
    limited.save(tmp_path)
    again = pytok.Tokenizer.from_file(tmp_path / "pytok.json")
    assert again == limited
    assert again != tokenizer
    for text in texts:
        assert again.encode_ids(text, special="text") == limited.encode_ids(text, special="text")


SENTENCEPIECE = [name for name, v in BY_NAME.items() if v.library == "sentencepiece"]


@pytest.mark.needs_shared
@by_limit
@pytest.mark.parametrize("name", SENTENCEPIECE)
def test_sentencepiece_keeps_to_the_limit_as_the_library_with_unused_pieces(
    name: str, limit: int, unit: str, shared: Path, tmp_path: Path
) -> None:
    vocabulary: Vocabulary = BY_NAME[name]
    tokenizer = pytok_tokenizer(vocabulary, shared)
    limited = tokenizer.with_max_span(limit, unit)
    limited.save(tmp_path)
    file: dict[str, Any] = json.loads((tmp_path / "pytok.json").read_text(encoding="utf-8"))
    proto = base64.b64decode(file["definition"]["model"]["proto"])
    native = sentencepiece.SentencePieceProcessor(model_proto=proto)
    texts = _some(shared)
    outcome.assert_equal(texts, SentencePieceReference(native), PytokCandidate(limited, "text"))
    assert limited.vocab == tokenizer.vocab
    assert limited.with_max_span(None) == tokenizer
    for text in texts:
        assert not any(native.is_unused(token) for token in native.encode(text))
    original = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary.path(shared)))
    for token in range(native.get_piece_size()):
        piece = original.id_to_piece(token).replace("▁", " ").encode()
        normal = not any(
            test(token) for test in (original.is_control, original.is_unknown, original.is_byte)
        )
        if normal and not fits(piece, limit, unit):
            assert native.is_unused(token) or token in _user_defined(original)
        else:
            assert native.is_unused(token) == original.is_unused(token)


def _user_defined(processor: sentencepiece.SentencePieceProcessor) -> set[int]:
    from sentencepiece import sentencepiece_model_pb2

    proto = sentencepiece_model_pb2.ModelProto.FromString(processor.serialized_model_proto())
    return {token for token, piece in enumerate(proto.pieces) if piece.type == 4}


def unigram(pieces: dict[str, float], *, byte_fallback: bool = False) -> str:
    """A Unigram file over characters, with an unknown piece."""
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    vocab = [["<unk>", 0.0], *pieces.items()]
    file = {
        "version": "1.0",
        "added_tokens": [components.added_token("<unk>", 0, special=True)],
        "normalizer": None,
        "pre_tokenizer": space,
        "post_processor": None,
        "decoder": space,
        "model": {
            "type": "Unigram",
            "unk_id": 0,
            "vocab": vocab,
            "byte_fallback": byte_fallback,
        },
    }
    return json.dumps(file)


@strategies.examples(60, 1_000)
@given(
    texts=st.lists(st.text("ab学而 x<0E>", max_size=30), max_size=6),
    pieces=st.dictionaries(st.text("ab学而▁", min_size=2, max_size=4), st.floats(-9, -0.1)),
    limit=st.integers(1, 4),
    unit=st.sampled_from(["chars", "bytes"]),
    byte_fallback=st.booleans(),
)
def test_unigram_over_characters_keeps_to_the_limit(
    texts: list[str], pieces: dict[str, float], limit: int, unit: Any, byte_fallback: bool
) -> None:
    singles = dict.fromkeys("ab学而▁<0xE>", -10.5)
    bytes_ = {f"<0x{byte:02X}>": -20.0 for byte in range(256)} if byte_fallback else {}
    file = unigram(singles | pieces | bytes_, byte_fallback=byte_fallback)
    tokenizer = components.load_candidate(file)
    limited = tokenizer.with_max_span(limit, unit)
    native = tokenizers.Tokenizer.from_str(limited._core.tokenizer_json().decode())
    outcome.assert_equal(texts, TokenizersReference(native), PytokCandidate(limited, "special"))
    for text in texts:
        for token in limited.encode(text, special="text").tokens:
            piece = token.replace("▁", " ").encode()
            assert fits(piece, limit, unit) or token.startswith("<0x")


def test_a_character_that_only_longer_pieces_have_is_refused() -> None:
    tokenizer = components.load_candidate(unigram({"a": -1.0, "▁": -1.0, "ab": -2.0}))
    with pytest.raises(pytok.errors.ConfigError, match=r'limit: the piece "ab" of this Unigram'):
        tokenizer.with_max_span(1)
    assert tokenizer.with_max_span(2) == tokenizer


@pytest.mark.parametrize("kind", ["WordPiece", "WordLevel"])
def test_formats_that_cannot_leave_pieces_out_are_refused(kind: str) -> None:
    model: dict[str, Any] = {"type": kind, "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "ab": 1}}
    if kind == "WordPiece":
        model |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
    file = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder"))
    tokenizer = components.load_candidate(
        json.dumps({"version": "1.0", "added_tokens": [], **file, "model": model})
    )
    with pytest.raises(pytok.errors.ConfigError, match=f"limit: a {kind} model cannot"):
        tokenizer.with_max_span(1)
    assert tokenizer.with_max_span(None) == tokenizer


def test_affixes_of_bpe_do_not_count(tmp_path: Path) -> None:
    pieces = ["a", "##a", "##a</w>", "##aa</w>", "aa", "aa</w>"]
    model = {
        "type": "BPE",
        "continuing_subword_prefix": "##",
        "end_of_word_suffix": "</w>",
        "vocab": {piece: token for token, piece in enumerate(pieces)},
        "merges": [["##a", "##a</w>"], ["a", "##a"]],
    }
    file = dict.fromkeys(("normalizer", "pre_tokenizer", "post_processor", "decoder"))
    tokenizer = components.load_candidate(
        json.dumps({"version": "1.0", "added_tokens": [], **file, "model": model})
    )
    assert tokenizer.with_max_span(2) == tokenizer
    assert tokenizer.encode("aaa").tokens == ["a", "##aa</w>"]
    limited = tokenizer.with_max_span(1)
    assert limited.encode("aaa").tokens == ["a", "##a", "##a</w>"]
    native = tokenizers.Tokenizer.from_str(saved(limited, tmp_path)[0])
    assert native.encode("aaa").ids == limited.encode("aaa").ids


@pytest.mark.parametrize(
    ("limit", "unit", "message"),
    [
        (0, "chars", "limit: 0, expected an integer from 1"),
        (-1, "chars", "limit: -1, expected an integer from 1"),
        (2**32, "chars", "limit: 4294967296, expected an integer from 1"),
        (True, "chars", "limit: True, expected an integer"),
        (1.5, "chars", r"limit: 1.5, expected an integer"),
        (1, "words", 'unit: "words", expected one of "chars", "bytes"'),
        (None, "words", 'unit: "words", expected one of "chars", "bytes"'),
    ],
)
def test_other_limits_are_refused(limit: Any, unit: Any, message: str) -> None:
    with pytest.raises(pytok.errors.ConfigError, match=message):
        pytok.Tokenizer.from_pretrained("zh-32k").with_max_span(limit, unit)


def test_added_tokens_stay_and_the_limit_can_still_be_taken_back() -> None:
    tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
    larger = tokenizer.with_max_span(1).add_tokens(["学而时习之"])
    assert larger.encode("学而时习之不亦").tokens[0] == "学而时习之"
    assert len(larger.encode("学而时习之不亦")) == 3
    assert larger.with_max_span(None) == tokenizer.add_tokens(["学而时习之"])
