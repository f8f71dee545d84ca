"""Old and odd notations of tokenizer.json that the library reads: read alike, or refused.

Whatever pytok does not read, it must refuse with the name of the field, and
the library must not be contradicted silently.
"""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from . import components
from .components import MERGES, Json, character_model, definition, json, load_both

METASPACE: Json = {"type": "Metaspace", "replacement": "▁"}


def without(source: Json, *names: str) -> Json:
    return {name: value for name, value in source.items() if name not in names}


BASE = character_model(MERGES)
PAIRS = [merge.split(" ") for merge in MERGES]
SEQUENCE_UNIGRAM: Json = {"unk_id": 0, "vocab": [["<unk>", 0.0], ["a", -1.0], ["学", -2.5]]}

CASES: dict[str, Json] = {
    "merges as pairs": definition({**BASE, "merges": PAIRS}),
    "merges as strings": definition({**BASE, "merges": list(MERGES)}),
    "bpe without type": definition(without(BASE, "type")),
    "bpe without optional fields": definition(
        {"type": "BPE", "vocab": BASE["vocab"], "merges": BASE["merges"], "byte_fallback": True}
    ),
    "bpe with empty prefix and suffix": definition(
        {**BASE, "continuing_subword_prefix": "", "end_of_word_suffix": ""}
    ),
    "unigram without type": definition(SEQUENCE_UNIGRAM),
    "unigram with integer scores": definition(
        {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["a", -1], ["学", -2]]}
    ),
    "word level without type": definition(
        {"vocab": {"[UNK]": 0, "a": 1, "学": 2}, "unk_token": "[UNK]"}
    ),
    "word piece without type": definition(
        {
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {"[UNK]": 0, "a": 1, "学": 2, "##a": 3},
        }
    ),
    "normalizer Bert by its other name": definition(
        BASE,
        normalizer={
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
    ),
    "metaspace with add_prefix_space": definition(
        BASE, pre_tokenizer={**METASPACE, "add_prefix_space": True}
    ),
    "metaspace without prefix space": definition(
        BASE, pre_tokenizer={**METASPACE, "add_prefix_space": False}
    ),
    "metaspace with str_rep": definition(
        BASE, pre_tokenizer={**METASPACE, "str_rep": "▁", "add_prefix_space": True}
    ),
    "metaspace with add_prefix_space and scheme": definition(
        BASE,
        pre_tokenizer={**METASPACE, "add_prefix_space": False, "prepend_scheme": "never"},
    ),
    "metaspace with only a replacement": definition(BASE, pre_tokenizer=METASPACE),
    "metaspace decoder with add_prefix_space": definition(
        BASE, decoder={**METASPACE, "add_prefix_space": True}
    ),
    "metaspace decoder without prefix space": definition(
        BASE, decoder={**METASPACE, "add_prefix_space": False, "prepend_scheme": "never"}
    ),
    "byte level without use_regex": definition(
        BASE, pre_tokenizer={"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    ),
    "byte level decoder with nothing": definition(BASE, decoder={"type": "ByteLevel"}),
    "punctuation without behavior": definition(BASE, pre_tokenizer={"type": "Punctuation"}),
    "digits with nothing": definition(
        BASE, pre_tokenizer={"type": "Digits", "individual_digits": False}
    ),
    "split with a literal pattern": definition(
        BASE,
        pre_tokenizer={
            "type": "Split",
            "pattern": {"String": "a"},
            "behavior": "MergedWithNext",
            "invert": False,
        },
    ),
    "no version": without(definition(BASE), "version"),
    "no truncation and padding": without(definition(BASE), "truncation", "padding"),
    "only a model": {"version": "1.0", "model": BASE},
    "added token without normalized": definition(
        BASE,
        added_tokens=[
            {
                "id": 900,
                "content": "<add>",
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "special": True,
            }
        ],
    ),
    "truncation and padding in the file": {
        **definition(BASE),
        "truncation": {
            "direction": "Right",
            "max_length": 512,
            "strategy": "LongestFirst",
            "stride": 0,
        },
        "padding": None,
    },
    "template with special tokens that nobody uses": definition(
        BASE,
        post_processor={
            "type": "TemplateProcessing",
            "single": [{"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [
                {"Sequence": {"id": "A", "type_id": 0}},
                {"Sequence": {"id": "B", "type_id": 1}},
            ],
            "special_tokens": {"x": {"id": "x", "ids": [1], "tokens": ["x"]}},
        },
    ),
    "unknown field in the model": definition({**BASE, "cache_capacity": 10_000}),
    "unknown field at the top": {**definition(BASE), "comment": "nothing"},
    "comment in the normalizer": definition(
        BASE, normalizer={"type": "Lowercase", "comment": "nothing"}
    ),
}

TEXTS = (
    "", "a", " a  b ", "the hello", "学而 时习之", "<add>a", "▁a▁", "Ａｂ É don't. 12,3", "\n\n", "a学aa学学",
)  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_notation_is_read_as_by_the_library_or_refused(case: str) -> None:
    import tokenizers

    import pytok

    content = json.dumps(CASES[case], ensure_ascii=False)
    try:
        reference = tokenizers.Tokenizer.from_str(content)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        # A notation that the library refuses has no meaning to differ from.
        with contextlib.suppress(pytok.errors.PytokError):
            components.load_candidate(content)
        return
    if case.startswith(("unknown", "comment")):
        # The library ignores it. A field that we do not know could change ids.
        try:
            candidate = components.load_candidate(content)
        except pytok.errors.PytokError as error:
            assert any(word in str(error) for word in ("cache_capacity", "comment"))
            return
    else:
        candidate = components.load_candidate(content)
    pair = components.Pair(reference, candidate, case)
    components.assert_all_same(pair, TEXTS)
    components.assert_same(pair, "the a", "学而")


DAMAGED: dict[str, Any] = {
    "merge of a piece that is missing": definition({**BASE, "merges": ["q q"]}),
    "merge into a piece that is missing": definition({**BASE, "merges": ["a a"]}),
    "merge with three parts": definition({**BASE, "merges": ["t h e"]}),
    "unknown normalizer": definition(BASE, normalizer={"type": "Magic"}),
    "unknown pre-tokenizer": definition(BASE, pre_tokenizer={"type": "Magic"}),
    "unknown model": definition({"type": "Magic", "vocab": {}}),
    "unknown decoder": definition(BASE, decoder={"type": "Magic"}),
    "unknown post-processor": definition(BASE, post_processor={"type": "Magic"}),
    "broken regex": definition(
        BASE, normalizer={"type": "Replace", "pattern": {"Regex": "("}, "content": ""}
    ),
    "template with a token that is not described": definition(
        BASE,
        post_processor={
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}],
            "pair": [],
            "special_tokens": {},
        },
    ),
    "unk_id outside the vocabulary": definition(
        {**SEQUENCE_UNIGRAM, "type": "Unigram", "unk_id": 9}
    ),
    "negative id": definition({**BASE, "vocab": {"a": -1}, "merges": []}),
    "id that is too large": definition({**BASE, "vocab": {"a": 2**32}, "merges": []}),
    "no model": {"version": "1.0"},
    "a list": [],
    "a number": 12,
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_files_are_refused(case: str) -> None:
    """With an error of our own that can be caught and says something."""
    import pytok

    with pytest.raises(pytok.errors.PytokError) as caught:
        components.load_candidate(json.dumps(DAMAGED[case]))
    assert len(str(caught.value)) > 10


def test_legacy_and_new_notation_are_the_same_tokenizer() -> None:
    old = load_both(CASES["merges as strings"])
    new = load_both(CASES["merges as pairs"])
    assert old.candidate == new.candidate


def test_merges_whose_parts_contain_a_space() -> None:
    """Only the notation as pairs can say them."""
    model = character_model()
    model["vocab"] |= {"a ": 500, " a": 501, "a  a": 502, "  ": 503}
    model["merges"] = [["a", " "], [" ", "a"], ["a ", " a"], [" ", " "]]
    pair = load_both(definition(model))
    components.assert_all_same(pair, ["a a", "a  a", "  a  a  ", " a a a "])
