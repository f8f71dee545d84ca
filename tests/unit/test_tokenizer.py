import copy
import gc
import pickle
import threading
import weakref

import numpy as np
import pytest
import sample_files

import pytok

TEXT = "学而时习之，不亦说乎？ The quick brown fox.\n\tdef f(x): return x\n龘𠮷👍🏽"


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    path = tmp_path_factory.mktemp("bert") / "tokenizer.json"
    path.write_bytes(sample_files.bert_bytes())
    return pytok.Tokenizer.from_file(path)


@pytest.fixture(scope="module")
def ranks(tmp_path_factory):
    path = tmp_path_factory.mktemp("ranks") / "own.tiktoken"
    path.write_bytes(sample_files.ranks_bytes())
    return pytok.Tokenizer.from_file(path, pattern=r"\S+|\s+", special_tokens={"<|end|>": 300})


# ------------------------------------------------------------------ encoding


def test_encoding_and_decoding_give_the_text_back(tokenizer):
    ids = tokenizer.encode_ids(TEXT)
    assert all(type(token) is int for token in ids)
    assert tokenizer.decode(ids) == TEXT
    assert tokenizer.decode_bytes(ids) == TEXT.encode()
    assert tokenizer.count(TEXT) == len(ids)
    assert tokenizer.encode(TEXT).ids == ids


def test_an_empty_text_has_no_tokens(tokenizer):
    assert tokenizer.encode_ids("") == []
    assert tokenizer.count("") == 0
    assert tokenizer.decode([]) == ""
    assert len(tokenizer.encode("")) == 0


def test_nul_and_control_characters_are_text(tokenizer):
    text = "a\0b\x01\x7f\u200b\ufeff"
    assert tokenizer.decode(tokenizer.encode_ids(text)) == text


def test_a_control_token_in_the_text_is_refused_by_default(tokenizer):
    for call in (tokenizer.encode, tokenizer.encode_ids, tokenizer.count):
        with pytest.raises(pytok.EncodeError) as caught:
            call("a<|im_end|>b")
        message = str(caught.value)
        assert "<|im_end|>" in message
        assert 'special="text"' in message
        assert 'special="special"' in message
    for batch in (tokenizer.encode_batch, tokenizer.encode_batch_ids):
        with pytest.raises(pytok.EncodeError, match=r"<\|im_end\|>"):
            batch(["fine", "a<|im_end|>b"])


def test_a_control_token_can_be_text_or_the_token_itself(tokenizer):
    as_text = tokenizer.encode_ids("a<|im_end|>", special="text")
    as_token = tokenizer.encode_ids("a<|im_end|>", special="special")
    assert 3 not in as_text
    assert as_token[-1] == 3
    assert tokenizer.decode(as_text) == tokenizer.decode(as_token) == "a<|im_end|>"
    assert tokenizer.decode(as_token, skip_special_tokens=True) == "a"
    assert tokenizer.count("a<|im_end|>", special="special") == 2


def test_an_unknown_policy_names_the_known_ones(tokenizer):
    with pytest.raises(pytok.ConfigError, match=r'special: "maybe", expected one of "error", "te'):
        tokenizer.encode_ids("a", special="maybe")


def test_an_unpaired_surrogate_is_an_error_that_names_its_index(tokenizer):
    for call in (tokenizer.encode, tokenizer.encode_ids, tokenizer.count):
        with pytest.raises(
            pytok.EncodeError, match="text: unpaired surrogate at index 2"
        ) as caught:
            call("学a\ud800b")
        assert caught.value.hint
    with pytest.raises(pytok.EncodeError, match=r"texts\[1\]: unpaired surrogate at index 0"):
        tokenizer.encode_batch_ids(["a", "\udfff"])
    with pytest.raises(pytok.EncodeError, match=r"pairs\[0\]: unpaired surrogate at index 1"):
        tokenizer.encode_batch([("a", "b\ud800")])


@pytest.mark.parametrize("value", [None, 3, b"bytes", ["a"]])
def test_something_else_than_a_text_is_a_type_error(tokenizer, value):
    for call in (tokenizer.encode, tokenizer.encode_ids, tokenizer.count):
        with pytest.raises(TypeError, match="expected str, got"):
            call(value)


def test_one_text_is_not_a_batch(tokenizer):
    for call in (tokenizer.encode_batch_ids, tokenizer.encode_batch, tokenizer.encode_batch_spans):
        with pytest.raises(TypeError, match="got one str"):
            call("学而")
    with pytest.raises(TypeError, match=r"texts\[1\]: expected str, got int"):
        tokenizer.encode_batch_ids(["学", 1])


