import numpy as np
import pytest

from pytok.errors import ConfigError
from pytok.eval.bootstrap import DocumentSums, interval, resampled_sums


def naive_resampled_sums(rows, resamples, seed):
    generator = np.random.default_rng(seed)
    sums = []
    for _ in range(resamples):
        drawn = generator.integers(0, len(rows), size=len(rows), dtype=np.int64)
        sums.append(rows[drawn].sum(axis=0))
    return np.array(sums)


def test_resampled_sums_are_those_of_drawing_documents_one_by_one():
    rows = np.random.default_rng(1).integers(0, 100, size=(7, 3)).astype(float)
    np.testing.assert_allclose(
        resampled_sums(rows, resamples=50, seed=9), naive_resampled_sums(rows, 50, 9)
    )


def test_the_size_of_a_step_does_not_change_the_result(monkeypatch):
    rows = np.random.default_rng(1).random((11, 2))
    whole = resampled_sums(rows, resamples=40, seed=3)
    monkeypatch.setattr("pytok.eval.bootstrap._CELLS", 25)
    np.testing.assert_allclose(resampled_sums(rows, resamples=40, seed=3), whole)


def test_the_interval_covers_the_true_mean_about_95_times_in_100():
    generator = np.random.default_rng(7)
    covered = 0
    for trial in range(200):
        values = generator.normal(5, 1, size=60)
        rows = np.stack((values, np.ones(60)), axis=1)
        drawn = resampled_sums(rows, resamples=400, seed=trial)
        low, high = interval(drawn[:, 0], drawn[:, 1])
        covered += low <= 5 <= high
    assert 0.89 <= covered / 200 <= 0.99


def test_no_interval_without_a_denominator():
    assert interval(np.array([1.0, 2.0]), np.zeros(2)) is None
    assert interval(np.array([1.0, 9.0]), np.array([2.0, 0.0])) == (0.5, 0.5)


@pytest.mark.parametrize("blocks", [[3, 1, 9, 1], [14], [1] * 14])
def test_rows_are_merged_alike_however_documents_arrive(blocks):
    values = np.arange(14.0)
    sums = DocumentSums(["x"], limit=4)
    at = 0
    for size in blocks:
        sums.add({"x": values[at : at + size]})
        at += size
    assert (sums.documents, sums.documents_per_row) == (14, 4)
    assert sums.rows.ravel().tolist() == [6, 22, 38, 25]
    assert sums.total() == {"x": 91}


def test_bad_options_are_refused():
    with pytest.raises(ConfigError, match="resamples"):
        resampled_sums(np.ones((2, 1)), resamples=0)
    with pytest.raises(ConfigError, match="limit"):
        DocumentSums(["x"], limit=3)
