"""Added tokens of `tokenizers` under every combination of flags."""

from __future__ import annotations

import itertools

import pytest

from . import components
from .components import (
    MERGES,
    Json,
    added_token,
    byte_level_bpe,
    character_model,
    definition,
    json,
    load_both,
)
from .strategies import SPACES, code_points

FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")

NORMALIZERS: dict[str, Json | None] = {
    "none": None,
    "lowercase": {"type": "Lowercase"},
    "nfkc": {"type": "NFKC"},
    "prepend": {
        "type": "Sequence",
        "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        ],
    },
    "strip": {"type": "Strip", "strip_left": True, "strip_right": True},
    "bert": {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    },
}

PRE_TOKENIZERS: dict[str, Json | None] = {
    "none": None,
    "whitespace": {"type": "Whitespace"},
    "metaspace-first": {
        "type": "Metaspace",
        "replacement": "▁",
        "prepend_scheme": "first",
        "split": True,
    },
    "metaspace-always": {
        "type": "Metaspace",
        "replacement": "▁",
        "prepend_scheme": "always",
        "split": True,
    },
    "byte-level": {
        "type": "ByteLevel",
        "add_prefix_space": True,
        "trim_offsets": True,
        "use_regex": True,
    },
}

CONTENTS = ("<add>", "Ab", "学而", "a b", "é", "ABC", " x", "x ", "<", "<add><add>", "_", "12", "Ⅷ")

ATOMS = (
    *CONTENTS, *SPACES, "<ad", "dd>", "ab", "AB", "b", "a", "学", "而", "C", "x", "e\u0301", ".", "1", "▁", "abc",
)  # fmt: skip


def contents_for(normalizer: str) -> list[str]:
    """The contents, without two that become one string under the normalizer.

    Which of the two the library takes then changes from one load to the next:
    it follows the order of a hash map.
    """
    return [content for content in CONTENTS if normalizer != "strip" or content != "x "]


def flags_of(number: int) -> dict[str, bool]:
    return {name: bool(number >> place & 1) for place, name in enumerate(FLAGS)}


@pytest.mark.parametrize(
    "number", range(32), ids=lambda n: "+".join(f for f, on in flags_of(n).items() if on) or "plain"
)
@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_flags(number: int, normalizer: str) -> None:
    flags = flags_of(number)
    added = [
        added_token(content, 1_000 + i, **flags)
        for i, content in enumerate(contents_for(normalizer))
    ]
    pair = load_both(
        definition(character_model(MERGES), normalizer=NORMALIZERS[normalizer], added_tokens=added)
    )
    frames = (
        "{}",
        " {} ",
        "a{}a",
        "学{}学",
        "{}{}",
        "\u3000{}\n",
        "{} {}",
        ".{}.",
        "_{}",
        "  {}  ",
    )
    for content in CONTENTS:
        for frame in frames:
            components.assert_same(pair, frame.replace("{}", content))
            components.assert_same(pair, frame.replace("{}", content.lower()))
    components.assert_same_everywhere(pair, ATOMS, count=120, fixed=12)


@pytest.mark.parametrize("pre_tokenizer", PRE_TOKENIZERS)
@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_flags_mixed(normalizer: str, pre_tokenizer: str) -> None:
    """Tokens with all flags in one tokenizer: which is matched first, and what is left."""
    added = [
        added_token(content, 1_000 + number, **flags_of(number * 7 % 32))
        for number, content in enumerate(contents_for(normalizer))
    ]
    pair = load_both(
        definition(
            character_model(MERGES),
            normalizer=NORMALIZERS[normalizer],
            pre_tokenizer=PRE_TOKENIZERS[pre_tokenizer],
            added_tokens=added,
        )
    )
    components.assert_same_everywhere(pair, ATOMS, fixed=4)


def test_added_tokens_that_contain_each_other() -> None:
    """The leftmost match wins, and of those the longest."""
    contents = ["a", "ab", "abc", "bc", "bcd", "c", "学", "学而", "而时", "<a>", "<a><b>", "<b>"]
    for normalized in (False, True):
        added = [
            added_token(content, 1_000 + number, normalized=normalized)
            for number, content in enumerate(contents)
        ]
        pair = load_both(definition(character_model(MERGES), added_tokens=added))
        components.assert_same_everywhere(pair, "abcd学而时<>", fixed=9)


def test_normalized_tokens_win_over_nothing_but_plain_text() -> None:
    """Not normalized tokens are matched first, in the original; the others in what is left."""
    for first, second in itertools.permutations([False, True]):
        added = [
            added_token("Ab", 1_000, normalized=first),
            added_token("bC", 1_001, normalized=second),
            added_token("AbC", 1_002, normalized=True),
        ]
        pair = load_both(
            definition(
                character_model(MERGES), normalizer={"type": "Lowercase"}, added_tokens=added
            )
        )
        components.assert_same_everywhere(pair, "AaBbCc ", fixed=9)