def test_unknown_options_are_type_errors(tokenizer):
    with pytest.raises(TypeError):
        tokenizer.encode_ids("a", allowed_special="all")
    with pytest.raises(TypeError):
        tokenizer.encode_ids("a", "text")


def test_special_tokens_of_the_file_can_be_left_out(bert):
    assert bert.encode("学而").tokens == ["[CLS]", "学", "而", "[SEP]"]
    assert bert.encode_ids("学而") == [2, 4, 5, 3]
    assert bert.encode_ids("学而", add_special_tokens=False) == [4, 5]
    assert bert.count("学而") == 4
    ids, bounds = bert.encode_batch_ids(["学", ""], add_special_tokens=True)
    assert (ids.tolist(), bounds.tolist()) == ([2, 4, 3, 2, 3], [0, 3, 5])


def test_bos_and_eos_are_put_where_asked_or_refused(tokenizer, tmp_path):
    path = tmp_path / "own.tiktoken"
    path.write_bytes(sample_files.ranks_bytes())
    specials = {"<|begin_of_text|>": 300, "<|end_of_text|>": 301}
    framed = pytok.Tokenizer.from_file(path, pattern=r"\S+|\s+", special_tokens=specials)
    assert (framed.bos_id, framed.eos_id) == (300, 301)
    assert framed.encode_ids("ab", bos=True, eos=True) == [300, 258, 301]
    assert framed.encode("ab", bos=True, eos=True).ids == [300, 258, 301]
    assert framed.count("ab", eos=True) == 2
    assert tokenizer.bos_id is None
    with pytest.raises(pytok.ConfigError, match=r"^bos: "):
        tokenizer.encode_ids("a", bos=True)


def test_batches_are_flat_arrays_without_a_python_object_per_token(tokenizer):
    texts = ["学而时习之", "", TEXT, "a"]
    ids, bounds = tokenizer.encode_batch_ids(texts)
    assert (ids.dtype, ids.ndim) == (np.uint32, 1)
    assert (bounds.dtype, bounds.shape, bounds[0]) == (np.int64, (5,), 0)
    for number, text in enumerate(texts):
        assert ids[bounds[number] : bounds[number + 1]].tolist() == tokenizer.encode_ids(text)
    assert tokenizer.decode_batch((ids, bounds)) == texts
    assert tokenizer.encode_batch_ids(iter(texts))[0].tolist() == ids.tolist()


def test_an_empty_batch_is_an_empty_result(tokenizer):
    ids, bounds = tokenizer.encode_batch_ids([])
    assert (ids.tolist(), bounds.tolist()) == ([], [0])
    assert tokenizer.encode_batch([]) == []
    assert tokenizer.decode_batch([]) == []
    ids, spans, bounds = tokenizer.encode_batch_spans([])
    assert (ids.shape, spans.shape, bounds.shape) == ((0,), (0, 2), (1,))


def test_batch_spans_cover_the_bytes_of_each_text(tokenizer):
    texts = [TEXT, "", "时习"]
    ids, spans, bounds = tokenizer.encode_batch_spans(texts)
    assert (spans.dtype, spans.shape) == (np.int64, (len(ids), 2))
    for number, text in enumerate(texts):
        part = slice(bounds[number], bounds[number + 1])
        joined = b"".join(text.encode()[start:end] for start, end in spans[part].tolist())
        assert joined == text.encode()
        assert ids[part].tolist() == tokenizer.encode_ids(text)


def test_spans_are_of_the_text_alone(tokenizer):
    with pytest.raises(pytok.ConfigError, match="covers no bytes"):
        tokenizer.encode_batch_spans(["a"], add_special_tokens=True)


@pytest.mark.parametrize("threads", [0, -1])
def test_threads_must_be_positive(tokenizer, threads):
    with pytest.raises(pytok.ConfigError, match=r"threads: .*expected an integer from 1"):
        tokenizer.encode_batch_ids(["a"], threads=threads)


def test_bytes_are_encoded_and_invalid_utf8_is_the_replacement_character(tokenizer):
    assert tokenizer.encode_bytes(TEXT.encode()) == tokenizer.encode_ids(TEXT)
    assert tokenizer.encode_bytes(b"a\xffb") == tokenizer.encode_ids("a\ufffdb")
    assert tokenizer.encode_bytes("学".encode()[:2]) == tokenizer.encode_ids("\ufffd")
    assert tokenizer.encode_bytes(b"") == []


