"""Several texts as one array of code points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["BoolArray", "FloatArray", "IdArray", "IntArray", "TextBatch", "bounds_of"]

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IdArray = npt.NDArray[np.uint32]
IntArray = npt.NDArray[np.int64]


def bounds_of(lengths: Iterable[int]) -> IntArray:
    """First place of each of several runs of these lengths, and the end, shape (n_runs + 1,)."""
    return np.concatenate(([0], np.cumsum(np.fromiter(lengths, dtype=np.int64)))).astype(np.int64)


@dataclass(frozen=True)
class TextBatch:
    """Texts as one array of code points.

    Parameters
    ----------
    texts
        The texts, without lone surrogates.
    documents
        Number of the document that each text belongs to, shape (n_texts,),
        not decreasing, starting at 0 in every batch.
    code_points
        All characters, shape (n_characters,).
    byte_starts
        Byte offset of each character in the joined UTF-8, shape
        (n_characters + 1,); the last one is the size in bytes.
    text_starts
        First character of each text, shape (n_texts + 1,).
    character_documents
        Document of each character, shape (n_characters,).

    Examples
    --------
    >>> batch = TextBatch.of(["a中", "国"])
    >>> batch.byte_starts.tolist(), batch.text_starts.tolist()
    ([0, 1, 4, 7], [0, 2, 3])

    """

    texts: tuple[str, ...]
    documents: IntArray
    code_points: npt.NDArray[np.uint32]
    byte_starts: IntArray
    text_starts: IntArray
    character_documents: IntArray

    @classmethod
    def of(cls, texts: Sequence[str], documents: Sequence[int] | None = None) -> TextBatch:
        """Lay out `texts`; without `documents` each text is one document."""
        numbers = np.arange(len(texts)) if documents is None else np.asarray(documents)
        code_points = np.frombuffer("".join(texts).encode("utf-32-le"), dtype="<u4")
        widths = (
            1
            + (code_points > 0x7F).astype(np.int64)
            + (code_points > 0x7FF).astype(np.int64)
            + (code_points > 0xFFFF).astype(np.int64)
        )
        text_starts = bounds_of(map(len, texts))
        return cls(
            texts=tuple(texts),
            documents=numbers.astype(np.int64),
            code_points=code_points.astype(np.uint32, copy=False),
            byte_starts=np.concatenate(([0], np.cumsum(widths))).astype(np.int64),
            text_starts=text_starts,
            character_documents=np.repeat(numbers, np.diff(text_starts)).astype(np.int64),
        )

    @property
    def n_documents(self) -> int:
        """Number of documents in the batch."""
        return int(self.documents[-1]) + 1 if len(self.documents) else 0

    @property
    def n_characters(self) -> int:
        """Number of code points in the batch."""
        return len(self.code_points)

    def per_document(self, documents: IntArray, weights: npt.NDArray[np.generic]) -> FloatArray:
        """Sum `weights` over the documents that their owners belong to."""
        return np.bincount(
            documents, weights=weights.astype(np.float64), minlength=self.n_documents
        ).astype(np.float64)
