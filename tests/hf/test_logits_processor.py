"""Masked logits as transformers takes them, with NumPy; with torch in test_surgery_torch.py."""

import numpy as np
import pytest

transformers = pytest.importorskip("transformers")

from pytok import ConfigError, prune_vocabulary  # noqa: E402
from pytok.hf import PruneLogitsProcessor  # noqa: E402


def test_ids_that_are_not_kept_get_minus_infinity():
    scores = np.random.default_rng(0).normal(size=(3, 50)) * 4
    processor = PruneLogitsProcessor(top_k=5, protected=iter([7]), min_mass=0.5)
    assert processor.report is None
    for _ in range(2):  # the protected ids are not used up
        masked = processor(None, scores)
        _, kept, report = prune_vocabulary(scores, 5, protected=[7], min_mass=0.5)
        assert 7 in kept
        assert np.flatnonzero(np.isfinite(masked).all(axis=0)).tolist() == kept.tolist()
        assert (masked[:, kept] == scores[:, kept]).all()
        assert (masked.argmax(axis=1) == scores.argmax(axis=1)).all()
        assert processor.report == report


def test_options_out_of_range_are_named():
    with pytest.raises(ConfigError, match="top_k"):
        PruneLogitsProcessor(top_k=0)(None, np.zeros((1, 3)))
