"""Extended vocabularies, loaded by their own libraries: the same ids, old ones kept."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe

import pytok

from .corpus import FULL, documents, read
from .references import BY_NAME, pytok_tokenizer

pytestmark = pytest.mark.needs_shared

ADD = 300
NAMES = ["gpt2", "deepseek", "cl100k", "qwen", "kimi-k2", "zh-32k"]


@cache
def before_of(name: str, shared: Path) -> pytok.Tokenizer:
    if name == "zh-32k":
        return pytok.Tokenizer.from_pretrained(name)
    tokenizer: pytok.Tokenizer = pytok_tokenizer(BY_NAME[name], shared)
    return tokenizer


def new_texts(shared: Path) -> list[str]:
    return [document.text for document in documents(shared, "classical", full=False)]


@cache
def extended(name: str, shared: Path) -> pytok.ExtendResult:
    only = r"\p{Han}+" if name == "kimi-k2" else None
    return pytok.extend(before_of(name, shared), new_texts(shared), add=ADD, only=only)


@cache
def new_pieces(name: str, shared: Path) -> list[bytes]:
    result = extended(name, shared)
    return [result.tokenizer.token_bytes(result.report.first_id + n) for n in range(ADD)]


@cache
def stock(name: str, shared: Path, folder: Path) -> Any:
    """The extended vocabulary in the library that its file is of."""
    tokenizer = extended(name, shared).tokenizer
    if name in {"gpt2", "deepseek", "zh-32k"}:
        tokenizer.save(folder / name)
        return tokenizers.Tokenizer.from_file(str(folder / name / "tokenizer.json"))
    vocabulary = BY_NAME[name]
    old = vocabulary.load(vocabulary.path(shared))
    file = tokenizer.save(folder / name) / "tokenizer.tiktoken"
    return tiktoken.Encoding(
        f"{name}-extended",
        pat_str=old._pat_str,
        mergeable_ranks=load_tiktoken_bpe(str(file)),
        special_tokens=old._special_tokens,
    )


def stock_ids(library: Any, text: str) -> list[int]:
    if isinstance(library, tiktoken.Encoding):
        return library.encode_ordinary(text)
    ids: list[int] = library.encode(text, add_special_tokens=False).ids
    return ids


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("extended")


def check(name: str, text: str, shared: Path, folder: Path) -> bool:
    """Compare one text; whether it has a new id."""
    before, result = before_of(name, shared), extended(name, shared)
    after, library = result.tokenizer, stock(name, shared, folder)
    special = "text" if isinstance(library, tiktoken.Encoding) else "special"
    ids = after.encode_ids(text, special=special, add_special_tokens=False)
    assert ids == stock_ids(library, text)
    uses_new = max(ids, default=0) >= result.report.first_id
    old = before.encode_ids(text, special=special, add_special_tokens=False)
    assert ids != old or not uses_new
    if ids != old and not uses_new:
        # Among ranks a new piece may be a step to an old one.
        assert isinstance(library, tiktoken.Encoding)
        assert any(piece in text.encode() for piece in new_pieces(name, shared))
    assert after.decode(ids) == before.decode(old)
    return uses_new


@pytest.mark.parametrize("name", NAMES)
def test_real_text_has_the_ids_of_the_stock_library(name: str, shared: Path, folder: Path) -> None:
    used = 0
    for kind in ("classical", "news", "code"):
        for document in [*documents(shared, kind, full=False)][:: 1 if FULL else 2]:
            used += check(name, document.text[:20_000], shared, folder)
    assert used > 100
    report = extended(name, shared).report
    assert report.added == ADD
    assert report.text.tokens_after < report.text.tokens_before
    assert 0 < report.text.changed <= report.text.texts


@pytest.mark.parametrize("name", NAMES)
def test_old_and_special_tokens_keep_their_ids(name: str, shared: Path, folder: Path) -> None:
    before, result = before_of(name, shared), extended(name, shared)
    after, first = result.tokenizer, result.report.first_id
    old, new = before.vocab, after.vocab
    assert first > max(old.values())
    assert {piece: token for piece, token in new.items() if token < first} == old
    assert sorted(set(new.values()) - set(old.values())) == list(range(first, first + ADD))
    specials = dict(before._core.control_tokens())
    assert dict(after._core.control_tokens()) == specials
    library = stock(name, shared, folder)
    for content, token in list(specials.items())[:20]:
        text = f"又{content}之"
        ids = after.encode_ids(text, special="special", add_special_tokens=False)
        assert token in ids
        if isinstance(library, tokenizers.Tokenizer):
            assert ids == stock_ids(library, text)
        plain = after.encode_ids(content, special="text", add_special_tokens=False)
        assert plain == before.encode_ids(content, special="text", add_special_tokens=False)
        assert token not in plain


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_any_text_has_the_ids_of_the_stock_library(
    name: str, shared: Path, folder: Path, data: st.DataObject
) -> None:
    pieces = [piece.decode("utf-8", "ignore") for piece in new_pieces(name, shared)]
    part = st.sampled_from(pieces) | st.text(max_size=5) | st.sampled_from("之而也 不\n。")
    text = "".join(data.draw(st.lists(part, max_size=8)))
    check(name, text, shared, folder)


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_tokenizer_is_the_same(name: str, shared: Path, tmp_path: Path) -> None:
    result = extended(name, shared)
    saved = result.tokenizer.save(tmp_path / "folder")
    loaded = pytok.Tokenizer.from_pretrained(saved)
    assert loaded == result.tokenizer
    vocabulary = BY_NAME[name]
    if vocabulary.library == "tiktoken":
        # The old lines, then the new ones.
        ranks = read(vocabulary.path(shared)).encode()
        assert (saved / "tokenizer.tiktoken").read_bytes().startswith(ranks)
        old = before_of(name, shared).save(tmp_path / "old") / "tokenizer.tiktoken"
        assert old.read_bytes() == ranks
        special = {token.content: token.id for token in result.tokenizer.added_tokens}
        again = pytok.Tokenizer.from_file(
            saved / "tokenizer.tiktoken", encoding=vocabulary.encoding, special_tokens=special
        )
        assert again == result.tokenizer
    for document in [*documents(shared, "classical", full=False)][::20]:
        text = document.text[:2000]
        ids = result.tokenizer.encode_ids(text, special="text")
        assert loaded.encode_ids(text, special="text") == ids
