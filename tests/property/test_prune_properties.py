"""Pruned vocabularies of every kind: what stays means what it meant."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prune_kinds import LOSSLESS, NAMES, STABLE, kind, load, texts_of
from strategies import texts

import pytok
from pytok import _pytok

CASES = [(name, "compact") for name in NAMES] + [(name, "stable") for name in STABLE]
OPTIONS: dict[str, Any] = {"special": "text", "add_special_tokens": False}


@cache
def pruned(name: str, mode: str, seed: int) -> pytok.PruneResult:
    """A vocabulary of which about half the removable pieces are gone, by random counts."""
    tokenizer = kind(name).tokenizer
    pruner = _pytok.Pruner(tokenizer._core, [], mode)
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, int(pruner.ids()[-1]) + 1)
    everything, _ = pruner.plan(np.zeros(len(pruner.ids()), np.uint64), [], 1 << 30, None)
    size = len(pruner.ids()) - int(len(everything) * rng.uniform(0.2, 0.9))
    return pytok.prune(tokenizer, counts=counts, target_size=max(size, 1), mode=mode)


seeds = st.integers(0, 3)
samples = st.one_of(texts, st.sampled_from([*texts_of("news")[:200], *texts_of("code")[:200]]))


@pytest.mark.parametrize(("name", "mode"), CASES)
@given(seed=seeds, text=samples)
def test_texts_of_kept_ids_are_encoded_as_before(
    name: str, mode: str, seed: int, text: str
) -> None:
    before, result = kind(name).tokenizer, pruned(name, mode, seed)
    old = before.encode_ids(text, **OPTIONS)
    new = result.tokenizer.encode_ids(text, **OPTIONS)
    if all(number in result.id_map for number in old):
        is_unknown = name == "unigram" or before.unk_id is None or before.unk_id not in old
        if mode == "compact" or is_unknown:
            assert new == [result.id_map[number] for number in old]
    assert set(new) <= set(result.id_map.values())


@pytest.mark.parametrize(("name", "mode"), CASES)
@given(seed=seeds, text=samples)
def test_the_own_library_gives_the_same_ids(name: str, mode: str, seed: int, text: str) -> None:
    result = pruned(name, mode, seed)
    special = "special" if name in {"bpe", "whole-words", "unigram", "wordpiece"} else "text"
    ids = result.tokenizer.encode_ids(text, special=special, add_special_tokens=False)
    assert ids == stock(name, mode, seed)(text)


@cache
def stock(name: str, mode: str, seed: int) -> Any:
    return kind(name).stock(pruned(name, mode, seed).tokenizer)


@pytest.mark.parametrize("mode", ["compact", "stable"])
@pytest.mark.parametrize("name", LOSSLESS)
@given(seed=seeds, text=texts)
def test_every_text_comes_back(name: str, mode: str, seed: int, text: str) -> None:
    tokenizer = pruned(name, mode, seed).tokenizer
    assert tokenizer.decode(tokenizer.encode_ids(text, **OPTIONS)) == text


@pytest.mark.parametrize(("name", "mode"), CASES)
@pytest.mark.parametrize("seed", range(4))
def test_ids_that_stay_keep_their_pieces(name: str, mode: str, seed: int) -> None:
    before, result = kind(name).tokenizer, pruned(name, mode, seed)
    gone = set(result.plan.ids.tolist())
    assert set(result.id_map) == set(before.vocab.values()) - gone
    assert not gone & set(result.id_map)
    new = sorted(result.id_map.values())
    assert len(new) == len(set(new)) == result.report.size_after
    if mode == "compact":
        assert new == list(range(len(result.tokenizer)))
    else:
        assert all(old == now for old, now in result.id_map.items())
    for old, now in result.id_map.items():
        assert result.tokenizer.id_to_token(now) == before.id_to_token(old)
        assert result.tokenizer.token_bytes(now) == before.token_bytes(old)
    for token in before.added_tokens:
        old = before.token_to_id(token.content)
        assert result.tokenizer.token_to_id(token.content) == result.id_map[old]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
def test_no_piece_is_left_that_no_text_reaches(name: str, seed: int) -> None:
    tokenizer = pruned(name, "compact", seed).tokenizer
    assert not len(_pytok.Pruner(tokenizer._core, [], "compact").unreachable())
    added = {tokenizer.token_to_id(token.content) for token in tokenizer.added_tokens}
    if name == "bpe":
        # The library's model alone, given the spelling of each piece.
        import tokenizers

        model = tokenizers.Tokenizer.from_str(tokenizer._core.tokenizer_json().decode()).model
        for piece, number in tokenizer.vocab.items():
            if number not in added:
                assert [token.id for token in model.tokenize(piece)] == [number]


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_tokenizer_is_the_same(name: str, tmp_path: Any) -> None:
    result = pruned(name, "compact", 1)
    result.save(tmp_path / "new")
    assert pytok.Tokenizer.from_pretrained(tmp_path / "new") == result.tokenizer
    pairs = np.load(tmp_path / "new" / "id_map.npy")
    assert dict(pairs.tolist()) == result.id_map
    own = result.tokenizer._core.own_file()
    if own is not None and name != "ranks":
        assert load(own[1]).vocab == result.tokenizer.vocab
