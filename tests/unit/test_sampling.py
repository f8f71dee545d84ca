"""Random segmentations and the n best, through the public calls."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter

import numpy as np
import pytest
import sample_files

import pytok
from pytok.errors import ConfigError, EncodeError

PIECES = {
    "a": -1.0,
    "b": -1.5,
    "c": -2.0,
    "ab": -2.0,
    "bc": -3.0,
    "abc": -4.5,
    "▁": -1.0,
    "▁a": -1.5,
}


def load(folder, model, **parts):
    file = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        **parts,
        "model": model,
    }
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    return pytok.Tokenizer.from_file(path)


@pytest.fixture
def unigram(tmp_path):
    """A small Unigram model that splits at spaces, with an unknown piece."""
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": True}
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], *PIECES.items()]}
    special = {
        "type": "TemplateProcessing",
        "single": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
        "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [9], "tokens": ["[CLS]"]}},
    }
    added = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return load(
        tmp_path,
        model,
        pre_tokenizer=metaspace,
        decoder=metaspace,
        post_processor=special,
        added_tokens=[{"id": 9, "content": "[CLS]", "special": True, **added}],
    )


@pytest.fixture(scope="module")
def bpe(tmp_path_factory):
    """A rank file whose merges make Chinese characters and words of two."""
    pairs = ["学而", "时习", "不亦", "有朋", "自远", "方来"]
    characters = [character.encode() for character in dict.fromkeys("".join(pairs) + "之说乎，")]
    heads = dict.fromkeys(character[:2] for character in characters)
    merged = [*heads, *characters, *(pair.encode() for pair in pairs), b"ab", b"to", b"ken", b"en"]
    path = tmp_path_factory.mktemp("bpe") / "ranks"
    path.write_bytes(sample_files.ranks_bytes(tuple(merged)))
    return pytok.Tokenizer.from_file(path, encoding="cl100k", special_tokens={})


@pytest.fixture
def bert(tmp_path):
    path = tmp_path / "bert.json"
    path.write_bytes(sample_files.bert_bytes())
    return pytok.Tokenizer.from_file(path)


def segmentations(word):
    """Every way to cut a word into pieces."""
    if not word:
        yield ()
    for end in range(1, len(word) + 1):
        if word[:end] in PIECES:
            for rest in segmentations(word[end:]):
                yield (word[:end], *rest)


def score(pieces):
    return sum(PIECES[piece] for piece in pieces)


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0, 3.0])
def test_unigram_samples_have_their_probabilities(unigram, alpha):
    words = ["abc", "▁abcbc"]
    ways = [sum(pair, ()) for pair in itertools.product(*map(list, map(segmentations, words)))]
    weights = [math.exp(alpha * score(way)) for way in ways]
    draws = 6_000
    texts = ["abc abcbc"] * draws
    ids, bounds = unigram.sample_batch_ids(texts, seed=1, alpha=alpha, add_special_tokens=False)
    found = Counter(
        tuple(map(unigram.id_to_token, ids[start:end].tolist()))
        for start, end in itertools.pairwise(bounds)
    )
    assert set(found) <= set(ways)
    chi_square = sum(
        (found[way] - draws * weight / sum(weights)) ** 2 / (draws * weight / sum(weights))
        for way, weight in zip(ways, weights, strict=True)
    )
    freedom = len(ways) - 1
    assert chi_square < freedom + 5 * math.sqrt(2 * freedom)


def test_the_n_best_are_those_of_all_segmentations(unigram):
    words = ["abc", "▁abcbc"]
    ways = [sum(pair, ()) for pair in itertools.product(*map(list, map(segmentations, words)))]
    scores = sorted(map(score, ways), reverse=True)
    for n in (1, 3, 10, 1024):
        best = unigram.nbest_ids("abc abcbc", n, add_special_tokens=False)
        assert len(best) == min(n, len(ways))
        assert [value for _, value in best] == pytest.approx(scores[:n])
        pieces = [tuple(map(unigram.id_to_token, ids)) for ids, _ in best]
        assert len(set(pieces)) == len(pieces)
        assert [score(way) for way in pieces] == pytest.approx(scores[:n])
        assert best[0][0] == unigram.encode_ids("abc abcbc", add_special_tokens=False)


def test_special_and_added_tokens_are_as_in_encoding(unigram):
    assert unigram.encode_ids("abc")[0] == 9
    assert unigram.sample_ids("abc", seed=3)[0] == 9
    assert all(ids[0] == 9 for ids, _ in unigram.nbest_ids("abc", 5))
    assert unigram.nbest_ids("abc", 1)[0][0] == unigram.encode_ids("abc")
    text = "ab[CLS]bc"
    for call in (
        lambda **options: unigram.sample_ids(text, seed=1, **options),
        lambda **options: unigram.nbest_ids(text, 2, **options)[-1][0],
    ):
        with pytest.raises(EncodeError):
            call()
        assert call(special="special", add_special_tokens=False).count(9) == 1
        assert 9 not in call(special="text", add_special_tokens=False)


def test_a_template_that_repeats_the_text_repeats_one_segmentation(tmp_path):
    twice = [{"Sequence": {"id": "A", "type_id": 0}}] * 2
    template = {"type": "TemplateProcessing", "single": twice, "pair": twice, "special_tokens": {}}
    model = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], *PIECES.items()]}
    tokenizer = load(tmp_path, model, post_processor=template)
    for seed in range(10):
        ids = tokenizer.sample_ids("abcabc", seed=seed, alpha=0)
        assert ids[: len(ids) // 2] == ids[len(ids) // 2 :]
    best = tokenizer.nbest_ids("abcabc", 3)
    assert best[0][0] == tokenizer.encode_ids("abcabc")
    assert all(ids[: len(ids) // 2] == ids[len(ids) // 2 :] for ids, _ in best)


def test_without_unknown_piece_an_unknown_character_is_refused(tmp_path):
    model = {"type": "Unigram", "unk_id": None, "vocab": list(PIECES.items())}
    tokenizer = load(tmp_path, model)
    assert tokenizer.sample_ids("abc", seed=1)
    for call in (
        lambda: tokenizer.sample_ids("abxc", seed=1),
        lambda: tokenizer.nbest_ids("abxc", 2),
    ):
        with pytest.raises(EncodeError, match="no unknown piece"):
            call()


def test_unknown_characters_are_joined_and_segmentations_with_equal_ids_are_one(tmp_path):
    # x and y are unknown; "xyx" can be cut into unk + "yx", "xy" + unk, unk.
    vocab = [["<unk>", 0.0], ["xy", -3.0], ["yx", -3.5], ["a", -1.0]]
    tokenizer = load(tmp_path, {"type": "Unigram", "unk_id": 0, "vocab": vocab})
    best = tokenizer.nbest_ids("xyx", 10)
    assert [ids for ids, _ in best] == [[1, 0], [0, 2], [0]]
    assert [value for _, value in best] == [-3.0 - 13.5, -3.5 - 13.5, -3 * 13.5]
    # "xy" as two unknown characters is looked up again: the same ids.
    assert [ids for ids, _ in tokenizer.nbest_ids("xya", 10)] == [[1, 3]]


def test_dropout_reaches_from_encoding_to_bytes(bpe):
    text = "学而时习之，不亦说乎？ tokenization matters"
    assert bpe.sample_ids(text, seed=5, dropout=0) == bpe.encode_ids(text)
    pieces = [bpe.token_bytes(i) for i in bpe.sample_ids(text, seed=5, dropout=1)]
    assert pieces == [bytes([byte]) for byte in text.encode()]
    lengths = [len(bpe.sample_ids(text, seed=5, dropout=p)) for p in (0, 0.3, 0.6, 0.9, 1)]
    assert lengths == sorted(lengths) and lengths[0] < lengths[2] < lengths[4]


@pytest.mark.parametrize("threads", [1, 2, 4, None])
def test_a_batch_depends_on_the_seed_and_the_texts_only(bpe, threads):
    texts = [f"{i} 学而时习之，不亦说乎？" * (i % 40) for i in range(400)]
    assert sum(len(text.encode()) for text in texts) > 2**17
    ids, bounds = bpe.sample_batch_ids(texts, seed=9, dropout=0.3, threads=threads)
    assert ids.dtype == np.uint32 and bounds.dtype == np.int64
    for i in range(0, 400, 7):
        alone = bpe.sample_ids(texts[i], seed=9, dropout=0.3)
        assert ids[bounds[i] : bounds[i + 1]].tolist() == alone
        assert bpe.decode(alone) == texts[i]
    other, _ = bpe.sample_batch_ids(texts, seed=10, dropout=0.3, threads=threads)
    assert ids.tolist() != other.tolist()


def test_a_text_that_stands_again_is_drawn_anew(bpe):
    text = "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？"
    lists = []
    for batch in ([text] * 6, ["x", text, "y", *[text] * 5]):
        ids, bounds = bpe.sample_batch_ids(batch, seed=2, dropout=0.5)
        parts = [ids[bounds[i] : bounds[i + 1]].tolist() for i in range(len(batch))]
        lists.append([part for part, item in zip(parts, batch, strict=True) if item == text])
    assert lists[0] == lists[1]
    assert lists[0][0] == bpe.sample_ids(text, seed=2, dropout=0.5)
    assert len(set(map(tuple, lists[0]))) == 6


def test_seeds_have_recorded_results(bpe, unigram):
    """The same on every platform and in every version: training can be repeated."""
    dropped = bpe.sample_ids("学而时习之，不亦说乎", seed=3, dropout=0.3)
    assert dropped == [269, 270, 271, 259, 160, 281, 284, 287, 282, 283]
    drawn = unigram.sample_ids("abcabc abcbc", seed=1, alpha=0.5, add_special_tokens=False)
    assert drawn == [6, 1, 2, 3, 8, 5, 2, 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, r"seed: -1, expected an integer from 0 to 2\*\*64 - 1"),
        ({"seed": 2**64}, "seed"),
        ({"seed": 1.5}, "seed: 1.5, expected an integer"),
        ({"seed": True}, "seed"),
        ({"seed": 1, "dropout": 1.5}, "dropout: 1.5, expected a probability from 0 to 1"),
        ({"seed": 1, "dropout": -0.1}, "dropout"),
        ({"seed": 1, "dropout": math.nan}, "dropout"),
        ({"seed": 1, "alpha": 0.5}, "alpha: the model is BPE over bytes .ranks., expected dropout"),
    ],
)
def test_wrong_options_of_a_bpe_model_are_refused(bpe, options, message):
    with pytest.raises(ConfigError, match=message):
        bpe.sample_ids("a", **options)
    with pytest.raises(ConfigError, match=message):
        bpe.sample_batch_ids(["a"], **options)


@pytest.mark.parametrize("alpha", [-0.1, math.inf, math.nan, 1e7])
def test_alpha_has_a_range(unigram, alpha):
    with pytest.raises(ConfigError, match=r"alpha: .*, expected a number from 0 to 1e6"):
        unigram.sample_ids("a", seed=1, alpha=alpha)
    with pytest.raises(
        ConfigError, match="dropout: the model is Unigram, expected alpha or neither"
    ):
        unigram.sample_ids("a", seed=1, dropout=0.1)


def test_the_default_alpha_is_lower_where_every_token_has_a_price(unigram, tmp_path):
    def drawn(tokenizer, **options):
        return [tokenizer.sample_ids("abcabcabc", seed=seed, **options) for seed in range(50)]

    assert drawn(unigram) == drawn(unigram, alpha=0.1)
    vocab = [[piece, score - 49.0] for piece, score in PIECES.items()]
    priced = load(tmp_path, {"type": "Unigram", "unk_id": None, "vocab": vocab})
    assert drawn(priced) == drawn(priced, alpha=1.5 / 50)
    assert drawn(priced) != drawn(priced, alpha=0.1)


def test_models_without_a_choice_are_refused(bert, bpe):
    for call in (lambda: bert.sample_ids("a", seed=1), lambda: bert.sample_batch_ids([], seed=1)):
        with pytest.raises(ConfigError, match="model: WordPiece cuts a word in one way only"):
            call()
    for other in (bert, bpe):
        with pytest.raises(ConfigError, match="expected a Unigram model"):
            other.nbest_ids("a", 1)


def test_the_number_of_segmentations_is_bounded(unigram):
    for n in (0, -1, 1025, 2**40, 1.0, True):
        with pytest.raises(ConfigError, match="n: "):
            unigram.nbest_ids("abc", n)
    with pytest.raises(ConfigError, match="n: 1024 segmentations of a text of 16385 bytes"):
        unigram.nbest_ids("a" * 16385, 1024)
    assert len(unigram.nbest_ids("ab" * 500, 1024)) == 1024


def test_the_empty_text_has_one_segmentation(unigram, bpe):
    assert unigram.nbest_ids("", 5, add_special_tokens=False) == [([], 0.0)]
    assert unigram.sample_ids("", seed=1, add_special_tokens=False) == []
    assert bpe.sample_ids("", seed=1) == bpe.encode_ids("")
    ids, bounds = bpe.sample_batch_ids([], seed=1)
    assert len(ids) == 0 and bounds.tolist() == [0]
