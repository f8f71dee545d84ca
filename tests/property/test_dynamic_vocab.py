"""The invariants of a vocabulary that changes while it is used, one property each."""

from __future__ import annotations

import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from prune_kinds import kind, texts_of
from strategies import texts

from pytok import ConfigError, DynamicVocab, FormatError, VocabError

NAMES = ("bpe", "unigram", "ranks")
PATIENCE = 3
CAPS = {"bpe": 700, "unigram": 12_000, "ranks": 700}
PLAIN = {"special": "text", "add_special_tokens": False}


def stream(rounds: int = 3) -> list[str]:
    """Domains in turn: what the vocabulary gives up for one, the next needs."""
    news, code, classical = (list(texts_of(name)) for name in ("news", "code", "classical"))
    parts = []
    for number in range(rounds):
        for domain in (news, code, classical):
            parts += domain[number % 2 :: 2][:120]
    return parts


def made(name: str, **options) -> DynamicVocab:
    fields = {"cap": CAPS[name], "floor": 400, "epoch": 1500, "half_life": 4000.0, "probe": 0.3}
    return DynamicVocab(kind(name).tokenizer, patience=PATIENCE, **(fields | options))


@pytest.fixture(scope="module", params=NAMES)
def run(request):
    """A vocabulary that went through the stream, and what it said after each text."""
    vocab = made(request.param)
    seen = []
    for text in stream():
        ids = vocab.encode_ids(text, **PLAIN)
        seen.append((text, vocab.version, ids))
    return request.param, vocab, seen


def test_it_changes_at_all(run):
    _, vocab, _ = run
    reasons = Counter(event.reason for event in vocab.events())
    assert vocab.statistics().epoch >= 10
    assert reasons["missed"] and (reasons["unused"] or reasons["cap"])


def test_protected_pieces_are_always_in_use(run):
    name, vocab, _ = run
    tokenizer = kind(name).tokenizer
    always = {token.id for token in tokenizer.added_tokens if token.id < len(tokenizer)}
    always |= {
        number
        for number in range(len(tokenizer))
        if len(tokenizer.token_bytes(number)) == 1 and name != "unigram"
    }
    assert len(always) >= (3 if name == "unigram" else 256)
    assert not always & {event.token_id for event in vocab.events()}
    for version in range(max(0, vocab.version - 60), vocab.version + 1):
        assert always <= set(vocab.active_ids(version).tolist())


@settings(deadline=None, max_examples=80)
@given(text=texts, choice=st.integers(0, 10**6))
def test_every_snapshot_gives_text_back_in_ids_that_are_in_use(run, text, choice):
    _, vocab, _ = run
    version = max(0, vocab.version - choice % 8)
    ids = vocab.encode_ids(text, snapshot=version, **PLAIN)
    assert vocab.decode_bytes(ids) == text.encode()
    assert set(ids) <= set(vocab.active_ids(version).tolist())


def test_decoding_is_that_of_the_whole_vocabulary(run):
    name, vocab, _ = run
    tokenizer = kind(name).tokenizer
    rng = np.random.default_rng(1)
    ids = rng.choice(np.array(sorted(tokenizer.vocab.values())), 500).tolist()
    assert vocab.decode_bytes(ids) == tokenizer.decode_bytes(ids)


@settings(deadline=None, max_examples=80)
@given(text=st.one_of(texts, st.sampled_from(texts_of("news")[:80])), choice=st.integers(0, 10**6))
def test_a_text_whose_ids_stay_is_encoded_as_before(run, text, choice):
    _, vocab, _ = run
    older = max(0, vocab.version - choice % 8)
    for first, second in ((older, vocab.version), (vocab.version, older)):
        larger, smaller = (set(vocab.active_ids(one).tolist()) for one in (first, second))
        ids = vocab.encode_ids(text, snapshot=first, **PLAIN)
        if smaller <= larger and set(ids) <= smaller:
            assert vocab.encode_ids(text, snapshot=second, **PLAIN) == ids


@settings(deadline=None, max_examples=60)
@given(text=st.one_of(texts, st.sampled_from(texts_of("news")[:80])))
def test_a_text_whose_ids_are_in_use_is_encoded_as_by_the_whole_vocabulary(run, text):
    name, vocab, _ = run
    ids = kind(name).tokenizer.encode_ids(text, **PLAIN)
    if set(ids) <= set(vocab.active_ids().tolist()):
        assert vocab.encode_ids(text, snapshot=vocab.version, **PLAIN) == ids


