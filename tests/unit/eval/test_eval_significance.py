import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok.errors import ConfigError
from pytok.eval.bootstrap import DocumentSums
from pytok.eval.comparisons import Compared, Comparison, compare_systems, with_holm
from pytok.eval.definitions import METRICS
from pytok.eval.json_text import json_text
from pytok.eval.kept import KeptSums
from pytok.eval.numbers import Resampled
from pytok.eval.significance import Exchanged, holm, p_value
from pytok.eval.tally import TEXT_COLUMNS, WORD_COLUMNS


def exact_p(rows):
    """All exchanges of whole documents, one after the other, in whole numbers."""
    n = len(rows)
    extreme = 0

    def difference(swapped):
        sums = [0, 0, 0, 0]
        for row, swap in zip(rows, swapped, strict=True):
            own = [row[2], row[3], row[0], row[1]] if swap else row
            sums = [total + value for total, value in zip(sums, own, strict=True)]
        return abs(sums[0] * sums[3] - sums[2] * sums[1]) / (sums[1] * sums[3])

    observed = difference([False] * n)
    for swapped in itertools.product([False, True], repeat=n):
        extreme += difference(swapped) >= observed - 1e-9
    return extreme / 2**n


ROWS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 9), st.integers(0, 9), st.integers(1, 9)),
    min_size=1,
    max_size=7,
)


@given(ROWS)
def test_with_few_documents_p_is_that_of_all_exchanges(rows):
    found = Exchanged.of(np.array(rows, dtype=float), rounds=128)
    assert found.exact
    assert p_value(found, (0, 1), (2, 3)) == pytest.approx(exact_p(rows))


def test_random_exchanges_come_near_all_exchanges():
    generator = np.random.default_rng(1)
    rows = generator.integers(1, 30, size=(12, 4)).astype(float)
    wanted = exact_p(rows.astype(int).tolist())
    found = Exchanged.of(rows, rounds=4095, seed=3)
    assert not found.exact
    assert 0.05 < wanted < 0.95
    assert p_value(found, (0, 1), (2, 3)) == pytest.approx(wanted, abs=0.03)


def test_p_is_uniform_where_there_is_no_difference():
    generator = np.random.default_rng(2)
    found = []
    for _ in range(400):
        rows = generator.poisson(20, size=(25, 4)).astype(float)
        found.append(p_value(Exchanged.of(rows, rounds=400), (0, 1), (2, 3)))
    assert 0.02 < np.mean(np.array(found) < 0.05) < 0.09
    assert 0.4 < np.mean(found) < 0.6


def test_alike_systems_have_p_1_and_a_denominator_of_0_is_no_evidence():
    rows = np.array([[1.0, 2.0, 1.0, 2.0]] * 30)
    assert p_value(Exchanged.of(rows, rounds=99), (0, 1), (2, 3)) == 1
    lopsided = np.array([[5.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]] * 4)
    lopsided[:, 1] = [4, 0, 0, 0, 0, 0, 0, 0]
    lopsided[:, 3] = [0, 0, 0, 0, 0, 0, 4, 0]
    assert p_value(Exchanged.of(lopsided), (0, 1), (2, 3)) >= 0.5


def test_the_seed_decides_the_rounds():
    rows = np.arange(40.0).reshape(20, 2)
    one, again = (Exchanged.of(rows, rounds=50, seed=4).moved for _ in range(2))
    other = Exchanged.of(rows, rounds=50, seed=5).moved
    assert (one == again).all()
    assert (one != other).any()
    assert one.mean(axis=0) == pytest.approx(rows.sum(axis=0) / 2, rel=0.1)
    with pytest.raises(ConfigError, match="rounds"):
        Exchanged.of(rows, rounds=0)


def test_holm_gives_the_values_of_r():
    # p.adjust(c(0.01, 0.02, 0.03, 0.005, 0.9), "holm")
    found = holm([0.01, 0.02, 0.03, 0.005, 0.9])
    assert found == pytest.approx([0.04, 0.06, 0.06, 0.025, 0.9])
    assert holm([]) == []


def compared(name, tokens, missing, *, vocabulary=True):
    text, word = DocumentSums(TEXT_COLUMNS), DocumentSums(WORD_COLUMNS)
    n = len(tokens)
    columns = {column: np.zeros(n) for column in TEXT_COLUMNS}
    columns |= {"tokens": np.array(tokens, float), "missing_characters": np.array(missing, float)}
    columns["characters"] = np.full(n, 100.0)
    text.add(columns)
    total = text.total()
    values = {
        "chars_per_token": total["characters"] / total["tokens"],
        "tokens_per_char": total["tokens"] / total["characters"],
        "oov_char": total["missing_characters"] / total["characters"],
        "fertility": None,
    }
    return Compared(name, vocabulary, text, word, values)


