"""Cut a new piece into the pieces of the old tokenizer."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from pytok.errors import VocabError
from pytok.tokenizer import Tokenizer

__all__ = ["OldPieces"]


class OldPieces:
    """The pieces of a tokenizer, and how it cuts others.

    Parameters
    ----------
    tokenizer
        The tokenizer.

    Examples
    --------
    >>> old = OldPieces(Tokenizer.from_pretrained("zh-32k"))
    >>> len(old.of("螺蛳粉".encode())) > 1
    True

    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def of(self, content: bytes) -> npt.NDArray[np.int64]:
        """Return the ids of old pieces whose bytes join to `content`, shape (n,).

        They are those that the tokenizer encodes it to. Where these have other
        bytes (half a character, a space put before every text), they are the
        fewest that join to it.

        Raises
        ------
        VocabError
            If there are none.

        """
        ids = self._tokenizer.encode_bytes(content, special="text", add_special_tokens=False)
        if b"".join(map(self._tokenizer.token_bytes, ids)) != content:
            ids = self._fewest(content)
        return np.array(ids, dtype=np.int64)

    def _fewest(self, content: bytes) -> list[int]:
        # The fewest pieces to each place, and the piece that ends there.
        best: list[tuple[int, int, int] | None] = [(0, 0, 0)]
        for end in range(1, len(content) + 1):
            ways = [
                (way[0] + 1, start, self._by_bytes[content[start:end]])
                for start, way in enumerate(best)
                if way is not None and content[start:end] in self._by_bytes
            ]
            best.append(min(ways, default=None))
        ids: list[int] = []
        place = len(content)
        while place:
            way = best[place]
            if way is None:
                raise VocabError(f"old: no pieces join to {content!r}")
            place = way[1]
            ids.insert(0, way[2])
        return ids

    @cached_property
    def _by_bytes(self) -> dict[bytes, int]:
        control = set(self._tokenizer.control_tokens.values())
        # Of equal bytes the smaller id.
        ids = sorted(set(self._tokenizer.vocab.values()) - control, reverse=True)
        return {self._tokenizer.token_bytes(token_id): token_id for token_id in ids}
