"""A tokenizer with Chinese steps before its own."""

from __future__ import annotations

import copy
import pickle
import warnings
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

import pytok
from pytok import zh
from pytok.errors import ConfigError, EncodeError

PIPELINE = zh.Pipeline(["width"])
PLAIN = pytok.Tokenizer.from_pretrained("zh-32k")
WIDE = PLAIN.with_normalizer(PIPELINE)

TEXTS = st.text(st.sampled_from("ＡＢ４ａA4 学而时。\n"), max_size=20)


@given(TEXTS)
def test_ids_are_those_of_the_normalised_text(text: str) -> None:
    normalized = PIPELINE.normalize(text)
    assert WIDE.encode_ids(text) == PLAIN.encode_ids(normalized.text)
    assert WIDE.encode(text).ids == WIDE.encode_ids(text)
    assert WIDE.count(text) == len(WIDE.encode_ids(text))
    flat, _ = WIDE.encode_batch_ids([text])
    assert flat.tolist() == WIDE.encode_ids(text)


@given(TEXTS)
def test_offsets_are_of_the_text_that_was_given(text: str) -> None:
    normalized = PIPELINE.normalize(text)
    inner = PLAIN.encode(normalized.text).offsets
    assert WIDE.encode(text).offsets == [normalized.alignment.to_original(span) for span in inner]
    joined = "".join(text[start:end] for start, end in dict.fromkeys(WIDE.encode(text).offsets))
    assert joined == text


def test_special_tokens_are_found_before_the_steps() -> None:
    added = PLAIN.add_special_tokens(["＜Ａ＞"])
    wide = added.with_normalizer(PIPELINE)
    ids = wide.encode_ids("Ａ＜Ａ＞Ａ", special="special")
    assert ids == [*PLAIN.encode_ids("A"), added.vocab["＜Ａ＞"], *PLAIN.encode_ids("A")]
    with pytest.raises(EncodeError):
        PLAIN.add_special_tokens(["<A>"]).with_normalizer(PIPELINE).encode_ids("<A>")


def test_what_the_steps_make_is_no_special_token() -> None:
    added = PLAIN.add_special_tokens(["<A>"])
    wide = added.with_normalizer(PIPELINE)
    assert added.vocab["<A>"] not in wide.encode_ids("<Ａ>", special="special")


def test_save_load_pickle_and_copy_keep_the_steps(tmp_path: Path) -> None:
    folder = WIDE.save(tmp_path / "wide")
    for again in (
        pytok.Tokenizer.from_pretrained(folder),
        pickle.loads(pickle.dumps(WIDE)),
        copy.deepcopy(WIDE),
        WIDE.with_max_span(2).with_max_span(None),
    ):
        assert again == WIDE
        assert again.normalizer == PIPELINE
        assert again.encode_ids("Ａ４") == PLAIN.encode_ids("A4")
    assert WIDE != PLAIN
    assert WIDE.with_normalizer(None) == PLAIN
    assert PLAIN.normalizer is None


def test_steps_of_single_characters_are_in_the_exported_file(tmp_path: Path) -> None:
    folder = WIDE.save(tmp_path / "wide")
    stock = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    for text in ("Ａ４纸，ｘ＝１", "学而时习之", ""):
        assert stock.encode(text).ids == WIDE.encode_ids(text)
        assert stock.encode(text).offsets == WIDE.encode(text).offsets


def test_offsets_that_other_libraries_see_otherwise_are_named(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="the steps width put one character in the place") as told:
        folder = WIDE.save(tmp_path / "wide")
    assert len(told) == 1
    stock = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    ours, theirs = WIDE.encode("ｶﾞ人"), stock.encode("ｶﾞ人")
    assert ours.ids == theirs.ids
    assert (ours.offsets[0], theirs.offsets[0]) == ((0, 2), (1, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PLAIN.with_normalizer(zh.Pipeline(["vertical-forms"])).save(tmp_path / "other")


def test_a_file_of_other_tables_is_refused(tmp_path: Path) -> None:
    folder = WIDE.save(tmp_path / "wide")
    file = folder / "pytok.json"
    digest = PIPELINE.spec()["steps"][0]["sha256"]["table"]
    file.write_text(file.read_text("utf-8").replace(digest, "0" * 64), "utf-8")
    with pytest.raises(ConfigError, match="step width: the table is not as it was") as caught:
        pytok.Tokenizer.from_pretrained(folder)
    assert "make the pipeline anew" in str(caught.value.hint)
