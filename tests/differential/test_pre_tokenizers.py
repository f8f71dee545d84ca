"""Every pre-tokenizer of `tokenizers`: words and offsets equal the library's."""

from __future__ import annotations

import pytest
from tokenizers import Regex, pre_tokenizers

from . import components, references
from .components import (
    MERGES,
    Json,
    byte_level_bpe,
    character_model,
    component_json,
    definition,
    load_both,
)
from .test_normalizers import name_of

BEHAVIORS = ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous")

PATTERNS: list[str | Regex] = [
    " ",
    "a",
    "学",
    "ab",
    "",
    Regex(r"\s+"),
    Regex(r"\d"),
    Regex(r"\p{N}{1,3}"),
    Regex(r"[^\s\p{L}\p{N}]+"),
    Regex(r"[一-龥]+"),
    Regex(r"\w+|[^\w\s]+"),
    Regex(r"(?<=a)b"),
    Regex(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"),
    Regex(r"\s+(?!\S)|\s+"),
    Regex(r"(?=[A-Z])"),
    Regex(r"\b"),
    Regex(r"x*"),
    Regex(r"[\p{Han}&&[^学]]+"),
    Regex(r"(.)\1+"),
    Regex(r"\X"),
    Regex(r"\h+|\R"),
    Regex(r"[[:alpha:]]+"),
    Regex(r"^.|.$"),
]

PUBLISHED = [
    references.QWEN_PATTERN,
    references.KIMI_PATTERN,
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
    r"\s*[\r\n]+|\s+(?!\S)|\s+",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    str(references._openai("o200k_base")["pat_str"]),
    str(references._openai("cl100k_base")["pat_str"]),
]

SPLITS = [
    pre_tokenizers.Split(pattern, behavior, invert)
    for pattern in PATTERNS
    for behavior in BEHAVIORS
    for invert in (False, True)
]

METASPACES = [
    pre_tokenizers.Metaspace(replacement, scheme, split)
    for replacement in ("▁", "_", "学")
    for scheme in ("always", "first", "never")
    for split in (False, True)
]

OTHERS = [
    pre_tokenizers.BertPreTokenizer(),
    *(
        pre_tokenizers.ByteLevel(add_prefix_space=space, trim_offsets=trim, use_regex=regex)
        for space in (False, True)
        for trim in (False, True)
        for regex in (False, True)
    ),
    *(pre_tokenizers.CharDelimiterSplit(character) for character in " a学-"),
    *(pre_tokenizers.Digits(individual) for individual in (False, True)),
    *(pre_tokenizers.FixedLength(length) for length in (1, 2, 5)),
    *(pre_tokenizers.Punctuation(behavior) for behavior in BEHAVIORS),
    pre_tokenizers.UnicodeScripts(),
    pre_tokenizers.Whitespace(),
    pre_tokenizers.WhitespaceSplit(),
]

SEQUENCES = [
    pre_tokenizers.Sequence([]),
    pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()]),
    pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Digits(True)]),
    pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PUBLISHED[0]), "isolated"),
            pre_tokenizers.ByteLevel(False, False),
        ]
    ),
    pre_tokenizers.Sequence([pre_tokenizers.UnicodeScripts(), pre_tokenizers.FixedLength(2)]),
    pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
    pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation()]),
    pre_tokenizers.Sequence([pre_tokenizers.BertPreTokenizer(), pre_tokenizers.ByteLevel(True)]),
    pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"\p{N}{1,3}"), "isolated"),
            pre_tokenizers.Split(Regex(r"[一-龥぀-ゟ゠-ヿ]+"), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    ),
    pre_tokenizers.Sequence(
        [
            pre_tokenizers.Sequence([pre_tokenizers.Punctuation("removed")]),
            pre_tokenizers.Sequence([pre_tokenizers.CharDelimiterSplit("a")]),
        ]
    ),
]

ALL = [component_json(part) for part in [*OTHERS, *METASPACES, *SEQUENCES]]


@pytest.mark.parametrize("pre_tokenizer", ALL, ids=name_of)
def test_pre_tokenizer_equals_the_library(pre_tokenizer: Json) -> None:
    pair = load_both(definition(character_model(MERGES), pre_tokenizer=pre_tokenizer))
    components.assert_same_everywhere(pair)


@pytest.mark.parametrize("split", [component_json(part) for part in SPLITS], ids=name_of)
def test_split_equals_the_library(split: Json) -> None:
    pair = load_both(definition(character_model(MERGES), pre_tokenizer=split))
    components.assert_same_everywhere(pair, count=100, fixed=3)


@pytest.mark.parametrize("pattern", PUBLISHED, ids=range(len(PUBLISHED)))
@pytest.mark.parametrize("behavior", ["isolated", "removed"])
def test_published_patterns_in_split(pattern: str, behavior: str) -> None:
    """Patterns that other files know by name, here in the dialect of `tokenizers`.

    Its regular expression engine has other tables and other rules (possessive
    quantifiers, case folding) than tiktoken's.
    """
    split = component_json(pre_tokenizers.Split(Regex(pattern), behavior, behavior == "removed"))
    byte_level = component_json(pre_tokenizers.ByteLevel(False, use_regex=False))
    for pre_tokenizer in (
        split,
        {"type": "Sequence", "pretokenizers": [split, byte_level]},
    ):
        pair = load_both(definition(character_model(MERGES), pre_tokenizer=pre_tokenizer))
        components.assert_same_everywhere(pair)


@pytest.mark.parametrize("space", [False, True])
@pytest.mark.parametrize("trim", [False, True])
@pytest.mark.parametrize("regex", [False, True])
def test_byte_level_with_its_model(space: bool, trim: bool, regex: bool) -> None:
    """Tokens of several bytes: offsets inside characters, spaces trimmed or not."""
    tokenizer = byte_level_bpe()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(space, trim, regex)
    pair = load_both(tokenizer)
    components.assert_same_everywhere(pair)
