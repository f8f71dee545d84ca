"""The behaviours that the test suites of transformers ask of every tokenizer.

The suites are `TokenizerTesterMixin` and `TokenizersBackendTesterMixin` of its
repository; what they check is written anew here. Left out, with the reason:

* slow tokenizers, their ``prepare_for_model``, ``save_vocabulary`` and conversion
  between slow and fast: there is no slow class (``slow_tokenizer_class`` is None);
* SentencePiece files and subword regularisation: such files come in through
  `pytok.Tokenizer`, sampling is `pytok.Tokenizer.sample`;
* tensors of torch that go into a model, and ``Trainer``: no torch where tests run;
* expected ids of checkpoints on the hub: no network; ids are compared with those
  of stock on the same file, in ``test_drop_in.py``;
* lower-casing by ``do_lower_case``: a setting of model-specific classes;
* a warning about another class: our folders name ours.

Chats, training, loading, settings and the alignment of batches have their own files.
"""

import copy
import inspect
import pickle
from itertools import chain, pairwise

import numpy as np
import pytest

transformers = pytest.importorskip("transformers")

from small import PROBE, ROLES, small_backend  # noqa: E402
from transformers import AddedToken  # noqa: E402

import pytok  # noqa: E402
from pytok import zh  # noqa: E402
from pytok.hf import PytokTokenizer  # noqa: E402

MAJOR = int(transformers.__version__.split(".")[0])
TEXT, PAIR = "学而时习之 不亦说乎 the fox", "有朋自远方来 12"
WORDS = ["学而", "时习之", "the", "fox"]


def small():
    return PytokTokenizer(tokenizer_object=small_backend(), **ROLES)


def embedded():
    return PytokTokenizer.from_pretrained("zh-32k")


def with_steps():
    core = pytok.Tokenizer.from_pretrained("zh-32k").with_normalizer(zh.Pipeline(["width"]))
    return PytokTokenizer(pytok_tokenizer=core)


@pytest.fixture(
    scope="module", params=[small, embedded, with_steps], ids=lambda make: make.__name__
)
def made(request):
    return request.param()


@pytest.fixture
def tokenizer(made):
    return copy.deepcopy(made)


# ------------------------------------------------------------- class and vocabulary


def test_the_signature_names_the_first_input_and_keeps_the_settings(tokenizer):
    assert tokenizer.model_input_names[0] == "input_ids"
    assert "pytok_file" in inspect.signature(PytokTokenizer.__init__).parameters
    assert tokenizer.is_fast
    assert isinstance(tokenizer, transformers.PreTrainedTokenizerBase)
    for name, value in tokenizer.init_kwargs.items():
        assert not callable(value), name


def test_the_vocabulary_is_a_bijection(tokenizer):
    vocab = tokenizer.get_vocab()
    assert len(vocab) == len(tokenizer)
    tokens = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    assert tokenizer.convert_tokens_to_ids(tokens) == list(range(len(tokenizer)))
    assert {token: number for number, token in enumerate(tokens)} == vocab


def test_special_tokens_have_ids_and_can_be_set(tokenizer):
    for role in ("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token"):
        setattr(tokenizer, role, "a")
        assert getattr(tokenizer, role) == "a"
        assert getattr(tokenizer, f"{role}_id") == tokenizer.convert_tokens_to_ids("a")
        setattr(tokenizer, role, None)
        assert getattr(tokenizer, role) is None
    assert len(tokenizer.all_special_ids) == len(tokenizer.all_special_tokens)


def test_the_length_counts_added_tokens(tokenizer):
    before, size = len(tokenizer), tokenizer.vocab_size
    assert tokenizer.add_tokens(["龘龘甲", "龘龘乙"]) == 2
    assert tokenizer.add_special_tokens({"eos_token": "<末>", "pad_token": "<空>"}) == 2
    assert (len(tokenizer), tokenizer.vocab_size) == (before + 4, size)
    ids = tokenizer.encode("学龘龘甲 <末><空>龘龘乙", add_special_tokens=False)
    assert set(range(before, before + 4)) <= set(ids)
    assert tokenizer.add_tokens(["龘龘甲"]) == 0


