"""Where llama.cpp cuts a text, by a vocabulary that shows every cut.

Its merges join the last byte of a character with the first of the next one, before
all others: two characters that are not cut apart get other ids than two that are.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from llama_model import llama_cpp

import pytok
from pytok.exporting import plan_export
from pytok.exporting.byte_level import byte_level_definition
from pytok.exporting.llama_cpp import reload_gguf
from pytok.exporting.parts import BYTE_CHARACTERS
from pytok.exporting.pre_types import DEVIATIONS, cuts_of, patterns_of

ASCII = b" \t\n'~!?/09aAbBdDlLmMrRsStTvVeExX"
TEXTS = (
    "学而时习之，不亦说乎？I'LL don't 123456 !x",
    "x'S a'T b're",
    "a\x85b a\u2028 b \u180ea \x1c\x1d a\u3000b",
    "한국어 ABCdef aBCd ñandúx",
    "\t \n\n x  \r\n y/\n",
    "½²Ⅷ٣९a 12٣4",
    "👩‍👩‍👧🇨🇳a €x",
)
# What only some of the codes cut as the pattern does.
DIFFERING = {
    "deepseek-v3": ("!~", "a ~b"),
    "kimi-k2": ("bBb", "हिन्दी", "二〇二四", "人々", "ไทยที่"),
    "gpt-4o": ("ПриветМир", "éÉa", "e\u0301A", "हिन्दी"),
}
# Letters of Unicode 16, and the long s that folds to s.
NEWER = ("a\u1c89b", "'ſt")
EXACT = ("gpt-2", "qwen2", "llama-bpe")


def showing_cuts(patterns: tuple[str, ...]) -> pytok.Tokenizer:
    """Make a tokenizer with these patterns whose ids show where it cuts."""
    ends = [*ASCII, *range(0x80, 0xC0)]
    starts = [*ASCII, *range(0xC2, 0xF1)]
    pairs = [[BYTE_CHARACTERS[end], BYTE_CHARACTERS[start]] for end in ends for start in starts]
    pieces = [*BYTE_CHARACTERS, *map("".join, pairs), "<|endoftext|>"]
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    end = {"id": len(pieces) - 1, "content": pieces[-1], "special": True, **flags}
    vocab = {piece: number for number, piece in enumerate(pieces)}
    content = byte_level_definition(patterns, vocab, pairs, added_tokens=[end])
    core = pytok._pytok.Tokenizer.load(json.dumps(content, ensure_ascii=False).encode())
    return pytok.Tokenizer._of(core, "cuts")


@pytest.mark.parametrize("name", [*EXACT, *DIFFERING])
def test_the_check_cuts_as_llama_cpp_does(tmp_path: Path, name: str) -> None:
    pytest.importorskip("cyllama")
    tokenizer = showing_cuts(patterns_of(name))
    plan = plan_export(tokenizer, "gguf")
    assert plan.exact == (name in EXACT)
    assert any("Unicode 16" in loss for loss in plan.losses)
    (tmp_path / "v.gguf").write_bytes(plan.files["tokenizer.gguf"])
    (read_back,) = (
        encode for library, encode in reload_gguf(tmp_path / "v.gguf").items() if "gguf" in library
    )
    encode = llama_cpp(tmp_path / "v.gguf", tmp_path)
    for text in (*TEXTS, "'ſt", *(text for texts in DIFFERING.values() for text in texts)):
        assert read_back([text], False) == [encode(text, False)], text
    for text in TEXTS:
        assert encode(text, False) == tokenizer.encode_ids(text), text
    for text in DIFFERING.get(name, () if name == "gpt-2" else NEWER):
        assert encode(text, False) != tokenizer.encode_ids(text), text


@pytest.mark.parametrize("name", DIFFERING)
def test_what_differs_is_measured_without_llama_cpp(tmp_path: Path, name: str) -> None:
    tokenizer = showing_cuts(patterns_of(name))
    with pytest.raises(pytok.ExportError, match="gguf cannot hold"):
        pytok.export(tokenizer, tmp_path, to="gguf")
    texts = [*DIFFERING[name], "学而"]
    report = pytok.export(tokenizer, tmp_path, to="gguf", verify=texts, allow_inexact=True)
    assert all(check.differing == len(texts) - 1 for check in report.checks)


def test_every_deviation_has_cuts_of_its_own() -> None:
    assert set(DEVIATIONS) == set(DIFFERING)
    assert all(cuts_of(name) != patterns_of(name) for name in DEVIATIONS)
