"""A dynamic vocabulary: decisions by hand-made states, and what is counted."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest
from prune_kinds import kind, load, texts_of
from random_vocabularies import byte_alphabet

from pytok import DynamicVocab, _pytok
from pytok.errors import ConfigError
from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.policy import decide
from pytok.pruning.dynamic.state import State

PLAIN = {"special": "text", "add_special_tokens": False}


def made(**options) -> DynamicVocab:
    fields = {"cap": 700, "floor": 400, "epoch": 10**9, "probe": 1.0}
    return DynamicVocab(kind("bpe").tokenizer, **(fields | options))


def a_piece_of_two(pruner: _pytok.Pruner) -> tuple[int, int]:
    """A piece, and another that it is made of, both of which others can stand for."""
    ids = pruner.ids()
    removable = set(ids[pruner.alternatives(ids, []) > 0].tolist())
    removable -= set(pruner.protected().tolist())
    flat, bounds = pruner.made_of_each(ids)
    for at, number in enumerate(ids.tolist()):
        parts = [part for part in flat[bounds[at] : bounds[at + 1]].tolist() if part in removable]
        if number in removable and len(parts) == 2:
            return number, next(part for part in parts if part != number)
    raise AssertionError("no such piece")


@pytest.mark.parametrize("is_full", [False, True])
def test_no_piece_comes_back_while_a_part_of_it_goes(is_full: bool) -> None:
    """Counts are estimates: a part may seem unused while a piece made of it is missed."""
    pruner = _pytok.Pruner(kind("bpe").tokenizer._core, [], "stable")
    piece, part = a_piece_of_two(pruner)
    state = State.of(pruner)
    state.used[:] = 1000.0
    flat, bounds = pruner.made_of_each(pruner.ids())
    for at, number in enumerate(pruner.ids().tolist()):
        if part in flat[bounds[at] : bounds[at + 1]].tolist() and number != part:
            state.active[number] = False
    state.used[part] = 0.0
    state.streak[part] = 5
    state.wanted[piece] = 1000.0
    state.tokens = state.probed = 1e6
    cap = int(state.active.sum()) - 1 if is_full else None
    changes = decide(state, pruner, DynamicOptions(cap=cap, patience=2, loss=1.0))
    assert len({change.token_id for change in changes}) == len(changes) > 0
    for number in np.flatnonzero(state.active).tolist():
        assert all(state.active[needed] for needed in pruner.made_of([number]).tolist())


def test_every_way_to_encode_counts_alike() -> None:
    one, other, batch = made(), made(), made()
    lines = [*texts_of("news")[:50], *texts_of("code")[:50]]
    ids = [one.encode_ids(line, **PLAIN) for line in lines]
    assert [list(other.encode(line, **PLAIN).ids) for line in lines] == ids
    flat, _ = batch.encode_batch_ids(lines, threads=2, **PLAIN)
    assert flat.tolist() == sum(ids, [])  # noqa: RUF017
    assert one.statistics() == other.statistics() == batch.statistics()
    assert one.statistics().tokens == len(flat)
    whole = kind("bpe").tokenizer
    assert one.statistics().probed_full == sum(len(whole.encode_ids(t, **PLAIN)) for t in lines)


def test_an_idle_vocabulary_encodes_by_the_snapshot_it_shows() -> None:
    vocab = made()
    text = "\n".join(texts_of("news")[:50])
    for change in (
        lambda: setattr(vocab, "learning", False),
        lambda: vocab.set_cap(450),
        lambda: vocab.set_max_span(1, "chars"),
        lambda: vocab.set_max_span(None),
        lambda: setattr(vocab, "learning", True),
    ):
        before = vocab.statistics().tokens
        change()
        ids = vocab.encode_ids(text, **PLAIN)
        assert ids == vocab.snapshot().tokenizer.encode_ids(text, **PLAIN)
        assert ids == vocab.encode_batch_ids([text], **PLAIN)[0].tolist()
        counted = 2 * len(ids) if vocab.learning else 0
        assert vocab.statistics().tokens == before + counted


def test_each_id_is_counted() -> None:
    vocab = made(probe=0.0)
    lines = list(texts_of("news")[:80])
    flat, _ = vocab.encode_batch_ids(lines, **PLAIN)
    used, wanted, tokens, *probed = vocab._engine.counts.take()
    assert used.tolist() == np.bincount(flat, minlength=len(used)).tolist()
    assert (tokens, probed, wanted.sum()) == (len(flat), [0, 0], 0)


def test_probes_are_encoded_as_the_call_says() -> None:
    """Tokens that are put around a text are no inflation."""
    vocab = DynamicVocab(
        kind("sp-bytes").tokenizer, cap=len(kind("sp-bytes").tokenizer), epoch=10**9, probe=1.0
    )
    for text in texts_of("code")[:30]:
        vocab.encode_ids(text, special="text", bos=True, eos=True)
    found = vocab.statistics()
    assert found.probed_tokens == found.probed_full == found.tokens


def test_pairs_and_cut_texts_are_counted_and_not_probed() -> None:
    vocab = made()
    first = vocab.encode("学而时习之", "不亦说乎")
    second = vocab.encode("学而时习之", max_length=2, add_special_tokens=False)
    third = vocab.encode(["学而", "时习之"], is_pretokenized=True)
    found = vocab.statistics()
    assert found.tokens == len(first.ids) + len(second.ids) + len(third.ids)
    assert found.probed_full == 0


def test_a_lower_cap_is_no_decision_and_is_not_undone_at_once() -> None:
    vocab = made(epoch=500, patience=3, half_life=4000.0)
    for text in texts_of("news")[:200]:
        vocab.encode_ids(text, **PLAIN)
    before, decided = vocab.version, vocab.statistics().epoch
    assert decided >= 1
    vocab.set_cap(500)
    cut = list(vocab.events(since=before))
    assert cut
    assert {(event.epoch, event.reason) for event in cut} == {(0, "cap")}
    vocab.set_cap(700)
    gone = {event.token_id for event in cut}
    after = vocab.version
    for text in texts_of("news")[:400]:
        vocab.encode_ids(text, **PLAIN)
        if vocab.statistics().epoch > decided + 3:
            break
        assert not gone & {event.token_id for event in vocab.events(since=after)}


def test_a_snapshot_that_cannot_be_made_leaves_the_old_one(monkeypatch) -> None:
    vocab = made(epoch=500)
    engine = vocab._engine
    monkeypatch.setattr(
        engine._snapshots, "publish", lambda *_: (_ for _ in ()).throw(ConfigError("tokenizer: no"))
    )
    active = vocab.active_ids().tolist()
    with pytest.warns(UserWarning, match="stays as it is: tokenizer: no"):
        for text in texts_of("news")[:200]:
            assert vocab.decode(vocab.encode_ids(text, **PLAIN)) == text
    assert vocab.version == 0
    assert np.flatnonzero(engine._learned.state.active).tolist() == active
    monkeypatch.undo()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in texts_of("news")[:200]:
            vocab.encode_ids(text, **PLAIN)
    assert vocab.version > 0


def test_no_added_token_is_read_from_plain_text_because_a_piece_went() -> None:
    """Without "ab", merging would arrive at "abc"."""
    pieces = [*byte_alphabet(), "ab", "bc", "abc"]
    vocab = {piece: number for number, piece in enumerate(pieces)}
    record = {
        "added_tokens": [{"id": vocab["abc"], "content": "abc", "special": True}],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
        "post_processor": None,
        "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": vocab, "merges": ["a b", "b c", "a bc"]},
    }
    whole = load(json.dumps(record).encode())
    assert whole.encode_ids("abc", **PLAIN) == [vocab["ab"], vocab["c"]]
    pruner = _pytok.Pruner(whole._core, [], "stable")
    for make in (pruner.encoder, lambda removed: pruner.apply(removed, [])):
        with pytest.raises(ConfigError, match='"abc" would be read otherwise'):
            make([vocab["ab"]])
    assert pruner.encoder([]) is not None


def test_disuse_stops_at_the_floor() -> None:
    active = {}
    for floor in (0, 500):
        vocab = made(cap=None, floor=floor, epoch=500, patience=1, loss=1.0, threshold=0.1)
        for text in texts_of("news")[:200]:
            vocab.encode_ids(text, **PLAIN)
        assert {event.reason for event in vocab.events() if not event.active} == {"unused"}
        active[floor] = vocab.statistics().active
    assert active[0] < 500 == active[500]
