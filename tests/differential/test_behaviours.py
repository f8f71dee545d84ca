"""What users of tokenizers asked for, as promises: loading, encoding and decoding.

Each test's docstring says the behaviour in its own words; the public report
that it answers is cited where there is one.
"""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import components
from .components import (
    MERGES,
    added_token,
    byte_level_bpe,
    character_model,
    definition,
    load_candidate,
)
from .rank_files import load_ranks
from .strategies import FIXED_TEXTS, examples, random_texts, texts

# Where no source folder hides the built package from a new interpreter.
HERE = Path(__file__).parent

HOSTILE = (*FIXED_TEXTS, *random_texts(300))


@pytest.fixture(scope="module")
def byte_level() -> Any:
    return load_candidate(byte_level_bpe().to_str())


@pytest.fixture(scope="module")
def ranks() -> Any:
    from .test_oracles import random_ranks

    return load_ranks(random_ranks(1), r"\p{L}+|\s+|[^\p{L}\s]+", {"<|end|>": 1_000})


@pytest.fixture(scope="module")
def llama() -> Any:
    decoders = [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    prepend = {"type": "Prepend", "prepend": "▁"}
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    return load_candidate(
        json.dumps(
            definition(
                character_model(MERGES),
                normalizer={"type": "Sequence", "normalizers": [prepend, replace]},
                decoder={"type": "Sequence", "decoders": decoders},
                added_tokens=[added_token("<s>", 900, special=True), added_token("<x>", 901)],
            )
        )
    )


@pytest.fixture(params=["byte_level", "ranks", "llama"])
def tokenizer(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)


def test_every_id_has_bytes(tokenizer: Any) -> None:
    """Any id, added ones too, says which bytes it stands for (huggingface/tokenizers#1628)."""
    for token in tokenizer.vocab.values():
        assert isinstance(tokenizer.token_bytes(token), bytes)
    for token in tokenizer.added_tokens:
        assert tokenizer.token_bytes(token.id) == token.content.encode()


def test_bytes_of_tokens_join_to_the_text(byte_level: Any, ranks: Any) -> None:
    """For byte-level vocabularies the bytes of the ids are the text."""
    for tokenizer in (byte_level, ranks):
        for text in HOSTILE:
            ids = tokenizer.encode_ids(text, special="text")
            assert b"".join(map(tokenizer.token_bytes, ids)) == text.encode(), text


def test_streams_of_any_ids_never_raise_and_join_to_the_decoding(tokenizer: Any) -> None:
    """No order of ids makes a stream fail (vllm-project/vllm#17448)."""
    known = sorted(set(tokenizer.vocab.values()))

    @examples(300, 2_000)
    @given(st.lists(st.sampled_from(known), max_size=25), st.booleans())
    def check(ids: list[int], skip: bool) -> None:
        pieces = list(tokenizer.decode_stream(ids, skip_special_tokens=skip))
        assert "".join(pieces) == tokenizer.decode(ids, skip_special_tokens=skip)

    check()


def test_streams_of_texts_never_show_half_a_character(tokenizer: Any) -> None:
    """Token by token, a Han character or an emoji comes whole or not yet
    (Blaizzy/mlx-vlm#1771)."""
    for text in HOSTILE:
        if "\ufffd" in text:
            continue
        ids = tokenizer.encode_ids(text, special="text", add_special_tokens=False)
        pieces = list(tokenizer.decode_stream(ids))
        assert all("\ufffd" not in piece for piece in pieces), text
        assert "".join(pieces) == tokenizer.decode(ids)


def test_bytes_that_are_no_text_are_encoded(tokenizer: Any) -> None:
    """Half a character at the end of a byte string is data, not a crash
    (ggml-org/llama.cpp#8691)."""
    broken = [b"\xe5\xad", b"\xff", b"a\xf0\x9f\x98", b"\xed\xa0\x80", b"\xc0\x80", b"\x80abc", b""]
    for data in broken:
        expected = tokenizer.encode_ids(data.decode("utf-8", "replace"))
        assert tokenizer.encode_bytes(data) == expected, data

    @examples(200, 2_000)
    @given(st.binary(max_size=40))
    def check(data: bytes) -> None:
        ids = tokenizer.encode_bytes(data, special="text")
        assert ids == tokenizer.encode_ids(data.decode("utf-8", "replace"), special="text")

    check()


NORMALIZERS = [
    {"type": "NFKC"},
    {"type": "NFD"},
    {"type": "NFC"},
    {"type": "Lowercase"},
    {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
    {"type": "Replace", "pattern": {"String": "a"}, "content": "学学"},
    {
        "type": "Sequence",
        "normalizers": [{"type": "NFKD"}, {"type": "StripAccents"}, {"type": "Lowercase"}],
    },
]


@pytest.mark.parametrize("normalizer", NORMALIZERS, ids=lambda n: n["type"])
def test_offsets_point_into_the_original_text(normalizer: components.Json) -> None:
    """After any normalizer, offsets are ranges of the text that was given, in order
    (huggingface/tokenizers#1201, #1775)."""
    tokenizer = load_candidate(json.dumps(definition(character_model(), normalizer=normalizer)))
    for text in HOSTILE:
        encoding = tokenizer.encode(text, special="text")
        last = 0
        for (start, end), (first, stop) in zip(
            encoding.offsets, encoding.byte_offsets, strict=True
        ):
            assert 0 <= start <= end <= len(text), text
            assert start >= last, text
            last = start
            # A byte of a character has its own span in bytes and the character's in characters.
            covered = len(text[:start].encode()), len(text[:end].encode())
            assert covered[0] <= first <= stop <= covered[1], text
            assert start == end or (stop - first) > 0, text


def test_an_ellipsis_has_an_offset_under_nfkc() -> None:
    """…… becomes six dots that all point at the character they came from
    (huggingface/tokenizers#1201)."""
    pair = components.load_both(definition(character_model(), normalizer={"type": "NFKC"}))
    encoding = pair.candidate.encode("a……b")
    assert list(encoding.tokens) == ["a", ".", ".", ".", ".", ".", ".", "b"]
    assert list(encoding.offsets) == [(0, 1), *[(1, 2)] * 3, *[(2, 3)] * 3, (3, 4)]
    components.assert_same(pair, "a……b")


def test_no_token_of_a_byte_level_text_has_an_empty_span(byte_level: Any, ranks: Any) -> None:
    """A third of 司 covers 司 in characters and its own byte in bytes
    (huggingface/transformers#33675, QwenLM/Qwen#743)."""
    for tokenizer in (byte_level, ranks):
        encoding = tokenizer.encode("a司b", special="text")
        assert encoding.offsets[0] == (0, 1)
        assert encoding.offsets[-1] == (2, 3)
        assert all(span == (1, 2) for span in encoding.offsets[1:-1])
    assert list(ranks.encode("司").byte_offsets)[:1] == [(0, 1)]
    for text in HOSTILE:
        encoding = ranks.encode(text, special="text")
        assert all(start < end for start, end in encoding.offsets), text
        assert all(start < end for start, end in encoding.byte_offsets), text


def test_chinese_punctuation_is_not_changed(tokenizer: Any) -> None:
    """Full-width marks stay what they are (google/sentencepiece#643)."""
    text = "你好，世界！？：；（）「」『』《》……——·︰﹁﹂　，．ａＢ１"
    ids = tokenizer.encode_ids(text)
    assert tokenizer.decode(ids) == text


@pytest.mark.parametrize("character", ["𫠝", "𬺰", "𮯰", "𰀀", "𱍐", "\U0002ebf0", "\U00033479"])
def test_han_beyond_the_reference_range_follows_the_reference(character: str) -> None:
    """BERT's normalizer puts spaces around Han characters, but of a fixed list of ranges.

    The library's list ends before the newer extensions (huggingface/tokenizers
    PR #2395). That is a mistake there; a loaded file still gives its ids.
    """
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[UNK]": 0, character: 1, f"##{character}": 2, "a": 3, "##a": 4},
    }
    normalizer = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    }
    pair = components.load_both(
        definition(model, normalizer=normalizer, pre_tokenizer={"type": "BertPreTokenizer"})
    )
    for text in (character, character * 2, f"a{character}a", f"学{character}"):
        components.assert_same(pair, text)


