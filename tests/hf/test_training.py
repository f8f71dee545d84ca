"""`train_new_from_iterator`: a tokenizer like this one, trained on other text."""

import pytest

transformers = pytest.importorskip("transformers")

from small import PROBE, ROLES, SENTENCES, small_backend  # noqa: E402

import pytok  # noqa: E402
from pytok import zh  # noqa: E402
from pytok.hf import PytokTokenizer  # noqa: E402


def plain_tokenizer():
    return PytokTokenizer(tokenizer_object=small_backend(), chat_template="T", **ROLES)


def test_what_is_trained_has_our_class_components_and_special_tokens(tmp_path):
    ours = plain_tokenizer()
    new = ours.train_new_from_iterator([SENTENCES], 400, new_special_tokens=["<new>"])
    assert type(new) is PytokTokenizer
    assert len(new) == 400 or len(new) == 401
    assert {role: getattr(new, role) for role in ROLES} == ROLES
    assert new.chat_template == "T"
    assert "<new>" in new.all_special_tokens
    assert new("学")["input_ids"][0] == new.bos_token_id
    stock = transformers.PreTrainedTokenizerFast(tokenizer_object=small_backend(), **ROLES)
    expected = stock.train_new_from_iterator([SENTENCES], 400, new_special_tokens=["<new>"])
    assert new.get_vocab() == expected.get_vocab()
    assert new(PROBE)["input_ids"] == expected(PROBE)["input_ids"]
    new.save_pretrained(tmp_path)
    again = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert again(PROBE)["input_ids"] == new(PROBE)["input_ids"]


def test_special_tokens_can_be_renamed():
    new = plain_tokenizer().train_new_from_iterator(
        iter([SENTENCES]), 400, special_tokens_map={"<s>": "<开始>"}
    )
    assert new.bos_token == "<开始>"
    assert new("学")["input_ids"][0] == new.convert_tokens_to_ids("<开始>")


def test_a_tokenizer_from_a_folder_with_added_tokens_is_a_model_too(tmp_path):
    ours = plain_tokenizer()
    ours.add_tokens(["新词"])
    ours.save_pretrained(tmp_path)
    new = PytokTokenizer.from_pretrained(tmp_path).train_new_from_iterator([SENTENCES], 380)
    assert new.convert_tokens_to_ids("<pad>") == new.pad_token_id
    assert new.core.encode_ids(PROBE, special="special") == new(PROBE)["input_ids"]


def test_the_hybrid_is_a_model_too():
    ours = PytokTokenizer.from_pretrained("zh-32k")
    new = ours.train_new_from_iterator([SENTENCES], 300)
    assert new.core.model_type == ours.core.model_type
    assert new.decode(new("学而𠀀")["input_ids"]) == "学而𠀀"


def test_chinese_steps_are_applied_and_kept():
    steps = zh.Pipeline(["t2s"])
    core = pytok.Tokenizer.from_pretrained("zh-32k").with_normalizer(steps)
    ours = PytokTokenizer(pytok_tokenizer=core)
    new = ours.train_new_from_iterator([["臺灣", "臺灣大學"] * 9], 300)
    assert new.core.normalizer == steps
    pieces = {new.core.decode([token_id]) for token_id in new.get_vocab().values()}
    assert "台湾" in pieces
    assert "臺灣" not in pieces
    assert new("臺灣")["input_ids"] == new("台湾")["input_ids"]
