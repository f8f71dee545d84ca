"""A `BatchEncoding` that computes offsets and words only when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transformers import BatchEncoding

__all__ = ["LazyBatchEncoding"]


class LazyBatchEncoding(BatchEncoding):
    """Ids at once, `tokenizers.Encoding` objects on demand.

    Most callers use the ids alone, and an object per token costs several times
    what the ids cost. Everything else of a `BatchEncoding` (`tokens`,
    `char_to_token`, `word_ids`, pickling, ...) works as ever: the first use
    encodes the texts again with everything that is known about each token.

    Parameters
    ----------
    data
        As in `BatchEncoding`.
    encode
        Makes the encodings.
    tensor_type
        As in `BatchEncoding`.

    """

    def __init__(
        self,
        data: dict[str, Any],
        encode: Callable[[], Sequence[Any] | None],
        tensor_type: str | None = None,
    ) -> None:
        self._encode: Callable[[], Sequence[Any] | None] | None = encode
        self._known: Sequence[Any] | None = None
        # One text each: pairs are never encoded lazily.
        super().__init__(data, None, tensor_type=tensor_type, n_sequences=1)
        self._encode = encode

    @property
    def _encodings(self) -> Sequence[Any] | None:
        if self._encode is not None:
            encode, self._encode = self._encode, None
            self._known = encode()
        return self._known

    @_encodings.setter
    def _encodings(self, encodings: Sequence[Any] | None) -> None:
        self._encode = None
        self._known = encodings

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy as a plain `BatchEncoding`: the tokenizer stays behind."""
        return (_plain, (dict(self.data), self._encodings, self.n_sequences))


def _plain(data: dict[str, Any], encodings: Any, n_sequences: int | None) -> BatchEncoding:
    return BatchEncoding(data, encodings, n_sequences=n_sequences)