@pytest.mark.parametrize("unit", ["a", "学", "ab", " ", "\n", "😀", "-", "0"])
def test_long_repetitions_complete(tokenizer: Any, unit: str) -> None:
    """A hundred thousand times the same thing is a text like any other
    (openai/tiktoken#195, huggingface/tokenizers#1539)."""
    text = unit * 100_000
    ids = tokenizer.encode_ids(text)
    assert tokenizer.count(text) == len(ids)
    assert tokenizer.decode(ids) == text


def test_deep_input_does_not_overflow_the_stack() -> None:
    """A message of a million letters is encoded in a thread with a small stack
    (openai/harmony#93)."""
    tokenizer = load_candidate(byte_level_bpe().to_str())
    found: list[int] = []

    def work() -> None:
        found.append(tokenizer.count("a" * 1_000_000 + "学" * 300_000))

    size = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
    assert found[0] > 0


def test_caches_are_bounded_and_can_be_cleared(tokenizer: Any) -> None:
    """Millions of different words do not stay in memory (huggingface/tokenizers#1539)."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the unit of ru_maxrss differs")
    import resource

    generator = np.random.default_rng(1)

    def encode_new_words() -> int:
        letters = generator.integers(0x4E00, 0x9FFF, size=300_000)
        text = " ".join("".join(map(chr, letters[i : i + 3])) for i in range(0, len(letters), 3))
        tokenizer.count(text)
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    first = [encode_new_words() for _ in range(3)][-1]
    later = [encode_new_words() for _ in range(10)][-1]
    tokenizer.clear_cache()
    assert later - first < 100_000, "kilobytes of growth over a million new words"
    before = tokenizer.encode_ids("学而时习之")
    tokenizer.clear_cache()
    assert tokenizer.encode_ids("学而时习之") == before


def test_one_tokenizer_serves_many_threads(tokenizer: Any) -> None:
    """Different options at the same time, no borrowed state (huggingface/tokenizers#537)."""
    corpus = [text for text in HOSTILE if text][:200]
    expected = [tokenizer.encode_ids(text, special="text") for text in corpus]

    def work(number: int) -> bool:
        length = number % 5 + 4
        for text, ids in zip(corpus, expected, strict=True):
            if tokenizer.encode_ids(text, special="text") != ids:
                return False
            cut = tokenizer.encode(text, special="text", max_length=length)
            if len(cut) > length:
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(16)))


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_a_fork_after_threads_works() -> None:
    """A child that is forked after a threaded batch encodes, without a variable to set
    (huggingface/transformers#5486)."""
    code = """
import os, sys, pytok
tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
texts = ["学而时习之，不亦说乎？" * 200] * 200
expected = tokenizer.encode_batch_ids(texts, threads=4)[0].sum()
child = os.fork()
if child == 0:
    same = tokenizer.encode_batch_ids(texts, threads=4)[0].sum() == expected
    os._exit(0 if same else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        timeout=120,
        check=False,
        capture_output=True,
        cwd=HERE,
    )
    assert result.returncode == 0, result.stderr.decode()
    assert not result.stderr, "no warning either"


@pytest.mark.parametrize("normalized", [False, True])
def test_a_hundred_thousand_added_tokens_load(normalized: bool) -> None:
    """Loading does not take minutes per ten thousand tokens (huggingface/tokenizers#1635)."""
    model = character_model(MERGES)
    added = [
        added_token(f"<token {number}>", 1_000 + number, normalized=normalized)
        for number in range(100_000)
    ]
    tokenizer = load_candidate(json.dumps(definition(model, added_tokens=added)))
    first = tokenizer.token_to_id("<token 0>")
    text = "<token 0>a<token 99999>学<token 5>0<token 100000>"
    ids = tokenizer.encode_ids(text, special="special")
    assert ids[0] == first
    assert ids[2] == first + 99_999
    assert ids.count(first + 5) == 1
    assert first not in tokenizer.encode_ids(text, special="text")


def test_flags_of_added_tokens_survive_saving_twice(tmp_path: Path) -> None:
    """Save, load, save, load: every flag is still there (huggingface/transformers#13571)."""
    import pytok

    names = ("single_word", "lstrip", "rstrip", "normalized", "special")
    added = [
        added_token(f"<t{number}>", 1_000 + number, **dict.fromkeys(names[: number + 1], True))
        for number in range(5)
    ]
    tokenizer = load_candidate(json.dumps(definition(character_model(), added_tokens=added)))
    once = pytok.Tokenizer.from_pretrained(tokenizer.save(tmp_path / "once"))
    twice = pytok.Tokenizer.from_pretrained(once.save(tmp_path / "twice"))
    assert tokenizer.added_tokens == once.added_tokens == twice.added_tokens
    first = (tmp_path / "once" / "tokenizer.json").read_bytes()
    assert first == (tmp_path / "twice" / "tokenizer.json").read_bytes()


def test_spaces_around_added_tokens_are_accounted_for(byte_level: Any, ranks: Any) -> None:
    """No space is lost or doubled around tokens that do not strip
    (huggingface/tokenizers#959, #1237)."""
    for tokenizer in (byte_level, ranks):
        grown = tokenizer.add_tokens(["<new>"])
        for text in ("a <new> b", "a<new>b", "<new> b", "a <new>", "a  <new>  b", "<new><new>"):
            ids = grown.encode_ids(text, special="special")
            assert ids.count(grown.token_to_id("<new>")) == text.count("<new>")
            assert grown.decode(ids) == text
            assert b"".join(map(grown.token_bytes, ids)).decode() == text


def test_user_text_does_not_become_control_tokens() -> None:
    """Text that spells a control token is refused unless the caller says what it means;
    tokens that are not marked special but look like markers are covered too
    (huggingface/tokenizers#1850, huggingface/transformers#26468)."""
    import pytok

    added = [
        added_token("<|end|>", 900, special=True),
        added_token("<tool>", 901),
        added_token("[INST]", 902),
        added_token("学而时", 903),
    ]
    tokenizer = load_candidate(json.dumps(definition(character_model(), added_tokens=added)))
    assert set(tokenizer.control_tokens) == {"<|end|>", "<tool>", "[INST]"}
    for marker in tokenizer.control_tokens:
        text = f"a{marker}b"
        control = tokenizer.token_to_id(marker)
        for call in (tokenizer.encode, tokenizer.encode_ids, tokenizer.count):
            with pytest.raises(pytok.errors.EncodeError) as caught:
                call(text)
            assert marker in str(caught.value)
            message = f"{caught.value} {caught.value.hint or ''}"
            assert 'special="text"' in message
            assert 'special="special"' in message
        with pytest.raises(pytok.errors.EncodeError):
            tokenizer.encode_batch_ids(["ok", text])
        with pytest.raises(pytok.errors.EncodeError):
            tokenizer.encode("ok", text)
        assert control not in tokenizer.encode_ids(text, special="text")
        assert tokenizer.encode_ids(text, special="special").count(control) == 1
    assert tokenizer.token_to_id("学而时") in tokenizer.encode_ids("学而时")


def test_the_first_word_and_the_word_after_a_token_are_like_the_library(llama: Any) -> None:
    """Whether a word gets a space before it is read from the file
    (huggingface/transformers#24569)."""
    modes = ("always", "first", "never")
    for mode in modes:
        metaspace = {
            "type": "Metaspace",
            "replacement": "▁",
            "prepend_scheme": mode,
            "split": False,
        }
        pair = components.load_both(
            definition(
                character_model(MERGES),
                pre_tokenizer=metaspace,
                decoder=metaspace,
                added_tokens=[added_token("<s>", 900, special=True)],
            )
        )
        for text in ("a", " a", "<s>a", "<s> a", "a<s>a", "a <s> a", "", "<s>", "学<s>而"):
            components.assert_same(pair, text)


def test_decoding_does_not_tidy_spaces_up(byte_level: Any, ranks: Any) -> None:
    """Spaces before punctuation come back (huggingface/tokenizers#1543)."""
    for tokenizer in (byte_level, ranks):
        text = "Hello , world ! do n't  do  it . [ a ] ' s"
        assert tokenizer.decode(tokenizer.encode_ids(text)) == text


def test_saving_and_loading_changes_nothing(tokenizer: Any, tmp_path: Path) -> None:
    """The saved tokenizer is equal, gives the same ids, and is saved to the same bytes
    (huggingface/transformers#26773)."""
    import pytok

    again = pytok.Tokenizer.from_pretrained(tokenizer.save(tmp_path / "one"))
    assert again == tokenizer
    assert dict(again.vocab) == dict(tokenizer.vocab)
    for text in HOSTILE:
        encoding, other = tokenizer.encode(text, special="text"), again.encode(text, special="text")
        assert encoding == other, text
    again.save(tmp_path / "two")
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes(), file.name


def test_saved_tokenizer_json_is_read_alike_by_the_library(
    byte_level: Any, llama: Any, tmp_path: Path
) -> None:
    """What pytok writes, `tokenizers` reads, with the same ids."""
    import tokenizers

    for number, tokenizer in enumerate((byte_level, llama)):
        tokenizer.save(tmp_path / str(number))
        path = tmp_path / str(number) / "tokenizer.json"
        reference = tokenizers.Tokenizer.from_file(str(path))
        pair = components.Pair(reference, tokenizer, "saved")
        components.assert_all_same(pair)


def test_copies_are_equal(tokenizer: Any) -> None:
    for other in (
        copy.copy(tokenizer),
        copy.deepcopy(tokenizer),
        pickle.loads(pickle.dumps(tokenizer)),
    ):
        assert other == tokenizer
        assert other.encode_ids("学而 a") == tokenizer.encode_ids("学而 a")


def test_no_network_is_needed() -> None:
    """Loading by a file or by a shipped name opens no connection (openai/tiktoken#317)."""
    code = """
import socket
def refuse(*arguments, **options):
    raise AssertionError("the network was used")
socket.socket.connect = refuse
socket.create_connection = refuse
socket.getaddrinfo = refuse
import pytok
tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
assert tokenizer.decode(tokenizer.encode_ids("学而时习之")) == "学而时习之"
"""
    result = subprocess.run(
        [sys.executable, "-c", code], timeout=120, check=False, capture_output=True, cwd=HERE
    )
    assert result.returncode == 0, result.stderr.decode()


def test_errors_can_be_caught(tokenizer: Any) -> None:
    """Whatever is given, what is raised is an Exception (openai/tiktoken#15)."""
    attempts = [
        lambda: tokenizer.decode([2**31]),
        lambda: tokenizer.decode([-1]),
        lambda: tokenizer.decode([2**40]),
        lambda: tokenizer.encode("\ud800"),
        lambda: tokenizer.encode(None),
        lambda: tokenizer.encode(b"bytes"),
        lambda: tokenizer.encode("a", special="nothing"),
        lambda: tokenizer.encode("a", max_length=-1),
        lambda: tokenizer.encode_batch_ids("not a list"),
        lambda: tokenizer.encode_batch_ids(["a", None]),
        lambda: tokenizer.token_bytes(2**31),
    ]
    for attempt in attempts:
        with pytest.raises((ValueError, TypeError)):
            attempt()


def test_generated_texts_round_trip(byte_level: Any, ranks: Any) -> None:
    @examples(150, 2_000)
    @given(texts(20))
    def check(text: str) -> None:
        for tokenizer in (byte_level, ranks):
            ids = tokenizer.encode_ids(text, special="text")
            assert tokenizer.decode(ids) == text
            assert "".join(tokenizer.decode_stream(ids)) == text
            assert tokenizer.count(text, special="text") == len(ids)

    check()
