"""Counts of ids that fade: what the text of late is made of."""

from __future__ import annotations

import threading
import zlib
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

__all__ = ["Counts", "Observed"]

# Ids that are kept before they are counted: a count touches the whole vocabulary.
_BUFFER = 1 << 16
# Of the tokens in use every so many-th is counted: counting all costs a tenth of
# encoding them.
_STRIDE = 4
FloatArray = npt.NDArray[np.float64]
IdArray = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Observed:
    """What was seen since the last decision.

    Parameters
    ----------
    used
        Uses of each id with the pieces in use, estimated from every fourth token, shape
        (ids,).
    wanted
        Uses of each id with all pieces, in the probed texts, shape (ids,).
    tokens
        Tokens with the pieces in use.
    probed_tokens, probed_full
        Tokens of the probed texts, with the pieces in use and with all.

    """

    used: FloatArray
    wanted: FloatArray
    tokens: int
    probed_tokens: int
    probed_full: int


@dataclass
class Counts:
    """Collects ids from any number of threads.

    Parameters
    ----------
    size
        Largest id + 1.
    share
        Share of texts that are probed.
    seed
        Of the hash that chooses them.

    """

    size: int
    share: float
    seed: int
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __post_init__(self) -> None:
        self._limit = int(self.share * 2**32)
        self._turn = 0
        self._clear()

    def _clear(self) -> None:
        # Other texts each time: those that come again and again all have their turn.
        self._start = zlib.crc32(self._turn.to_bytes(8, "little"), self.seed & 0xFFFF_FFFF)
        self._turn += 1
        self._used: FloatArray = np.zeros(self.size)
        self._wanted: FloatArray = np.zeros(self.size)
        self._used_ids: list[IdArray] = []
        self._wanted_ids: list[IdArray] = []
        self._buffered = 0
        self.tokens = 0
        self.probed_tokens = 0
        self.probed_full = 0

    def is_probed(self, text: str) -> bool:
        """Whether a text is encoded with all pieces as well; equal texts of an epoch agree."""
        if not self._limit:
            return False
        data = text.encode("utf-8", "surrogatepass")
        return zlib.crc32(data, self._start) < self._limit

    def add(self, ids: IdArray, probes: list[tuple[int, IdArray]]) -> int:
        """Count ids, and of probed texts the tokens in use and the ids with all pieces.

        Returns
        -------
        tokens
            Tokens since the last decision.

        """
        with self.lock:
            sample = ids[-self.tokens % _STRIDE :: _STRIDE]
            self._used_ids.append(sample)
            self._buffered += len(sample)
            self.tokens += len(ids)
            for tokens, full in probes:
                self._wanted_ids.append(full)
                self._buffered += len(full)
                self.probed_tokens += tokens
                self.probed_full += len(full)
            if self._buffered >= _BUFFER:
                self._count()
            return self.tokens

    def _count(self) -> None:
        pairs = ((self._used, self._used_ids, _STRIDE), (self._wanted, self._wanted_ids, 1))
        for totals, parts, weight in pairs:
            if parts:
                found = np.bincount(np.concatenate(parts), minlength=self.size)
                np.add(totals, found * weight, out=totals)
                parts.clear()
        self._buffered = 0

    def take(self) -> Observed:
        """Hand over what was seen, and begin anew."""
        with self.lock:
            self._count()
            seen = Observed(
                self._used, self._wanted, self.tokens, self.probed_tokens, self.probed_full
            )
            self._clear()
            return seen
