"""What holds for every text and every tokenizer."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import every, lossless, texts, tokenizers

import pytok


@given(lossless, texts, st.sampled_from(["text", "special"]))
def test_decoding_gives_the_text_back(tokenizer, text, special):
    ids = tokenizer.encode_ids(text, special=special)
    assert tokenizer.decode(ids) == text
    assert tokenizer.decode_bytes(ids) == text.encode()
    assert b"".join(map(tokenizer.token_bytes, ids)) == text.encode()


@given(lossless, texts, st.integers(0, 2**64 - 1), st.sampled_from(["text", "special"]))
def test_samples_decode_to_the_text(tokenizer, text, seed, special):
    ids = tokenizer.sample_ids(text, seed=seed, special=special)
    assert tokenizer.decode(ids) == text
    flat, bounds = tokenizer.sample_batch_ids([text, "", text], seed=seed, special=special)
    assert flat[: bounds[1]].tolist() == ids
    assert tokenizer.decode(flat[bounds[2] :]) == text


@given(every, texts, st.sampled_from(["text", "special"]), st.booleans())
def test_all_calls_agree_on_the_ids(tokenizer, text, special, add_special_tokens):
    options = {"special": special, "add_special_tokens": add_special_tokens}
    ids = tokenizer.encode_ids(text, **options)
    assert tokenizer.count(text, **options) == len(ids)
    assert tokenizer.encode(text, **options).ids == ids
    assert tokenizer.encode_bytes(text.encode(), **options) == ids
    flat, bounds = tokenizer.encode_batch_ids([text, text], **options)
    assert flat.tolist() == ids + ids
    assert bounds.tolist() == [0, len(ids), 2 * len(ids)]


@given(every, texts)
def test_the_default_policy_refuses_or_agrees_with_both_others(tokenizer, text):
    as_text = tokenizer.encode_ids(text, special="text")
    as_token = tokenizer.encode_ids(text, special="special")
    try:
        ids = tokenizer.encode_ids(text)
    except pytok.EncodeError as error:
        assert any(repr(token)[1:-1] in str(error) for token in tokenizer.control_tokens)
    else:
        assert ids == as_text == as_token


@given(lossless, texts)
def test_byte_offsets_tile_the_text_and_characters_cover_them(tokenizer, text):
    data = text.encode()
    encoding = tokenizer.encode(text, special="special")
    position = 0
    for token, (first, last), (start, end) in zip(
        encoding.ids, encoding.byte_offsets, encoding.offsets, strict=True
    ):
        assert first == position
        position = last
        assert data[first:last] == tokenizer.token_bytes(token)
        assert len(text[:start].encode()) <= first < len(text[: start + 1].encode())
        assert len(text[: end - 1].encode()) < last <= len(text[:end].encode())
    assert position == len(data)


@given(every, texts)
def test_offsets_lie_in_the_text_and_never_go_back(tokenizer, text):
    encoding = tokenizer.encode(text, special="special", add_special_tokens=False)
    starts = [start for start, _ in encoding.offsets]
    assert starts == sorted(starts)
    assert all(0 <= start <= end <= len(text) for start, end in encoding.offsets)
    for token, (start, end) in enumerate(encoding.offsets):
        if start < end:
            found = encoding.char_to_token(start)
            assert found is not None
            assert found <= token


@given(every, st.lists(texts, max_size=6))
def test_spans_have_the_ids_of_the_batch(tokenizer, batch):
    ids, spans, bounds = tokenizer.encode_batch_spans(batch, special="text")
    expected, expected_bounds = tokenizer.encode_batch_ids(
        batch, special="text", add_special_tokens=False
    )
    assert ids.tolist() == expected.tolist()
    assert bounds.tolist() == expected_bounds.tolist()
    for number, text in enumerate(batch):
        part = spans[bounds[number] : bounds[number + 1]]
        assert ((part >= 0) & (part <= len(text.encode()))).all()


@given(every, st.lists(st.tuples(texts, st.none() | texts), max_size=6), st.integers(1, 3))
def test_a_batch_is_a_loop(tokenizer, inputs, threads):
    batch = [text if pair is None else (text, pair) for text, pair in inputs]
    encodings = tokenizer.encode_batch(batch, special="special", threads=threads)
    assert encodings == [tokenizer.encode(text, pair, special="special") for text, pair in inputs]


@given(every, st.lists(texts, min_size=1, max_size=6), st.integers(2, 4))
def test_threads_change_nothing(tokenizer, parts, threads):
    # Large enough for several blocks of work.
    batch = [text * 400 for text in parts] * 3
    serial = tokenizer.encode_batch_ids(batch, special="text", threads=1)
    parallel = tokenizer.encode_batch_ids(batch, special="text", threads=threads)
    assert all(np.array_equal(a, b) for a, b in zip(serial, parallel, strict=True))


@given(
    every,
    texts,
    st.none() | texts,
    st.integers(3, 12),
    st.integers(0, 3),
    st.sampled_from(["left", "right"]),
)
def test_truncation_keeps_its_promise(tokenizer, text, pair, limit, stride, side):
    options = {"special": "text", "max_length": limit, "truncation_side": side}
    try:
        encoding = tokenizer.encode(text, pair, stride=stride, **options)
    except pytok.ConfigError as error:
        assert str(error).startswith(("stride: ", "max_length: "))
        return
    assert len(encoding) <= limit
    texts_in = 1 if pair is None else 2
    added = len(tokenizer.encode("", None if pair is None else ""))
    if limit - added >= texts_in:
        # A text that is left no token at all overflows whole, as in the reference.
        assert all(len(part) <= limit for part in encoding.overflowing)
    padded = tokenizer.encode(text, pair, padding="max_length", pad_id=0, stride=stride, **options)
    assert len(padded) == limit
    assert padded.ids[: len(encoding)] == encoding.ids


@given(lossless, texts, st.integers(0, 20))
def test_truncated_ids_decode_to_a_part_of_the_text(tokenizer, text, limit):
    for side, is_part in (("right", str.startswith), ("left", str.endswith)):
        cut = tokenizer.encode(text, special="text", max_length=limit, truncation_side=side)
        assert is_part(text, tokenizer.decode(cut.ids))


@given(every, st.data(), st.booleans())
def test_a_stream_joined_is_the_decoded_text(tokenizer, data, skip):
    pieces = sorted(tokenizer.vocab.values())
    ids = data.draw(st.lists(st.sampled_from(pieces), max_size=30))
    pieces = list(tokenizer.decode_stream(ids, skip_special_tokens=skip))
    assert "".join(pieces) == tokenizer.decode(ids, skip_special_tokens=skip)
    assert tokenizer.decode_batch([ids, ids], skip_special_tokens=skip) == ["".join(pieces)] * 2


@given(lossless, texts)
def test_a_stream_of_a_text_never_gives_half_a_character(tokenizer, text):
    for piece in tokenizer.decode_stream(tokenizer.encode_ids(text, special="text")):
        assert piece
        assert "\ufffd" not in piece or "\ufffd" in text


@given(lossless, texts, st.integers(0, 40))
def test_a_copied_stream_ends_as_the_original_would(tokenizer, text, at):
    ids = tokenizer.encode_ids(text, special="text")
    stream = pytok.DecodeStream(tokenizer)
    begun = [stream.step(token) or "" for token in ids[:at]]
    for other in (copy.copy(stream), stream):
        ended = [other.step(token) or "" for token in ids[at:]]
        assert "".join([*begun, *ended, other.flush() or ""]) == text


@given(every, texts, st.none() | texts)
def test_encodings_survive_pickling(tokenizer, text, pair):
    encoding = tokenizer.encode(text, pair, special="special")
    assert pickle.loads(pickle.dumps(encoding)) == encoding


@given(lossless, st.binary(max_size=30))
def test_any_bytes_can_be_encoded(tokenizer, data):
    ids = tokenizer.encode_bytes(data, special="text")
    assert tokenizer.decode(ids) == data.decode("utf-8", errors="replace")


@given(every, st.text(st.characters() | st.sampled_from("学a\ud800\udfff"), max_size=12))
def test_any_str_gives_ids_or_an_error_that_names_the_surrogate(tokenizer, text):
    try:
        tokenizer.encode_ids(text, special="text")
    except pytok.EncodeError as error:
        first = next(i for i, char in enumerate(text) if 0xD800 <= ord(char) < 0xE000)
        assert str(error).startswith(f"text: unpaired surrogate at index {first}")
    else:
        assert not any(0xD800 <= ord(char) < 0xE000 for char in text)


@pytest.mark.parametrize("name", ["zh-32k", "added", "ranks", "bert"])
def test_copies_and_saved_folders_are_equal(name, tmp_path):
    tokenizer = tokenizers()[name]
    for again in (
        copy.deepcopy(tokenizer),
        pickle.loads(pickle.dumps(tokenizer)),
        pytok.Tokenizer.from_pretrained(tokenizer.save(tmp_path)),
    ):
        assert again == tokenizer
        assert hash(again) == hash(tokenizer)


@pytest.mark.parametrize("name", ["zh-32k", "added", "ranks", "bert"])
def test_pieces_and_ids_are_one_to_one(name):
    tokenizer = tokenizers()[name]
    assert len(tokenizer.vocab) == tokenizer.vocab_size
    assert len(set(tokenizer.vocab.values())) == tokenizer.vocab_size
    for piece, token in tokenizer.vocab.items():
        assert tokenizer.token_to_id(piece) == token
        assert tokenizer.id_to_token(token) == piece
