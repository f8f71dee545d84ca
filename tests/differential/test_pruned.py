"""Real vocabularies, pruned: their own libraries give the same ids, kept ids mean the same."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sentencepiece
import tiktoken
import tokenizers
from tiktoken.load import load_tiktoken_bpe

import pytok
from pytok import _pytok

from .corpus import documents
from .references import BY_NAME, pytok_tokenizer
from .strategies import FULL, random_texts

pytestmark = pytest.mark.needs_shared

NAMES = ["gpt2", "deepseek", "cl100k", "qwen", "kimi-k2", "zh-32k", "zh-32k-wide"]
NAMES += ["chinese-llama", "mistral", "cpm1", "xlnet"]
MODES = ["compact", "stable"]
KINDS = ("news", "code", "classical")


@cache
def before_of(name: str, shared: Path) -> pytok.Tokenizer:
    if BY_NAME[name].ships:
        return pytok.Tokenizer.from_pretrained(name)
    tokenizer: pytok.Tokenizer = pytok_tokenizer(BY_NAME[name], shared)
    return tokenizer


@cache
def pruned(name: str, mode: Any, shared: Path) -> pytok.PruneResult:
    """A quarter of the pieces, by the use of news."""
    before = before_of(name, shared)
    texts = [document.text for document in documents(shared, "news", full=False)]
    # Without bytes all characters stay.
    size = len(before) // (2 if name in {"chinese-llama", "cpm1", "xlnet"} else 4)
    return pytok.prune(before, texts, target_size=size, rounds=2, mode=mode)


@cache
def stock(name: str, mode: str, shared: Path, folder: Path) -> Any:
    """The pruned vocabulary in the library that its file is of."""
    tokenizer = pruned(name, mode, shared).tokenizer
    own = tokenizer._core.own_file()
    if own is None:
        content = tokenizer._core.tokenizer_json().decode()
        library = tokenizers.Tokenizer.from_str(content)
        return lambda text: library.encode(text, add_special_tokens=False).ids
    if own[0] == "tokenizer.model":
        return sentencepiece.SentencePieceProcessor(model_proto=own[1]).encode
    path = folder / f"{name}-{mode}"
    path.write_bytes(own[1])
    old = BY_NAME[name].load(BY_NAME[name].path(shared))
    return tiktoken.Encoding(
        f"{name}-pruned",
        pat_str=old._pat_str,
        mergeable_ranks=load_tiktoken_bpe(str(path)),
        special_tokens={},
    ).encode_ordinary


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pruned")


def check(name: str, mode: str, text: str, shared: Path, folder: Path) -> bool:
    """Compare one text; whether all its ids stayed."""
    before, result = before_of(name, shared), pruned(name, mode, shared)
    is_json = result.tokenizer.library == "tokenizers"
    special: Any = "special" if is_json else "text"
    ids = result.tokenizer.encode_ids(text, special=special, add_special_tokens=False)
    assert ids == stock(name, mode, shared, folder)(text)
    old = before.encode_ids(text, special=special, add_special_tokens=False)
    stays = all(number in result.id_map for number in old)
    if stays:
        assert ids == [result.id_map[number] for number in old]
    return stays


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_real_texts_have_the_ids_of_the_own_library(
    name: str, mode: str, shared: Path, folder: Path
) -> None:
    texts = [document.text for kind in KINDS for document in documents(shared, kind, full=False)]
    stays = [check(name, mode, text, shared, folder) for text in texts]
    assert any(stays)
    assert not all(stays)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", NAMES)
def test_random_texts_have_the_ids_of_the_own_library(
    name: str, mode: str, shared: Path, folder: Path
) -> None:
    for text in random_texts(5000 if FULL else 300, (), 5):
        check(name, mode, text, shared, folder)


@pytest.mark.parametrize("name", ["gpt2", "deepseek", "cl100k", "qwen", "kimi-k2"])
def test_what_is_quickly_made_encodes_as_what_is_pruned(name: str, shared: Path) -> None:
    before, result = before_of(name, shared), pruned(name, "stable", shared)
    pruner = _pytok.Pruner(before._core, [], "stable")
    removed = np.setdiff1d(pruner.ids(), np.array(list(result.id_map), np.uint32))
    encoder = pruner.encoder(removed)
    assert encoder is not None
    texts = [document.text for kind in KINDS for document in documents(shared, kind, full=False)]
    for text in [*texts, *random_texts(5000 if FULL else 300, (), 6)]:
        found = encoder.encode_ids(text, "text", False, False, False)
        assert found == result.tokenizer._core.encode_ids(text, "text", False, False, False)