def test_pretokenized_inputs_are_words(bert):
    encoding = bert.encode(["un", "学而"], is_pretokenized=True)
    assert encoding.tokens == ["[CLS]", "un", "学", "而", "[SEP]"]
    assert encoding.word_ids == [None, 0, 1, 1, None]
    pair = bert.encode(["a"], ["b", "c"], is_pretokenized=True)
    assert pair.tokens == ["[CLS]", "a", "[SEP]", "b", "c", "[SEP]"]
    assert bert.encode_batch([["a"], (["a"], ["b", "c"])], is_pretokenized=True)[1] == pair
    with pytest.raises(TypeError, match="text: expected an iterable of str, got one str"):
        bert.encode("ab", is_pretokenized=True)
    with pytest.raises(TypeError, match=r"inputs\[0\]: expected str, got list"):
        bert.encode_batch([["a"]])


# ------------------------------------------------------------------ truncation and padding


def test_truncation_keeps_the_special_tokens_and_the_overflow(bert):
    encoding = bert.encode("a b c d", max_length=4, stride=1)
    assert encoding.tokens == ["[CLS]", "a", "b", "[SEP]"]
    assert [part.tokens for part in encoding.overflowing] == [
        ["[CLS]", "b", "c", "[SEP]"],
        ["[CLS]", "c", "d", "[SEP]"],
    ]
    left = bert.encode("a b c d", max_length=4, truncation_side="left")
    assert left.tokens == ["[CLS]", "c", "d", "[SEP]"]


def test_truncation_strategies_choose_the_text_that_gives_way(bert):
    first = bert.encode("a b c", "d", max_length=5, truncation_strategy="only_first")
    assert first.tokens == ["[CLS]", "a", "[SEP]", "d", "[SEP]"]
    second = bert.encode("d", "a b c", max_length=5, truncation_strategy="only_second")
    assert second.tokens == ["[CLS]", "d", "[SEP]", "a", "[SEP]"]


def test_truncation_never_cuts_a_character_in_two(tokenizer):
    text = "龘龘龘"
    whole = tokenizer.encode(text)
    for limit in range(len(whole) + 1):
        cut = tokenizer.encode(text, max_length=limit)
        assert len(cut) <= limit
        assert text.startswith(tokenizer.decode(cut.ids))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_length": -1}, "max_length: -1, expected an integer from 0"),
        ({"stride": 2}, "stride: 2 without max_length"),
        ({"max_length": 4, "stride": -1}, "stride: -1, expected"),
        ({"max_length": 4, "stride": 4}, "stride: 4 "),
        ({"max_length": 1}, "max_length: 1 "),
        ({"max_length": 4, "truncation_side": "top"}, 'truncation_side: "top", expected one of'),
        ({"max_length": 4, "truncation_strategy": "x"}, 'truncation_strategy: "x", expected one'),
        ({"padding": "max_length"}, 'padding: "max_length" without max_length'),
        ({"padding": "yes"}, "padding: 'yes', expected False"),
        ({"padding": True, "pad_to_multiple_of": 0}, "pad_to_multiple_of: 0, expected"),
        ({"padding": True, "padding_side": "top"}, 'padding_side: "top", expected one of'),
        ({"padding": True, "pad_id": -1}, "pad_id: -1, expected"),
        ({"padding": True, "pad_type_id": -1}, "pad_type_id: -1, expected"),
        ({"padding": True, "pad_token": "nope"}, "has no padding token: nope"),
    ],
)
def test_bad_options_name_the_argument(bert, options, message):
    for call in (
        lambda: bert.encode("a b c d", **options),
        lambda: bert.encode_batch(["a b c d"], **options),
    ):
        with pytest.raises(pytok.ConfigError) as caught:
            call()
        assert message in str(caught.value)


def test_padding_reaches_the_longest_or_a_fixed_length(bert):
    short, long = bert.encode_batch(["a", "a b c"], padding=True)
    assert len(short) == len(long) == 5
    assert short.ids == [2, 11, 3, 0, 0]
    assert short.tokens[3:] == ["[PAD]", "[PAD]"]
    assert short.attention_mask == [1, 1, 1, 0, 0]
    fixed = bert.encode("a", padding="max_length", max_length=6, padding_side="left")
    assert fixed.ids == [0, 0, 0, 2, 11, 3]
    rounded = bert.encode("a", padding=True, pad_to_multiple_of=8, pad_id=1, pad_type_id=7)
    assert (len(rounded), rounded.ids[-1], rounded.type_ids[-1]) == (8, 1, 7)
    assert rounded.tokens[-1] == "[UNK]"
    assert bert.encode("a", padding=True, pad_id=500).tokens == ["[CLS]", "a", "[SEP]"]


