"""Post-processors, pairs, truncation, padding and pre-tokenized input of `tokenizers`."""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import components
from .components import (
    MERGES,
    Json,
    added_token,
    assert_same,
    byte_level_bpe,
    character_model,
    definition,
    json,
    load_both,
    snapshot,
)
from .strategies import examples, texts
from .test_normalizers import name_of

SPECIAL = [
    added_token("[CLS]", 2_000, special=True),
    added_token("[SEP]", 2_001, special=True),
    added_token("[PAD]", 2_002, special=True),
    added_token("<add>", 2_003),
]

SPECIAL_IDS = {token["content"]: token["id"] for token in SPECIAL}
"""They are in the vocabulary: the library numbers tokens that are not by itself."""


def _special(*names: str) -> Json:
    ids = {"[CLS]": 2_000, "[SEP]": 2_001}
    return {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in names}


def _part(name: str, type_id: int = 0) -> Json:
    if name in ("A", "B"):
        return {"Sequence": {"id": name, "type_id": type_id}}
    return {"SpecialToken": {"id": name, "type_id": type_id}}


def template(single: list[Json], pair: list[Json], special: Json) -> Json:
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": pair,
        "special_tokens": special,
    }


BERT: Json = {"type": "BertProcessing", "sep": ["[SEP]", 2_001], "cls": ["[CLS]", 2_000]}
BERT_TEMPLATE = template(
    [_part("[CLS]"), _part("A"), _part("[SEP]")],
    [_part("[CLS]"), _part("A"), _part("[SEP]"), _part("B", 1), _part("[SEP]", 1)],
    _special("[CLS]", "[SEP]"),
)
TEMPLATES = [
    BERT_TEMPLATE,
    template([_part("A")], [_part("A"), _part("B", 1)], {}),
    template([_part("[CLS]", 3), _part("A", 7)], [_part("B", 5), _part("A", 2)], _special("[CLS]")),
    template(
        [_part("A"), _part("A"), _part("[SEP]")],
        [_part("A"), _part("B"), _part("B"), _part("[SEP]"), _part("A", 1)],
        _special("[SEP]"),
    ),
    template(
        [_part("many"), _part("A")],
        [_part("many"), _part("A"), _part("many", 1), _part("B", 1)],
        {"many": {"id": "many", "ids": [2_000, 2_001, 2_000], "tokens": ["[CLS]", "x", "[CLS]"]}},
    ),
]


def roberta(trim: bool, space: bool) -> Json:
    return {**BERT, "type": "RobertaProcessing", "trim_offsets": trim, "add_prefix_space": space}


def byte_level(trim: bool, space: bool) -> Json:
    return {"type": "ByteLevel", "add_prefix_space": space, "trim_offsets": trim, "use_regex": True}


PROCESSORS: list[Json | None] = [
    None,
    BERT,
    *(roberta(trim, space) for trim in (False, True) for space in (False, True)),
    *(byte_level(trim, space) for trim in (False, True) for space in (False, True)),
    *TEMPLATES,
    {"type": "Sequence", "processors": []},
    {"type": "Sequence", "processors": [byte_level(True, True), BERT_TEMPLATE]},
    {"type": "Sequence", "processors": [byte_level(True, False), BERT]},
    {"type": "Sequence", "processors": [BERT_TEMPLATE, byte_level(True, False)]},
]

by_processor = pytest.mark.parametrize(
    "processor", PROCESSORS, ids=lambda part: "none" if part is None else name_of(part)
)

SHORT = (
    "", " ", "a", "the hello", " the  hello ", "学而时习之", "学 而<add>时", "[CLS] a [SEP]", "don't  é 12\n\n",
    "👨‍👩‍👧‍👦 \u3000x", "   ", "<add><add>",
)  # fmt: skip


def byte_level_pair(processor: Json | None) -> components.Pair:
    content = json.loads(byte_level_bpe().to_str())
    content["added_tokens"] += SPECIAL
    content["model"]["vocab"] |= SPECIAL_IDS
    content["post_processor"] = processor
    return load_both(content)


def character_pair(processor: Json | None) -> components.Pair:
    model = character_model(MERGES)
    model["vocab"] |= SPECIAL_IDS
    return load_both(
        definition(
            model,
            pre_tokenizer={"type": "Whitespace"},
            post_processor=processor,
            added_tokens=SPECIAL,
        )
    )