def test_no_piece_changes_sides_twice_within_the_pause(run):
    _, vocab, _ = run
    last: dict[int, int] = {}
    for event in vocab.events():
        if event.epoch == 0:
            continue
        if event.token_id in last:
            assert event.epoch - last[event.token_id] > PATIENCE
        last[event.token_id] = event.epoch


def test_the_number_in_use_keeps_to_floor_and_cap(run):
    name, vocab, _ = run
    oldest = max(0, vocab.version - 60)
    for version in range(oldest, vocab.version + 1):
        assert 400 <= len(vocab.active_ids(version)) <= CAPS[name]


@pytest.mark.parametrize("name", ["bpe", "unigram"])
def test_what_is_exported_gives_the_same_ids_in_the_stock_library(name, tmp_path):
    vocab = made(name)
    for text in stream(1):
        vocab.encode_ids(text, **PLAIN)
    folder = vocab.snapshot().tokenizer.save(tmp_path / "saved")
    stock = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    for text in [*texts_of("news"), *texts_of("code"), *texts_of("classical")]:
        ids = stock.encode(text, add_special_tokens=False).ids
        assert ids == vocab.encode_ids(
            text, snapshot=vocab.version, special="special", add_special_tokens=False
        )
    record = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    assert len(record["model"]["vocab"]) == len(
        json.loads(kind(name).tokenizer._core.tokenizer_json())["model"]["vocab"]
    )


def test_replay_gives_what_was_given(run):
    _, vocab, seen = run
    kept = [entry for entry in seen if entry[1] > vocab.version - 20]
    # The call that reaches an epoch encodes with the snapshot before it.
    agree = sum(vocab.encode_ids(text, snapshot=one, **PLAIN) == ids for text, one, ids in kept)
    before = sum(
        vocab.encode_ids(text, snapshot=max(one - 1, vocab.version - 60, 0), **PLAIN) == ids
        or vocab.encode_ids(text, snapshot=one, **PLAIN) == ids
        for text, one, ids in kept
    )
    assert before == len(kept)
    assert agree >= 0.9 * len(kept)


def test_the_same_stream_gives_the_same_snapshots():
    first, second = made("bpe"), made("bpe")
    for text in stream(1):
        first.encode_ids(text, **PLAIN)
        second.encode(text, **PLAIN)
    assert list(first.events()) == list(second.events())
    assert first.active_ids().tolist() == second.active_ids().tolist()


@pytest.mark.parametrize("name", NAMES)
def test_many_threads_encode_while_snapshots_change(name):
    vocab = made(name, epoch=500)
    failures: list[str] = []
    stop = threading.Event()

    def check() -> None:
        while not stop.is_set():
            for text in texts_of("code")[:40]:
                present = vocab.snapshot()
                ids = present.tokenizer.encode_ids(text, **PLAIN)
                if vocab.decode_bytes(ids) != text.encode():
                    failures.append(text)
                if not set(ids) <= set(vocab.active_ids(present.version).tolist()):
                    failures.append(text)

    checkers = [threading.Thread(target=check) for _ in range(2)]
    for thread in checkers:
        thread.start()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda text: vocab.encode_ids(text, **PLAIN), stream(2)))
    stop.set()
    for thread in checkers:
        thread.join()
    assert not failures
    assert [vocab.decode_bytes(ids).decode() for ids in found] == stream(2)
    assert vocab.statistics().tokens == sum(map(len, found))
    assert vocab.statistics().epoch >= 1


def test_it_adapts_to_a_domain_that_comes_back():
    vocab = made("unigram", cap=3000, floor=2500, epoch=2000, half_life=6000.0)
    tokenizer = kind("unigram").tokenizer

    def inflation(domain: str) -> float:
        sample = list(texts_of(domain))
        full = sum(len(tokenizer.encode_ids(text, **PLAIN)) for text in sample)
        return (
            sum(len(vocab.encode_ids(text, snapshot=vocab.version, **PLAIN)) for text in sample)
            / full
            - 1
        )

    def feed(domain: str) -> None:
        for _ in range(2):
            for text in texts_of(domain):
                vocab.encode_ids(text, **PLAIN)

    before = inflation("news"), inflation("code")
    feed("news")
    after_news = inflation("news"), inflation("code")
    feed("code")
    after_code = inflation("news"), inflation("code")
    feed("news")
    after_both = inflation("news"), inflation("code")
    assert after_news[0] < before[0] / 2
    assert after_code[1] < after_news[1] / 2
    assert after_both[0] < after_code[0]


