"""Every code point, alone and among letters, spaces and Han: the classes of the library.

A table of another Unicode version than the reference's shows here and nowhere
else: newly assigned characters do not stand in corpora.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tiktoken
from tokenizers import Regex, pre_tokenizers

from . import outcome, references
from .components import (
    character_model,
    component_json,
    definition,
    load_both,
)
from .rank_files import load_ranks
from .references import VOCABULARIES, PytokCandidate, TiktokenReference, Vocabulary
from .strategies import code_points

TEMPLATES = ("{}", " {}a", "学{}而", "A{}1 {}{}\n")
"""Alone; after a space and before a letter; between Han; at a change of case, before digits."""


def texts(template: str, step: int) -> list[str]:
    """The code points in a template, ``step`` of them in one text, lines between them.

    A line end separates words in every pattern, so that a text with many code
    points is split as the single ones would be.
    """
    points = code_points()
    filled = [template.replace("{}", point) for point in points]
    return ["\n\n".join(filled[start : start + step]) for start in range(0, len(filled), step)]


@pytest.mark.needs_shared
@pytest.mark.parametrize("template", TEMPLATES, ids=range(len(TEMPLATES)))
@pytest.mark.parametrize("vocabulary", VOCABULARIES, ids=lambda v: v.name)
def test_real_vocabularies(vocabulary: Vocabulary, template: str, shared: Path) -> None:
    compare_ids(
        texts(template, 256),
        vocabulary.reference(shared),
        vocabulary.candidate(shared),
    )


def ids_of(reference: Any, text: str) -> list[int]:
    """Only ids: much faster than a whole outcome."""
    if isinstance(reference, references.TokenizersReference):
        ids: list[int] = reference.tokenizer.encode(text).ids
        return ids
    if isinstance(reference, references.TiktokenReference):
        return reference.encoding.encode_ordinary(text)
    return list(reference.processor.encode(text))


def compare_ids(texts: list[str], reference: Any, candidate: PytokCandidate) -> None:
    """Compare ids; where they differ, report by the whole outcome of a small text."""
    for text in texts:
        found = candidate.tokenizer.encode_ids(text, **candidate.options())
        if ids_of(reference, text) != list(found):
            outcome.assert_equal([text], reference, candidate)
            raise AssertionError(f"encode and encode_ids differ on {text!r}")


PATTERNS = {
    "gpt2": references._openai("gpt2")["pat_str"],
    "r50k": references._openai("r50k_base")["pat_str"],
    "p50k": references._openai("p50k_base")["pat_str"],
    "cl100k": references._openai("cl100k_base")["pat_str"],
    "o200k": references._openai("o200k_base")["pat_str"],
    "qwen": references.QWEN_PATTERN,
    "kimi-k2": references.KIMI_PATTERN,
}


PAIR_TEMPLATES = (
    "{}", "{}{}", "a{}", "{}a", "A{}", "{}A", "A{}a", " {}", "{} ", " {}a", "学{}", "{}学", "学{}而", "1{}",
    "{}1", "'{}", "'{}s", "{}\n", "\r{}", "\u3000{}", "{}\u0301",
)  # fmt: skip


def byte_pairs() -> dict[bytes, int]:
    """All bytes and all pairs of bytes: two neighbours in one word become one token.

    Pairs with an ASCII byte or with an edge of 学, 而 or an ideographic space
    come first, so that they show the edge of a word before the inside of a
    character can take their bytes.
    """
    edges = {*range(128), *"学".encode()[::2], *"而".encode()[::2], *"\u3000".encode()[::2]}
    pairs = [bytes([left, right]) for left in range(256) for right in range(256)]
    pairs.sort(key=lambda pair: not edges.intersection(pair))
    single = [bytes([byte]) for byte in range(256)]
    return {piece: rank for rank, piece in enumerate([*single, *pairs])}


@pytest.mark.parametrize("name", PATTERNS)
def test_published_patterns_cut_every_code_point_like_tiktoken(name: str) -> None:
    ranks = byte_pairs()
    encoding = tiktoken.Encoding(
        name, pat_str=PATTERNS[name], mergeable_ranks=ranks, special_tokens={}
    )
    assert len(encoding.encode_ordinary("a1")) == 2
    assert len(encoding.encode_ordinary("ab")) == 1
    reference = TiktokenReference(encoding)
    # By its text and by its name, which may take two ways through the code.
    for options in ({"pattern": PATTERNS[name]}, {"encoding": name, "special_tokens": {}}):
        candidate = PytokCandidate(load_ranks(ranks, **options), "text")
        for template in PAIR_TEMPLATES if "pattern" in options else PAIR_TEMPLATES[:5]:
            compare_ids(texts(template, 256), reference, candidate)


TOKENIZERS_PARTS = [
    *(pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in PATTERNS.values()),
    *(
        pre_tokenizers.Split(Regex(pattern), "isolated")
        for pattern in (
            r"\w+",
            r"\s+",
            r"\d+",
            r"[[:punct:]]+",
            r"[[:alpha:]]+",
            r"\p{L}+",
            r"\p{M}+",
            r"\p{N}+",
            r"\p{P}+",
            r"\p{S}+",
            r"\p{Z}+",
            r"\p{C}+",
            r"\p{Lu}+",
            r"\p{Ll}+",
            r"\p{Lt}+",
            r"\p{Lm}+",
            r"\p{Lo}+",
            r"\p{Han}+",
            r"\p{Hiragana}+",
            r"\p{Katakana}+",
            r"\p{Hangul}+",
            r"\p{Latin}+",
            r"\p{Common}+",
            r"(?i:s|k|ss|σ|i)",
        )
    ),
    pre_tokenizers.BertPreTokenizer(),
    pre_tokenizers.Whitespace(),
    pre_tokenizers.WhitespaceSplit(),
    pre_tokenizers.Punctuation(),
    pre_tokenizers.Digits(individual_digits=True),
    pre_tokenizers.UnicodeScripts(),
    pre_tokenizers.ByteLevel(add_prefix_space=False),
]


@pytest.mark.parametrize("number", range(len(TOKENIZERS_PARTS)))
def test_pre_tokenizers_cut_every_code_point_like_the_library(number: int) -> None:
    part = component_json(TOKENIZERS_PARTS[number])
    pair = load_both(definition(character_model(), pre_tokenizer=part))
    reference = references.TokenizersReference(pair.reference)
    for template in ("{}", "a{}学"):
        for text in texts(template, 256):
            expected = pair.reference.encode(text)
            found = pair.candidate.encode(text, special="special")
            if expected.word_ids != found.word_ids or expected.ids != found.ids:
                # Report by the smallest text of whole lines.
                for line in text.split("\n\n"):
                    left = pair.reference.encode(line).word_ids
                    right = pair.candidate.encode(line, special="special").word_ids
                    assert left == list(right), f"{line!r} ({line!a}) under {part}"
                outcome.assert_equal([text], reference, PytokCandidate(pair.candidate, "special"))
                raise AssertionError(f"words differ on {text!r}")
