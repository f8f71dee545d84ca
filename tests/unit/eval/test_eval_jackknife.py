"""Intervals by leaving out groups, against the plain metrics on what is left."""

import numpy as np
import pytest
from fake_tokenizer import FakeTokenizer
from hypothesis import given
from hypothesis import strategies as st

from pytok.eval import EvalConfig, TokenizerSystem, evaluate
from pytok.eval.consistency import entropy_of_patterns
from pytok.eval.distribution import renyi_efficiency, utilisation
from pytok.eval.group_counts import GroupCounts
from pytok.eval.jackknife import (
    consistency_without,
    distribution_without,
    jackknife_interval,
    types_without,
)

VOCAB = 12
DOCUMENTS = st.lists(
    st.lists(st.tuples(st.integers(0, VOCAB - 1), st.booleans()), min_size=1, max_size=9),
    min_size=2,
    max_size=9,
)


def counted(documents, step, **options):
    """Count documents in batches of `step`."""
    counts = GroupCounts(**options)
    for start in range(0, len(documents), step):
        part = documents[start : start + step]
        owners = np.repeat(np.arange(len(part)), list(map(len, part)))
        keys = np.array([key for document in part for key, _ in document])
        marked = np.array([float(flag) for document in part for _, flag in document])
        counts.add(len(part), owners, keys, marked)
    return counts


def left(documents, size):
    """What is left without each group of `size` documents."""
    for start in range(0, len(documents), size):
        rest = documents[:start] + documents[start + size :]
        yield [item for document in rest for item in document]


@given(DOCUMENTS, st.integers(1, 4), st.sampled_from([2, 3, 256]))
def test_values_without_a_group_are_those_of_the_rest(documents, step, limit):
    counts = counted(documents, step, limit=limit)
    found = counts.entries()
    assert found.n_groups == -(-len(documents) // counts.documents_per_group) <= max(limit, 2)
    rests = list(left(documents, counts.documents_per_group))
    assert len(rests) == found.n_groups
    ids = distribution_without(found, VOCAB)
    types = types_without(found)
    for at, rest in enumerate(rests):
        if not rest:
            assert np.isnan(types[at])
            continue
        numbers = np.bincount([key for key, _ in rest], minlength=VOCAB)
        marked = np.bincount([key for key, flag in rest if flag], minlength=VOCAB)
        used = utilisation(numbers, VOCAB)
        assert ids["renyi_efficiency"][at] == pytest.approx(renyi_efficiency(numbers, VOCAB))
        assert (ids["ids_used"][at], ids["rare_ids"][at]) == (used.used, used.rare)
        seen = numbers > 0
        assert types[at] == pytest.approx((marked[seen] / numbers[seen]).mean())


@given(DOCUMENTS)
def test_consistency_without_a_group_is_that_of_the_rest(documents):
    types = counted(documents, 3).entries()
    pairs = [[(2 * key + flag, False) for key, flag in document] for document in documents]
    found = consistency_without(types, counted(pairs, 3).entries())
    for at, rest in enumerate(left(documents, 1)):
        counts = {pair: rest.count(pair) for pair in rest}
        assert found[at] == pytest.approx(entropy_of_patterns(counts).entropy, abs=1e-9)


def test_memory_is_bounded():
    counts = GroupCounts(most=1 << 16)
    generator = np.random.default_rng(1)
    for _ in range(40):
        owners = np.sort(generator.integers(0, 5, 20_000))
        counts.add(5, owners, generator.integers(0, 1 << 20, 20_000))
    found = counts.entries()
    assert found.counts.sum() == 800_000
    assert len(found.counts) < 4 << 16 or found.n_groups == 1
    assert counts.documents_per_group > 1


def test_the_interval_of_a_mean_is_that_of_student():
    values = np.arange(40.0)
    without = (values.sum() - values) / 39
    low, high = jackknife_interval(values.mean(), without, lowest=-99.0)
    reach = 2.0226909 * values.std(ddof=1) / np.sqrt(40)
    assert (low, high) == pytest.approx((19.5 - reach, 19.5 + reach), rel=1e-4)
    assert jackknife_interval(1.0, np.ones(1)) is None
    assert jackknife_interval(0.1, np.array([0.0, 1.0]))[0] == 0.0


def test_it_covers_the_truth():
    generator = np.random.default_rng(3)
    share = np.arange(1, 40.0)
    share /= share.sum()
    truth = np.log2((share**2.5).sum()) / -1.5 / np.log2(64)
    hits = 0
    for _ in range(200):
        documents = generator.choice(39, size=(40, 500), p=share)
        counts = GroupCounts()
        counts.add(40, np.repeat(np.arange(40), 500), documents.ravel())
        value = renyi_efficiency(np.bincount(documents.ravel()), 64)
        without = distribution_without(counts.entries(), 64)["renyi_efficiency"]
        low, high = jackknife_interval(value, without)
        hits += low <= truth <= high
    assert 180 <= hits <= 200


@pytest.mark.parametrize(("documents", "narrow"), [(40, False), (12, True), (1, None)])
def test_a_report_has_these_intervals_and_says_how(tmp_path, documents, narrow):
    generator = np.random.default_rng(5)
    text = ["".join(generator.choice(list("北京天气很好"), 20)) + "。" for _ in range(documents)]
    (tmp_path / "a.txt").write_text("\n\n".join(text), encoding="utf-8")
    system = TokenizerSystem(FakeTokenizer(["北京", "天气", "天", "好北"]))
    report = evaluate(tmp_path, [system], config=EvalConfig(resamples=100))
    jieba, fake = report.kinds[0].systems
    for name in (
        "renyi_efficiency",
        "ids_used",
        "rare_ids",
        "oov_word_type",
        "consistency_entropy",
    ):
        number = fake.numbers[name]
        if narrow is None:
            assert (number.low, number.interval) == (None, "none: fewer than two documents")
            continue
        assert 0 <= number.low <= number.value <= number.high
        assert number.interval.startswith(
            f"95 %, delete-a-group jackknife over {documents} documents"
        )
        assert ("too narrow" in number.interval) is narrow
    assert jieba.numbers["renyi_efficiency"].interval == "none: a word segmenter has no ids"
    bootstrap = fake.numbers["chars_per_token"].interval
    assert ("too narrow" in bootstrap) is bool(narrow)