@pytest.mark.parametrize("flag", ["single_word", "lstrip", "rstrip"])
def test_neighbours_of_an_added_token_for_every_code_point(flag: str) -> None:
    """Which code points are word characters, and which are white space."""
    added = [added_token("<add>", 1_000, **{flag: True})]
    pair = load_both(definition(character_model(), added_tokens=added))
    points = code_points()
    step = 256
    for start in range(0, len(points), step):
        text = "|".join(f"{p}<add>{p}" for p in points[start : start + step])
        reference = pair.reference.encode(text)
        candidate = pair.candidate.encode(text, special="special")
        if reference.ids != candidate.ids or reference.offsets != candidate.offsets:
            components.assert_same(pair, text)


def test_id_that_is_declared_beyond_the_vocabulary() -> None:
    """The library ignores the declared id of a token that it must create.

    A file may say id 5000 while the vocabulary ends at 300: the library numbers
    such tokens on from the end of the vocabulary. Files depend on it, so the ids
    of a loaded tokenizer follow it.
    """
    for declared in ((5_000, 5_001, 5_002), (5_002, 9, 7_000), (0, 0, 0), (10_000, 300, 299)):
        added = [
            added_token(content, number, special=content.startswith("["))
            for number, content in zip(declared, ("<add>", "[CLS]", "学而时"), strict=True)
        ]
        content = definition(character_model(MERGES), added_tokens=added)
        pair = load_both(content)
        texts_here = ["<add>", "a<add>[CLS]学而时习", "[CLS][CLS]", "学而时<add>"]
        components.assert_all_same(pair, texts_here)
        for token in ("<add>", "[CLS]", "学而时"):
            assert pair.candidate.token_to_id(token) == pair.reference.token_to_id(token)
        for number in range(pair.reference.get_vocab_size()):
            assert pair.candidate.id_to_token(number) == pair.reference.id_to_token(number)


def test_added_tokens_that_are_pieces_of_the_model() -> None:
    model = character_model(MERGES)
    added = [
        added_token(piece, model["vocab"][piece], special=special)
        for piece, special in (("the", False), ("学而", True), ("a", False), ("<0x41>", True))
    ]
    pair = load_both(definition(model, added_tokens=added))
    components.assert_all_same(pair)
    assert dict(pair.candidate.vocab) == pair.reference.get_vocab()


def test_duplicate_added_tokens() -> None:
    added = [
        added_token("<add>", 1_000),
        added_token("<add>", 1_001, special=True),
        added_token("<b>", 1_001),
        added_token("<add>", 1_000, lstrip=True),
    ]
    try:
        pair = load_both(definition(character_model(MERGES), added_tokens=added))
    except ValueError as error:  # Refused at load, naming the field: also honest.
        assert "added_tokens" in str(error)
        return
    components.assert_all_same(pair, ["<add>", " <add>", "<b>", "a <add> <b>"])


@pytest.mark.parametrize("count", [1_500])
@pytest.mark.parametrize("normalized", [False, True])
def test_many_added_tokens(count: int, normalized: bool) -> None:
    content = json.loads(byte_level_bpe().to_str())
    content["added_tokens"] += [
        added_token(
            f"<tok_{number}>", 2_000 + number, normalized=normalized, special=number % 2 == 0
        )
        for number in range(count)
    ]
    content["added_tokens"] += [
        added_token(chr(0x4E00 + number), 5_000 + number, normalized=normalized)
        for number in range(count)
    ]
    pair = load_both(content)
    assert pair.candidate.vocab_size == pair.reference.get_vocab_size()
    texts_here = [
        "".join(f"<tok_{number}>" for number in range(0, count, 7)),
        "<tok_1><tok_12><tok_123> <tok_1234><tok_12345><tok_",
        "".join(chr(0x4E00 + number) for number in range(0, count, 3)),
        "学而时习之 一丁七万 <tok_7>一",
    ]
    components.assert_all_same(pair, texts_here)


def test_tokens_that_are_added_after_loading() -> None:
    """`add_tokens` gives the ids that the library gives, whatever the flags."""
    from tokenizers import AddedToken as TheirToken

    import pytok

    pair = load_both(byte_level_bpe())
    tokens = [("<x>", {}), ("the", {}), ("学而时", {"lstrip": True}), ("[S]", {"rstrip": True})]
    theirs = [TheirToken(content, normalized=False, **flags) for content, flags in tokens]
    pair.reference.add_tokens(theirs)
    ours = [pytok.AddedToken(content, normalized=False, **flags) for content, flags in tokens]
    larger = pair.candidate.add_tokens(ours)
    grown = components.Pair(pair.reference, larger, "tokens added after loading")
    components.assert_all_same(grown, ["<x>the 学而时[S]  then <x> <x>", "  学而时  [S]  学而"])
    assert pair.candidate.token_to_id("<x>") is None, "the first tokenizer stays as it was"
