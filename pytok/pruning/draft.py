"""A draft head over the frequent ids, for speculative decoding.

A small model drafts tokens, a large one checks them all in one pass. The
drafter's output matrix is its dearest part, and most of its rows are never
drafted, so it is sliced to the ids that are frequent in a corpus (Zhao et al.
2025, FR-Spec). The acceptance rule of Leviathan et al. (2023) makes what comes
out follow the large model's distribution exactly, whatever the drafter
proposes: ids outside the draft vocabulary come in by the correction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytok.errors import ConfigError, VocabError

__all__ = ["DraftVocabulary", "accept_draft"]


@dataclass(frozen=True)
class DraftVocabulary:
    """The ids that a drafter may propose.

    Parameters
    ----------
    ids
        Ids, ascending, int64, shape (n,).
    vocab_size
        Size of the full vocabulary.
    coverage
        Share of the counted tokens that are among the ids (0..1).

    """

    ids: npt.NDArray[np.int64]
    vocab_size: int
    coverage: float

    @classmethod
    def of_counts(
        cls, counts: npt.ArrayLike, size: int, *, protected: Iterable[int] = ()
    ) -> DraftVocabulary:
        """Take the most frequent ids, and the protected ones.

        Parameters
        ----------
        counts
            Occurrences of each id, not negative, shape (V,); for instance
            ``numpy.bincount(ids, minlength=V)`` over a corpus.
        size
            Number of ids, from 1 to V; protected ones count.
        protected
            Ids that are always in, such as the end of a text.

        Raises
        ------
        ConfigError
            If `size` is out of range or below the number of protected ids.
        VocabError
            If the counts have another shape or hold a negative number, or a
            protected id is not below V.

        Examples
        --------
        >>> DraftVocabulary.of_counts([5, 0, 9, 1], 2).ids.tolist()
        [0, 2]
        >>> DraftVocabulary.of_counts([5, 0, 9, 1], 2, protected=[1]).ids.tolist()
        [1, 2]

        """
        seen = np.asarray(counts, dtype=np.float64)
        if seen.ndim != 1 or not len(seen) or not (np.isfinite(seen) & (seen >= 0)).all():
            raise VocabError(
                f"counts: shape {seen.shape}, expected one count per id, none negative"
            )
        always = sorted({int(token_id) for token_id in protected})
        if always and not 0 <= always[0] <= always[-1] < len(seen):
            raise VocabError(f"protected: {always}, expected ids from 0 to {len(seen) - 1}")
        if not max(1, len(always)) <= size <= len(seen):
            raise ConfigError(
                f"size: {size}, expected from {max(1, len(always))} to {len(seen)}",
                hint="it counts the protected ids, and cannot exceed the number of counts",
            )
        # Protected ids come before every count; of equals the smaller id.
        ranked = np.where(np.isin(np.arange(len(seen)), always), np.inf, seen)
        ids = np.sort(np.argsort(-ranked, kind="stable")[:size]).astype(np.int64)
        total = seen.sum()
        return cls(ids, len(seen), float(seen[ids].sum() / total) if total else 0.0)

    def probabilities(self, logits: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Softmax over the draft ids, laid out over the full vocabulary.

        Parameters
        ----------
        logits
            Output of the sliced head, shape (..., n).

        Returns
        -------
        probabilities
            Shape (..., V), 0 outside the draft ids.

        Examples
        --------
        >>> draft = DraftVocabulary.of_counts([5, 0, 9, 1], 2)
        >>> draft.probabilities([0.0, 0.0]).tolist()
        [0.5, 0.0, 0.5, 0.0]

        """
        scores = np.asarray(logits, dtype=np.float64)
        if scores.shape[-1:] != self.ids.shape:
            raise VocabError(f"logits: shape {scores.shape}, expected (..., {len(self.ids)})")
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        full = np.zeros((*scores.shape[:-1], self.vocab_size))
        full[..., self.ids] = powers / powers.sum(axis=-1, keepdims=True)
        return full


def accept_draft(
    drafted: int,
    draft_probabilities: npt.ArrayLike,
    target_probabilities: npt.ArrayLike,
    generator: np.random.Generator,
) -> tuple[int, bool]:
    """Accept a drafted token or replace it, so that the target's distribution holds.

    Keeps the token t with probability min(1, q(t) / p(t)), p being the
    drafter's distribution and q the target's; else draws from
    max(0, q - p), rescaled. The result follows q (Leviathan et al. 2023).

    Parameters
    ----------
    drafted
        Id that was drawn from the drafter's distribution.
    draft_probabilities, target_probabilities
        Distributions over the full vocabulary, shape (V,).
    generator
        Where chance comes from.

    Returns
    -------
    token, accepted
        The id to put out, and whether it is the drafted one by acceptance.

    Raises
    ------
    VocabError
        If the shapes differ, or the drafter gives the drafted id no chance.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> accept_draft(1, [0.5, 0.5], [0.5, 0.5], rng)
    (1, True)
    >>> accept_draft(0, [1.0, 0.0], [0.0, 1.0], rng)
    (1, False)

    """
    drafter = np.asarray(draft_probabilities, dtype=np.float64)
    target = np.asarray(target_probabilities, dtype=np.float64)
    if drafter.ndim != 1 or drafter.shape != target.shape:
        raise VocabError(f"probabilities: shapes {drafter.shape} and {target.shape}, expected (V,)")
    if not 0 <= drafted < len(drafter) or drafter[drafted] <= 0:
        raise VocabError(f"drafted: id {drafted}, which the drafter gives no probability")
    if generator.random() * drafter[drafted] < target[drafted]:
        return drafted, True
    rest = np.maximum(target - drafter, 0.0)
    # Rejection with nothing left is rounding alone: the distributions are equal.
    if not rest.any():
        return drafted, True
    sums = np.cumsum(rest)
    return int(np.searchsorted(sums, generator.random() * sums[-1], side="right")), False