@by_processor
@pytest.mark.parametrize("make", [byte_level_pair, character_pair])
def test_post_processor_equals_the_library(processor: Json | None, make: Any) -> None:
    pair = make(processor)
    components.assert_all_same(pair, components.TEXTS[::5])
    for first, second in itertools.product(SHORT, repeat=2):
        for add in (False, True):
            assert_same(pair, first, add_special_tokens=add)
            assert_same(pair, first, second, add_special_tokens=add)

    @examples(40, 1_000)
    @given(texts(8), st.none() | texts(8), st.booleans())
    def check(first: str, second: str | None, add: bool) -> None:
        assert_same(pair, first, second, add_special_tokens=add)

    check()


@by_processor
@pytest.mark.parametrize("make", [byte_level_pair, character_pair])
def test_pretokenized_input(processor: Json | None, make: Any) -> None:
    pair = make(processor)
    inputs: list[list[str]] = [
        [],
        [""],
        ["a"],
        ["the", "hello"],
        ["学而", "", " 时 ", "习之"],
        ["<add>", "a<add>b", "[CLS]"],
        [" a b ", "\n", "é"],
    ]
    for first, second in itertools.product(inputs, [None, *inputs]):
        found = components.differences(pair, first, second, is_pretokenized=True)
        assert not found, components.report(found, first, pair)


def compare_truncated(
    pair: components.Pair, first: str, second: str | None, options: Json, add: bool = True
) -> None:
    """Truncate in both libraries; where the reference refuses, pytok must not crash."""
    import pytok

    try:
        pair.reference.enable_truncation(
            options["max_length"],
            stride=options["stride"],
            strategy=options["truncation_strategy"],
            direction=options["truncation_side"],
        )
        try:
            expected = snapshot(pair.reference.encode(first, second, add_special_tokens=add))
        finally:
            pair.reference.no_truncation()
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        with contextlib.suppress(pytok.errors.PytokError):
            pair.candidate.encode(
                first, second, special="special", add_special_tokens=add, **options
            )
        return
    added = pair.reference.num_special_tokens_to_add(second is not None) if add else 0
    room = options["max_length"] - added
    if room < 0 or 0 < options["stride"] >= room:
        # The library then leaves the text whole, or panics once a text is long
        # enough. pytok refuses the options, whatever the text.
        with pytest.raises(pytok.errors.ConfigError):
            pair.candidate.encode(
                first, second, special="special", add_special_tokens=add, **options
            )
        return
    found = snapshot(
        pair.candidate.encode(first, second, special="special", add_special_tokens=add, **options)
    )
    assert found == expected, f"{first!r}, {second!r}, {options}, {add}, {pair!r}"


def truncations() -> Any:
    for length, stride, strategy, side in itertools.product(
        (0, 1, 2, 3, 4, 5, 7, 10, 100),
        (0, 1, 2),
        ("longest_first", "only_first", "only_second"),
        ("left", "right"),
    ):
        yield {
            "max_length": length,
            "stride": stride,
            "truncation_strategy": strategy,
            "truncation_side": side,
        }


@pytest.mark.parametrize(
    "processor", [None, BERT, BERT_TEMPLATE, PROCESSORS[5], TEMPLATES[2], TEMPLATES[4], PROCESSORS[-3]],
    ids=lambda part: "none" if part is None else name_of(part),
)  # fmt: skip
def test_truncation_equals_the_library(processor: Json | None) -> None:
    pair = byte_level_pair(processor)
    cases = [
        ("", None),
        ("a", None),
        ("the hello there then", None),
        ("the<add>then [CLS] a", None),
        ("the hello", "a"),
        ("a", "the hello there"),
        ("the then", "the hello there"),
        ("", "the hello"),
        ("a b c d", "e f g h"),
    ]
    for first, second in cases:
        for options in truncations():
            for add in (True, False):
                if second is None and options["truncation_strategy"] == "only_second":
                    continue
                compare_truncated(pair, first, second, options, add)


@pytest.mark.parametrize(
    "processor", [None, BERT_TEMPLATE, PROCESSORS[5]], ids=["none", "bert", "roberta"]
)
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("multiple", [None, 1, 8])
@pytest.mark.parametrize("length", [None, 5, 20])
def test_padding_equals_the_library(
    processor: Json | None, side: str, multiple: int | None, length: int | None
) -> None:
    pair = byte_level_pair(processor)
    pad: Json = {"pad_id": 2_002, "pad_type_id": 3, "pad_token": "[PAD]"}
    for batch in (
        ["a", "the hello there", "", "the then them they"],
        [("a", "b"), ("the hello", "then"), ("", "")],
    ):
        pair.reference.enable_padding(
            direction=side, length=length, pad_to_multiple_of=multiple, **pad
        )
        if length is not None:
            pair.reference.enable_truncation(length)
        try:
            expected = [snapshot(encoding) for encoding in pair.reference.encode_batch(batch)]
        finally:
            pair.reference.no_padding()
            pair.reference.no_truncation()
        found = pair.candidate.encode_batch(
            batch,
            special="special",
            padding="longest" if length is None else "max_length",
            max_length=length,
            padding_side=side,
            pad_to_multiple_of=multiple,
            **pad,
        )
        assert [snapshot(encoding) for encoding in found] == expected, f"{batch!r}"


