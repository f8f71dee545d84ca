"""Word lists that are double-array tries, in the file format of THULAC.

A file is pairs of 32-bit numbers, base and check. A word is there if from
cell 0 each character c leads from a cell s to the cell base[s] + c, whose
check is s, and base[s] of the last one to a cell whose check is s (Aoe 1989).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pytok.errors import FormatError
from pytok.eval.text_batch import IntArray

__all__ = ["DoubleArray"]

_CELL_BYTES = 8


@dataclass(frozen=True)
class DoubleArray:
    """A set of words.

    Parameters
    ----------
    base, check
        Of each cell, shape (n_cells,).

    Examples
    --------
    >>> cells = np.zeros((100, 2), dtype="<i4")
    >>> cells[:, 1] = -1                            # no cell leads here
    >>> cells[0], cells[98], cells[1] = (1, 0), (1, 0), (0, 98)
    >>> words = DoubleArray(cells[:, 0], cells[:, 1])
    >>> "a" in words, "b" in words, "" in words     # 98 = 1 + ord("a")
    (True, False, False)

    """

    base: IntArray
    check: IntArray

    @classmethod
    def read(cls, path: Path) -> DoubleArray:
        """Read a file.

        Raises
        ------
        FormatError
            If it is empty or no whole number of cells.
        OSError
            If it cannot be read.

        """
        raw = path.read_bytes()
        if not raw or len(raw) % _CELL_BYTES:
            raise FormatError(
                f"{path}: {len(raw)} bytes, expected cells of {_CELL_BYTES} bytes each"
            )
        cells = np.frombuffer(raw, dtype="<i4").reshape(-1, 2).astype(np.int64)
        return cls(cells[:, 0], cells[:, 1])

    def __contains__(self, word: str) -> bool:
        at = 0
        for character in word:
            found = int(self.base[at]) + ord(character)
            if not self._leads(at, found):
                return False
            at = found
        return at > 0 and self._leads(at, int(self.base[at]))

    def _leads(self, cell: int, found: int) -> bool:
        return 0 <= found < len(self.check) and int(self.check[found]) == cell
