"""The pieces of a system over a batch of texts: what every metric is computed on.

A `Segmentation` puts the pieces of one system over a `TextBatch`. All
positions are *characters* (code points) of the whole batch; byte spans occur
only at the entrance. What of a piece lies inside a word or sentence is in
`parts.py`.

A character that k pieces touch gives each of them 1/k of its length, so that
a tokenizer which reports [0, 1) and [1, 3) for the bytes of one character and
one that reports the whole character twice are measured alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytok.errors import EncodeError
from pytok.eval.text_batch import (
    BoolArray,
    FloatArray,
    IdArray,
    IntArray,
    TextBatch,
    bounds_of,
)

__all__ = ["Segmentation", "spans_of_words"]


def spans_of_words(
    texts: Sequence[str], words: Sequence[Sequence[str]]
) -> tuple[IntArray, IntArray]:
    """Byte spans of words that tile their texts.

    Parameters
    ----------
    texts
        The texts.
    words
        The words of each text, in order, nothing left out.

    Returns
    -------
    spans, bounds
        Byte spans in the own text's UTF-8, shape (n_words, 2), and the first
        word of each text, shape (n_texts + 1,).

    Raises
    ------
    EncodeError
        If the words of a text do not join to the text.

    Examples
    --------
    >>> spans, bounds = spans_of_words(["中国a"], [["中国", "a"]])
    >>> spans.tolist(), bounds.tolist()
    ([[0, 6], [6, 7]], [0, 2])

    """
    for number, (text, pieces) in enumerate(zip(texts, words, strict=True)):
        if "".join(pieces) != text:
            raise EncodeError(f"the words of text {number} do not join to the text")
    batch = TextBatch.of(texts)
    bounds = bounds_of(map(len, words))
    ends = np.cumsum(np.fromiter((len(word) for line in words for word in line), dtype=np.int64))
    edges = batch.byte_starts[np.concatenate(([0], ends)).astype(np.int64)]
    spans = np.stack((edges[:-1], edges[1:]), axis=1)
    origin = np.repeat(batch.byte_starts[batch.text_starts[:-1]], np.diff(bounds))
    return spans - origin[:, None], bounds


@dataclass(frozen=True)
class Segmentation:
    """The pieces of one system over a `TextBatch`.

    Parameters
    ----------
    batch
        The texts.
    first, end
        Characters that each piece touches, half open, shape (n_pieces,);
        equal where a piece touches none (an added leading space).
    ids
        Token ids, shape (n_pieces,); None for a word segmenter.
    unknown
        Whether the piece is the unknown token, shape (n_pieces,).
    piece_documents
        Document of each piece, shape (n_pieces,).
    pieces_per_character
        Number of pieces that touch each character, shape (n_characters,).
    covered
        Length of the characters before each position that at least one piece
        touches, shape (n_characters + 1,).
    shared
        Sum of 1/k over the same characters: the length that one piece gets,
        shape (n_characters + 1,).
    whole
        Number of characters before each position that exactly one piece
        touches, shape (n_characters + 1,).

    Examples
    --------
    >>> pieces = Segmentation.of_words(["中国人"], [["中国", "人"]])
    >>> pieces.first.tolist(), pieces.end.tolist()
    ([0, 2], [2, 3])

    """

    batch: TextBatch
    first: IntArray
    end: IntArray
    ids: IdArray | None
    unknown: BoolArray
    piece_documents: IntArray
    pieces_per_character: IntArray
    covered: IntArray
    shared: FloatArray
    whole: IntArray

    @classmethod
    def of_spans(
        cls,
        batch: TextBatch,
        spans: IntArray,
        bounds: IntArray,
        *,
        ids: IdArray | None = None,
        unk_id: int | None = None,
    ) -> Segmentation:
        """Place byte spans over a batch.

        Parameters
        ----------
        batch
            The texts.
        spans
            Byte spans in the own text's UTF-8, shape (n_pieces, 2).
        bounds
            First piece of each text, shape (n_texts + 1,).
        ids
            Token ids, shape (n_pieces,), or None.
        unk_id
            Id of the unknown token, or None.

        Raises
        ------
        EncodeError
            If the arrays do not fit together or a span leaves its text.

        """
        _check(batch, spans, bounds, ids)
        owners = np.repeat(np.arange(len(batch.texts)), np.diff(bounds))
        text_bytes = batch.byte_starts[batch.text_starts]
        starts = spans[:, 0] + text_bytes[owners]
        stops = spans[:, 1] + text_bytes[owners]
        n_characters = batch.n_characters
        character_of_byte = np.append(
            np.repeat(np.arange(n_characters), np.diff(batch.byte_starts)), n_characters
        )
        first = character_of_byte[starts]
        end = np.where(stops > starts, character_of_byte[stops - 1] + 1, first)
        edges = np.bincount(first, minlength=n_characters + 1) - np.bincount(
            end, minlength=n_characters + 1
        )
        counts = np.cumsum(edges)[:n_characters]
        return cls(
            batch=batch,
            first=first,
            end=end,
            ids=ids,
            unknown=(
                np.zeros(len(spans), dtype=np.bool_)
                if ids is None or unk_id is None
                else ids == unk_id
            ),
            piece_documents=batch.documents[owners],
            pieces_per_character=counts,
            covered=_prefix(counts > 0),
            shared=np.concatenate(
                ([0.0], np.cumsum(np.where(counts > 0, 1.0 / np.maximum(counts, 1), 0.0)))
            ),
            whole=_prefix(counts == 1),
        )

    @classmethod
    def of_words(cls, texts: Sequence[str], words: Sequence[Sequence[str]]) -> Segmentation:
        """Place words that tile their texts; each text is one document."""
        spans, bounds = spans_of_words(texts, words)
        return cls.of_spans(TextBatch.of(texts), spans, bounds)

    @property
    def n_pieces(self) -> int:
        """Number of pieces, also those that touch no character."""
        return len(self.first)


def _prefix(flags: BoolArray) -> IntArray:
    return np.concatenate(([0], np.cumsum(flags))).astype(np.int64)


def _check(batch: TextBatch, spans: IntArray, bounds: IntArray, ids: IdArray | None) -> None:
    if spans.ndim != 2 or spans.shape[1] != 2:
        raise EncodeError(f"spans must have shape (n_pieces, 2), not {spans.shape}")
    if len(bounds) != len(batch.texts) + 1 or bounds[0] != 0 or bounds[-1] != len(spans):
        raise EncodeError(
            f"bounds must be {len(batch.texts) + 1} numbers from 0 to {len(spans)}, "
            f"not {len(bounds)} numbers"
        )
    if ids is not None and len(ids) != len(spans):
        raise EncodeError(f"{len(ids)} ids for {len(spans)} spans")
    lengths = np.diff(batch.byte_starts[batch.text_starts])
    limits = np.repeat(lengths, np.diff(bounds))
    bad = (spans[:, 0] < 0) | (spans[:, 0] > spans[:, 1]) | (spans[:, 1] > limits)
    if bad.any():
        at = int(np.argmax(bad))
        raise EncodeError(
            f"piece {at} has span {spans[at].tolist()} in a text of {limits[at]} bytes"
        )
