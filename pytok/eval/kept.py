"""Per-document sums as a report keeps them, so that two reports can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pytok.eval.bootstrap import DocumentSums, grouped
from pytok.eval.json_text import JsonValue

__all__ = ["KEPT_ROWS", "KeptSums"]

KEPT_ROWS = 512


@dataclass(frozen=True)
class KeptSums:
    """Sums per document, or per group of consecutive documents.

    Parameters
    ----------
    documents
        Number of documents.
    documents_per_row
        Documents that were added together for one row; the last row may have
        fewer.
    columns
        Sums by name, each of shape (n_rows,), to nine significant digits. A
        column that is 0 in every row, or not a number, is left out.

    """

    documents: int
    documents_per_row: int
    columns: Mapping[str, tuple[float, ...]]

    @classmethod
    def of(cls, sums: DocumentSums, *, limit: int = KEPT_ROWS) -> KeptSums:
        """Keep at most `limit` rows; neighbours are added together where there are more.

        Examples
        --------
        >>> import numpy as np
        >>> sums = DocumentSums(["tokens", "words"])
        >>> sums.add({"tokens": np.array([1.0, 2.0, 4.0]), "words": np.zeros(3)})
        >>> KeptSums.of(sums, limit=2)
        KeptSums(documents=3, documents_per_row=2, columns={'tokens': (3, 4)})

        """
        rows, group = grouped(sums.rows, limit)
        columns = {
            name: tuple(map(_short, rows[:, at].tolist()))
            for at, name in enumerate(sums.columns)
            if rows[:, at].any() and not np.isnan(rows[:, at]).any()
        }
        return cls(sums.documents, sums.documents_per_row * group, columns)

    def to_json(self) -> dict[str, JsonValue]:
        """All fields."""
        return {
            "documents": self.documents,
            "documents_per_row": self.documents_per_row,
            "columns": {name: list(values) for name, values in self.columns.items()},
        }


def _short(value: float) -> float:
    return int(value) if value.is_integer() else float(f"{value:.9g}")
