"""A draft vocabulary, and the rule that keeps the target's distribution."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok import ConfigError, VocabError
from pytok.pruning import DraftVocabulary, accept_draft, slice_head

SIZE = 12


def softmax(scores):
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def outcome_of_the_rule(drafter, target):
    """Distribution of what comes out, by summing over every draft and every chance."""
    accepted = np.minimum(drafter, target)
    rest = np.maximum(target - drafter, 0)
    rejected = 1 - accepted.sum()
    return accepted + (rejected * rest / rest.sum() if rest.sum() else 0)


@given(st.integers(0, 2**32 - 1), st.integers(1, SIZE))
def test_the_target_distribution_is_unchanged_for_any_drafter(seed, size):
    rng = np.random.default_rng(seed)
    target = softmax(rng.normal(size=SIZE) * 2)
    draft = DraftVocabulary.of_counts(rng.integers(0, 9, SIZE), size)
    drafter = draft.probabilities(rng.normal(size=size))
    assert outcome_of_the_rule(drafter, target) == pytest.approx(target, abs=1e-12)


def test_drawn_tokens_follow_the_target():
    rng = np.random.default_rng(6)
    hidden, head = rng.normal(size=4), rng.normal(size=(SIZE, 4))
    target = softmax(head @ hidden)
    draft = DraftVocabulary.of_counts(rng.integers(1, 9, SIZE), 5)
    drafter = draft.probabilities(slice_head(head, draft.ids) @ hidden)
    rounds = 40_000
    drawn = np.zeros(SIZE)
    accepted = 0
    for _ in range(rounds):
        token, kept = accept_draft(int(rng.choice(SIZE, p=drafter)), drafter, target, rng)
        drawn[token] += 1
        accepted += kept
    # Pearson's statistic with 11 degrees of freedom: above 31.3 once in a thousand.
    assert ((drawn - rounds * target) ** 2 / (rounds * target)).sum() < 31.3
    assert accepted / rounds == pytest.approx(np.minimum(drafter, target).sum(), abs=0.01)


def test_ids_outside_the_draft_come_in_by_the_correction():
    rng = np.random.default_rng(7)
    assert accept_draft(0, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], rng) == (2, False)


def test_frequent_ids_are_taken_and_equals_by_id():
    draft = DraftVocabulary.of_counts([4, 1, 4, 0, 1], 3)
    assert draft.ids.tolist() == [0, 1, 2]
    assert draft.coverage == 0.9


def test_protected_ids_count():
    assert DraftVocabulary.of_counts([4, 1, 4, 0], 2, protected=[3]).ids.tolist() == [0, 3]


@pytest.mark.parametrize("size", [0, 5])
def test_sizes_out_of_range_are_refused(size):
    with pytest.raises(ConfigError, match=f"size: {size}"):
        DraftVocabulary.of_counts([1, 2, 3, 4], size)
    with pytest.raises(ConfigError, match="size: 1"):
        DraftVocabulary.of_counts([1, 2, 3, 4], 1, protected=[0, 1])


@pytest.mark.parametrize("counts", [[], [[1]], [-1, 2], [float("nan")]])
def test_counts_must_be_counts(counts):
    with pytest.raises(VocabError, match="counts"):
        DraftVocabulary.of_counts(counts, 1)


def test_a_draft_without_probability_is_refused():
    with pytest.raises(VocabError, match="id 1"):
        accept_draft(1, [1.0, 0.0], [0.5, 0.5], np.random.default_rng(0))
    with pytest.raises(VocabError, match="shapes"):
        accept_draft(0, [1.0], [0.5, 0.5], np.random.default_rng(0))
