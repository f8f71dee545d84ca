"""Naive encoders against the libraries and against pytok: three opinions that must agree."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from oracles import byte_pair, viterbi

from . import components
from .components import character_model, definition
from .references import byte_piece
from .strategies import examples

ALPHABET = "abc学"


def random_merges(seed: int) -> list[tuple[str, str]]:
    generator = random.Random(seed)
    pieces, merges = list(ALPHABET), []
    while len(merges) < 24:
        pair = (generator.choice(pieces), generator.choice(pieces))
        if len(pair[0] + pair[1]) <= 9 and pair not in merges:
            merges.append(pair)
            pieces.append(pair[0] + pair[1])
    return merges


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("side", ["reference", "candidate"])
def test_byte_pair_encoding_by_rules(seed: int, side: str) -> None:
    merges = random_merges(seed)
    content = definition(character_model([f"{left} {right}" for left, right in merges]))
    encode = encoder_of(content, side)
    ranks = {pair: rank for rank, pair in enumerate(merges)}

    @examples(150, 2_000)
    @given(st.text(st.sampled_from(ALPHABET), max_size=60))
    def check(text: str) -> None:
        assert encode(text) == byte_pair.merge_by_rules(list(text), ranks)

    check()


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("side", ["reference", "candidate"])
def test_unigram(seed: int, side: str) -> None:
    generator = random.Random(seed)
    # Six decimals: `tokenizers` reads longer ones with an error in the last place.
    scores = {character: -round(generator.uniform(2, 6), 6) for character in ALPHABET}
    while len(scores) < 25:
        piece = "".join(generator.choices(ALPHABET, k=generator.randint(2, 5)))
        # Whole numbers make ties, fractions make sums that are rounded.
        value = generator.uniform(3, 12)
        scores[piece] = -float(round(value)) if seed % 2 else -round(value, 6)
    vocab = [["<unk>", -40.0], *([piece, value] for piece, value in scores.items())]
    content = definition({"type": "Unigram", "unk_id": 0, "vocab": vocab, "byte_fallback": False})
    encode = encoder_of(content, side)

    @examples(150, 2_000)
    @given(st.text(st.sampled_from(ALPHABET), max_size=40))
    def check(text: str) -> None:
        pieces = encode(text)
        assert pieces == viterbi.viterbi(text, scores)
        if len(text) <= 9:
            best = viterbi.best_score_by_enumeration(text, scores) if text else 0.0
            assert viterbi.score(pieces, scores) == pytest.approx(best, abs=1e-9)

    check()


def encoder_of(content: components.Json, side: str) -> Callable[[str], list[str]]:
    text = json.dumps(content)
    if side == "reference":
        reference = tokenizers.Tokenizer.from_str(text)
        return lambda text: reference.encode(text).tokens
    candidate = components.load_candidate(text)
    return lambda text: list(candidate.encode(text).tokens)


def random_ranks(seed: int, size: int = 120) -> dict[bytes, int]:
    """Byte strings built by merging, so that tiktoken can reach each of them."""
    generator = random.Random(seed)
    pieces = [bytes([byte]) for byte in range(256)]
    letters = [*b"abc", *"学".encode()]
    usable = [bytes([byte]) for byte in letters]
    known = set(pieces)
    while len(pieces) < 256 + size:
        piece = generator.choice(usable) + generator.choice(usable)
        if len(piece) <= 12 and piece not in known:
            known.add(piece)
            pieces.append(piece)
            usable.append(piece)
    return {piece: rank for rank, piece in enumerate(pieces)}


@pytest.mark.parametrize("seed", range(10))
def test_byte_pair_encoding_by_results_equals_tiktoken(seed: int) -> None:
    ranks = random_ranks(seed)
    encoding = tiktoken.Encoding(
        "made", pat_str=r"(?s:.+)", mergeable_ranks=ranks, special_tokens={}
    )

    @examples(150, 2_000)
    @given(st.text(st.sampled_from(ALPHABET), max_size=80))
    def check(text: str) -> None:
        assert encoding.encode_ordinary(text) == byte_pair.merge_by_results(text.encode(), ranks)

    check()


@pytest.mark.parametrize("seed", range(10))
def test_byte_pair_encoding_by_results(seed: int) -> None:
    from .rank_files import load_ranks

    ranks = random_ranks(seed)
    tokenizer = load_ranks(ranks, r"(?s:.+)")

    @examples(150, 2_000)
    @given(st.text(st.sampled_from(ALPHABET), max_size=80))
    def check(text: str) -> None:
        expected = byte_pair.merge_by_results(text.encode(), ranks)
        assert list(tokenizer.encode_ids(text)) == expected

    check()
    generator = random.Random(seed)
    for length in (64, 65, 300, 2_000):
        text = "".join(generator.choices(ALPHABET, k=length))
        expected = byte_pair.merge_by_results(text.encode(), ranks)
        assert list(tokenizer.encode_ids(text)) == expected


def test_rules_derived_from_ranks_give_the_same_tokens() -> None:
    for seed in range(5):
        ranks = random_ranks(seed)
        rules = {pair: rank for rank, pair in enumerate(byte_pair.merges_of_ranks(ranks))}
        generator = random.Random(seed)
        for _ in range(200):
            data = "".join(generator.choices(ALPHABET, k=12)).encode()
            single = [data[place : place + 1] for place in range(len(data))]
            tokens = [ranks[part] for part in byte_pair.merge_by_rules(single, rules)]
            if data not in ranks:
                assert tokens == byte_pair.merge_by_results(data, ranks)


def test_byte_notation() -> None:
    assert byte_piece(b" the\n") == "ĠtheĊ"
    assert byte_piece("学".encode()) == "åŃ¦"
