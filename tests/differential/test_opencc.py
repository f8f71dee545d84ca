"""Conversions in mode ``opencc-exact``: every character is OpenCC's."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opencc import OpenCC
from opencc_cases import CONFIGURATIONS

from pytok import zh
from pytok.zh._script import _configuration

from .corpus import documents

KINDS = ("news", "train", "gold", "classical", "dialect", "parallel", "code")


class Both:
    """OpenCC and ours in one configuration."""

    def __init__(self, name: str, **options: object) -> None:
        self.theirs = OpenCC(name, include_tofu_risk_dictionaries=not options)
        self.ours = zh.Pipeline([zh.Step(name, options)], mode="opencc-exact")

    def agree(self, text: str, source: str = "text") -> str:
        theirs, ours = self.theirs.convert(text), self.ours.text(text)
        if theirs != ours:
            pairs = zip(theirs, ours, strict=False)
            place = next(
                (n for n, (a, b) in enumerate(pairs) if a != b), min(len(theirs), len(ours))
            )
            near = slice(max(place - 15, 0), place + 15)
            pytest.fail(f"{source}: character {place}: {theirs[near]!r}, ours {ours[near]!r}")
        return ours


@cache
def both(name: str) -> Both:
    return Both(name)


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", CONFIGURATIONS)
@pytest.mark.parametrize("kind", KINDS)
def test_real_text(kind: str, name: str, shared: Path) -> None:
    for document in documents(shared, kind):
        # OpenCC loses what follows a NUL.
        both(name).agree(document.text.replace("\0", " "), document.source)


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_offsets_of_real_text(name: str, shared: Path) -> None:
    for document in list(documents(shared, "news", full=False))[:300]:
        text = document.text.replace("\0", " ")
        normalized = both(name).ours.normalize(text)
        assert normalized.text == both(name).agree(text, document.source)
        assert normalized.denormalize() == text


@cache
def keys() -> list[str]:
    """All keys of all dictionaries."""
    files: dict[str, str] = {}
    for name in CONFIGURATIONS:
        files |= _configuration(name)["files"]
    lines = [line for text in files.values() for line in text.splitlines()]
    return sorted({line.split("\t")[0] for line in lines if line and not line.startswith("#")})


OPERATORS = [chr(code) for code in range(0x2FF0, 0x3000)]


def texts() -> st.SearchStrategy[str]:
    """Keys, their characters, and description sequences, in any order."""
    key = st.sampled_from(keys())
    part = st.one_of(
        key,
        key.flatmap(lambda key: st.sampled_from(sorted(set(key)))),
        key.map(lambda key: key[:-1]),
        st.sampled_from(OPERATORS),
        st.sampled_from(["\n", " ", "，", "a", "é", "\ufe00", "\U000e0100", "\ufffd", "😀"]),
    )
    return st.lists(part, max_size=40).map("".join)


@pytest.mark.parametrize("name", CONFIGURATIONS)
@given(data=st.data())
def test_random_text(name: str, data: st.DataObject) -> None:
    both(name).agree(data.draw(texts()))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_every_key_before_every_kind_of_neighbour(name: str) -> None:
    for neighbour in ("", "\n", "的", "发", "里"):
        both(name).agree(neighbour.join(keys()))


@pytest.mark.parametrize("name", ["t2s", "tw2sp", "hk2s"])
def test_without_what_opencc_marks_as_rare(name: str) -> None:
    Both(name, glyphs="opencc").agree("\n".join(keys()))
