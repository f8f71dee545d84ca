"""Decoding ids as they arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytok import _pytok

if TYPE_CHECKING:
    from pytok.tokenizer import Tokenizer

__all__ = ["DecodeStream"]


class DecodeStream:
    """The text of ids as they arrive: never half a character, and nothing is lost.

    The pieces that `step` and `flush` return, joined, are the `decode` of all
    ids. A stream belongs to one thread; `copy.copy` gives an independent one
    with the same state.

    Parameters
    ----------
    tokenizer
        The tokenizer that the ids are of.
    skip_special_tokens
        Leave special tokens out of the text.

    Examples
    --------
    >>> import pytok
    >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
    >>> stream = DecodeStream(tokenizer)
    >>> pieces = [stream.step(token) for token in tokenizer.encode_ids("龘A")]
    >>> pieces[0] is None  # the character is not complete yet
    True
    >>> "".join(piece for piece in [*pieces, stream.flush()] if piece)
    '龘A'

    """

    __slots__ = ("_core",)

    def __init__(self, tokenizer: Tokenizer, skip_special_tokens: bool = False) -> None:
        self._core = _pytok.DecodeStream(tokenizer._core, skip_special_tokens)

    def step(self, token_id: int) -> str | None:
        """Take the next id; return the text that it completes, or None.

        Raises
        ------
        VocabError
            When the id is outside the vocabulary; the stream stays as it was.

        """
        return self._core.step(token_id)

    def flush(self) -> str | None:
        """End the text: return what is left, with U+FFFD for an incomplete character, or None."""
        return self._core.flush()

    def __copy__(self) -> DecodeStream:
        copy = object.__new__(type(self))
        copy._core = self._core.copy()
        return copy

    def __deepcopy__(self, memo: dict[int, object]) -> DecodeStream:
        return self.__copy__()