def test_padding_without_a_padding_token_asks_for_one(ranks):
    with pytest.raises(pytok.ConfigError, match="no padding token") as caught:
        ranks.encode("a", padding=True)
    assert caught.value.hint == "pass pad_id"


# ------------------------------------------------------------------ decoding


@pytest.mark.parametrize(
    "convert",
    [
        list,
        tuple,
        iter,
        lambda ids: np.array(ids, dtype=np.uint32),
        lambda ids: np.array(ids, dtype=np.int64),
        lambda ids: np.array(ids, dtype=np.uint16),
        lambda ids: [np.int32(token) for token in ids],
        lambda ids: np.repeat(np.array(ids, dtype=np.uint32), 2)[::2],
    ],
)
def test_ids_may_be_any_iterable_of_integers(tokenizer, convert):
    ids = tokenizer.encode_ids("学而时习之")
    assert tokenizer.decode(convert(ids)) == "学而时习之"
    assert tokenizer.decode_bytes(convert(ids)) == "学而时习之".encode()


def test_no_ids_may_be_an_empty_array_of_any_kind(tokenizer):
    assert tokenizer.decode(np.array([])) == ""


@pytest.mark.parametrize("bad", [-1, 32_000, 2**32, 2**70, -(2**70)])
def test_ids_outside_the_vocabulary_are_named(tokenizer, bad):
    expected = f"id {bad} is not in the vocabulary, expected 0 <= id < 32000"
    for call in (tokenizer.decode, tokenizer.decode_bytes):
        with pytest.raises(pytok.VocabError, match=expected) as caught:
            call([1, bad])
        assert caught.value.hint == "check that the ids were made with this tokenizer"
    with pytest.raises(pytok.VocabError, match=expected):
        tokenizer.token_bytes(bad)
    with pytest.raises(pytok.VocabError, match=expected):
        tokenizer.decode_batch([[1], [bad]])
    with pytest.raises(pytok.VocabError, match=expected):
        list(tokenizer.decode_stream([bad]))
    if -(2**63) <= bad < 2**63:
        with pytest.raises(pytok.VocabError, match=expected):
            tokenizer.decode(np.array([bad], dtype=np.int64))
    assert tokenizer.id_to_token(bad) is None


@pytest.mark.parametrize("bad", ["12", [1.5], [None], np.array([1.0]), 7])
def test_things_that_are_no_ids_are_type_errors(tokenizer, bad):
    with pytest.raises(TypeError):
        tokenizer.decode(bad)


def test_arrays_of_ids_have_one_dimension(tokenizer):
    with pytest.raises(pytok.ConfigError, match=r"expected an array of shape \(n,\)"):
        tokenizer.decode(np.zeros((2, 2), dtype=np.uint32))


def test_ids_without_a_piece_decode_to_nothing(ranks):
    assert ranks.vocab_size == 260
    assert ranks.id_to_token(280) is None
    assert ranks.token_bytes(280) == b""
    assert ranks.decode([97, 280, 98]) == "ab"
    assert "".join(ranks.decode_stream([97, 280, 98])) == "ab"
    with pytest.raises(pytok.VocabError, match="id 301 "):
        ranks.decode([301])


def test_broken_characters_decode_to_the_replacement_character(tokenizer):
    ids = tokenizer.encode_ids("龘")
    assert len(ids) > 1
    assert tokenizer.decode(ids[:1]) == "\ufffd"
    assert tokenizer.decode_bytes(ids[:1]) == "龘".encode()[: len(tokenizer.decode_bytes(ids[:1]))]


def test_a_tuple_of_arrays_is_ids_and_bounds(tokenizer):
    ids = np.array(tokenizer.encode_ids("学而时习"), dtype=np.uint32)
    ends = np.array([0, len(ids)])
    assert tokenizer.decode_batch((ids, ends)) == ["学而时习"]
    assert tokenizer.decode_batch([ids, ids]) == ["学而时习"] * 2
    assert tokenizer.decode_batch((ids.tolist(), ids.tolist())) == ["学而时习"] * 2
    for bounds in ([0, 1], [1, len(ids)], [], [0, len(ids), 0, len(ids)]):
        with pytest.raises(pytok.ConfigError, match="bounds: expected an array"):
            tokenizer.decode_batch((ids, np.array(bounds, dtype=np.int64)))


