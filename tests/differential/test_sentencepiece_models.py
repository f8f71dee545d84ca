"""SentencePiece models trained in the tests under many options, against the library."""

from __future__ import annotations

import itertools
import zlib
from functools import cache
from typing import Any

import pytest
import sentencepiece

from . import outcome
from .components import TRAINING_TEXT
from .references import PytokCandidate, SentencePieceReference
from .strategies import FIXED_TEXTS, FULL, random_texts

OPTIONS: dict[str, dict[str, Any]] = {
    "unigram": {"model_type": "unigram"},
    "bpe": {"model_type": "bpe"},
    "character": {"model_type": "char"},
    "word": {"model_type": "word"},
    "unigram with bytes": {"model_type": "unigram", "byte_fallback": True},
    "bpe with bytes": {"model_type": "bpe", "byte_fallback": True},
    "identity": {"normalization_rule_name": "identity"},
    "nfkc": {"normalization_rule_name": "nfkc"},
    "nfkc with case folding": {"normalization_rule_name": "nfkc_cf"},
    "nmt_nfkc with case folding": {"normalization_rule_name": "nmt_nfkc_cf"},
    "no prefix": {"add_dummy_prefix": False},
    "no prefix, bpe": {"add_dummy_prefix": False, "model_type": "bpe"},
    "spaces kept": {"remove_extra_whitespaces": False},
    "spaces kept, bpe": {"remove_extra_whitespaces": False, "model_type": "bpe"},
    "spaces kept, no prefix": {"remove_extra_whitespaces": False, "add_dummy_prefix": False},
    "space as suffix": {"treat_whitespace_as_suffix": True},
    "space as suffix, bpe": {"treat_whitespace_as_suffix": True, "model_type": "bpe"},
    "space as suffix, spaces kept": {
        "treat_whitespace_as_suffix": True,
        "remove_extra_whitespaces": False,
    },
    "space as suffix, no prefix": {
        "treat_whitespace_as_suffix": True,
        "add_dummy_prefix": False,
    },
    "pieces of spaces only": {
        "allow_whitespace_only_pieces": True,
        "remove_extra_whitespaces": False,
        "model_type": "bpe",
    },
    "no split at spaces": {"split_by_whitespace": False},
    "single digits": {"split_digits": True, "model_type": "bpe"},
    "user symbols": {"user_defined_symbols": ["<sep>", "学而", "the", "▁x", " y", "é"]},
    "user symbols, bpe": {
        "user_defined_symbols": ["<sep>", "学而", "the", "é", "ab", "a"],
        "model_type": "bpe",
    },
    "user symbols that overlap": {"user_defined_symbols": ["ab", "abc", "bc", "c学", "学而时"]},
    "user symbols with bytes": {
        "user_defined_symbols": ["<0x41>x", "时习", "<sep>"],
        "byte_fallback": True,
        "model_type": "bpe",
    },
    "control symbols": {"control_symbols": ["<ctl>", "学"]},
    "other ids": {"unk_id": 3, "bos_id": 0, "eos_id": 1, "pad_id": 2},
    "no begin and end": {"bos_id": -1, "eos_id": -1},
    "other names": {"unk_piece": "[UNK]", "bos_piece": "[B]", "eos_piece": "[E]"},
    "other unknown surface": {"unk_surface": "?"},
    "llama": {
        "model_type": "bpe",
        "byte_fallback": True,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "allow_whitespace_only_pieces": True,
        "split_digits": True,
    },
    "gemma": {
        "model_type": "bpe",
        "byte_fallback": True,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "add_dummy_prefix": False,
        "user_defined_symbols": ["\n", "\n\n", "▁▁", "<table>", "[@BOS@]"],
    },
    "t5": {"model_type": "unigram", "pad_id": 0, "eos_id": 1, "unk_id": 2, "bos_id": -1},
    "space as suffix, user symbols": {
        "treat_whitespace_as_suffix": True,
        "user_defined_symbols": ["<sep>", "the▁", "学"],
    },
}

ATOMS = (
    *"thelowr aA1.学而时习不亦é\n ", "  ", "▁", "<sep>", "<ctl>", "<s>", "</s>", "<unk>", "[UNK]", "\n\n", "ab", "abc",
    "x", " y", "<0x41>", "<0x41>x", "<table>", "\u3000", "𠀀", "①", "ﬁ", "ｶﾞ", "\x00", "É", "\u0301",
)  # fmt: skip


@cache
def trained(name: str) -> bytes:
    """The serialised model that the library trains under the options."""
    import io

    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TRAINING_TEXT),
        model_writer=model,
        minloglevel=2,
        **{"vocab_size": 420, "hard_vocab_limit": False, **OPTIONS[name]},
    )
    return model.getvalue()


def load(name: str, tmp_path: Any) -> tuple[SentencePieceReference, PytokCandidate]:
    import pytok

    path = tmp_path / "made.model"
    path.write_bytes(trained(name))
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return SentencePieceReference(processor), PytokCandidate(
        pytok.Tokenizer.from_file(path), "text"
    )


@pytest.mark.parametrize("name", OPTIONS)
def test_trained_model(name: str, tmp_path: Any) -> None:
    reference, candidate = load(name, tmp_path)
    outcome.assert_equal(FIXED_TEXTS, reference, candidate)
    seed = zlib.crc32(name.encode())
    count = 20_000 if FULL else 1_500
    outcome.assert_equal(random_texts(count, ATOMS, seed), reference, candidate)


@pytest.mark.parametrize("name", OPTIONS)
def test_ids_in_any_order_decode_alike(name: str, tmp_path: Any) -> None:
    import random

    reference, candidate = load(name, tmp_path)
    size = reference.processor.get_piece_size()
    for first in range(size):
        ids = [first]
        assert candidate.tokenizer.decode(ids) == reference.processor.decode(ids), ids
    generator = random.Random(size)
    lists = [generator.choices(range(size), k=generator.randint(1, 8)) for _ in range(2_000)]
    lists += [list(pair) for pair in itertools.product(range(12), repeat=2)]
    for ids in lists:
        pieces = [reference.processor.id_to_piece(token) for token in ids]
        assert candidate.tokenizer.decode(ids) == reference.processor.decode(ids), pieces
        streamed = "".join(candidate.tokenizer.decode_stream(ids))
        assert streamed == candidate.tokenizer.decode(ids), pieces


@pytest.mark.parametrize("name", OPTIONS)
def test_ends_are_added_on_request(name: str, tmp_path: Any) -> None:
    reference, candidate = load(name, tmp_path)
    has = {
        "bos": reference.processor.bos_id() >= 0,
        "eos": reference.processor.eos_id() >= 0,
    }
    for bos, eos in itertools.product((False, True), repeat=2):
        if (bos and not has["bos"]) or (eos and not has["eos"]):
            continue
        for text in ("", "the 学而", " a  "):
            expected = reference.processor.encode(text, add_bos=bos, add_eos=eos)
            assert candidate.tokenizer.encode_ids(text, bos=bos, eos=eos) == expected


@pytest.mark.parametrize("name", ["unigram", "bpe with bytes", "user symbols", "llama"])
def test_saving_keeps_the_model(name: str, tmp_path: Any) -> None:
    import pytok

    reference, candidate = load(name, tmp_path)
    again = pytok.Tokenizer.from_pretrained(candidate.tokenizer.save(tmp_path / "saved"))
    assert again == candidate.tokenizer
    outcome.assert_equal(FIXED_TEXTS, reference, PytokCandidate(again, "text"))
