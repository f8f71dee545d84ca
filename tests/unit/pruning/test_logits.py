"""Pruning at the logits: what stays, what it costs, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pytok import ConfigError, VocabError, prune_vocabulary, slice_head


def softmax(logits):
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@st.composite
def batches(draw):
    shape = draw(st.sampled_from([(1, 1), (3, 7), (2, 3, 11), (1, 5, 40)]))
    values = st.floats(-30, 30, width=32)
    return draw(arrays.arrays(np.float32, shape, elements=values))


@given(
    batches(),
    st.integers(1, 12),
    st.floats(0, 3),
    st.sampled_from(["relative", "absolute"]),
    st.sets(st.integers(0, 6), max_size=3),
)
def test_what_stays_is_what_the_definition_says(logits, top_k, threshold, mode, protected):
    size = logits.shape[-1]
    protected = {token_id % size for token_id in protected}
    p = softmax(logits.astype(np.float64)).reshape(-1, size)
    density = p.mean(axis=0)
    over = [i for i in range(size) if density[i] * (size if mode == "relative" else 1) >= threshold]
    ranked = sorted(over, key=lambda i: (-density[i], i))[:top_k]
    expected = sorted({*ranked, *protected, *p.argmax(axis=1).tolist()})
    pruned, kept, report = prune_vocabulary(
        logits, top_k, threshold, mode=mode, protected=protected
    )
    assert kept.dtype == np.int64
    assert kept.tolist() == expected
    assert pruned.dtype == logits.dtype
    assert np.array_equal(pruned, logits[..., expected])
    assert (
        report.kept
        == len(expected)
        == report.of_top_k + (report.added_protected + report.added_argmax + report.added_min_mass)
    )
    mass = p[:, expected].sum(axis=1).clip(max=1)
    assert report.mass_min == pytest.approx(mass.min(), rel=1e-12)
    assert report.mass_mean == pytest.approx(mass.mean(), rel=1e-12)
    assert report.exceeds_top_k == (len(expected) > top_k)


@given(batches(), st.integers(1, 12))
def test_the_cost_is_the_divergence_of_the_rescaled_distribution(logits, top_k):
    pruned, kept, report = prune_vocabulary(logits, top_k)
    full = softmax(logits.astype(np.float64)).reshape(-1, logits.shape[-1])[:, kept]
    rescaled = softmax(pruned.astype(np.float64)).reshape(-1, len(kept))
    divergence = (rescaled * (np.log(rescaled) - np.log(full))).sum(axis=1).mean()
    assert report.kl == pytest.approx(divergence, abs=1e-9)


@given(batches(), st.floats(0.01, 1))
def test_every_position_keeps_the_mass_asked_for_with_no_id_to_spare(logits, min_mass):
    _, without, _ = prune_vocabulary(logits, 1, 3.0)
    _, kept, report = prune_vocabulary(logits, 1, 3.0, min_mass=min_mass)
    assert report.mass_min >= min_mass - 1e-9
    added = sorted(set(kept.tolist()) - set(without.tolist()))
    assert report.added_min_mass == len(added)
    if added:
        p = softmax(logits.astype(np.float64)).reshape(-1, logits.shape[-1])
        density = p.mean(axis=0)
        last = max(added, key=lambda i: (-density[i], i))
        fewer = [i for i in kept.tolist() if i != last]
        assert p[:, fewer].sum(axis=1).min() < min_mass + 1e-9


def test_an_absolute_threshold_keeps_at_most_its_inverse():
    logits = np.random.default_rng(1).normal(size=(4, 8, 5000)).astype(np.float32)
    _, kept, report = prune_vocabulary(logits, mode="absolute")
    assert report.over_threshold <= 50
    assert len(kept) == report.of_top_k + report.added_argmax


@pytest.mark.parametrize(
    ("mode", "threshold", "expected"),
    [
        ("relative", 1.0, [0, 1]),
        ("relative", 0.7, [0, 1, 2]),
        ("relative", 0.3, [0, 1, 2, 3]),
        ("absolute", 0.35, [0]),
        ("absolute", 0.15, [0, 1, 2]),
    ],
)
def test_the_threshold_is_on_the_density(mode, threshold, expected):
    logits = np.log([[0.4, 0.3, 0.2, 0.1]])
    _, kept, report = prune_vocabulary(logits, density_threshold=threshold, mode=mode)
    assert kept.tolist() == expected
    assert report.over_threshold == len(expected)


def test_a_mask_keeps_the_shape():
    logits = np.array([[3.0, 2.0, 1.0, 0.0]], np.float32)
    masked, kept, _ = prune_vocabulary(logits, 2, mask=True)
    assert kept.tolist() == [0, 1]
    assert masked.dtype == np.float32
    assert masked.tolist() == [[3.0, 2.0, -np.inf, -np.inf]]


def test_minus_infinity_is_probability_zero():
    _, kept, report = prune_vocabulary(np.array([[0.0, -np.inf, -np.inf]]), density_threshold=0.1)
    assert kept.tolist() == [0]
    assert report.kl == 0.0


def test_half_precision_is_summed_in_double():
    logits = np.random.default_rng(2).normal(size=(300, 50)).astype(np.float16)
    _, _, report = prune_vocabulary(logits, 10)
    _, _, exact = prune_vocabulary(logits.astype(np.float64), 10)
    assert report == exact


def test_blocks_do_not_change_the_result(monkeypatch):
    logits = np.random.default_rng(3).normal(size=(64, 100))
    whole = prune_vocabulary(logits, 20, min_mass=0.5)
    monkeypatch.setattr("pytok.pruning.logits._CELLS", 300)
    parts = prune_vocabulary(logits, 20, min_mass=0.5)
    assert whole[1].tolist() == parts[1].tolist()
    assert whole[2].kl == pytest.approx(parts[2].kl, rel=1e-12)


@pytest.mark.parametrize(
    ("logits", "message"),
    [
        (np.zeros(3), r"shape \(3,\)"),
        (np.zeros((1, 1, 1, 3)), "shape"),
        (np.zeros((0, 3)), "none of them 0"),
        (np.zeros((2, 3), np.int32), "int32"),
        ([[1.0, 2.0]], "list"),
        (np.array([[0.0, 1.0], [0.0, np.nan]]), "position 1 .* NaN"),
        (np.array([[0.0, np.inf]]), "position 0 .* plus infinity"),
        (np.array([[-np.inf, -np.inf]]), "position 0 .* nothing but minus infinity"),
    ],
)
def test_logits_that_are_no_distribution_are_refused(logits, message):
    with pytest.raises(VocabError, match=message):
        prune_vocabulary(logits)


@pytest.mark.parametrize(
    "options",
    [
        {"top_k": 0},
        {"top_k": 1.5},
        {"top_k": True},
        {"density_threshold": -1},
        {"density_threshold": float("nan")},
        {"mode": "both"},
        {"min_mass": 1.1},
    ],
)
def test_options_out_of_range_are_refused_by_name(options):
    with pytest.raises(ConfigError, match=next(iter(options))):
        prune_vocabulary(np.zeros((1, 3)), **options)


@pytest.mark.parametrize("protected", [[3], [-1], ["x"], 7])
def test_protected_ids_must_exist(protected):
    with pytest.raises(VocabError, match="protected"):
        prune_vocabulary(np.zeros((1, 3)), protected=protected)


def test_a_head_is_sliced_bit_for_bit():
    weight = np.random.default_rng(4).normal(size=(10, 3)).astype(np.float32)
    bias = np.arange(10.0)
    rows, biases = slice_head(weight, [7, 0, 3], bias)
    assert rows.tobytes() == weight[[7, 0, 3]].tobytes()
    assert biases.tolist() == [7, 0, 3]
    hidden = np.ones((2, 3), np.float32)
    assert np.array_equal((hidden @ rows.T), (hidden @ weight.T)[:, [7, 0, 3]])


@pytest.mark.parametrize(
    ("weight", "ids", "bias", "message"),
    [
        (np.zeros(3), [0], None, "shape"),
        ([[1.0]], [0], None, "list"),
        (np.zeros((3, 2)), [3], None, "id 3"),
        (np.zeros((3, 2)), [-1], None, "id -1"),
        (np.zeros((3, 2)), [1, 1], None, "twice"),
        (np.zeros((3, 2)), [0.5], None, "whole numbers"),
        (np.zeros((3, 2)), [0], np.zeros(2), "bias"),
    ],
)
def test_heads_that_do_not_fit_are_refused(weight, ids, bias, message):
    with pytest.raises(VocabError, match=message):
        slice_head(weight, ids, bias)


def test_torch_tensors_give_what_arrays_give():
    torch = pytest.importorskip("torch")
    logits = np.random.default_rng(5).normal(size=(2, 7, 300)).astype(np.float32)
    pruned, kept, report = prune_vocabulary(logits, 40, 0.5, protected=[299], min_mass=0.6)
    torch_pruned, torch_kept, torch_report = prune_vocabulary(
        torch.from_numpy(logits), 40, 0.5, protected=torch.tensor([299]), min_mass=0.6
    )
    assert torch_kept.dtype == torch.int64
    assert torch_kept.tolist() == kept.tolist()
    assert np.array_equal(torch_pruned.numpy(), pruned)
    assert torch_report.kl == pytest.approx(report.kl, rel=1e-12)
    head = torch.randn(300, 4)
    assert torch.equal(slice_head(head, torch_kept), head[torch_kept])
