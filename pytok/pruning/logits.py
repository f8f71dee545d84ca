"""Prune a vocabulary at the logits: keep the ids that carry probability.

The softmax of every position is averaged to one density over the vocabulary.
Ids stay that pass a threshold on it, at most `top_k` of them, and then those
that must stay whatever their density: protected ids, the best id of each
position, and as many more as `min_mass` asks for. Restricting a distribution
p to a set of mass m and rescaling it moves it by exactly KL = -ln m, so the
report states what the pruning costs.

NumPy arrays and torch tensors, on any device, go through the same code by
the array API standard (2024.12); what comes back lives where the logits do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast

import array_api_compat as array_api

from pytok.errors import ConfigError, VocabError

__all__ = ["LogitsReport", "prune_vocabulary"]

_MODES = ("relative", "absolute")
# Probabilities held at a time: 32 MiB of doubles.
_CELLS = 1 << 22


@dataclass(frozen=True)
class LogitsReport:
    """What `prune_vocabulary` kept, why, and what it costs.

    Parameters
    ----------
    mode
        ``"relative"`` or ``"absolute"``.
    vocab_size, positions
        Size of the logits: ids, and positions over which densities are averaged.
    kept
        Ids kept.
    over_threshold
        Ids whose mean probability passes the threshold.
    of_top_k
        Those of them that `top_k` let through.
    added_protected, added_argmax, added_min_mass
        Ids that stay for these reasons alone, counted in this order.
    exceeds_top_k
        Whether the additions made more than `top_k` ids.
    mass_min, mass_mean
        Probability of the kept ids: at the worst position, and on average (0..1).
    kl
        Mean over positions of -ln(kept mass), in nats: the divergence of the
        rescaled distribution from the full one.

    """

    mode: str
    vocab_size: int
    positions: int
    kept: int
    over_threshold: int
    of_top_k: int
    added_protected: int
    added_argmax: int
    added_min_mass: int
    exceeds_top_k: bool
    mass_min: float
    mass_mean: float
    kl: float


def prune_vocabulary(
    logits: Any,
    top_k: int = 15_000,
    density_threshold: float = 0.02,
    *,
    mode: Literal["relative", "absolute"] = "relative",
    protected: Iterable[int] | None = None,
    min_mass: float = 0.0,
    mask: bool = False,
) -> tuple[Any, Any, LogitsReport]:
    """Keep the ids of a batch of logits that carry probability.

    Parameters
    ----------
    logits
        NumPy array or torch tensor of floats, shape (positions, V) or (batch,
        positions, V). Minus infinity is probability 0.
    top_k
        Most ids that the threshold may keep, at least 1, default 15,000.
        Protected ids, the best id of each position and `min_mass` may add to it.
    density_threshold
        Least density, not negative, default 0.02.
    mode
        ``"relative"``: keep ids with p V >= `density_threshold`, p being the
        mean probability, so 1 is what a uniform distribution gives to each.
        ``"absolute"``: keep ids with p >= `density_threshold`. As the p add up
        to 1, no more than 1 / `density_threshold` ids can: 50 for 0.02,
        however large the vocabulary.
    protected
        Ids that always stay, such as special tokens; None for none.
    min_mass
        Least probability (0..1) that the kept ids have together at every
        position, reached by adding ids from the densest on; default 0, off.
    mask
        Keep the shape and put minus infinity where an id is not kept, as a
        logits processor needs it; default: leave those columns out.

    Returns
    -------
    logits
        Shape (..., number of kept ids), or that of the input with `mask`.
    kept_ids
        Ids kept, ascending, int64; column i of the logits is `kept_ids[i]`.
    report
        How many stay for which reason, kept mass and divergence.

    Raises
    ------
    ConfigError
        If an option is out of range.
    VocabError
        If the logits have another shape or type, hold NaN or plus infinity, or
        nothing but minus infinity at some position, or a protected id is not
        below V.

    Examples
    --------
    >>> import numpy as np
    >>> logits = np.log([[0.6, 0.3, 0.06, 0.04], [0.5, 0.1, 0.36, 0.04]])
    >>> pruned, kept, report = prune_vocabulary(logits, top_k=2, protected=[3])
    >>> kept.tolist(), pruned.shape
    ([0, 2, 3], (2, 3))
    >>> round(report.mass_min, 6), report.exceeds_top_k
    (0.7, True)
    >>> round(report.kl, 4)  # the mean of -ln 0.7 and -ln 0.9
    0.231

    """
    _check_options(top_k, density_threshold, mode, min_mass)
    xp = _namespace(logits)
    rows = _Rows(xp, logits)
    keeps_always = _protected_ids(protected, rows.vocab_size)
    density, best = rows.density()
    scaled = density * rows.vocab_size if mode == "relative" else density
    # A stable descending order: of equal densities the smaller id comes first.
    order = xp.argsort(-density, stable=True)
    over = int(xp.count_nonzero(scaled >= density_threshold))
    kept = xp.zeros(rows.vocab_size, dtype=xp.bool, device=rows.device)
    # The densest ids are those over the threshold: it falls along the order.
    kept = rows.with_ids(kept, order[: min(over, top_k)])
    counts = [min(over, top_k)]
    for more in (rows.ids(keeps_always), best):
        kept = rows.with_ids(kept, more)
        counts.append(int(xp.count_nonzero(kept)))
    if min_mass > 0:
        kept = rows.with_mass(kept, order, min_mass)
    kept_ids = xp.astype(xp.nonzero(kept)[0], xp.int64)
    total = int(kept_ids.shape[0])
    masses = rows.masses(kept_ids)
    report = LogitsReport(
        mode=mode,
        vocab_size=rows.vocab_size,
        positions=rows.positions,
        kept=total,
        over_threshold=over,
        of_top_k=counts[0],
        added_protected=counts[1] - counts[0],
        added_argmax=counts[2] - counts[1],
        added_min_mass=total - counts[2],
        exceeds_top_k=total > top_k,
        mass_min=float(xp.min(masses)),
        mass_mean=float(xp.mean(masses)),
        kl=float(xp.mean(-xp.log(masses))),
    )
    if mask:
        nothing = xp.asarray(-math.inf, dtype=logits.dtype, device=rows.device)
        return xp.where(kept, logits, nothing), kept_ids, report
    return xp.take(logits, kept_ids, axis=-1), kept_ids, report


def _check_options(top_k: object, threshold: object, mode: object, min_mass: object) -> None:
    if not isinstance(top_k, int) or isinstance(top_k, bool) or top_k < 1:
        raise ConfigError(f"top_k: {top_k!r}, expected a whole number of at least 1")
    if not isinstance(threshold, (int, float)) or not 0 <= threshold < math.inf:
        raise ConfigError(f"density_threshold: {threshold!r}, expected a number of at least 0")
    if mode not in _MODES:
        raise ConfigError(f"mode: {mode!r}, expected one of {', '.join(map(repr, _MODES))}")
    if not isinstance(min_mass, (int, float)) or not 0 <= min_mass <= 1:
        raise ConfigError(f"min_mass: {min_mass!r}, expected a number from 0 to 1")


def _namespace(logits: Any) -> Any:
    try:
        xp = array_api.array_namespace(logits)
    except TypeError as error:
        raise VocabError(
            f"logits: {type(logits).__name__}, expected a NumPy array or a torch tensor"
        ) from error
    if not xp.isdtype(logits.dtype, "real floating"):
        raise VocabError(f"logits: elements of type {logits.dtype}, expected real floats")
    if logits.ndim not in (2, 3) or 0 in logits.shape:
        raise VocabError(
            f"logits: shape {tuple(logits.shape)}, expected (positions, V) or "
            "(batch, positions, V), none of them 0"
        )
    return xp


def _protected_ids(protected: Iterable[int] | None, vocab_size: int) -> list[int]:
    try:
        ids = sorted({int(token_id) for token_id in ([] if protected is None else protected)})
    except (TypeError, ValueError) as error:
        raise VocabError(f"protected: {protected!r}, expected ids") from error
    if ids and not 0 <= ids[0] <= ids[-1] < vocab_size:
        wrong = ids[0] if ids[0] < 0 else ids[-1]
        raise VocabError(f"protected: id {wrong}, expected ids from 0 to {vocab_size - 1}")
    return ids


class _Rows:
    """Logits as (positions, V), and their probabilities a block at a time."""

    def __init__(self, xp: Any, logits: Any) -> None:
        self._xp = xp
        self.vocab_size = int(logits.shape[-1])
        self._logits = xp.reshape(logits, (-1, self.vocab_size))
        self.positions = int(self._logits.shape[0])
        self.device = array_api.device(logits)
        # Apple's GPU has no doubles.
        self._precision = xp.float32 if "mps" in str(self.device) else xp.float64

    def ids(self, ids: list[int]) -> Any:
        """Ids as an array of the logits' kind."""
        return self._xp.asarray(ids, dtype=self._xp.int64, device=self.device)

    def with_ids(self, kept: Any, ids: Any) -> Any:
        """Add ids to a mask of shape (V,)."""
        kept[ids] = True
        return kept

    def _blocks(self) -> Iterable[Any]:
        """Probabilities, shape (block, V)."""
        xp = self._xp
        step = max(1, _CELLS // self.vocab_size)
        for start in range(0, self.positions, step):
            block = xp.astype(self._logits[start : start + step, :], self._precision)
            highest = xp.max(block, axis=1, keepdims=True)
            if not bool(xp.all(xp.isfinite(highest))):
                raise _unusable(xp, block, start)
            powers = xp.exp(block - highest)
            yield powers / xp.sum(powers, axis=1, keepdims=True)

    def density(self) -> tuple[Any, Any]:
        """Mean probability of every id, shape (V,), and each position's best id."""
        xp = self._xp
        total = xp.zeros(self.vocab_size, dtype=self._precision, device=self.device)
        best = []
        for block in self._blocks():
            total = total + xp.sum(block, axis=0)
            best.append(xp.argmax(block, axis=1))
        return total / self.positions, xp.concat(best)

    def masses(self, kept_ids: Any) -> Any:
        """Kept probability of every position, shape (positions,), at most 1."""
        xp = self._xp
        sums = [xp.sum(xp.take(block, kept_ids, axis=1), axis=1) for block in self._blocks()]
        return xp.clip(xp.concat(sums), max=1.0)

    def with_mass(self, kept: Any, order: Any, least: float) -> Any:
        """Add ids in `order` until every position keeps `least`."""
        xp = self._xp
        # What is kept already comes first, then the others from the densest on.
        outside = xp.take(order, xp.nonzero(~xp.take(kept, order))[0])
        needed = 0
        for block in self._blocks():
            already = xp.sum(xp.where(kept, block, xp.zeros_like(block)), axis=1, keepdims=True)
            sums = already + xp.cumulative_sum(
                xp.take(block, outside, axis=1), axis=1, include_initial=True
            )
            short = xp.sum(xp.astype(sums < least, xp.int64), axis=1)
            needed = max(needed, int(xp.max(short)))
        return self.with_ids(kept, outside[:needed])


def _unusable(xp: Any, block: Any, start: int) -> VocabError:
    """Say which position has no distribution, and why."""
    bad = ~xp.isfinite(xp.max(block, axis=1))
    row = int(xp.argmax(xp.astype(bad, xp.int64)))
    nan = bool(xp.any(xp.isnan(block[row, :])))
    infinite = bool(cast(bool, xp.any(block[row, :] == math.inf)))
    what = "NaN" if nan else "plus infinity" if infinite else "nothing but minus infinity"
    return VocabError(
        f"logits: position {start + row} (of all batches in order) holds {what}, "
        "expected at least one finite logit and no NaN"
    )