def test_the_longest_added_token_wins(tokenizer):
    tokenizer.add_tokens(["龘龘", "龘龘龘", "<龘>"])
    assert tokenizer.tokenize("龘龘龘") == ["龘龘龘"]
    assert tokenizer.tokenize("龘龘<龘>") == ["龘龘", "<龘>"]


def test_added_tokens_keep_their_settings(tokenizer, tmp_path):
    wanted = [
        AddedToken("龘甲", lstrip=True, rstrip=False, normalized=False),
        AddedToken("龘乙", single_word=True, normalized=False),
        AddedToken("<龘>", special=True, normalized=False, rstrip=True),
    ]
    tokenizer.add_tokens(wanted)
    tokenizer.save_pretrained(tmp_path)
    again = PytokTokenizer.from_pretrained(tmp_path)
    for other in (tokenizer, again, pickle.loads(pickle.dumps(again))):
        found = {str(token): token for token in other.added_tokens_decoder.values()}
        assert [found[str(token)] for token in wanted] == wanted
        assert other.tokenize("a 龘甲b 龘乙x <龘>  c") == tokenizer.tokenize(
            "a 龘甲b 龘乙x <龘>  c"
        )


# -------------------------------------------------------------- encoding, decoding


def test_the_ways_to_ids_agree(tokenizer):
    tokens = tokenizer.tokenize(TEXT)
    ids = tokenizer.encode(TEXT, add_special_tokens=False)
    assert tokenizer.convert_tokens_to_ids(tokens) == ids
    assert tokenizer.convert_ids_to_tokens(ids) == tokens
    assert tokenizer.convert_tokens_to_string(tokens) == tokenizer.decode(ids) == TEXT
    whole = tokenizer.encode(TEXT)
    assert tokenizer(TEXT)["input_ids"] == tokenizer([TEXT])["input_ids"][0] == whole
    assert tokenizer.decode(whole, skip_special_tokens=True) == TEXT


def test_tokens_without_bytes_of_their_own_decode_too(tokenizer):
    for text in ("", " ", "  a  b ", "\n\n学\t", "𠀀👩‍👩‍👧é", "<s></s>"):
        ids = tokenizer.encode(text, add_special_tokens=False)
        assert tokenizer.decode(ids) == text
        assert isinstance(tokenizer.convert_tokens_to_string(tokenizer.tokenize(text)), str)


def test_decoding_takes_numbers_lists_and_arrays(tokenizer):
    ids = tokenizer.encode(TEXT, add_special_tokens=False)
    assert tokenizer.decode(np.array(ids)) == tokenizer.decode(ids) == TEXT
    assert tokenizer.batch_decode([ids, ids[:1]]) == [TEXT, tokenizer.decode(ids[0])]
    if MAJOR >= 5:
        assert tokenizer.decode([ids, ids]) == [TEXT, TEXT]


def test_special_tokens_are_counted_and_masked(tokenizer):
    for pair in (None, PAIR):
        bare = tokenizer(TEXT, pair, add_special_tokens=False)["input_ids"]
        framed = tokenizer(TEXT, pair, return_special_tokens_mask=True)
        added = tokenizer.num_special_tokens_to_add(pair=pair is not None)
        assert len(framed["input_ids"]) == len(bare) + added
        mask = framed["special_tokens_mask"]
        assert sum(mask) == added
        kept = [i for i, special in zip(framed["input_ids"], mask, strict=True) if not special]
        assert kept == bare
    ids = tokenizer(TEXT)["input_ids"]
    mask = tokenizer.get_special_tokens_mask(ids, already_has_special_tokens=True)
    assert [i for i, m in zip(ids, mask, strict=True) if m] == [
        i for i in ids if i in tokenizer.all_special_ids
    ]


def test_type_ids_tell_the_texts_of_a_pair(tokenizer):
    out = tokenizer(TEXT, PAIR, return_token_type_ids=True)
    assert set(out["token_type_ids"]) == {0, 1}
    sequences = out.sequence_ids(0)
    for type_id, sequence in zip(out["token_type_ids"], sequences, strict=True):
        assert sequence in (None, type_id)


