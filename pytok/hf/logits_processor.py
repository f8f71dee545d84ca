"""Pruning at the logits while transformers generates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import transformers

from pytok.pruning import LogitsReport, prune_vocabulary

__all__ = ["PruneLogitsProcessor"]

# Without torch the class of transformers only raises; nothing of it is needed but its kind.
_Base: Any = transformers.LogitsProcessor if transformers.utils.is_torch_available() else object


class PruneLogitsProcessor(_Base):
    """Generate with the ids that carry probability.

    At every step the ids that `pytok.prune_vocabulary` does not keep for the
    batch get minus infinity. Each sequence keeps its best id, so greedy
    decoding is unchanged.

    Parameters
    ----------
    top_k, density_threshold, mode, protected, min_mass
        As in `pytok.prune_vocabulary`. Protect the ids that end a text, or a
        sampled text may go on without end.

    Attributes
    ----------
    report
        What the last step kept; None before the first.

    Raises
    ------
    ConfigError, VocabError
        As in `pytok.prune_vocabulary`, at the first step.

    Examples
    --------
    >>> import numpy as np
    >>> processor = PruneLogitsProcessor(top_k=1, protected=[3])
    >>> processor(None, np.log([[0.6, 0.3, 0.06, 0.04]])).round(2).tolist()
    [[-0.51, -inf, -inf, -3.22]]
    >>> processor.report.kept
    2

    """

    def __init__(
        self,
        top_k: int = 15_000,
        density_threshold: float = 0.02,
        *,
        mode: Literal["relative", "absolute"] = "relative",
        protected: Iterable[int] | None = None,
        min_mass: float = 0.0,
    ) -> None:
        self.top_k = top_k
        self.density_threshold = density_threshold
        self.mode: Literal["relative", "absolute"] = mode
        self.protected = None if protected is None else tuple(protected)
        self.min_mass = min_mass
        self.report: LogitsReport | None = None

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Mask the logits of one step, shape (batch, V); the ids so far are not used."""
        pruned, _, self.report = prune_vocabulary(
            scores,
            self.top_k,
            self.density_threshold,
            mode=self.mode,
            protected=self.protected,
            min_mass=self.min_mass,
            mask=True,
        )
        return pruned
