"""What a system is: something with a name that cuts texts into pieces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from pytok.eval.text_batch import IdArray, IntArray

__all__ = ["Pieces", "System", "TokenizerLike"]


class TokenizerLike(Protocol):
    """The part of `pytok.Tokenizer` that the metrics use."""

    @property
    def name(self) -> str:
        """Name to print."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the definition, hexadecimal; empty where it is not known."""

    @property
    def vocab_size(self) -> int:
        """Number of ids."""

    @property
    def unk_id(self) -> int | None:
        """Id of the unknown token, or None."""

    def encode_batch_spans(
        self,
        texts: list[str],
        *,
        special: str = "text",
        add_special_tokens: bool = False,
        threads: int | None = None,
    ) -> tuple[IdArray, IntArray, IntArray]:
        """Ids (n,), byte spans in the own text (n, 2) and bounds (n_texts + 1,).

        A tokenizer without offsets raises NotImplementedError, or does not
        have the method; only metrics of its ids are then measured.
        """

    def encode_batch_ids(
        self,
        texts: list[str],
        *,
        special: str = "text",
        add_special_tokens: bool = False,
        threads: int | None = None,
    ) -> tuple[IdArray, IntArray]:
        """Ids (n,) and bounds (n_texts + 1,)."""

    def token_bytes(self, token_id: int, /) -> bytes:
        """Bytes that a token stands for."""


@dataclass(frozen=True)
class Pieces:
    """What a system made of some texts.

    Parameters
    ----------
    spans
        Byte spans in the own text's UTF-8, half open, shape (n_pieces, 2);
        None for a tokenizer without offsets.
    bounds
        First piece of each text, shape (n_texts + 1,).
    ids
        Token ids, shape (n_pieces,); None for a word segmenter.
    seconds
        Wall time of cutting the texts alone, one thread.

    """

    spans: IntArray | None
    bounds: IntArray
    ids: IdArray | None
    seconds: float


class System(Protocol):
    """Anything that cuts texts into pieces."""

    @property
    def name(self) -> str:
        """Name to print."""

    @property
    def sha256(self) -> str | None:
        """SHA-256 of what defines the system, or None."""

    @property
    def tokenizer(self) -> TokenizerLike | None:
        """The tokenizer, for metrics of ids and vocabularies; None for a segmenter."""

    @property
    def knows(self) -> Callable[[str], bool] | None:
        """Dictionary lookup, for `oov_lex`; None where there is no dictionary."""

    def pieces(self, texts: list[str]) -> Pieces:
        """Cut texts; shape and units as in `Pieces`."""
