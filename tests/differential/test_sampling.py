"""Random and n-best segmentations beside SentencePiece's own, and on real vocabularies."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

import pytok

from . import components, hybrid_files
from .corpus import documents
from .test_sentencepiece_models import trained

MODELS = (
    "chinese-llama-alpaca-chinese_sp.model",
    "cpm1-chinese_vocab.model",
    "xlnet_base_cased.model",
)
BPE_MODELS = (
    "cl100k_base.tiktoken.xz",
    "deepseek-tokenizer.json.xz",
    "gpt2.json.xz",
    "kimi_k2.tiktoken.xz",
    "mistral01.model",
    "qwen.tiktoken.xz",
)
TEXTS = (
    "我们学习自然语言处理",
    "The cat sat on the mat.",
    "学而时习之，不亦说乎？",
    " internationalisation ",
    "龘\u3000ﬁx 12345",
)


@cache
def both(path: Path) -> tuple[pytok.Tokenizer, sentencepiece.SentencePieceProcessor]:
    """pytok and the library with a file."""
    return (
        pytok.Tokenizer.from_file(path),
        sentencepiece.SentencePieceProcessor(model_file=str(path)),
    )


def draws_of(tokenizer: pytok.Tokenizer, text: str, count: int, **options: Any) -> Counter[Any]:
    ids, bounds = tokenizer.sample_batch_ids([text] * count, seed=7, **options)
    return Counter(tuple(ids[start:end].tolist()) for start, end in itertools.pairwise(bounds))


def same_distribution(left: Counter[Any], right: Counter[Any]) -> bool:
    """Two samples of one size: chi-square, results that are rare in both taken together."""
    cells: Counter[str] = Counter()
    pairs = []
    for key in left | right:
        if left[key] + right[key] >= 20:
            pairs.append((left[key], right[key]))
        else:
            cells["left"] += left[key]
            cells["right"] += right[key]
    if cells["left"] + cells["right"] >= 20:
        pairs.append((cells["left"], cells["right"]))
    chi_square = sum((a - b) ** 2 / (a + b) for a, b in pairs)
    freedom = max(len(pairs) - 1, 1)
    # Of equal distributions one in 100,000 is above this, also with one degree of freedom.
    return chi_square < freedom + 5 * math.sqrt(2 * freedom) + 12


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("text", TEXTS)
def test_the_n_best_have_the_scores_of_the_library(name: str, text: str, shared: Path) -> None:
    tokenizer, library = both(shared / "data" / "vocab" / name)
    for n in (2, 5, 60):  # of one the library does not give the score
        proto = library.nbest_encode(text, nbest_size=n, return_type="proto")
        expected = [(one.score, [piece.id for piece in one.pieces]) for one in proto.nbests]
        found = tokenizer.nbest_ids(text, n, add_special_tokens=False)
        assert len(found) == len(expected)
        scores = [score for _, score in found]
        assert scores == pytest.approx([score for score, _ in expected], abs=1e-3)
        # Sums that are further apart than rounding are in the same order.
        for index, (ids, score) in enumerate(found):
            near = scores[max(index - 1, 0) : index + 2]
            if index + 1 < n and sum(abs(other - score) < 1e-3 for other in near) == 1:
                assert ids == expected[index][1]
        assert found[0][0] == tokenizer.encode_ids(text, add_special_tokens=False)


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("alpha", [0.1, 0.5, 2.0])
def test_samples_are_distributed_as_those_of_the_library(
    name: str, alpha: float, shared: Path
) -> None:
    tokenizer, library = both(shared / "data" / "vocab" / name)
    sentencepiece.set_random_generator_seed(1)
    for text in ("学习自然", "the mat", "学而时习"):
        found = draws_of(tokenizer, text, 4_000, alpha=alpha, add_special_tokens=False)
        expected = Counter(
            tuple(library.sample_encode_as_ids(text, -1, alpha)) for _ in range(4_000)
        )
        assert same_distribution(found, expected), (text, found, expected)


@pytest.mark.parametrize("dropout", [0.1, 0.5])
def test_bpe_samples_are_distributed_as_those_of_the_library(
    tmp_path: Path, dropout: float
) -> None:
    content = trained("bpe")
    path = tmp_path / "m.model"
    path.write_bytes(content)
    tokenizer, library = both(path)
    for text in ("hello there", "newest low", "学而时习之"):
        found = draws_of(tokenizer, text, 4_000, dropout=dropout, add_special_tokens=False)
        expected = Counter(
            tuple(library.sample_encode_as_ids(text, -1, dropout)) for _ in range(4_000)
        )
        assert same_distribution(found, expected), (text, found, expected)


@pytest.mark.needs_shared
@pytest.mark.parametrize("across", [False, True], ids=["characters", "bytes"])
def test_samples_of_a_byte_level_model_decode_to_the_text(across: bool, shared: Path) -> None:
    tokenizer = components.load_candidate(hybrid_files.sample_file(across=across))
    texts = [document.text for document in documents(shared, "news", full=False)][:60]
    for alpha in (0.0, 0.1, 1.0):
        for seed, text in enumerate(texts):
            ids = tokenizer.sample_ids(text, seed=seed, alpha=alpha, special="text")
            assert tokenizer.decode(ids) == text
    for text in texts[:20]:
        best = tokenizer.nbest_ids(text[:300], 5, special="text")
        assert best[0][0] == tokenizer.encode_ids(text[:300], special="text")
        assert all(tokenizer.decode(ids) == text[:300] for ids, _ in best)


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", BPE_MODELS)
def test_samples_of_real_bpe_models_decode_to_the_text(name: str, shared: Path) -> None:
    tokenizer = pytok.Tokenizer.from_file(shared / "data" / "vocab" / name)
    for kind in ("news", "code"):
        texts = [document.text for document in documents(shared, kind, full=False)][:20]
        for seed, text in enumerate(texts):
            plain = tokenizer.encode_ids(text, special="text", add_special_tokens=False)
            for dropout in (0.0, 0.1, 0.7):
                ids = tokenizer.sample_ids(
                    text, seed=seed, dropout=dropout, special="text", add_special_tokens=False
                )
                assert tokenizer.decode(ids) == tokenizer.decode(plain)
                assert dropout or ids == plain
                assert len(ids) >= len(plain) * 0.95


def test_user_defined_symbols_stay_whole(tmp_path: Path) -> None:
    path = tmp_path / "m.model"
    path.write_bytes(trained("user symbols"))
    tokenizer, _ = both(path)
    symbol = tokenizer.token_to_id("学而")
    for seed in range(200):
        ids = tokenizer.sample_ids("the 学而时习之<sep>then", seed=seed, alpha=0)
        assert ids.count(symbol) == 1
        assert tokenizer.decode(ids) == "the 学而时习之<sep>then"
    for ids, _ in tokenizer.nbest_ids("the 学而时习之<sep>then", 200):
        assert ids.count(symbol) == 1


@pytest.mark.parametrize("letter", ["a", "中", " "])
def test_a_megabyte_of_one_letter_is_sampled(letter: str, tmp_path: Path) -> None:
    text = letter * (2**20 // len(letter.encode()))
    models: list[tuple[pytok.Tokenizer, dict[str, float]]] = [
        (components.load_candidate(components.byte_level_bpe().to_str()), {"dropout": 0.1}),
        (components.load_candidate(hybrid_files.sample_file()), {"alpha": 0.1}),
    ]
    for kind, option in (("unigram", {"alpha": 0.1}), ("bpe", {"dropout": 0.1})):
        path = tmp_path / f"{kind}.model"
        path.write_bytes(trained(kind))
        models.append((pytok.Tokenizer.from_file(path), option))
    for tokenizer, option in models:
        ids = tokenizer.sample_ids(text, seed=1, **option)
        assert tokenizer.decode(ids) == tokenizer.decode(tokenizer.encode_ids(text))
