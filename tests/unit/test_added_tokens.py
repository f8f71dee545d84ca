import pickle

import pytest

import pytok


def test_added_tokens_make_a_new_tokenizer(tokenizer):
    larger = tokenizer.add_tokens(["龘龘", "<think>"])
    assert (len(tokenizer), len(larger)) == (32_000, 32_002)
    assert larger.encode("学龘龘").tokens[-1] == "龘龘"
    assert larger.token_to_id("<think>") == 32_001
    assert larger.vocab["龘龘"] == 32_000
    assert larger.decode([32_000, 32_001]) == "龘龘<think>"
    assert tokenizer.token_to_id("龘龘") is None
    assert larger != tokenizer
    assert pickle.loads(pickle.dumps(larger)) == larger
    assert tokenizer.add_tokens([]) == tokenizer


def test_tokens_of_marker_form_are_control_tokens_and_others_match_always(tokenizer):
    larger = tokenizer.add_tokens(["<think>", "龘龘"])
    assert "<think>" in larger.control_tokens
    assert "龘龘" not in larger.control_tokens
    with pytest.raises(pytok.EncodeError, match="<think>"):
        larger.encode_ids("a<think>")
    assert larger.encode_ids("<think>", special="special") == [32_000]
    assert larger.encode_ids("龘龘", special="text") == [32_001]


def test_special_tokens_are_skipped_on_request(tokenizer):
    larger = tokenizer.add_special_tokens(["甲乙"])
    assert larger.added_tokens[-1] == pytok.AddedToken("甲乙", special=True, id=32_000)
    assert larger.decode([32_000], skip_special_tokens=True) == ""
    assert tokenizer.add_tokens(["甲乙"], special=True) == larger


def test_settings_of_an_added_token_are_kept(tokenizer):
    token = pytok.AddedToken("甲乙", lstrip=True, rstrip=True, single_word=True, normalized=False)
    larger = tokenizer.add_tokens([token])
    assert larger.added_tokens[-1] == pytok.AddedToken(
        "甲乙", lstrip=True, rstrip=True, single_word=True, normalized=False, id=32_000
    )
    assert larger.encode("a  甲乙  b").offsets[1] == (1, 7)


def test_a_piece_of_the_vocabulary_keeps_its_id(tokenizer):
    larger = tokenizer.add_tokens(["a"])
    assert larger.token_to_id("a") == tokenizer.token_to_id("a")
    assert len(larger) == len(tokenizer)


def test_repeated_and_known_tokens_are_one_token_and_the_last_settings_count(tokenizer):
    larger = tokenizer.add_tokens(["甲乙", "丙丁", "甲乙"]).add_special_tokens(["甲乙"])
    assert len(larger) == 32_002
    assert larger.added_tokens[-2:] == (
        pytok.AddedToken("甲乙", special=True, id=32_000),
        pytok.AddedToken("丙丁", id=32_001),
    )


def test_a_hundred_thousand_tokens_are_added_in_linear_time(tokenizer):
    larger = tokenizer.add_tokens(f"token {number}!" for number in range(100_000))
    assert len(larger) == 132_000
    assert larger.encode_ids("token 99999!")[-1] == 131_999


def test_normalized_is_the_opposite_of_special_by_default():
    assert pytok.AddedToken("x").normalized is True
    assert pytok.AddedToken("x", special=True).normalized is False
    assert pytok.AddedToken("x", special=True, normalized=True).normalized is True


def test_bad_added_tokens_are_refused(tokenizer):
    with pytest.raises(pytok.ConfigError, match="at least one character"):
        tokenizer.add_tokens([""])
    with pytest.raises(pytok.ConfigError, match="unpaired surrogate"):
        tokenizer.add_tokens(["a\ud800"])
    with pytest.raises(TypeError, match="expected an iterable of tokens, got one: 'ab'"):
        tokenizer.add_tokens("ab")
    with pytest.raises(TypeError):
        tokenizer.add_tokens([3])


@pytest.mark.parametrize("special", [False, True])
def test_added_tokens_match_before_sentencepiece_sees_the_text(tmp_path, special):
    sentencepiece = pytest.importorskip("sentencepiece")
    text = tmp_path / "text.txt"
    text.write_text("学而时习之 不亦说乎\n" * 20, encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(tmp_path / "small"), vocab_size=14, minloglevel=2
    )
    small = pytok.Tokenizer.from_file(tmp_path / "small.model")
    larger = small.add_tokens(["新3"], special=special)
    encoding = larger.encode("学新3", special="special")
    assert encoding.tokens[-1] == "新3"
    assert encoding.ids[-1] == len(small)
    assert encoding.offsets[-1] == (1, 3)


def test_each_byte_piece_of_a_sentencepiece_model_has_its_own_byte(tmp_path):
    sentencepiece = pytest.importorskip("sentencepiece")
    text = tmp_path / "text.txt"
    text.write_text("学而时习之 不亦说乎\n" * 20, encoding="utf-8")
    sentencepiece.SentencePieceTrainer.train(
        input=str(text),
        model_prefix=str(tmp_path / "bytes"),
        vocab_size=270,
        byte_fallback=True,
        minloglevel=2,
    )
    model = pytok.Tokenizer.from_file(tmp_path / "bytes.model")
    encoding = model.encode("学龘𠀀")
    whole = encoding.tokens.index("<0xE9>")
    assert encoding.byte_offsets[whole:] == [(i, i + 1) for i in range(3, 10)]
    _, spans, _ = model.encode_batch_spans(["学龘𠀀"])
    assert spans[whole:].tolist() == [[i, i + 1] for i in range(3, 10)]
