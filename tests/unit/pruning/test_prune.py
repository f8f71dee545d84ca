"""`pytok.prune`: options, rounds, reports, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from prune_kinds import NAMES, kind, load, texts_of

import pytok
from pytok import ConfigError, CorpusError, PytokError

OPTIONS: dict[str, Any] = {"special": "text", "add_special_tokens": False}


def token_count(tokenizer: pytok.Tokenizer, texts: tuple[str, ...]) -> int:
    return len(tokenizer.encode_batch_ids(texts, **OPTIONS)[0])


@pytest.mark.parametrize("name", NAMES)
def test_the_report_says_what_a_count_says(name: str) -> None:
    tokenizer = kind(name).tokenizer
    corpus = {"news": texts_of("news"), "code": texts_of("code")}
    size = int(len(tokenizer) * 0.85)
    result = pytok.prune(tokenizer, corpus, target_size=size)
    assert len(result.tokenizer) == result.report.size_after <= size
    for change in result.report.kinds:
        texts = corpus[change.kind]
        assert change.texts == len(texts)
        assert change.tokens_before == token_count(tokenizer, texts)
        assert change.tokens_after == token_count(result.tokenizer, texts)
        same = 0
        for text in texts:
            old = tokenizer.encode_ids(text, **OPTIONS)
            new = result.tokenizer.encode_ids(text, **OPTIONS)
            same += new == [result.id_map.get(number) for number in old]
        assert change.identical == same
    sizes = [point.size for point in result.report.curve]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == result.report.size_after
    assert result.report.curve[-1].inflation == pytest.approx(result.report.inflation)


@pytest.mark.parametrize("name", ["bpe", "unigram", "sp-bpe"])
def test_any_number_of_threads_gives_the_same(name: str) -> None:
    tokenizer = kind(name).tokenizer
    one, four = (
        pytok.prune(
            tokenizer, texts_of("news"), target_size=int(len(tokenizer) * 0.8), threads=threads
        )
        for threads in (1, 4)
    )
    assert one.tokenizer == four.tokenizer
    assert one.plan.to_json() == four.plan.to_json()
    assert one.report == four.report


@pytest.mark.parametrize("name", ["bpe", "unigram"])
def test_the_least_useful_pieces_go(name: str) -> None:
    tokenizer = kind(name).tokenizer
    texts = texts_of("news")
    size = len(tokenizer) - 300
    ours = pytok.prune(tokenizer, texts, target_size=size)
    rng = np.random.default_rng(7)
    noise = rng.integers(1, 9, len(tokenizer))
    random = pytok.prune(tokenizer, counts=noise, target_size=size)
    assert token_count(ours.tokenizer, texts) < token_count(random.tokenizer, texts)
    assert ours.report.inflation < 0.02


@pytest.mark.parametrize("name", ["bpe", "unigram", "wordpiece", "sp-unigram"])
@pytest.mark.parametrize("most", [0.0, 0.05])
def test_an_inflation_is_not_exceeded(name: str, most: float) -> None:
    tokenizer = kind(name).tokenizer
    result = pytok.prune(tokenizer, texts_of("news"), max_inflation=most)
    assert result.report.inflation <= most
    assert result.report.size_after < len(tokenizer)
    if most:
        less = pytok.prune(tokenizer, texts_of("news"), max_inflation=0.0)
        assert result.report.size_after < less.report.size_after


def test_the_utility_tells_the_growth_of_a_bpe_vocabulary() -> None:
    tokenizer = kind("bpe").tokenizer
    result = pytok.prune(tokenizer, texts_of("news"), target_size=700, rounds=1)
    (change,) = result.report.kinds
    growth = change.tokens_after - change.tokens_before
    assert growth == pytest.approx(float(result.plan.utilities.sum()), rel=0.05)


def test_protected_texts_and_ids_stay() -> None:
    tokenizer = kind("bpe").tokenizer
    texts = texts_of("code")[:20]
    last = len(tokenizer) - 1
    result = pytok.prune(
        tokenizer, ["的"], target_size=600, protect=[*texts, last, np.int64(last - 1)]
    )
    assert {last, last - 1} <= set(result.id_map)
    for text in texts:
        old = tokenizer.encode_ids(text, **OPTIONS)
        assert result.tokenizer.encode_ids(text, **OPTIONS) == [result.id_map[one] for one in old]


@pytest.mark.parametrize("name", ["bpe", "ranks", "unigram"])
def test_special_tokens_get_the_ids_that_are_asked_for(name: str) -> None:
    tokenizer = kind(name).tokenizer
    tokens = [token.content for token in tokenizer.added_tokens][:2]
    size = len(tokenizer) - 200
    wanted = {tokens[0]: size - 1, tokens[1]: 3}
    result = pytok.prune(tokenizer, texts_of("news"), target_size=size, special_ids=wanted)
    for token, number in wanted.items():
        assert result.tokenizer.token_to_id(token) == number
        assert result.tokenizer.encode_ids(token, special="special") == [number]
        assert number not in result.tokenizer.encode_ids(token, special="text")
    assert sorted(result.id_map.values()) == list(range(size))
    stock = kind(name).stock(result.tokenizer)
    for text in texts_of("news")[:50]:
        assert result.tokenizer.encode_ids(text, **OPTIONS) == stock(text)


def test_control_pieces_of_sentencepiece_move_too() -> None:
    import sentencepiece

    tokenizer = kind("sp-unigram").tokenizer
    result = pytok.prune(
        tokenizer, texts_of("news"), target_size=2500, special_ids={"</s>": 0, "<unk>": 2499}
    )
    own = result.tokenizer._core.own_file()
    library = sentencepiece.SentencePieceProcessor(model_proto=own[1])
    assert (library.eos_id(), library.unk_id()) == (0, 2499)
    assert (result.tokenizer.eos_id, result.tokenizer.unk_id) == (0, 2499)
    for text in texts_of("code")[:50]:
        assert result.tokenizer.encode_ids(text, **OPTIONS) == library.encode(text)


def test_the_post_processor_follows() -> None:
    tokenizer = kind("wordpiece").tokenizer
    result = pytok.prune(
        tokenizer, texts_of("code"), target_size=len(tokenizer) - 100, special_ids={"[CLS]": 50}
    )
    ids = result.tokenizer.encode_ids("def")
    assert ids[0] == 50
    assert ids[-1] == result.tokenizer.token_to_id("[SEP]") == result.id_map[3]


def test_counts_stand_for_a_corpus(tmp_path: Path) -> None:
    tokenizer = kind("bpe").tokenizer
    texts = texts_of("news")
    flat, _ = tokenizer.encode_batch_ids(texts, **OPTIONS)
    of_ids = pytok.prune(tokenizer, counts=np.bincount(flat), target_size=800)
    of_texts = pytok.prune(tokenizer, texts, target_size=800, rounds=1)
    assert of_ids.tokenizer == of_texts.tokenizer
    assert of_ids.report.inflation is None
    assert of_ids.report.kinds == of_ids.report.curve == ()
    words = pytok.count_words(list(texts))
    of_words = pytok.prune(tokenizer, counts=words, target_size=800)
    assert of_words.report.inflation == pytest.approx(of_texts.report.inflation, abs=0.02)
    words.save(tmp_path / "words")
    again = pytok.prune(tokenizer, counts=tmp_path / "words", target_size=800)
    assert again.tokenizer == of_words.tokenizer


def test_stable_ids_are_still_decoded() -> None:
    tokenizer = kind("bpe").tokenizer
    result = pytok.prune(tokenizer, texts_of("news"), target_size=700, mode="stable")
    assert len(result.tokenizer) == len(tokenizer)
    text = texts_of("code")[0]
    assert result.tokenizer.decode(tokenizer.encode_ids(text)) == text
    compact = pytok.prune(tokenizer, texts_of("news"), target_size=700)
    ids = compact.tokenizer.encode_ids(text)
    assert [compact.id_map[number] for number in result.tokenizer.encode_ids(text)] == ids


def test_the_report_is_plain_values() -> None:
    result = pytok.prune(kind("bpe").tokenizer, texts_of("news"), target_size=900)
    record = json.loads(json.dumps(result.report.to_json()))
    assert record["size_after"] == 900
    assert len(result.plan) == len(result.plan.to_json()) == record["size_before"] - 900
    assert set(result.plan.to_json()[0]) == {"id", "token", "utility", "round"}


def test_progress_is_told_and_may_stop() -> None:
    seen: list[pytok.TrainProgress] = []
    pytok.prune(kind("bpe").tokenizer, ["字"], target_size=900, on_progress=seen.append)
    assert {event.stage for event in seen} == {"prune"}

    def stop(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pytok.prune(kind("bpe").tokenizer, ["字"], target_size=900, on_progress=stop)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"target_size": 257}, "expected at least"),
        ({"target_size": 10**6}, "expected at most 1200"),
        ({"target_size": 0}, "target_size"),
        ({"target_size": 900, "max_inflation": 0.1}, "one of the two"),
        ({}, "one of the two"),
        ({"max_inflation": -0.1}, "max_inflation"),
        ({"max_inflation": float("nan")}, "max_inflation"),
        ({"target_size": 900, "mode": "other"}, "mode"),
        ({"target_size": 900, "protect": "text"}, "protect"),
        ({"target_size": 900, "protect": [10**7]}, "no id 10000000"),
        ({"target_size": 900, "protect": [None]}, "protect"),
        ({"target_size": 900, "special_ids": {"<|end|>": 900}}, "below 900"),
        ({"target_size": 900, "special_ids": {"学": 1}}, "no special token"),
        ({"target_size": 900, "special_ids": {"<|end|>": 1}, "mode": "stable"}, "stable"),
        ({"target_size": 900, "threads": 0}, "threads"),
        ({"target_size": 900, "counts": [1]}, "one of the two"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], expected: str) -> None:
    with pytest.raises(ConfigError, match=expected):
        pytok.prune(kind("bpe").tokenizer, ["字"], **options)


@pytest.mark.parametrize("counts", [[-1], [0.5], [[1]], [1] * 1201])
def test_counts_that_are_none_are_refused(counts: Any) -> None:
    with pytest.raises(ConfigError, match="counts"):
        pytok.prune(kind("bpe").tokenizer, counts=counts, target_size=900)


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(CorpusError, match="no text"):
        pytok.prune(kind("bpe").tokenizer, [""], target_size=900)


def test_tokenizers_that_cannot_be_pruned_are_refused() -> None:
    import sample_files

    words = load(sample_files.words_bytes({"a": 0, "b": 1, "[UNK]": 2}))
    limited = kind("bpe").tokenizer.with_max_span(1)
    for tokenizer in (words, limited):
        with pytest.raises(PytokError, match="expected"):
            pytok.prune(tokenizer, ["a"], target_size=2)
    with pytest.raises(ConfigError, match="compact"):
        pytok.prune(kind("wordpiece").tokenizer, ["a"], target_size=300, mode="stable")