def test_the_better_system_is_named_in_either_direction():
    systems = [
        compared("many", [60] * 20, [1] * 20),
        compared("few", [50] * 20, [1] * 20),
        compared("words", [40] * 20, [0] * 20, vocabulary=False),
    ]
    [found] = with_holm([compare_systems(systems, rounds=500, seed=1)])
    by_key = {(c.metric, c.a, c.b): c for c in found}
    assert by_key["chars_per_token", "many", "few"].better == "few"
    assert by_key["tokens_per_char", "many", "few"].better == "few"
    assert by_key["chars_per_token", "few", "words"].better == "words"
    alike = by_key["oov_char", "many", "few"]
    assert (alike.p, alike.better) == (1, "")
    assert ("oov_char", "few", "words") not in by_key
    assert {c.metric for c in found} == {"chars_per_token", "tokens_per_char", "oov_char"}
    assert "20 documents, 500 exchanges, seed 1" in alike.test


def test_the_interval_of_a_difference_is_over_the_same_resamples():
    generator = np.random.default_rng(3)
    tokens = generator.integers(10, 90, size=40)
    pair = [compared("a", tokens + 1, tokens * 0), compared("b", tokens, tokens * 0)]
    options = {"rounds": 300, "seed": 7}
    draws = Resampled([system.text for system in pair], resamples=300, seed=7)
    found = {c.metric: c for c in compare_systems(pair, text_draws=draws, **options)}
    # One token more in every document of 100 characters, whatever is drawn.
    near = found["tokens_per_char"]
    assert (near.low, near.high) == pytest.approx((0.01, 0.01))
    drawn = np.random.default_rng(7).integers(0, 40, size=(300, 40))
    wanted = 4000 / (tokens + 1)[drawn].sum(axis=1) - 4000 / tokens[drawn].sum(axis=1)
    far = found["chars_per_token"]
    assert (far.low, far.high) == pytest.approx(tuple(np.percentile(wanted, [2.5, 97.5])))
    assert far.low < far.a_value - far.b_value < far.high
    without = compare_systems(pair, **options)
    assert {(c.low, c.high) for c in without} == {(None, None)}


def test_many_documents_are_tested_in_groups():
    pair = [compared("many", [60] * 5000, [1] * 5000), compared("few", [50] * 5000, [1] * 5000)]
    [found] = with_holm([compare_systems(pair, rounds=300, seed=1)])
    assert "over 1250 groups of 4 documents, 300 exchanges" in found[0].test
    assert (found[0].p, found[0].better) == (1 / 301, "few")


def test_nothing_is_better_on_so_few_documents():
    for n, test in ((1, "none: fewer"), (3, "3 documents, all 8 exchanges")):
        pair = [compared("many", [90] * n, [9] * n), compared("few", [50] * n, [0] * n)]
        [found] = with_holm([compare_systems(pair, rounds=500, seed=1)])
        assert found
        assert all(c.better == "" and test in c.test for c in found)
    assert compare_systems(pair[:1], rounds=9, seed=1) == ()


def test_holm_is_over_kinds_for_each_pair_and_metric():
    def one(metric, p):
        return Comparison(metric, "a", "b", 2.0, 1.0, None, None, p, p, "", "")

    kinds = [
        (one("oov_char", 0.03), one("chars_per_token", 0.03)),
        (one("oov_char", 0.04),),
        (one("oov_char", None), one("chars_per_token", 0.02)),
    ]
    decided = with_holm(kinds)
    assert [[c.p_holm for c in kind] for kind in decided] == [[0.06, 0.04], [0.06], [None, 0.04]]
    assert [[c.better for c in kind] for kind in decided] == [["", "a"], [""], ["", "a"]]


def test_every_compared_metric_has_its_columns():
    for metric in METRICS.values():
        if metric.denominator and metric.name not in ("megabytes_per_second", "nsl"):
            known = WORD_COLUMNS if metric.on_words else TEXT_COLUMNS
            assert {metric.numerator, metric.denominator} <= set(known)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=70), st.integers(1, 9))
def test_kept_sums_add_up_and_stay_few(values, limit):
    sums = DocumentSums(["tokens", "words"])
    sums.add({"tokens": np.array(values, float), "words": np.zeros(len(values))})
    kept = KeptSums.of(sums, limit=limit)
    tokens = kept.columns.get("tokens", ())
    assert sum(tokens) == sum(values)
    assert len(tokens) <= limit
    assert "words" not in kept.columns
    group = kept.documents_per_row
    for at, total in enumerate(tokens):
        assert total == sum(values[at * group : (at + 1) * group])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_json_text_reads_back(value):
    assert json.loads(json_text(value)) == value


def test_json_text_refuses_what_is_not_json():
    with pytest.raises(ValueError, match="JSON"):
        json_text({"a": [float("nan")]})