def test_one_call_and_many_give_the_same(tokenizer):
    texts = [TEXT, PAIR, ""]
    for options in ({}, {"padding": "max_length", "max_length": 40, "truncation": True}):
        batch = tokenizer(texts, **options)
        rows = [tokenizer(text, **options) for text in texts]
        assert {key: [row[key] for row in rows] for key in batch} == dict(batch)
    pairs = tokenizer([TEXT, PAIR], [PAIR, TEXT])
    assert pairs["input_ids"][0] == tokenizer(TEXT, PAIR)["input_ids"]
    assert pairs["input_ids"] == tokenizer([(TEXT, PAIR), (PAIR, TEXT)])["input_ids"]


def test_targets_become_labels(tokenizer):
    out = tokenizer(TEXT, text_target=PAIR)
    assert out["labels"] == tokenizer(PAIR)["input_ids"]


def test_words_that_are_given_are_encoded_one_by_one(tokenizer):
    out = tokenizer(WORDS, is_split_into_words=True, add_special_tokens=False)
    alone = [tokenizer.encode(word, add_special_tokens=False) for word in WORDS]
    assert out["input_ids"] == list(chain(*alone))
    assert sorted(set(out.word_ids())) == [0, 1, 2, 3]
    batch = tokenizer([WORDS, WORDS[:2]], is_split_into_words=True, add_special_tokens=False)
    assert batch["input_ids"] == [out["input_ids"], list(chain(*alone[:2]))]


# -------------------------------------------------------------- truncation, padding


def test_truncation_keeps_an_end_and_a_beginning(tokenizer):
    ids = tokenizer.encode(TEXT, add_special_tokens=False)
    for side, expected in (("right", ids[:4]), ("left", ids[-4:])):
        tokenizer.truncation_side = side
        assert tokenizer.encode(TEXT, add_special_tokens=False, truncation=True, max_length=4) == (
            expected
        )


def test_what_is_cut_off_comes_as_overflow(tokenizer):
    ids = tokenizer.encode(TEXT, add_special_tokens=False)
    out = tokenizer(
        TEXT,
        add_special_tokens=False,
        truncation=True,
        max_length=4,
        stride=1,
        return_overflowing_tokens=True,
    )
    rows = out["input_ids"]
    assert rows[0] == ids[:4]
    assert all(later[0] == earlier[-1] for earlier, later in pairwise(rows))
    assert rows[0] + list(chain(*(row[1:] for row in rows[1:]))) == ids
    assert out["overflow_to_sample_mapping"] == [0] * len(rows)


@pytest.mark.parametrize("strategy", ["longest_first", "only_first", "only_second"])
def test_pairs_are_cut_where_the_strategy_says(tokenizer, strategy):
    first, second = (len(tokenizer.tokenize(text)) for text in (TEXT, PAIR))
    whole = tokenizer(TEXT, PAIR)
    out = tokenizer(TEXT, PAIR, truncation=strategy, max_length=len(whole["input_ids"]) - 2)
    counts = [out.sequence_ids(0).count(number) for number in (0, 1)]
    expected = {
        "longest_first": [first - 2, second] if first > second + 1 else None,
        "only_first": [first - 2, second],
        "only_second": [first, second - 2],
    }[strategy]
    assert sum(counts) == first + second - 2
    assert expected is None or counts == expected


def test_padding_fills_the_side_that_is_asked_for(tokenizer):
    ids = tokenizer.encode(TEXT)
    pad = tokenizer.pad_token_id
    width = len(ids) + 3
    for side, expected in (("right", [*ids, pad, pad, pad]), ("left", [pad, pad, pad, *ids])):
        tokenizer.padding_side = side
        out = tokenizer(TEXT, padding="max_length", max_length=width)
        assert out["input_ids"] == expected
        assert [i for i, m in zip(expected, out["attention_mask"], strict=True) if m] == ids
    out = tokenizer(TEXT, padding="max_length", max_length=width, padding_side="right")
    assert out["input_ids"] == [*ids, pad, pad, pad]
    assert tokenizer(TEXT, padding=True)["input_ids"] == ids
    assert len(tokenizer(TEXT, padding=True, pad_to_multiple_of=7)["input_ids"]) % 7 == 0


