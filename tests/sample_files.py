"""Small tokenizer files that tests write themselves."""

from __future__ import annotations

import base64
import json
from typing import Any


def special(token_id: int, content: str) -> dict[str, Any]:
    return {
        "id": token_id,
        "content": content,
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": False,
        "special": True,
    }


def bert_json() -> dict[str, Any]:
    """A WordPiece tokenizer.json with [CLS] and [SEP] around each text, and an unknown token."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "学", "而", "时", "习", "之", "un", "##able"]
    pieces += ["a", "b", "c", "d", "##s", "乎", "，"]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [special(number, pieces[number]) for number in range(4)],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [
                {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
            ],
            "pair": [
                {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 1}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 1}},
            ],
            "special_tokens": {
                "[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]},
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {piece: number for number, piece in enumerate(pieces)},
        },
    }


def bert_bytes() -> bytes:
    return json.dumps(bert_json(), ensure_ascii=False).encode()


def words_bytes(vocab: dict[str, int]) -> bytes:
    """A WordLevel tokenizer.json: words apart by white space."""
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": {"type": "WhitespaceSplit"},
            "post_processor": None,
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "<unk>"},
        }
    ).encode()


def ranks_bytes(merged: tuple[bytes, ...] = (b"\xe5\xad", "学".encode(), b"ab")) -> bytes:
    """A tiktoken rank file: the 256 bytes, then `merged`."""
    pieces = [bytes([byte]) for byte in range(256)] + list(merged)
    lines = (
        base64.b64encode(piece) + b" " + str(rank).encode() for rank, piece in enumerate(pieces)
    )
    return b"\n".join(lines) + b"\n"
