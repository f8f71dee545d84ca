"""Inputs that make encoders slow: they finish, give the text back, and equal the library.

Times are printed and never judged here: a machine may be busy.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from . import outcome
from .references import VOCABULARIES, Vocabulary

pytestmark = pytest.mark.needs_shared

LARGE = 1_000_000
SMALL = 30_000
"""Characters that the libraries encode in a second or two, whatever they are."""


def drawn(alphabet: str) -> Callable[[int], str]:
    return lambda size: "".join(random.Random(size).choices(alphabet, k=size))


def repeated(unit: str) -> Callable[[int], str]:
    return lambda size: (unit * (size // len(unit) + 1))[:size]


BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

INPUTS: dict[str, Callable[[int], str]] = {
    "one letter": repeated("a"),
    "one capital": repeated("A"),
    "one Han character": repeated("学"),
    "one Han character beyond the first plane": repeated("𠀀"),
    "two letters": repeated("ab"),
    "base64": drawn(BASE64),
    "letters without spaces": drawn("etaoinshrdlu"),
    "Han without punctuation": drawn("的一是不了人我在有他这中大来上个国到说们"),
    "alternating emoji": repeated("😀👍🏽"),
    "joined emoji": repeated("👨‍👩‍👧‍👦"),
    "spaces": repeated(" "),
    "ideographic spaces": repeated("\u3000"),
    "tabs and spaces": repeated("\t "),
    "newlines": repeated("\n"),
    "carriage returns": repeated("\r\n"),
    "spaces that end in a letter": lambda size: " " * (size - 1) + "a",
    "digits": drawn("0123456789"),
    "zeros": repeated("0"),
    "hyphens": repeated("-"),
    "equals signs": repeated("="),
    "mixed punctuation": drawn("!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"),
    "Chinese punctuation": repeated("，。！？"),
    "apostrophes": repeated("'s"),
    "combining marks": lambda size: "e" + "\u0301" * (size - 1),
    "NUL": repeated("\x00"),
    "letters and spaces": repeated("a "),
    "mixed": drawn("a学 \n1-é😀\u0301，A\t的0\u3000'"),
}

by_vocabulary = pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda v: v.name)
by_input = pytest.mark.parametrize("name", INPUTS)


@by_input
@by_vocabulary
def test_a_million_characters_complete_and_round_trip(
    vocabulary: Vocabulary, name: str, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = INPUTS[name](LARGE)
    tokenizer = vocabulary.candidate(shared).tokenizer
    start = time.perf_counter()
    ids = tokenizer.encode_ids(text, special="text", add_special_tokens=False)
    encoded = time.perf_counter()
    decoded = tokenizer.decode(ids)
    end = time.perf_counter()
    with capsys.disabled():
        print(
            f"\n{vocabulary.name:14} {name:42} encode {encoded - start:6.3f} s, "
            f"decode {end - encoded:6.3f} s, {len(ids)} tokens ",
            end="",
        )
    assert tokenizer.count(text, special="text", add_special_tokens=False) == len(ids)
    if vocabulary.library != "sentencepiece":
        assert decoded == text


@by_input
@by_vocabulary
def test_shorter_ones_equal_the_library(vocabulary: Vocabulary, name: str, shared: Path) -> None:
    # The library needs quadratic time (or a stack without end) on some.
    size = SMALL if vocabulary.library == "sentencepiece" else SMALL // 3
    texts = [INPUTS[name](length) for length in (size, 1_000, 127, 64, 33)]
    outcome.assert_equal(texts, vocabulary.reference(shared), vocabulary.candidate(shared))
