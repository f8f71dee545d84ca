"""tokenizer.json files with Unigram models over bytes, as the hybrid trainer writes them.

Scores are multiples of 1/1024; the pieces are written in the byte alphabet.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import regex

from .corpus import read
from .references import QWEN_PATTERN, byte_piece

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
SPECIAL = "<|endoftext|>"
NEVER = -(2.0**20)
"""The score of pieces that no text may use."""


def scheme(pattern: str) -> dict[str, Any]:
    """The pre-tokenizer: matches of a pattern, then bytes."""
    cut = {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Isolated",
        "invert": False,
    }
    return {"type": "Sequence", "pretokenizers": [cut, byte_level()]}


def byte_level() -> dict[str, Any]:
    """The component that writes bytes in the byte alphabet."""
    return {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": False,
        "use_regex": False,
    }


def tokenizer_json(
    costs: Mapping[bytes, int], *, pattern: str = QWEN_PATTERN, special: str | None = SPECIAL
) -> str:
    """A file whose pieces have these costs, in 1/1024 nats; ids in their order."""
    vocab: list[tuple[str, float]] = []
    added = []
    if special is not None:
        vocab.append((special, NEVER))
        flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
        added.append({"id": 0, "content": special, **flags, "special": True})
    vocab += [(byte_piece(piece), -cost / 1024) for piece, cost in costs.items()]
    file = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": None,
        "pre_tokenizer": scheme(pattern),
        "post_processor": None,
        "decoder": byte_level(),
        "model": {"type": "Unigram", "unk_id": None, "vocab": vocab, "byte_fallback": False},
    }
    return json.dumps(file, ensure_ascii=False)


@cache
def sample_costs(pieces: int = 12_000, *, across: bool = False) -> dict[bytes, int]:
    """Costs of the most frequent strings of the texts of the repository, and of all bytes.

    ``across``: strings of bytes, so that some begin or end inside a character;
    else of characters, with the first bytes of each.
    """
    counts: Counter[bytes] = Counter()
    words: Counter[str] = Counter()
    for kind in ("news", "classical", "dialect", "code"):
        for path in sorted((CORPORA / kind).iterdir()):
            words.update(regex.findall(QWEN_PATTERN, read(path)))
    for word, count in words.items():
        units = [bytes([byte]) for byte in word.encode()] if across else _bytes(word)
        longest = 9 if across else 5
        for start in range(len(units)):
            for end in range(start + 1, min(start + longest, len(units)) + 1):
                counts[b"".join(units[start:end])] += count
        for unit in units:
            counts.update({unit[:end]: count for end in range(2, len(unit))})
    counts.update(bytes([byte]) for byte in range(256))
    singles = [bytes([byte]) for byte in range(256)]
    best = sorted(counts, key=lambda piece: (-counts[piece], piece))[:pieces]
    total = sum(counts[piece] for piece in best)
    return {
        piece: max(1, round(1024 * (64 + math.log(total / counts[piece]))))
        for piece in dict.fromkeys(singles + best)
    }


def _bytes(word: str) -> list[bytes]:
    return [character.encode() for character in word]


@cache
def sample_file(*, across: bool = False) -> str:
    """The tokenizer.json of `sample_costs`."""
    return tokenizer_json(sample_costs(across=across))
