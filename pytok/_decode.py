"""Decoding ids to text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok._call import Ids, id_lists

__all__ = ["Decoding"]


class Decoding:
    """The methods of `Tokenizer` that give the text of ids."""

    __slots__ = ()

    _core: _pytok.Tokenizer

    def decode(self, ids: Ids, *, skip_special_tokens: bool = False) -> str:
        """Decode ids to text; bytes that are not UTF-8 become U+FFFD.

        Parameters
        ----------
        ids
            Integers, or an integer array of shape (n,). An id below the largest
            one that has no piece decodes to nothing.
        skip_special_tokens
            Leave special tokens out of the text.

        Raises
        ------
        VocabError
            When an id is negative or larger than all of the vocabulary.

        """
        return self._core.decode(ids, skip_special_tokens)

    def decode_bytes(self, ids: Ids, *, skip_special_tokens: bool = False) -> bytes:
        """Decode ids to bytes: what `decode` gives before it replaces anything.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.decode_bytes(tokenizer.encode_ids("学")).hex()
        'e5ada6'

        """
        return self._core.decode_bytes(ids, skip_special_tokens)

    def decode_batch(
        self,
        batch: Iterable[Ids] | tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]],
        *,
        skip_special_tokens: bool = False,
    ) -> list[str]:
        """Decode many lists of ids.

        Parameters
        ----------
        batch
            Lists or arrays of ids; or the tuple of two arrays ``(ids, bounds)``
            that `encode_batch_ids` returns.
        skip_special_tokens
            As in `decode`.

        Raises
        ------
        VocabError
            As in `decode`.
        ConfigError
            When `bounds` does not rise from 0 to the number of ids.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.decode_batch(tokenizer.encode_batch_ids(["学而", "时习"]))
        ['学而', '时习']

        """
        return self._core.decode_batch(id_lists(batch), skip_special_tokens)

    def decode_stream(
        self, ids: Iterable[int], *, skip_special_tokens: bool = False
    ) -> Iterator[str]:
        """Decode ids as they arrive, in pieces that never end inside a character.

        Yields
        ------
        str
            Text; all pieces joined are `decode(ids)`.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> "".join(tokenizer.decode_stream(tokenizer.encode_ids("龘龘")))
        '龘龘'

        """
        stream = _pytok.DecodeStream(self._core, skip_special_tokens)
        for token_id in ids:
            piece = stream.step(token_id)
            if piece:
                yield piece
        rest = stream.flush()
        if rest:
            yield rest
