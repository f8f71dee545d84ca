import copy

import pytest

import pytok

TEXT = "学而时习之，龘𠮷👍🏽 ok\n"


def test_the_pieces_joined_are_the_text_and_never_half_a_character(tokenizer):
    ids = tokenizer.encode_ids(TEXT)
    pieces = list(tokenizer.decode_stream(ids))
    assert "".join(pieces) == TEXT
    assert all(pieces)
    assert not any("\ufffd" in piece for piece in pieces)
    assert len(pieces) > 3


def test_broken_characters_come_out_as_the_text_has_them(tokenizer):
    ids = tokenizer.encode_ids("龘")[:-1]
    for broken in (ids, ids * 3, [*ids, *tokenizer.encode_ids("a")]):
        assert "".join(tokenizer.decode_stream(broken)) == tokenizer.decode(broken)


def test_the_stream_takes_ids_as_they_come(tokenizer):
    seen = []

    def source():
        for token in tokenizer.encode_ids("学而时习之"):
            seen.append(token)
            yield token

    stream = tokenizer.decode_stream(source())
    next(stream)
    assert len(seen) < len(tokenizer.encode_ids("学而时习之"))


def test_special_tokens_can_be_left_out(tokenizer):
    ids = [2, *tokenizer.encode_ids("学"), 3]
    assert "".join(tokenizer.decode_stream(ids)) == "<|im_start|>学<|im_end|>"
    assert "".join(tokenizer.decode_stream(ids, skip_special_tokens=True)) == "学"


def test_a_copied_stream_goes_its_own_way(tokenizer):
    ids = tokenizer.encode_ids("龘")
    stream = pytok.DecodeStream(tokenizer)
    assert [stream.step(token) for token in ids[:-1]] == [None] * (len(ids) - 1)
    other, deep = copy.copy(stream), copy.deepcopy(stream)
    assert stream.step(ids[-1]) == "龘"
    assert other.flush() == "\ufffd"
    assert deep.step(ids[-1]) == "龘"
    assert stream.flush() is None


def test_a_bad_id_leaves_the_stream_as_it_was(tokenizer):
    ids = tokenizer.encode_ids("龘")
    stream = pytok.DecodeStream(tokenizer)
    for token in ids[:-1]:
        stream.step(token)
    with pytest.raises(pytok.VocabError, match="id 99999 is not in the vocabulary"):
        stream.step(99_999)
    with pytest.raises(TypeError):
        stream.step("1")
    assert stream.step(ids[-1]) == "龘"


def test_a_stream_begins_again_after_flush(tokenizer):
    stream = pytok.DecodeStream(tokenizer)
    stream.step(tokenizer.encode_ids("龘")[0])
    assert stream.flush() == "\ufffd"
    assert stream.flush() is None
    assert stream.step(tokenizer.encode_ids("a")[0]) == "a"
