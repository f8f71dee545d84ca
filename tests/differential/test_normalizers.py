"""Every normalizer of `tokenizers`: text and offsets after it equal the library's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Regex, normalizers

from . import components, corpus
from .components import MERGES, Json, character_model, component_json, definition, load_both
from .strategies import code_points

REPLACEMENTS: list[tuple[str | Regex, str]] = [
    ("a", "bb"),
    ("aa", "a"),
    ("学", ""),
    (" ", "▁"),
    ("x", "学而"),
    ("``", '"'),
    ("\u3000", " "),
    (Regex(r"\s+"), " "),
    (Regex(r"\s*"), ""),
    (Regex(r"[\p{Han}]"), "x"),
    (Regex(r" {2,}"), "▁"),
    (Regex(r"(?i)the"), "THE"),
    (Regex(r"^\s+|\s+$"), ""),
    (Regex(r"\p{M}+"), ""),
    (Regex(r"[0-9]"), "0"),
    (Regex(r"(\w)\1"), "$1"),
    (Regex(r"(?=a)"), "|"),
    (Regex(r"."), "$0é"),
    (Regex(r"\d(?=(\d{3})+\b)"), "9"),
    (Regex(r"[[:punct:]]"), "."),
]

BERT = [
    normalizers.BertNormalizer(
        clean_text=clean, handle_chinese_chars=chinese, strip_accents=accents, lowercase=lower
    )
    for clean in (False, True)
    for chinese in (False, True)
    for accents in (None, False, True)
    for lower in (False, True)
]

SINGLE: list[Any] = [
    normalizers.ByteLevel(),
    normalizers.Lowercase(),
    normalizers.NFC(),
    normalizers.NFD(),
    normalizers.NFKC(),
    normalizers.NFKD(),
    normalizers.Nmt(),
    normalizers.StripAccents(),
    *(normalizers.Prepend(prefix) for prefix in ("▁", "学而", "", " ")),
    *(normalizers.Strip(left, right) for left in (False, True) for right in (False, True)),
    *(normalizers.Replace(pattern, content) for pattern, content in REPLACEMENTS),
]

SEQUENCES = [
    normalizers.Sequence([]),
    normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase()]),
    normalizers.Sequence([normalizers.NFD(), normalizers.Lowercase(), normalizers.NFC()]),
    normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
    normalizers.Sequence(
        [
            normalizers.Nmt(),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Strip(),
        ]
    ),
    normalizers.Sequence(
        [
            normalizers.Sequence([normalizers.Strip(True, False), normalizers.Replace("a", "学a")]),
            normalizers.Sequence([normalizers.NFKD(), normalizers.Replace(Regex(r"\p{M}"), "")]),
        ]
    ),
    normalizers.Sequence([normalizers.Lowercase(), normalizers.ByteLevel()]),
    normalizers.Sequence(
        [
            normalizers.Replace("``", '"'),
            normalizers.Replace("''", '"'),
            normalizers.NFKD(),
            normalizers.StripAccents(),
            normalizers.Lowercase(),
        ]
    ),
]

ALL = [component_json(normalizer) for normalizer in [*BERT, *SINGLE, *SEQUENCES]]


def name_of(part: Json) -> str:
    return json.dumps(part, ensure_ascii=True).replace('"', "")[:120]


@pytest.mark.parametrize("normalizer", ALL, ids=name_of)
def test_normalizer_equals_the_library(normalizer: Json) -> None:
    pair = load_both(definition(character_model(MERGES), normalizer=normalizer))
    components.assert_same_everywhere(pair)


@pytest.mark.parametrize("normalizer", [*ALL[:4], *ALL[24:34], *ALL[-8:]], ids=name_of)
def test_normalizer_before_a_pre_tokenizer(normalizer: Json) -> None:
    """Words and offsets survive a normalizer that changes lengths."""
    for pre_tokenizer in ({"type": "Whitespace"}, {"type": "BertPreTokenizer"}):
        model = character_model(MERGES)
        pair = load_both(definition(model, normalizer=normalizer, pre_tokenizer=pre_tokenizer))
        components.assert_all_same(pair)


def charsmap_json(charsmap: bytes) -> Json:
    return component_json(normalizers.Precompiled(charsmap))


def protobuf_field(data: bytes, wanted: int) -> bytes:
    """The last length-delimited field of a number in a serialised protobuf message."""
    place, found = 0, b""

    def varint() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(data):
        number, kind = divmod(varint(), 8)
        size = {0: 0, 1: 8, 5: 4}.get(kind)
        if kind == 0:
            varint()
        size = varint() if size is None else size
        if number == wanted and kind == 2:
            found = data[place : place + size]
        place += size
    return found


def charsmap_of(model: bytes) -> bytes:
    """``normalizer_spec.precompiled_charsmap`` of a SentencePiece model."""
    return protobuf_field(protobuf_field(model, 3), 2)


def trained_charsmap(rule: str, tmp_path: Path) -> bytes:
    """The character map that SentencePiece compiles for a named rule."""
    import sentencepiece

    prefix = tmp_path / rule
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(components.TRAINING_TEXT),
        model_prefix=str(prefix),
        vocab_size=150,
        hard_vocab_limit=False,
        normalization_rule_name=rule,
        minloglevel=2,
    )
    return charsmap_of(prefix.with_suffix(".model").read_bytes())


@pytest.mark.parametrize("rule", ["nmt_nfkc", "nmt_nfkc_cf", "nfkc", "nfkc_cf"])
def test_precompiled_character_map(rule: str, tmp_path: Path) -> None:
    """The library applies the map to each grapheme, not to the longest match in the text."""
    normalizer = charsmap_json(trained_charsmap(rule, tmp_path))
    pair = load_both(definition(character_model(MERGES), normalizer=normalizer))
    components.assert_same_everywhere(pair)


@pytest.mark.needs_shared
def test_precompiled_character_map_of_a_real_model(shared: Path) -> None:
    model = (shared / "data/vocab/xlnet_base_cased.model").read_bytes()
    normalizer = {
        "type": "Sequence",
        "normalizers": [
            charsmap_json(charsmap_of(model)),
            {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"},
        ],
    }
    pair = load_both(definition(character_model(MERGES), normalizer=normalizer))
    components.assert_all_same(pair)
    news = corpus.read(shared / "data/news/gov-reports.txt.xz")[:60_000]
    components.assert_all_same(pair, news.splitlines())


@pytest.mark.parametrize(
    "normalizer",
    [
        {"type": "Lowercase"},
        {"type": "NFKC"},
        {"type": "NFD"},
        {"type": "NFC"},
        {"type": "NFKD"},
        {"type": "StripAccents"},
        {"type": "Nmt"},
        component_json(BERT[-1]),
        component_json(BERT[0]),
        component_json(normalizers.Sequence([normalizers.NFD(), normalizers.StripAccents()])),
    ],
    ids=name_of,
)
def test_every_code_point(normalizer: Json) -> None:
    """Tables of another Unicode version than the library's would show here."""
    pair = load_both(definition(character_model(), normalizer=normalizer))
    characters = code_points()
    step = 512
    for start in range(0, len(characters), step):
        # A letter keeps combining marks from composing across code points.
        text = "a".join(characters[start : start + step])
        reference = pair.reference.encode(text)
        candidate = pair.candidate.encode(text, special="special")
        if reference.ids != candidate.ids or reference.offsets != candidate.offsets:
            components.assert_same(pair, text)
