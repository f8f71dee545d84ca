"""A tokenizer as a system, and what is known of its vocabulary."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pytok.errors import EncodeError, PytokError
from pytok.eval.broken import is_broken, straddling_tokens
from pytok.eval.distribution import id_limit, unreachable_ids
from pytok.eval.system import Pieces, TokenizerLike
from pytok.eval.text_batch import BoolArray

__all__ = ["TokenizerSystem"]


@dataclass(frozen=True)
class TokenizerSystem:
    """A tokenizer as a system.

    ``seconds`` of its pieces is the wall time of one call of
    `encode_batch_ids` with one thread, made before any other call sees the
    texts.

    Parameters
    ----------
    tokenizer
        Anything with the interface of `pytok.Tokenizer`.
    label
        What to print instead of the tokenizer's own name.

    """

    tokenizer: TokenizerLike
    knows: Callable[[str], bool] | None = None
    label: str | None = None

    @property
    def name(self) -> str:
        """Name to print."""
        return self.tokenizer.name if self.label is None else self.label

    @property
    def sha256(self) -> str | None:
        """SHA-256 of the tokenizer's definition; None where it is not known."""
        return self.tokenizer.sha256 or None

    def pieces(self, texts: list[str]) -> Pieces:
        """Encode texts; special tokens in them are text."""
        start = time.perf_counter()
        only_ids, bounds = self.tokenizer.encode_batch_ids(
            texts, special="text", add_special_tokens=False, threads=1
        )
        seconds = time.perf_counter() - start
        with_spans = getattr(self.tokenizer, "encode_batch_spans", None)
        if with_spans is None:
            return Pieces(None, bounds, only_ids, seconds)
        try:
            ids, spans, bounds = with_spans(texts, special="text", add_special_tokens=False)
        except NotImplementedError:
            return Pieces(None, bounds, only_ids, seconds)
        if not np.array_equal(only_ids, ids):
            raise EncodeError(
                f"{self.name}: encode_batch_ids and encode_batch_spans give different ids"
            )
        return Pieces(np.asarray(spans, dtype=np.int64), bounds, ids, seconds)

    @cached_property
    def vocabulary(self) -> tuple[bytes, ...]:
        """Bytes of every id; empty where an id has no piece."""
        return tuple(map(self._bytes_or_nothing, range(id_limit(self.tokenizer))))

    def _bytes_or_nothing(self, token_id: int) -> bytes:
        try:
            return self.tokenizer.token_bytes(token_id)
        except (PytokError, ValueError, LookupError):
            return b""

    @cached_property
    def broken_ids(self) -> BoolArray:
        """Whether the bytes of each id are not whole code points, shape (largest id + 1,)."""
        return np.fromiter(map(is_broken, self.vocabulary), dtype=np.bool_)

    @cached_property
    def straddling(self) -> int:
        """Vocabulary entries that cross the edge of a character."""
        return straddling_tokens(self.vocabulary)

    @cached_property
    def unreachable(self) -> int:
        """Ids with text that encoding their text does not give back."""
        return len(unreachable_ids(self.tokenizer))
