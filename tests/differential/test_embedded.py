"""The tokenizers that ship: many hostile strings, ids equal to those of ``tokenizers``.

The full run compares 100,000 strings for each; the real texts are compared in
``test_vocabularies.py``.
"""

from __future__ import annotations

from importlib.resources import files

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

import pytok

from . import strategies

NAMES = ("zh-32k", "zh-64k", "zh-32k-words", "zh-32k-wide")
STRINGS = 10
SIDES = {
    name: (
        tokenizers.Tokenizer.from_str(
            (files("pytok") / "data" / name / "tokenizer.json").read_text(encoding="utf-8")
        ),
        pytok.Tokenizer.from_pretrained(name),
    )
    for name in NAMES
}


@pytest.mark.parametrize("name", NAMES)
@strategies.examples(fast=60, slow=10_000)
@given(texts=st.lists(strategies.texts(max_atoms=20), min_size=STRINGS, max_size=STRINGS))
def test_hostile_strings_get_the_ids_of_the_library(name: str, texts: list[str]) -> None:
    library, ours = SIDES[name]
    expected = [encoding.ids for encoding in library.encode_batch(texts)]
    ids, bounds = ours.encode_batch_ids(texts, special="special", threads=1)
    edges = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    assert [ids[start:end].tolist() for start, end in edges] == expected
