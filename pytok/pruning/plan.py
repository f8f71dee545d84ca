"""What static pruning decided, and what it changes: plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["KindChange", "PrunePlan", "PrunePoint", "PruneReport"]


@dataclass(frozen=True, eq=False)
class PrunePlan:
    """The pieces that go, in the order in which they do.

    Parameters
    ----------
    ids
        Their ids in the tokenizer that was pruned, uint32, shape (n,).
    utilities
        The tokens that the text was expected to grow by without each, when it was
        its turn, uint64, shape (n,).
    rounds
        The round of each, from 1 on, uint32, shape (n,).
    tokens
        Their pieces, in the notation of the tokenizer's format.

    """

    ids: npt.NDArray[np.uint32]
    utilities: npt.NDArray[np.uint64]
    rounds: npt.NDArray[np.uint32]
    tokens: tuple[str, ...] = field(repr=False)

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self.ids)

    def to_json(self) -> list[dict[str, Any]]:
        """Return the plan as plain values, one record a piece."""
        columns = (self.ids.tolist(), self.tokens, self.utilities.tolist(), self.rounds.tolist())
        return [
            {"id": number, "token": token, "utility": utility, "round": step}
            for number, token, utility, step in zip(*columns, strict=True)
        ]


@dataclass(frozen=True)
class KindChange:
    """What pruning changes for the texts of one kind.

    Parameters
    ----------
    kind
        The name of the kind.
    texts
        Number of texts: documents of .jsonl and .parquet files and of iterables,
        lines of other files, words of word counts.
    identical
        How many of them are encoded to the same pieces as before.
    tokens_before, tokens_after
        Their tokens, without special tokens.

    """

    kind: str
    texts: int
    identical: int
    tokens_before: int
    tokens_after: int

    @property
    def share(self) -> float:
        """The share of texts that are encoded as before (0..1); 1 when there are none."""
        return self.identical / self.texts if self.texts else 1.0

    @property
    def inflation(self) -> float:
        """By which share there are more tokens (0.02 is 2 %); 0 when there were none."""
        return self.tokens_after / self.tokens_before - 1 if self.tokens_before else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain values."""
        return {
            "kind": self.kind,
            "texts": self.texts,
            "identical": self.identical,
            "share": self.share,
            "tokens_before": self.tokens_before,
            "tokens_after": self.tokens_after,
            "inflation": self.inflation,
        }


@dataclass(frozen=True)
class PrunePoint:
    """A point of the curve of size against inflation, measured after a round.

    Parameters
    ----------
    size
        Pieces in use.
    inflation
        Token inflation over all text (0.02 is 2 %).
    kinds
        Token inflation of each kind.

    """

    size: int
    inflation: float
    kinds: dict[str, float]

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain values."""
        return {"size": self.size, "inflation": self.inflation, "kinds": dict(self.kinds)}


@dataclass(frozen=True)
class PruneReport:
    """How a tokenizer was pruned.

    Parameters
    ----------
    mode
        ``"compact"`` or ``"stable"``.
    size_before, size_after
        Pieces in use, added tokens included.
    protected
        How many pieces had to stay.
    unreachable
        How many pieces no text is encoded to; they went.
    kinds
        What changes for each kind of text; empty when counts of ids stood for the
        corpus.
    curve
        The size and the inflation before the first round and after each.

    """

    mode: str
    size_before: int
    size_after: int
    protected: int
    unreachable: int
    kinds: tuple[KindChange, ...]
    curve: tuple[PrunePoint, ...]

    @property
    def inflation(self) -> float | None:
        """Token inflation over all text (0.02 is 2 %); None when it was not measured."""
        before = sum(kind.tokens_before for kind in self.kinds)
        after = sum(kind.tokens_after for kind in self.kinds)
        return after / before - 1 if before else None

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "mode": self.mode,
            "size_before": self.size_before,
            "size_after": self.size_after,
            "protected": self.protected,
            "unreachable": self.unreachable,
            "inflation": self.inflation,
            "kinds": [kind.to_json() for kind in self.kinds],
            "curve": [point.to_json() for point in self.curve],
        }
