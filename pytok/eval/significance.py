"""Paired approximate randomisation: whether a difference may be chance.

If two systems were alike, the sums of any document could as well stand under
the other's name. So the sums of documents are exchanged between the two at
random, many times; p is the share of these rounds in which the two ratios of
sums differ at least as much as they really do. Where there are so few
documents that all exchanges can be made, all are made and p is exact.

References: Noreen (1989), Computer-intensive methods for testing hypotheses;
Phipson and Smyth (2010), Permutation p-values should never be zero; Holm
(1979), A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pytok.errors import ConfigError
from pytok.eval.bootstrap import RESAMPLES, SEED
from pytok.eval.text_batch import FloatArray

__all__ = ["ALPHA", "Exchanged", "holm", "p_value"]

ALPHA = 0.05
_CELLS = 1 << 22
# Sums of the same documents in another order differ by rounding; such a round
# is as extreme as the observation.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Exchanged:
    """Sums over all documents, and over those that each round exchanges.

    Parameters
    ----------
    total
        Sums over all documents, shape (n_columns,).
    moved
        Sums over the documents that a round exchanges, shape (n_rounds, n_columns).
    exact
        Whether the rounds are all possible ones.

    """

    total: FloatArray
    moved: FloatArray
    exact: bool

    @classmethod
    def of(cls, rows: FloatArray, *, rounds: int = RESAMPLES, seed: int = SEED) -> Exchanged:
        """Draw the documents to exchange, for all columns alike.

        Parameters
        ----------
        rows
            Sums per document, shape (n_documents, n_columns).
        rounds
            Number of rounds, above 0, default 10,000. Where 2 to the number
            of documents is not more, these are all made instead.
        seed
            Seed of the generator (PCG64).

        Examples
        --------
        >>> Exchanged.of(np.array([[1.0], [2.0]])).moved.ravel().tolist()
        [0.0, 1.0, 2.0, 3.0]

        """
        if rounds < 1:
            raise ConfigError(f"rounds must be above 0, not {rounds}")
        n_rows = len(rows)
        exact = n_rows < rounds.bit_length()
        drawn = _all_choices(n_rows) if exact else _random_choices(n_rows, rounds, seed)
        moved = np.concatenate([choice @ rows for choice in drawn])
        return cls(rows.sum(axis=0), moved, exact)


def _all_choices(n_rows: int) -> Iterator[FloatArray]:
    numbers = np.arange(1 << n_rows)[:, None]
    yield (numbers >> np.arange(n_rows) & 1).astype(np.float64)


def _random_choices(n_rows: int, rounds: int, seed: int) -> Iterator[FloatArray]:
    generator = np.random.default_rng(seed)
    step = max(1, _CELLS // n_rows)
    for start in range(0, rounds, step):
        size = (min(step, rounds - start), -(-n_rows // 8))
        bits = generator.integers(0, 256, size=size, dtype=np.uint8)
        yield np.unpackbits(bits, axis=1, count=n_rows).astype(np.float64)


def p_value(sums: Exchanged, a: tuple[int, int], b: tuple[int, int]) -> float:
    """Two-sided p of "the ratios of a and b are alike".

    Parameters
    ----------
    sums
        Of a matrix that holds the columns of both systems.
    a, b
        Columns of the numerator and the denominator of each.

    Returns
    -------
    p
        Above 0, at most 1. A round in which a denominator is 0 counts as one
        with a larger difference.

    Examples
    --------
    >>> tokens_a, tokens_b, characters = [1.0] * 8, [2.0] * 8, [2.0] * 8
    >>> rows = np.array([tokens_a, tokens_b, characters]).T
    >>> p_value(Exchanged.of(rows), (0, 2), (1, 2)) == 2 / 2**8
    True

    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = sums.total[[a[0], b[0]]] / sums.total[[a[1], b[1]]]
        above = sums.moved[:, b[0]] - sums.moved[:, a[0]]
        below = sums.moved[:, b[1]] - sums.moved[:, a[1]]
        of_a = (sums.total[a[0]] + above) / (sums.total[a[1]] + below)
        of_b = (sums.total[b[0]] - above) / (sums.total[b[1]] - below)
        differences = np.abs(of_a - of_b)
    observed = abs(float(ratios[0] - ratios[1])) - _ROUNDING * float(np.abs(ratios).max())
    extreme = int((~(differences < observed)).sum())
    if sums.exact:
        return extreme / len(differences)
    return (extreme + 1) / (len(differences) + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values so that the chance of any false claim stays below alpha.

    Examples
    --------
    >>> [round(p, 3) for p in holm([0.04, 0.01, 0.03])]
    [0.06, 0.03, 0.06]

    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, at in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = highest
    return adjusted
