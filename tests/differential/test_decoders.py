"""Every decoder of `tokenizers`: any ids, in any order, decode to the library's text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from tokenizers import Regex, decoders

from .components import (
    Json,
    added_token,
    byte_level_bpe,
    component_json,
    definition,
    json,
    load_both,
)
from .references import byte_piece
from .strategies import FULL
from .test_normalizers import name_of

PIECES = [
    "a", "b", "ab", "##a", "##学", "a##", "学", "学而", "▁", "▁a", "▁▁", "▁学", "a▁b", "▁the", "Ġ", "Ġa", "Ċ",
    " ", " a", "a ", "  ", "\n", "</w>", "a</w>", "学</w>", "e</w>x", "<pad>", "|", "a|b", "<unk>", "[UNK]", "é",
    "<0xE5>", "<0xAD>", "<0xA6>", "<0x41>", "<0x0A>", "<0xFF>", "<0x00>", "<0xf0>", "<0xZZ>", "<0x>", "<0x123>",
    ".", "?", "!", ",", " .", " ?", "'", " ' ", "n't", " n't", " 'm", "'s", " 's", " 've", "'re", " do not", "do",
    "not", "H", "HH", "aa", "Hello", "😀", "👨‍👩‍👧‍👦", "\u0301", "\x00", "\ufffd", "",
    *(byte_piece(bytes([byte])) for byte in (0xE5, 0xAD, 0xA6, 0x20, 0x41, 0xF0, 0x9F, 0x98, 0x80, 0xFF, 0xC3, 0xA9)),
    byte_piece("学而".encode()), byte_piece(b" the"), byte_piece("学".encode()[:2]), byte_piece("é".encode()),
]  # fmt: skip
"""Pieces with the marks of every decoder."""

ALL: list[Any] = [
    None,
    *(decoders.BPEDecoder(suffix) for suffix in ("</w>", "e", "")),
    decoders.ByteFallback(),
    decoders.ByteLevel(),
    *(
        decoders.CTC(pad, delimiter, cleanup)
        for pad in ("<pad>", "a")
        for delimiter in ("|", "▁")
        for cleanup in (False, True)
    ),
    decoders.Fuse(),
    *(
        decoders.Metaspace(replacement, scheme, split)
        for replacement in ("▁", "_", "学")
        for scheme in ("always", "first", "never")
        for split in (False, True)
    ),
    decoders.Replace("▁", " "),
    decoders.Replace("a", ""),
    decoders.Replace(Regex(r"\s+"), "_"),
    decoders.Replace(Regex(r"(?i)h+"), "hh"),
    *(
        decoders.Strip(content, left, right)
        for content in (" ", "a", "▁")
        for left in (0, 1, 3)
        for right in (0, 1, 3)
    ),
    *(
        decoders.WordPiece(prefix, cleanup)
        for prefix in ("##", "", "a")
        for cleanup in (False, True)
    ),
    decoders.Sequence([]),
    decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    ),
    decoders.Sequence([decoders.ByteFallback(), decoders.Metaspace()]),
    decoders.Sequence([decoders.Fuse(), decoders.Replace("aa", "b")]),
    decoders.Sequence([decoders.ByteLevel(), decoders.Strip("a", 1, 1)]),
    decoders.Sequence([decoders.WordPiece(), decoders.BPEDecoder()]),
    decoders.Sequence([decoders.CTC(), decoders.Fuse(), decoders.Replace(Regex("^a"), "A")]),
    decoders.Sequence([decoders.Sequence([decoders.Fuse()]), decoders.Strip("学", 2, 2)]),
]


def random_ids(count: int, number: int) -> Iterator[list[int]]:
    """Lists of ids below ``count``, always the same; short ones are the most."""
    generator = random.Random(count)
    for _ in range(number):
        size = min(generator.randint(1, 12), generator.randint(2, 20))
        yield [generator.randrange(count) for _ in range(size)]


def decoding_pair(decoder: Json | None) -> Any:
    model = {
        "type": "WordLevel",
        "unk_token": "[UNK]",
        "vocab": {piece: number for number, piece in enumerate(dict.fromkeys(PIECES))},
    }
    count = len(model["vocab"])
    added = [
        added_token("[CLS]", count, special=True),
        added_token("<add>", count + 1),
        added_token("▁added▁", count + 2, normalized=True),
        added_token("##add", count + 3),
        added_token("<0xE6>", count + 4),
    ]
    return load_both(definition(model, decoder=decoder, added_tokens=added)), count + len(added)


@pytest.mark.parametrize(
    "decoder",
    [None if part is None else component_json(part) for part in ALL],
    ids=lambda part: "none" if part is None else name_of(part),
)
def test_decoder_equals_the_library(decoder: Json | None) -> None:
    pair, count = decoding_pair(decoder)

    def compare(ids: list[int]) -> None:
        for skip in (False, True):
            try:
                expected = pair.reference.decode(ids, skip_special_tokens=skip)
            except (KeyboardInterrupt, SystemExit):
                raise
            except BaseException:  # The library panics, for example in Strip.
                continue
            found = pair.candidate.decode(ids, skip_special_tokens=skip)
            tokens = [pair.reference.id_to_token(token) for token in ids]
            assert found == expected, f"tokens {tokens!r}, skip_special_tokens={skip}"

    compare([])
    for token in range(count):
        compare([token])
    for ids in random_ids(count, 20_000 if FULL else 1_500):
        compare(ids)


def test_byte_level_bpe_decodes_any_ids() -> None:
    pair = load_both(byte_level_bpe(600))
    size = pair.reference.get_vocab_size()

    for ids in random_ids(size, 20_000 if FULL else 2_000):
        for skip in (False, True):
            expected = pair.reference.decode(ids, skip_special_tokens=skip)
            assert pair.candidate.decode(ids, skip_special_tokens=skip) == expected, ids
        assert "".join(pair.candidate.decode_stream(ids)) == pair.candidate.decode(ids), ids


@pytest.mark.parametrize(
    "decoder",
    [None if part is None else component_json(part) for part in ALL],
    ids=lambda part: "none" if part is None else name_of(part),
)
def test_stream_joins_to_what_decode_gives(decoder: Json | None) -> None:
    """Under every decoder, pieces of a stream join to the decoding of all ids."""
    pair, count = decoding_pair(decoder)

    for ids in random_ids(count, 10_000 if FULL else 500):
        for skip in (False, True):
            joined = "".join(pair.candidate.decode_stream(ids, skip_special_tokens=skip))
            expected = pair.candidate.decode(ids, skip_special_tokens=skip)
            assert joined == expected, [pair.candidate.id_to_token(number) for number in ids]


def test_ids_outside_the_vocabulary() -> None:
    """The library leaves them out silently; pytok names them."""
    import pytok

    pair, count = decoding_pair(None)
    assert pair.reference.decode([0, count + 7, 1]) == "a b"
    with pytest.raises(pytok.errors.VocabError, match=str(count + 7)):
        pair.candidate.decode([0, count + 7, 1])


def test_definitions_of_decoders_are_read_back() -> None:
    """A guard on this file: each decoder's JSON is one that the library reads."""
    for part in ALL:
        if part is not None:
            assert json.loads(part.__getstate__())["type"]