def test_learning_can_be_off():
    vocab = made("bpe")
    vocab.learning = False
    for text in stream(1):
        vocab.encode_ids(text, **PLAIN)
    statistics = vocab.statistics()
    assert (statistics.tokens, statistics.epoch, statistics.version) == (0, 0, 0)
    vocab.set_cap(500)
    text = texts_of("news")[0]
    for learning in (False, True):
        vocab.learning = learning
        ids = vocab.encode_ids(text, **PLAIN)
        assert set(ids) <= set(vocab.active_ids().tolist())
        assert vocab.encode_batch_ids([text], **PLAIN)[0].tolist() == ids
        assert vocab.statistics().tokens == (2 * len(ids) if learning else 0)


def test_the_cap_and_the_span_change_at_run_time():
    vocab = made("bpe")
    vocab.set_cap(500)
    assert len(vocab.active_ids()) <= 500
    assert {event.reason for event in vocab.events(since=0)} == {"cap"}

    def characters(piece: bytes) -> int:
        """A single one may be used under any limit, and so may a part of one."""
        return (piece[0] & 0xC0 == 0x80) + sum(byte & 0xC0 != 0x80 for byte in piece)

    lengths = {"bytes": len, "chars": characters}
    for unit, limit in product(lengths, range(1, 9)):
        vocab.set_max_span(limit, unit)
        for text in texts_of("news")[:20]:
            ids = vocab.encode_ids(text, **PLAIN)
            assert vocab.decode(ids) == text
            pieces = [kind("bpe").tokenizer.token_bytes(number) for number in ids]
            assert all(characters(piece) == 1 or lengths[unit](piece) <= limit for piece in pieces)
    vocab.learning = False
    vocab.set_max_span(None)
    ids = kind("bpe").tokenizer.encode_ids(texts_of("news")[0], **PLAIN)
    assert len(vocab.encode_ids(texts_of("news")[0], **PLAIN)) < 1.5 * len(ids)


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_vocabulary_goes_on(name, tmp_path):
    vocab = made(name)
    parts = stream(2)
    for text in parts[:300]:
        vocab.encode_ids(text, **PLAIN)
    path = vocab.save(tmp_path / "state.npz")
    assert [one.name for one in tmp_path.iterdir()] == ["state.npz"]
    loaded = DynamicVocab.load(path)
    assert list(loaded.events()) == list(vocab.events())
    assert loaded.active_ids().tolist() == vocab.active_ids().tolist()
    for version in range(max(0, vocab.version - 3), vocab.version + 1):
        assert loaded.encode_ids(parts[0], snapshot=version, **PLAIN) == vocab.encode_ids(
            parts[0], snapshot=version, **PLAIN
        )
    for text in parts[300:]:
        loaded.encode_ids(text, **PLAIN)
    assert loaded.statistics().epoch > vocab.statistics().epoch


def test_files_of_another_kind_are_refused(tmp_path):
    path = tmp_path / "state.npz"
    path.write_bytes(b"no archive")
    with pytest.raises(FormatError, match=r"state\.npz"):
        DynamicVocab.load(path)
    np.savez(path, header=np.frombuffer(b'{"form": "x"}', np.uint8))
    with pytest.raises(FormatError, match="'x'"):
        DynamicVocab.load(path)
    with pytest.raises(FileNotFoundError):
        DynamicVocab.load(tmp_path / "none")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cap": 3}, "cap: 3"),
        ({"cap": 0}, "cap: 0"),
        ({"floor": 900}, "floor: 900"),
        ({"epoch": 0}, "epoch: 0"),
        ({"half_life": 0}, "half_life: 0"),
        ({"patience": 0}, "patience: 0"),
        ({"probe": 2}, "probe: 2"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_options_out_of_range_are_named(options, message):
    with pytest.raises(ConfigError, match=message):
        DynamicVocab(kind("bpe").tokenizer, **({"cap": 700} | options))


def test_counts_and_versions_are_checked():
    with pytest.raises(VocabError, match="counts"):
        DynamicVocab(kind("bpe").tokenizer, counts=[-1.0])
    vocab = made("bpe", floor=0)
    with pytest.raises(ConfigError, match="snapshot: 7"):
        vocab.encode_ids("a", snapshot=7)
    with pytest.raises(ConfigError, match="cap: 5"):
        vocab.set_cap(5)
    assert vocab.statistics().active <= CAPS["bpe"]


def test_wordpiece_has_no_such_form():
    with pytest.raises(ConfigError, match="WordPiece"):
        DynamicVocab(kind("wordpiece").tokenizer, cap=500)
