import copy
import pickle

import pytest
import sample_files
import tokenizers

import pytok

ATTRIBUTES = [
    "ids",
    "tokens",
    "type_ids",
    "attention_mask",
    "special_tokens_mask",
    "offsets",
    "word_ids",
    "sequence_ids",
    "n_sequences",
]


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    path = tmp_path_factory.mktemp("bert") / "tokenizer.json"
    path.write_bytes(sample_files.bert_bytes())
    return pytok.Tokenizer.from_file(path)


@pytest.fixture
def reference():
    return tokenizers.Tokenizer.from_str(sample_files.bert_bytes().decode())


def assert_equal_to_the_reference(ours, theirs):
    for name in ATTRIBUTES:
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.words == ours.word_ids
    assert len(ours) == len(theirs)
    for sequence in range(ours.n_sequences):
        for position in range(12):
            assert ours.char_to_token(position, sequence) == theirs.char_to_token(
                position, sequence
            )
            assert ours.char_to_word(position, sequence) == theirs.char_to_word(position, sequence)
            assert ours.word_to_chars(position, sequence) == theirs.word_to_chars(
                position, sequence
            )
            assert ours.word_to_tokens(position, sequence) == theirs.word_to_tokens(
                position, sequence
            )
    for token in range(len(ours)):
        assert ours.token_to_chars(token) == theirs.token_to_chars(token)
        assert ours.token_to_word(token) == theirs.token_to_word(token)
        assert ours.token_to_sequence(token) == theirs.token_to_sequence(token)
    assert len(ours.overflowing) == len(theirs.overflowing)
    for our_part, their_part in zip(ours.overflowing, theirs.overflowing, strict=True):
        assert_equal_to_the_reference(our_part, their_part)


PAIRS = [
    ("学而时习之", None),
    ("unable a b", "学而，c"),
    ("", "a"),
    ("a", ""),
    ("a b c d a b c d", "b b b"),
]


@pytest.mark.parametrize(("text", "pair"), PAIRS)
def test_encodings_are_those_of_the_reference(bert, reference, text, pair):
    assert_equal_to_the_reference(bert.encode(text, pair), reference.encode(text, pair))


@pytest.mark.parametrize(("text", "pair"), PAIRS)
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("limit", "stride"), [(5, 0), (7, 1), (8, 0), (100, 3)])
def test_truncated_encodings_are_those_of_the_reference(
    bert, reference, text, pair, side, limit, stride
):
    reference.enable_truncation(limit, stride=stride, direction=side)
    ours = bert.encode(text, pair, max_length=limit, stride=stride, truncation_side=side)
    assert_equal_to_the_reference(ours, reference.encode(text, pair))


@pytest.mark.parametrize("side", ["left", "right"])
def test_padded_batches_are_those_of_the_reference(bert, reference, side):
    reference.enable_padding(direction=side, pad_id=0, pad_token="[PAD]", pad_to_multiple_of=4)
    ours = bert.encode_batch(PAIRS[1:], padding=True, pad_to_multiple_of=4, padding_side=side)
    for our_part, their_part in zip(ours, reference.encode_batch(PAIRS[1:]), strict=True):
        assert_equal_to_the_reference(our_part, their_part)


def test_offsets_are_characters_and_byte_offsets_are_bytes(tokenizer):
    text = "学而a龘"
    encoding = tokenizer.encode(text)
    assert encoding.offsets[-1][1] == 4
    assert encoding.byte_offsets[-1][1] == 10
    position = 0
    for (start, end), (first, last) in zip(encoding.offsets, encoding.byte_offsets, strict=True):
        # Bytes tile the text; characters are those that the bytes touch.
        assert first == position
        position = last
        assert len(text[:start].encode()) <= first < len(text[: start + 1].encode())
        assert len(text[: end - 1].encode()) < last <= len(text[:end].encode())
    assert position == len(text.encode())


def test_an_encoding_is_immutable_and_its_changes_are_new_encodings(bert):
    encoding = bert.encode("a b c")
    padded = encoding.pad(8, direction="left", pad_id=9, pad_type_id=1, pad_token="P")
    assert (len(encoding), len(padded)) == (5, 8)
    assert padded.ids[:3] == [9, 9, 9]
    assert padded.tokens[0] == "P"
    cut = encoding.truncate(2)
    assert cut.tokens == ["[CLS]", "a"]
    assert [part.tokens for part in cut.overflowing] == [["b", "c"], ["[SEP]"]]
    assert encoding.overflowing == []
    assert encoding.set_sequence_id(1).sequence_ids == [1] * 5
    assert encoding.sequence_ids == [None, 0, 0, 0, None]
    with pytest.raises(AttributeError):
        encoding.ids = []


def test_changes_check_their_arguments(bert):
    encoding = bert.encode("a b c")
    with pytest.raises(pytok.ConfigError, match='direction: "up", expected one of "left", "right"'):
        encoding.pad(8, direction="up")
    with pytest.raises(pytok.ConfigError, match="stride: "):
        encoding.truncate(2, stride=2)
    with pytest.raises(TypeError):
        encoding.pad(8, "left")


def test_encodings_can_be_merged(bert, reference):
    ours = [bert.encode("a b"), bert.encode("学")]
    theirs = [reference.encode("a b"), reference.encode("学")]
    for growing in (True, False):
        assert_equal_to_the_reference(
            pytok.Encoding.merge(ours, growing_offsets=growing),
            tokenizers.Encoding.merge(theirs, growing),
        )
    assert len(pytok.Encoding.merge([])) == 0


def test_encodings_are_compared_by_value(bert):
    assert bert.encode("a b") == bert.encode("a b")
    assert bert.encode("a b") != bert.encode("a c")
    with pytest.raises(TypeError):
        hash(bert.encode("a"))


def test_encodings_can_be_pickled_and_copied(bert):
    encoding = bert.encode("a b c d", "学而", max_length=6)
    assert encoding.overflowing
    for again in (
        pickle.loads(pickle.dumps(encoding)),
        copy.copy(encoding),
        copy.deepcopy(encoding),
    ):
        assert again == encoding
        assert again.overflowing == encoding.overflowing
        assert again.sequence_ids == encoding.sequence_ids


def test_a_damaged_pickle_is_refused(bert):
    restore, (state,) = bert.encode("a b").__reduce__()
    for damaged in (b"", state[:-2], b"[]", state.replace(b"[2,", b"[2,2,", 1)):
        with pytest.raises(pytok.FormatError):
            restore(damaged)


def test_a_stride_that_gets_nowhere_is_an_error_where_the_reference_panics(bert, reference):
    reference.enable_truncation(6, stride=1)
    with pytest.raises(BaseException, match="`stride` must be strictly less"):
        reference.encode("a b c d", "b b b")
    with pytest.raises(pytok.ConfigError, match="stride: 1 is not less than the 1 tokens"):
        bert.encode("a b c d", "b b b", max_length=6, stride=1)


def test_the_repr_counts(bert):
    assert repr(bert.encode("a b", "c")) == "Encoding(tokens=6, sequences=2, overflowing=0)"
