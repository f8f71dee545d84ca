"""Rank files rewritten as tokenizer.json: read by both libraries, equal to tiktoken's ids.

The made files are like those that the models' own repositories carry (Qwen2
and Kimi K2 as tokenizer.json), so this tests large byte-level files that come
by the other way.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from oracles import byte_pair

from . import components, corpus
from .components import Json, added_token
from .references import BY_NAME, KIMI_PATTERN, QWEN_PATTERN, byte_piece, read_ranks
from .strategies import FIXED_TEXTS

pytestmark = pytest.mark.needs_shared

PATTERNS = {"qwen": QWEN_PATTERN, "kimi-k2": KIMI_PATTERN}


@cache
def converted(name: str, root: Path, ignore_merges: bool) -> components.Pair:
    ranks = read_ranks(BY_NAME[name].path(root))
    split = {
        "type": "Split",
        "pattern": {"Regex": PATTERNS[name]},
        "behavior": "Isolated",
        "invert": False,
    }
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": False,
        "use_regex": False,
    }
    model: Json = {
        "type": "BPE",
        "vocab": {byte_piece(piece): rank for piece, rank in ranks.items()},
        "merges": [
            [byte_piece(left), byte_piece(right)]
            for left, right in byte_pair.merges_of_ranks(ranks)
        ],
        "ignore_merges": ignore_merges,
    }
    content = components.definition(
        model,
        normalizer={"type": "NFC"} if name == "qwen" else None,
        pre_tokenizer={"type": "Sequence", "pretokenizers": [split, byte_level]},
        post_processor={**byte_level, "type": "ByteLevel"},
        decoder={**byte_level, "type": "ByteLevel"},
        added_tokens=[
            added_token(token, max(ranks.values()) + 1 + number, special=True)
            for number, token in enumerate(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
        ],
    )
    return components.load_both(json.dumps(content, ensure_ascii=False))


@pytest.mark.parametrize("kind", corpus.KINDS if corpus.FULL else corpus.KINDS[:1])
@pytest.mark.parametrize("ignore_merges", [False, True])
@pytest.mark.parametrize("name", PATTERNS if corpus.FULL else ["qwen"])
def test_converted_vocabulary(name: str, ignore_merges: bool, kind: str, shared: Path) -> None:
    pair = converted(name, shared, ignore_merges)
    texts = [document.text for document in corpus.documents(shared, kind, full=False)]
    components.assert_all_same(pair, [*texts, *FIXED_TEXTS])