# ------------------------------------------------------------------ vocabulary


def test_the_vocabulary_is_a_read_only_mapping(tokenizer):
    vocab = tokenizer.vocab
    assert len(vocab) == tokenizer.vocab_size == len(tokenizer) == 32_000
    assert vocab["<|endoftext|>"] == 0
    assert vocab is tokenizer.vocab
    with pytest.raises(TypeError):
        vocab["new"] = 1
    for piece, token in list(vocab.items())[::997]:
        assert tokenizer.token_to_id(piece) == token
        assert tokenizer.id_to_token(token) == piece
    assert tokenizer.token_to_id("no such piece") is None
    assert tokenizer.token_to_id("\ud800") is None


def test_token_bytes_joined_are_the_text(tokenizer):
    ids = tokenizer.encode_ids(TEXT)
    assert b"".join(map(tokenizer.token_bytes, ids)) == TEXT.encode()


def test_ranks_are_shown_in_the_byte_alphabet(ranks):
    assert ranks.vocab["åŃ¦"] == 257
    assert ranks.token_bytes(257) == "学".encode()
    assert len(ranks.vocab) == ranks.vocab_size


def test_control_and_added_tokens_are_listed(tokenizer, bert):
    assert dict(tokenizer.control_tokens) == {
        "<|endoftext|>": 0,
        "<|pad|>": 1,
        "<|im_start|>": 2,
        "<|im_end|>": 3,
    }
    first = tokenizer.added_tokens[0]
    assert first == pytok.AddedToken("<|endoftext|>", special=True, id=0)
    assert bert.unk_id == 1
    assert tokenizer.unk_id is None


# ------------------------------------------------------------------ identity


def test_a_tokenizer_is_made_by_loading_only():
    with pytest.raises(TypeError, match="from_pretrained"):
        pytok.Tokenizer()


def test_a_tokenizer_is_immutable(tokenizer):
    with pytest.raises(AttributeError):
        tokenizer.name = "other"
    with pytest.raises(AttributeError):
        tokenizer.anything = 1


def test_copies_and_pickles_are_equal(tokenizer, bert, ranks):
    for original in (tokenizer, bert, ranks):
        for again in (
            copy.copy(original),
            copy.deepcopy(original),
            pickle.loads(pickle.dumps(original)),
        ):
            assert again == original
            assert hash(again) == hash(original)
            assert again.sha256 == original.sha256
            assert again.name == original.name
            assert again.encode_ids("学而 ab") == original.encode_ids("学而 ab")
    assert tokenizer != bert
    assert tokenizer != "zh-32k"


def test_the_fingerprint_is_a_sha256(tokenizer):
    assert len(tokenizer.sha256) == 64
    assert int(tokenizer.sha256, 16) > 0


def test_the_repr_says_what_it_is(tokenizer):
    assert repr(tokenizer) == "Tokenizer('zh-32k', vocab_size=32000)"


def test_tokenizers_can_be_weakly_referenced(bert):
    clone = pickle.loads(pickle.dumps(bert))
    reference = weakref.ref(clone)
    assert reference() is clone
    del clone
    gc.collect()
    assert reference() is None


def test_many_threads_share_one_tokenizer(tokenizer):
    texts = [TEXT * (number % 7 + 1) for number in range(40)]
    expected = [tokenizer.encode_ids(text) for text in texts]
    results: dict[int, list[list[int]]] = {}

    def work(number: int) -> None:
        results[number] = [tokenizer.encode_ids(text) for text in texts]
        assert [tokenizer.decode(ids) for ids in results[number]] == texts

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results[number] for number in range(8)] == [expected] * 8


def test_other_threads_run_while_a_long_text_is_encoded(tokenizer):
    text = TEXT * 20_000
    done = threading.Event()
    ticks = 0

    def work() -> None:
        tokenizer.count(text)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.wait(0.001):
        ticks += 1
    thread.join()
    assert ticks > 2


def test_clearing_the_cache_changes_nothing(tokenizer):
    before = tokenizer.encode_ids(TEXT)
    tokenizer.clear_cache()
    assert tokenizer.encode_ids(TEXT) == before