def test_truncation_under_a_template_that_repeats_a_text() -> None:
    """The overflow of each place of a text is combined with that of each other place."""
    pair = byte_level_pair(TEMPLATES[3])
    for options in truncations():
        for first, second in (("a", None), ("a b", None), ("a", "b"), ("a b", "c")):
            if second is not None or options["truncation_strategy"] != "only_second":
                compare_truncated(pair, first, second, options)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("stride", [0, 1, 2])
def test_truncation_of_texts_whose_tokens_are_characters(side: str, stride: int) -> None:
    pair = character_pair(BERT_TEMPLATE)

    @examples(200, 3_000)
    @given(
        st.text(st.sampled_from("the学而时习 a,1"), max_size=12),
        st.none() | st.text(st.sampled_from("hello不亦 b."), max_size=12),
        st.integers(0, 12),
        st.sampled_from(["longest_first", "only_first", "only_second"]),
    )
    def check(first: str, second: str | None, length: int, strategy: str) -> None:
        if second is None and strategy == "only_second":
            return
        options = {
            "max_length": length,
            "stride": stride,
            "truncation_strategy": strategy,
            "truncation_side": side,
        }
        compare_truncated(pair, first, second, options)

    check()


@pytest.mark.parametrize("side", ["left", "right"])
def test_truncation_does_not_cut_a_character(side: str) -> None:
    """The library cuts between any two tokens, so that text becomes U+FFFD; pytok does not.

    This is on purpose: a window holds at most ``max_length`` tokens, and its
    tokens are whole characters wherever a character fits into a window.
    """
    pair = byte_level_pair(None)

    @examples(200, 3_000)
    @given(st.text(st.sampled_from("ab 学𠀀é🇨👍"), max_size=12), st.integers(4, 9))
    def check(text: str, length: int) -> None:
        encoding = pair.candidate.encode(
            text, special="text", max_length=length, truncation_side=side
        )
        for window in [encoding, *encoding.overflowing]:
            assert len(window) <= length
            assert "\ufffd" not in pair.candidate.decode(window.ids)

    check()


@pytest.mark.parametrize("stride", [0, 1])
@pytest.mark.parametrize("side", ["left", "right"])
def test_overflow_is_padded_too(stride: int, side: str) -> None:
    pair = byte_level_pair(BERT_TEMPLATE)
    pair.reference.enable_truncation(5, stride=stride, direction=side)
    pair.reference.enable_padding(pad_id=2_002, pad_token="[PAD]", length=8)
    text = "the hello there then they thought 学而时习之"
    expected = snapshot(pair.reference.encode(text))
    encoding = pair.candidate.encode(
        text, special="special", max_length=5, stride=stride, truncation_side=side
    )
    padded = encoding.pad(8, pad_id=2_002, pad_token="[PAD]")
    assert snapshot(padded) == expected


@by_processor
def test_lookups_equal_the_library(processor: Json | None) -> None:
    """Characters, words and tokens of each other, inside and outside the ranges."""
    for pair in (byte_level_pair(processor), character_pair(processor)):
        for first, second in itertools.product(SHORT, (None, "学a b")):
            try:
                expected = pair.reference.encode(first, second)
                if expected.n_sequences > 2:
                    # A template that another processor follows: each special token
                    # counts as a sequence, ranges overlap, and which of them a
                    # lookup finds changes from run to run (the order of a hash map).
                    continue
                lookups = lookups_of(expected, len(first), expected.n_sequences)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException:  # The library panics.
                continue
            encoding = pair.candidate.encode(first, second, special="special")
            found = lookups_of(encoding, len(first), expected.n_sequences)
            for call, value in lookups.items():
                assert found[call] == value, (call, first, second, pair)


def lookups_of(encoding: Any, length: int, sequences: int) -> dict[tuple[Any, ...], Any]:
    """The answers to every question about places up to a little beyond the end."""
    calls: list[tuple[Any, ...]] = []
    tokens = range(len(encoding.ids) + 1)
    for sequence in range(sequences):
        for name in ("char_to_token", "char_to_word"):
            calls += [(name, position, sequence) for position in range(length + 3)]
        for name in ("word_to_tokens", "word_to_chars"):
            calls += [(name, word, sequence) for word in tokens]
    for name in ("token_to_chars", "token_to_word", "token_to_sequence"):
        calls += [(name, token) for token in tokens]
    return {call: getattr(encoding, call[0])(*call[1:]) for call in calls}
