"""`PytokTokenizer` beside a stock `PreTrainedTokenizerFast` on the same tokenizer.json."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

transformers = pytest.importorskip("transformers")

import tokenizers  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import pytok  # noqa: E402
from pytok import zh  # noqa: E402
from pytok.hf import LazyBatchEncoding, PytokTokenizer  # noqa: E402

TEXTS = [
    "学而时习之，不亦说乎？",
    "有朋",
    "<|endoftext|> 自远方 <|im_end|>",
    "",
    " a\n\nb 12345\t臺灣",
    "𠀀👩‍👩‍👧",
]
ROLES = {
    "pad_token": "<|pad|>",
    "eos_token": "<|endoftext|>",
    "clean_up_tokenization_spaces": False,
}
OPTIONS = [
    {},
    {"padding": True},
    {"padding": True, "padding_side": "left"},
    {"padding": True, "pad_to_multiple_of": 8},
    {"padding": "max_length", "max_length": 9},
    {"truncation": True, "max_length": 3},
    {"truncation": "only_first", "max_length": 2, "padding": True},
    {"truncation": True, "max_length": 4, "padding": "max_length", "return_tensors": "np"},
    {"padding": True, "return_tensors": "np"},
    {"return_length": True},
    {"return_attention_mask": False},
    {"return_token_type_ids": True},
    {"add_special_tokens": False},
    {"return_offsets_mapping": True},
    {"return_special_tokens_mask": True},
    {"return_overflowing_tokens": True, "truncation": True, "max_length": 6, "stride": 1},
]
NAMES = ["plain", "framed"]


def frame(backend):
    """Give a backend special tokens before and after each text."""
    backend.post_processor = tokenizers.processors.TemplateProcessing(
        single="<|im_start|> $A <|im_end|> <|endoftext|>",
        pair="<|im_start|> $A <|im_end|> $B:1 <|endoftext|>:1",
        special_tokens=[("<|im_start|>", 2), ("<|im_end|>", 3), ("<|endoftext|>", 0)],
    )
    return backend


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    folder = pytok.Tokenizer.from_pretrained("zh-32k").save(tmp_path_factory.mktemp("zh"))
    made = {}
    for name in NAMES:
        backend = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        backend = frame(backend) if name == "framed" else backend
        stock = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, **ROLES)
        stock.model_input_names = ["input_ids", "attention_mask"]
        made[name] = PytokTokenizer(tokenizer_object=backend, **ROLES), stock
    return made


@pytest.fixture(scope="module", params=NAMES)
def pair(request, pairs):
    return pairs[request.param]


def same(ours, stock):
    assert list(ours) == list(stock)
    for key, value in stock.items():
        if isinstance(value, np.ndarray):
            assert ours[key].dtype == value.dtype
            assert np.array_equal(ours[key], value)
        else:
            assert ours[key] == value, key


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_batches_are_what_stock_makes_of_them(pair, options):
    ours, stock = pair
    same(ours(TEXTS, **options), stock(TEXTS, **options))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("text", TEXTS)
def test_single_texts_are_what_stock_makes_of_them(pair, text, options):
    ours, stock = pair
    same(ours(text, **options), stock(text, **options))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("length", range(1, 9))
def test_truncation_keeps_the_special_tokens(pair, side, length):
    ours, stock = (copy.deepcopy(tokenizer) for tokenizer in pair)
    ours.truncation_side = stock.truncation_side = side
    try:
        expected = stock(TEXTS, truncation=True, max_length=length)
    except BaseException as error:
        with pytest.raises(type(error)):
            ours(TEXTS, truncation=True, max_length=length)
    else:
        same(ours(TEXTS, truncation=True, max_length=length), expected)


def test_the_fast_way_is_taken_where_ids_are_enough(pair):
    ours, _ = pair
    assert type(ours(TEXTS, padding=True)) is LazyBatchEncoding
    assert type(ours(TEXTS[0], truncation=True, max_length=5)) is LazyBatchEncoding


def test_pairs_and_words(pair):
    ours, stock = pair
    words = [["学而", "时习之"], ["不亦", "说", "乎"]]
    for options in ({}, {"padding": True, "truncation": True, "max_length": 8}):
        same(ours(TEXTS, TEXTS[::-1], **options), stock(TEXTS, TEXTS[::-1], **options))
        same(ours(TEXTS[0], TEXTS[1], **options), stock(TEXTS[0], TEXTS[1], **options))
        listed = list(zip(TEXTS, TEXTS[::-1], strict=True))
        same(ours(listed, **options), stock(listed, **options))
        same(
            ours(words, is_split_into_words=True, **options),
            stock(words, is_split_into_words=True, **options),
        )
        same(
            ours(words[0], is_split_into_words=True, **options),
            stock(words[0], is_split_into_words=True, **options),
        )


@pytest.mark.parametrize("options", OPTIONS[:10], ids=str)
def test_what_is_asked_for_later_is_there(pair, options):
    ours, stock = pair
    lazy, eager = ours(TEXTS, **options), stock(TEXTS, **options)
    for row in range(len(TEXTS)):
        assert lazy.tokens(row) == eager.tokens(row)
        assert lazy.word_ids(row) == eager.word_ids(row)
        assert lazy.sequence_ids(row) == eager.sequence_ids(row)
    assert lazy.char_to_token(0, 1) == eager.char_to_token(0, 1)
    assert lazy[0].offsets == eager[0].offsets
    copied = pickle.loads(pickle.dumps(ours(TEXTS, **options)))
    assert copied.tokens(4) == eager.tokens(4)
    assert copied.is_fast


def test_control_tokens_can_be_text(pair):
    ours, stock = pair
    same(ours(TEXTS, split_special_tokens=True), stock(TEXTS, split_special_tokens=True))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(), min_size=1, max_size=4), st.integers(4, 12), st.booleans())
def test_any_texts(pairs, texts, length, padding):
    for ours, stock in pairs.values():
        options = {"truncation": True, "max_length": length, "padding": padding}
        same(ours(texts, **options), stock(texts, **options))
        assert ours.batch_decode(ours(texts)["input_ids"]) == stock.batch_decode(
            stock(texts)["input_ids"]
        )


def test_changes_are_followed(pair):
    ours, stock = (copy.deepcopy(tokenizer) for tokenizer in pair)
    assert ours("ＡＢ 龘龘龘<|x|>")["input_ids"] == stock("ＡＢ 龘龘龘<|x|>")["input_ids"]
    for tokenizer in (ours, stock):
        tokenizer.add_tokens(["龘龘龘"])
        tokenizer.add_special_tokens({"cls_token": "<|x|>"})
    assert ours("ＡＢ 龘龘龘<|x|>")["input_ids"] == stock("ＡＢ 龘龘龘<|x|>")["input_ids"]
    for tokenizer in (ours, stock):
        tokenizer.backend_tokenizer.normalizer = tokenizers.normalizers.NFKC()
    assert ours("ＡＢ 龘龘龘<|x|>")["input_ids"] == stock("ＡＢ 龘龘龘<|x|>")["input_ids"]
    assert len(ours) == len(stock)


def test_copies_give_the_same_ids(pair):
    ours, _ = pair
    expected = ours(TEXTS)["input_ids"]
    swapped = copy.copy(ours)
    swapped.__class__ = type("CachedPytokTokenizer", (type(ours),), {})
    for other in (pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours), copy.copy(ours), swapped):
        assert other(TEXTS)["input_ids"] == expected
        assert other.core == ours.core


def test_many_threads_may_share_one(pair):
    ours, stock = pair
    lengths = [4, 5, 6, 7] * 50
    expected = {
        length: stock(TEXTS, truncation=True, max_length=length)["input_ids"] for length in lengths
    }
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(
            lambda length: ours(TEXTS, truncation=True, max_length=length)["input_ids"], lengths
        )
        for length, ids in zip(lengths, found, strict=True):
            assert ids == expected[length]


@pytest.mark.parametrize("profile", ["native", "portable"])
def test_a_saved_folder_gives_the_same_ids(pair, tmp_path, profile):
    ours, _ = pair
    files = ours.save_pretrained(tmp_path / "saved", profile=profile)
    assert all(pytok_file.startswith(str(tmp_path)) for pytok_file in files)
    assert not list(tmp_path.glob(".*"))
    loaded = transformers.AutoTokenizer.from_pretrained(tmp_path / "saved")
    assert isinstance(loaded, PytokTokenizer) == (profile == "native")
    again = PytokTokenizer.from_pretrained(tmp_path / "saved")
    for tokenizer in (loaded, again):
        assert tokenizer(TEXTS)["input_ids"] == ours(TEXTS)["input_ids"]
        assert tokenizer.pad_token == "<|pad|>"


def test_embedded_names_and_files_load(tmp_path):
    core = pytok.Tokenizer.from_pretrained("zh-32k-words")
    core.save(tmp_path)
    by_name = PytokTokenizer.from_pretrained("zh-32k-words")
    by_file = PytokTokenizer.from_pretrained(tmp_path / "tokenizer.json")
    for tokenizer in (by_name, by_file):
        assert tokenizer(TEXTS)["input_ids"] == [
            core.encode_ids(t, special="special") for t in TEXTS
        ]
        assert (tokenizer.pad_token, tokenizer.eos_token) == ("<|pad|>", "<|endoftext|>")


def test_offsets_point_into_the_source_through_chinese_steps(tmp_path):
    core = pytok.Tokenizer.from_pretrained("zh-32k").with_normalizer(zh.Pipeline(["t2s", "width"]))
    ours = PytokTokenizer(pytok_tokenizer=core)
    text = "臺灣與香港，ＡＢＣ"
    encoded = ours(text, return_offsets_mapping=True)
    expected = core.encode(text)
    assert encoded["input_ids"] == expected.ids
    assert encoded["offset_mapping"] == expected.offsets
    assert ours.decode(encoded["input_ids"]) == "台湾与香港，ABC"
    batch = ours([text, "a"], padding=True, return_tensors="np")
    assert batch["input_ids"].shape == (2, len(expected.ids))
    assert batch.char_to_token(0, 1) == expected.char_to_token(1)
    ours.add_tokens(["<|新|>"], special_tokens=True)
    assert ours("臺<|新|>")["input_ids"][-1] == len(ours) - 1
    ours.save_pretrained(tmp_path)
    assert not (tmp_path / "tokenizer.json").exists()
    loaded = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert loaded(text)["input_ids"] == expected.ids
    with pytest.raises(pytok.ExportError, match="t2s"):
        ours.save_pretrained(tmp_path, profile="portable")


def test_spaces_between_special_tokens_drive_decoding(pair):
    ours, _ = pair
    ids = [0, 3, *ours("学而", add_special_tokens=False)["input_ids"], 0]
    assert ours.decode(ids) == "<|endoftext|><|im_end|>学而<|endoftext|>"
    spaced = "<|endoftext|> <|im_end|> 学而 <|endoftext|>"
    assert ours.decode(ids, spaces_between_special_tokens=True) == spaced


def test_a_core_that_differs_is_not_saved(pair, tmp_path, monkeypatch):
    ours, _ = pair
    other = pytok.Tokenizer.from_pretrained("zh-32k-words")
    monkeypatch.setattr(type(ours), "core", property(lambda self: other))
    with pytest.raises(pytok.ExportError, match="differ"):
        ours.save_pretrained(tmp_path / "saved")
    assert not (tmp_path / "saved").exists()


def test_wrong_arguments_are_named(pair, tmp_path):
    ours, _ = pair
    with pytest.raises(pytok.ConfigError, match="profile: 'both'"):
        ours.save_pretrained(tmp_path, profile="both")
    (tmp_path / "file").write_text("")
    with pytest.raises(pytok.ExportError, match="is a file"):
        ours.save_pretrained(tmp_path / "file")