def test_padding_afterwards_is_padding_at_once(tokenizer):
    texts = [TEXT, PAIR, "学"]
    at_once = tokenizer(texts, padding=True)
    afterwards = tokenizer.pad(tokenizer(texts))
    assert dict(afterwards) == dict(at_once)
    arrays = tokenizer.pad(tokenizer(texts), return_tensors="np")
    assert np.array_equal(arrays["input_ids"], at_once["input_ids"])


def test_padding_without_a_token_for_it_is_refused(tokenizer):
    tokenizer.pad_token = None
    with pytest.raises(ValueError, match="padding"):
        tokenizer([TEXT, PAIR], padding=True)


def test_inputs_may_have_other_names(tokenizer):
    tokenizer.model_input_names = ["input_values", "attention_mask"]
    out = tokenizer([TEXT, PAIR])
    assert "attention_mask" in out


# --------------------------------------------------------------- offsets, alignment


def test_offsets_slice_the_text(tokenizer):
    text = "学而ＡＢ the fox"
    out = tokenizer(text, return_offsets_mapping=True, add_special_tokens=False)
    spans = out["offset_mapping"]
    covered = set()
    for start, end in spans:
        covered.update(range(start, end))
    assert covered >= {at for at, character in enumerate(text) if not character.isspace()}
    for token, (start, end) in enumerate(spans):
        if end > start:
            assert out.char_to_token(start) <= token
        assert tuple(out.token_to_chars(token)) == (start, end)


def test_words_and_tokens_are_mapped_to_each_other(tokenizer):
    out = tokenizer([TEXT, PAIR], add_special_tokens=False)
    for row in range(2):
        words = out.word_ids(row)
        for token, word in enumerate(words):
            span = out.word_to_tokens(row, word)
            assert span.start <= token < span.end
            assert out.token_to_word(row, token) == word
            assert out.token_to_sequence(row, token) == 0
            start = out.word_to_chars(row, word).start
            assert out.char_to_word(row, start) in words


# ------------------------------------------------------------------ saving, copying


def test_saved_pickled_and_copied_ones_are_the_same(tokenizer, tmp_path):
    tokenizer.add_special_tokens({"sep_token": "<隔>"})
    tokenizer.add_tokens(["龘龘"])
    tokenizer.model_max_length = 42
    tokenizer.save_pretrained(tmp_path)
    loaded = PytokTokenizer.from_pretrained(tmp_path)
    for other in (loaded, pickle.loads(pickle.dumps(tokenizer)), copy.deepcopy(tokenizer)):
        assert other.get_vocab() == tokenizer.get_vocab()
        assert other.special_tokens_map == tokenizer.special_tokens_map
        assert other.model_max_length == 42
        assert other.encode(PROBE + "<隔>龘龘") == tokenizer.encode(PROBE + "<隔>龘龘")
    assert PytokTokenizer.from_pretrained(tmp_path, model_max_length=43).model_max_length == 43


def test_special_tokens_can_be_given_when_loading(tokenizer, tmp_path):
    tokenizer.save_pretrained(tmp_path)
    token = AddedToken("<新>", lstrip=True, special=True, normalized=False)
    loaded = PytokTokenizer.from_pretrained(tmp_path, additional_special_tokens=[token])
    assert "<新>" in loaded.all_special_tokens
    assert loaded.tokenize("a  <新>b")[-2].strip() == "<新>"
    assert loaded.decode(loaded.encode("学<新>"), skip_special_tokens=True) == "学"


def test_saving_twice_gives_the_same_files(tokenizer, tmp_path):
    tokenizer.save_pretrained(tmp_path)
    # transformers 4 writes a role as text the first time, and with its settings later.
    PytokTokenizer.from_pretrained(tmp_path).save_pretrained(tmp_path / "a")
    PytokTokenizer.from_pretrained(tmp_path / "a").save_pretrained(tmp_path / "b")
    for path in (tmp_path / "a").iterdir():
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name


def test_a_prefix_stands_before_every_name(tokenizer, tmp_path):
    files = tokenizer.save_pretrained(tmp_path, filename_prefix="p")
    names = {path.rsplit("/", 1)[-1] for path in files} - {"tokenization_pytok.py"}
    assert all(name.startswith("p-") for name in names), names
