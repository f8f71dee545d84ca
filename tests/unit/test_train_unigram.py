"""Hybrid and Unigram training: what the options promise, and what comes out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

import pytok

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "corpora"
FILES = [
    path for kind in ("news", "code", "classical") for path in sorted(CORPORA.glob(kind + "/*"))
]
TEXTS = [path.read_text(encoding="utf-8") for path in FILES]
SMALL: dict[str, Any] = {"vocab_size": 3000, "tau": 2, "tau_c": 3, "tau_w": 3, "threads": 1}


def train(**options: Any) -> pytok.TrainResult:
    return pytok.train(TEXTS, pytok.TrainConfig(**(SMALL | options)))


def saved(tokenizer: pytok.Tokenizer, folder: Path) -> dict[str, bytes]:
    tokenizer.save(folder)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def tokens(tokenizer: pytok.Tokenizer) -> int:
    return sum(tokenizer.count(text, special="text") for text in TEXTS)


def pieces(tokenizer: pytok.Tokenizer) -> list[bytes]:
    return [tokenizer.token_bytes(number) for number in range(tokenizer.vocab_size)]


@pytest.fixture(scope="module")
def balanced() -> pytok.TrainResult:
    return train()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"preset": "align"},
        {"preset": "words"},
        {"preset": "compress"},
        {"algorithm": "unigram"},
        {"segmenter": None},
        {"pretokenizer": "han", "digits": 3, "refinement": 2},
        {"span_bytes": (1, 6), "max_chars": 2},
        {"normalizer": {"type": "NFKC"}, "special_tokens": ["<|end|>", "学而"]},
    ],
    ids=str,
)
def test_a_stock_library_gives_the_same_ids(options: dict[str, Any], tmp_path: Path) -> None:
    ours = train(**options).tokenizer
    assert ours.vocab_size == SMALL["vocab_size"]
    ours.save(tmp_path)
    theirs = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in TEXTS:
        # The reference matches special tokens that a text spells.
        expected = theirs.encode(text)
        got = ours.encode(text, special="special")
        assert (got.ids, got.tokens) == (expected.ids, expected.tokens)
        assert got.offsets == expected.offsets
        if "normalizer" not in options:
            assert ours.decode(ours.encode_ids(text, special="text")) == text


@settings(deadline=None)
@given(st.text(st.sampled_from("学而时习之乎者也曰 的了，。a1\n\U0001f600é龘")) | st.text())
def test_any_text_has_the_ids_of_the_stock_library(text: str) -> None:
    ours, theirs = _pair()
    assert ours.encode_ids(text) == theirs.encode(text).ids
    assert ours.decode(ours.encode_ids(text)) == text


PAIR: list[tuple[pytok.Tokenizer, Any]] = []


def _pair() -> tuple[pytok.Tokenizer, Any]:
    if not PAIR:
        ours = train().tokenizer
        PAIR.append((ours, Tokenizer.from_str(json.dumps(_file_of(ours)))))
    return PAIR[0]


def _file_of(tokenizer: pytok.Tokenizer) -> Any:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return json.loads((tokenizer.save(folder) / "tokenizer.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("options", [{}, {"algorithm": "unigram"}, {"refinement": 2}], ids=str)
def test_threads_order_and_shards_change_no_byte(options: dict[str, Any], tmp_path: Path) -> None:
    first = saved(train(**options).tokenizer, tmp_path / "first")
    config = pytok.TrainConfig(**(SMALL | options | {"threads": 4}))
    reversed_ = pytok.train(TEXTS[::-1], config)
    assert saved(reversed_.tokenizer, tmp_path / "reversed") == first
    parts = [pytok.count_words(TEXTS[start::3], config) for start in range(3)]
    merged = pytok.train(None, config, counts=parts)
    assert saved(merged.tokenizer, tmp_path / "merged") == first


def test_a_memory_budget_changes_no_byte(balanced: pytok.TrainResult, tmp_path: Path) -> None:
    bounded = train(memory="64K").tokenizer
    assert saved(bounded, tmp_path / "a") == saved(balanced.tokenizer, tmp_path / "b")


def test_the_report_is_that_of_the_text(balanced: pytok.TrainResult) -> None:
    report = balanced.report
    assert report.text_bytes == sum(len(text.encode()) for text in TEXTS)
    assert report.tokens == tokens(balanced.tokenizer)
    assert report.candidates is not None
    assert report.candidates > SMALL["vocab_size"]
    assert report.merges is None
    assert report.cost is not None
    assert report.cost > 0


def test_presets_trade_tokens_for_boundaries(balanced: pytok.TrainResult) -> None:
    compress = train(preset="compress").tokenizer
    align = train(preset="align").tokenizer
    words = train(preset="words").tokenizer
    counted = [tokens(t) for t in (compress, balanced.tokenizer, align, words)]
    assert counted == sorted(counted)
    # Words that jieba knows are cut less often when boundaries come first.
    import jieba

    def cut(tokenizer: pytok.Tokenizer) -> float:
        starts = ends = 0
        for text in TEXTS[:8]:
            spans = tokenizer.encode(text, special="text").offsets
            edges = {start for start, _ in spans}
            for _, start, end in jieba.tokenize(text, HMM=False):
                if end - start > 1:
                    starts += start in edges
                    ends += 1
        return starts / ends

    assert cut(compress) < cut(align) <= cut(words)


def test_options_that_are_given_replace_those_of_the_preset(balanced: pytok.TrainResult) -> None:
    same = train(preset="align", lam=64.0, boundary_prior=32.0).tokenizer
    assert pieces(same) == pieces(balanced.tokenizer)
    plain = train(segmenter=None).tokenizer
    assert pieces(plain) == pieces(train(lam=16, boundary_prior=0, lexicon=None).tokenizer)


def test_a_function_can_be_the_segmenter(balanced: pytok.TrainResult) -> None:
    import jieba

    by_function = train(segmenter=lambda text: jieba.lcut(text, HMM=False), lexicon=None).tokenizer
    # Its dictionary has no traditional forms, and these texts hardly any.
    ours = set(pieces(by_function))
    assert len(ours & set(pieces(balanced.tokenizer))) > 0.98 * len(ours)


@pytest.mark.parametrize(
    ("cut", "message"),
    [
        (lambda text: [text, "x"], "segmenter: gave"),
        (lambda text: [3], "segmenter: gave"),
        (lambda text: [], "segmenter: gave"),
        (lambda text: None, "segmenter: gave None"),
        (lambda text: 5, "segmenter: gave 5"),
    ],
)
def test_answers_that_are_no_words_are_refused(cut: Any, message: str) -> None:
    with pytest.raises(pytok.ConfigError, match=message):
        train(segmenter=cut)


def test_what_a_segmenter_raises_is_raised() -> None:
    def cut(text: str) -> list[str]:
        raise LookupError(text[:1])

    with pytest.raises(LookupError):
        train(segmenter=cut)


def test_required_characters_and_prefixes_stay() -> None:
    tokenizer = train(required_chars="龘𠮷").tokenizer
    known = set(pieces(tokenizer))
    assert {"龘".encode(), "龘".encode()[:2], "𠮷".encode(), "𠮷".encode()[:3]} <= known
    # Any Han character of the basic plane takes two tokens at most.
    codes = np.r_[0x3400:0x4DC0, 0x4E00:0xA000]
    assert max(tokenizer.count(chr(code)) for code in codes) == 2
    loose = train(han_prefixes=False, tau_c=0).tokenizer
    assert max(loose.count(chr(code)) for code in codes) == 3


def test_rare_characters_are_bytes() -> None:
    counts: dict[str, int] = {}
    for character in "".join(TEXTS):
        counts[character] = counts.get(character, 0) + 1
    known = set(pieces(train(tau_c=10).tokenizer))
    han = [c for c in counts if "一" <= c <= "鿿"]
    assert all((c.encode() in known) == (counts[c] >= 10) for c in han)


def test_no_piece_straddles_characters() -> None:
    for options in ({}, {"algorithm": "unigram"}, {"preset": "compress"}):
        for piece in pieces(train(**options).tokenizer):
            heads = sum(byte & 0xC0 != 0x80 for byte in piece)
            whole = piece.decode("utf-8", "replace").encode() == piece
            assert whole or heads == (piece[0] & 0xC0 != 0x80), piece


def test_a_lexicon_offers_words_and_a_prior_prefers_them() -> None:
    texts = [*TEXTS, "学而时习乎哉。" * 5]
    word = "学而时习乎哉"

    def knows(**options: Any) -> bool:
        config = pytok.TrainConfig(**(SMALL | {"max_chars": 6, "overshoot": 1} | options))
        return word.encode() in pieces(pytok.train(texts, config).tokenizer)

    assert knows(lexicon=[word], lexicon_prior=500)
    assert not knows(lexicon=[], preset="align", tau=20)


def test_a_lexicon_is_a_file_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("学而时习\t12\n\n说 乎\n", encoding="utf-8")
    assert pytok.TrainConfig(lexicon=path).lexicon == ("学而时习", "说 乎")


def test_files_that_the_segmenter_does_not_know_are_set_apart(tmp_path: Path) -> None:
    config = pytok.TrainConfig(**SMALL, preset="align", unsegmented=["classical/*"])
    apart = pytok.train([CORPORA / "news", CORPORA / "classical"], config).tokenizer
    config = pytok.TrainConfig(**SMALL, preset="align")
    known = pytok.count_words(CORPORA / "news", config)
    unknown = pytok.count_words(CORPORA / "classical", config)
    by_counts = pytok.train(None, config, counts=known, unsegmented_counts=unknown).tokenizer
    assert saved(apart, tmp_path / "a") == saved(by_counts, tmp_path / "b")
    together = pytok.train(None, config, counts=[known, unknown]).tokenizer
    assert pieces(together) != pieces(apart)
    with pytest.raises(pytok.ConfigError, match="unsegmented: names files"):
        pytok.train(TEXTS, pytok.TrainConfig(**SMALL, unsegmented=["a"]))


def test_unigram_finds_a_likelier_vocabulary_than_the_hybrid(balanced: pytok.TrainResult) -> None:
    soft = train(algorithm="unigram")
    assert soft.report.log_likelihood is not None
    again = train(algorithm="unigram", lam=16.0)
    assert again.report.log_likelihood is not None
    assert soft.report.log_likelihood > again.report.log_likelihood
    assert balanced.report.log_likelihood is None


def test_merges_that_are_hardly_used_go(tmp_path: Path) -> None:
    plain = train(algorithm="bpe", tau_c=0, tau_w=None)
    pruned = train(algorithm="bpe", tau_c=0, tau_w=None, overshoot=1.2)
    assert pruned.tokenizer.vocab_size == plain.tokenizer.vocab_size == SMALL["vocab_size"]
    pruned.tokenizer.save(tmp_path)
    file = json.loads((tmp_path / "tokenizer.json").read_text(encoding="utf-8"))
    vocab, merges = file["model"]["vocab"], file["model"]["merges"]
    assert len(merges) == len(vocab) - 256
    assert all({left, right, left + right} <= vocab.keys() for left, right in merges)
    theirs = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in TEXTS:
        assert pruned.tokenizer.encode_ids(text, special="text") == theirs.encode(text).ids
    # Pieces on the way to others give room to pieces that are used.
    assert tokens(pruned.tokenizer) < tokens(plain.tokenizer)


def test_stopping_at_every_stage_ends_the_run() -> None:
    stages: list[str] = []

    class StopError(Exception):
        pass

    for stage in ("count", "cut", "pairs", "merges", "prune"):

        def stop(event: pytok.TrainProgress, stage: str = stage) -> None:
            stages.append(event.stage)
            if event.stage == stage:
                raise StopError

        with pytest.raises(StopError):
            pytok.train(TEXTS, pytok.TrainConfig(**SMALL), on_progress=stop)
    assert set(stages) >= {"count", "cut", "pairs", "merges", "prune"}


@pytest.mark.parametrize(
    "options",
    [{}, {"algorithm": "unigram", "required_chars": "中学"}, {"refinement": 1}],
    ids=str,
)
def test_special_tokens_that_spell_a_piece_keep_it_to_themselves(
    options: dict[str, Any], tmp_path: Path
) -> None:
    # What 中, a prefix, and a frequent word look like in the byte alphabet.
    special = ["ä¸Ń", "ä¸", "çļĦ"]
    tokenizer = train(special_tokens=special, **options).tokenizer
    assert [tokenizer.token_to_id(token) for token in special] == [0, 1, 2]
    assert len(tokenizer.vocab) == tokenizer.vocab_size == SMALL["vocab_size"]
    tokenizer.save(tmp_path)
    theirs = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert theirs.get_vocab_size() == SMALL["vocab_size"]
    for text in ["中学的", *TEXTS[:5]]:
        assert tokenizer.encode_ids(text, special="special") == theirs.encode(text).ids


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    for call, message in [
        (lambda: pytok.train(TEXTS, {"vocab_size": 300}), "config: dict"),  # type: ignore[arg-type]
        (lambda: pytok.count_words(TEXTS, {}), "config: dict"),  # type: ignore[arg-type]
        (lambda: pytok.train(counts="x"), "counts: 'x'"),  # type: ignore[arg-type]
        (lambda: pytok.train(counts=[5]), r"counts\[0\]: 5"),  # type: ignore[list-item]
        (lambda: pytok.count_words(["a"]).merge(5), r"counts\[0\]: 5"),  # type: ignore[arg-type]
        (lambda: pytok.train([""], pytok.TrainConfig()), "inputs: no text at all"),
    ]:
        with pytest.raises(pytok.ConfigError, match=message):
            call()
    counts = pytok.count_words(["a"]).save(tmp_path / "a.counts")
    with pytest.raises(pytok.CorpusError, match="not UTF-8") as caught:
        pytok.count_words(counts)
    assert "--counts" in str(caught.value.hint)
