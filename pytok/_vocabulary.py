"""What a tokenizer's ids stand for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pytok import _pytok
from pytok.added_token import AddedToken

__all__ = ["Vocabulary"]


class Vocabulary:
    """The part of `Tokenizer` that looks pieces, ids and added tokens up."""

    __slots__ = ("_vocab",)

    _core: _pytok.Tokenizer
    _vocab: Mapping[str, int] | None

    @property
    def vocab(self) -> Mapping[str, int]:
        """Pieces and their ids, added tokens included; read-only.

        Keys are in the notation of the format: the byte alphabet for byte-level
        files, SentencePiece's own pieces otherwise.
        """
        if self._vocab is None:
            self._vocab = MappingProxyType(self._core.vocab())
        return self._vocab

    @property
    def vocab_size(self) -> int:
        """Number of ids that have a piece, added tokens included."""
        return self._core.vocab_size()

    def token_to_id(self, token: str) -> int | None:
        """Look a piece up; None when the vocabulary does not have it."""
        return self._core.token_to_id(token)

    def id_to_token(self, token_id: int) -> str | None:
        """Name the piece of an id; None when it has none."""
        return self._core.id_to_token(token_id)

    def token_bytes(self, token_id: int) -> bytes:
        """Give the bytes that an id stands for; empty for an id without a piece.

        Raises
        ------
        VocabError
            When the id is negative or larger than all of the vocabulary.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.token_bytes(3)
        b'<|im_end|>'

        """
        return self._core.token_bytes(token_id)

    @property
    def unk_id(self) -> int | None:
        """The id of the unknown token, if there is one."""
        return self._core.role_ids()[0]

    @property
    def bos_id(self) -> int | None:
        """The id of the begin-of-sequence token that the file names, if it does."""
        return self._core.role_ids()[1]

    @property
    def eos_id(self) -> int | None:
        """The id of the end-of-sequence token that the file names, if it does."""
        return self._core.role_ids()[2]

    @property
    def added_tokens(self) -> tuple[AddedToken, ...]:
        """The added tokens, by id."""
        return tuple(AddedToken(*fields, id=number) for number, fields in self._core.added_tokens())

    @property
    def control_tokens(self) -> Mapping[str, int]:
        """The added tokens that the `special=` policy governs, and their ids.

        They are the special tokens, and those of marker form: ``<...>``,
        ``[...]``, ``<|...|>``, ``｜...｜``.
        """
        return MappingProxyType(dict(self._core.control_tokens()))
