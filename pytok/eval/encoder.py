"""A tokenizer of any library, made of functions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from pytok.errors import EncodeError, VocabError
from pytok.eval.text_batch import IdArray, IntArray

__all__ = ["Encoder"]


@dataclass(frozen=True)
class Encoder:
    """What `TokenizerSystem` needs, from a function that encodes one text.

    Places of the tokens come from `offsets`, or else from `token`: where the
    bytes of the tokens join to the text, they say where each token stands.
    Without either, only metrics of ids are measured.

    Parameters
    ----------
    name
        Name to print.
    encode
        Ids of a text, special tokens in it being text, none added.
    vocab_size
        Number of ids, above 0.
    token
        Bytes that an id stands for; None, a LookupError or a ValueError where
        the id has none.
    offsets
        Half-open character span of each id of a text, in order.
    unk_id
        Id of the unknown token, or None.
    digest
        SHA-256 of what defines the tokenizer, hexadecimal; empty to take that
        of all tokens, if `token` is given.

    Examples
    --------
    >>> from pytok.eval import TokenizerSystem
    >>> letters = Encoder("bytes", lambda text: list(text.encode()), 256, lambda i: bytes([i]))
    >>> TokenizerSystem(letters).pieces(["é"]).spans.tolist()
    [[0, 1], [1, 2]]

    """

    name: str
    encode: Callable[[str], Sequence[int]]
    vocab_size: int
    token: Callable[[int], bytes | None] | None = None
    offsets: Callable[[str], Sequence[tuple[int, int]]] | None = None
    unk_id: int | None = None
    digest: str = ""

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the definition, or empty."""
        if self.digest or self.token is None:
            return self.digest
        tokens = hashlib.sha256()
        for number in range(self.vocab_size):
            try:
                token = self.token_bytes(number)
            except (LookupError, ValueError):
                token = b""
            tokens.update(len(token).to_bytes(8, "little") + token)
        return tokens.hexdigest()

    def token_bytes(self, token_id: int, /) -> bytes:
        """Bytes that a token stands for.

        Raises
        ------
        VocabError
            If the id has none, or they are not known.
        TypeError
            If `token` gives something else than bytes.

        """
        if self.token is None:
            raise VocabError(f"{self.name}: the bytes of its tokens are not known")
        token = self.token(token_id)
        if token is None:
            raise VocabError(f"{self.name}: id {token_id} has no bytes")
        if not isinstance(token, bytes):
            raise TypeError(
                f"{self.name}: token({token_id}) is {type(token).__name__}, expected bytes"
            )
        return token

    def encode_batch_ids(
        self,
        texts: list[str],
        *,
        special: str = "text",
        add_special_tokens: bool = False,
        threads: int | None = None,
    ) -> tuple[IdArray, IntArray]:
        """Ids (n,) and bounds (n_texts + 1,); the other arguments change nothing.

        Raises
        ------
        EncodeError
            If an id is not one of `vocab_size`.

        """
        del special, add_special_tokens, threads
        found = [self.encode(text) for text in texts]
        bounds = np.array(list(accumulate(map(len, found), initial=0)), dtype=np.int64)
        flat = [number for ids in found for number in ids]
        if flat and (min(flat) < 0 or max(flat) >= self.vocab_size):
            wrong = min(flat) if min(flat) < 0 else max(flat)
            raise EncodeError(
                f"{self.name}: id {wrong}, expected 0 to {self.vocab_size - 1}, its vocab_size "
                "less one"
            )
        return np.array(flat, dtype=np.uint32), bounds

    def encode_batch_spans(
        self,
        texts: list[str],
        *,
        special: str = "text",
        add_special_tokens: bool = False,
        threads: int | None = None,
    ) -> tuple[IdArray, IntArray, IntArray]:
        """Ids (n,), byte spans in the own text (n, 2) and bounds (n_texts + 1,).

        Raises
        ------
        NotImplementedError
            If there are no offsets, and no tokens whose bytes join to the
            text.
        EncodeError
            If there is not one offset for each id.

        """
        ids, bounds = self.encode_batch_ids(texts)
        edges = bounds.tolist()
        spans = [
            self._spans(text, ids[first:end].tolist())
            for text, first, end in zip(texts, edges[:-1], edges[1:], strict=True)
        ]
        return ids, np.concatenate([np.zeros((0, 2), dtype=np.int64), *spans]), bounds

    def _spans(self, text: str, ids: list[int]) -> IntArray:
        if self.offsets is not None:
            return self._from_offsets(text, len(ids))
        if self.token is None:
            raise NotImplementedError(f"{self.name} gives no offsets")
        pieces = [self.token_bytes(number) for number in ids]
        if b"".join(pieces) != text.encode():
            raise NotImplementedError(f"{self.name}: its tokens do not join to the text")
        edges = np.array(list(accumulate(map(len, pieces), initial=0)), dtype=np.int64)
        return np.stack([edges[:-1], edges[1:]], axis=1)

    def _from_offsets(self, text: str, count: int) -> IntArray:
        found = [] if self.offsets is None else self.offsets(text)
        spans = np.array(found, dtype=np.int64).reshape(-1, 2)
        if len(spans) != count:
            raise EncodeError(f"{self.name}: {len(spans)} offsets for {count} ids")
        if spans.size and (spans.min() < 0 or spans.max() > len(text)):
            raise EncodeError(f"{self.name}: an offset lies outside its text")
        widths = (len(character.encode()) for character in text)
        starts = np.array(list(accumulate(widths, initial=0)), dtype=np.int64)
        in_bytes: IntArray = starts[spans]
        return in_bytes
