"""The pieces of a SentencePiece model, and its protobuf."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from pytok.errors import ExportError

__all__ = [
    "BYTE",
    "CONTROL",
    "NORMAL",
    "UNKNOWN",
    "UNUSED",
    "USER_DEFINED",
    "PieceList",
    "model_bytes",
    "read_model",
    "with_pieces",
]

# Types of a piece (sentencepiece_model.proto).
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
_BYTE_NAMES = [f"<0x{byte:02X}>" for byte in range(256)]


class PieceList:
    """Pieces by id, each text once.

    Examples
    --------
    >>> pieces = PieceList()
    >>> pieces.add(0, "<unk>", 0.0, UNKNOWN)
    >>> pieces.add(2, "的", -1.0, NORMAL)
    >>> [piece[0] for piece in pieces.rows()]
    ['<unk>', '<unused_1>', '的']

    """

    def __init__(self) -> None:
        self._rows: dict[int, tuple[str, float, int]] = {}
        self._texts: set[str] = set()
        self._bytes: set[int] = set()

    def __contains__(self, token_id: int) -> bool:
        return token_id in self._rows

    @property
    def has_all_bytes(self) -> bool:
        """Whether each byte is a piece."""
        return len(self._bytes) == 256

    def add(
        self, token_id: int, text: str, score: float, kind: int, *, bytes_as_such: bool = False
    ) -> None:
        """Add a piece; one whose text is taken, or empty, is unused."""
        if bytes_as_such and text in _BYTE_NAMES:
            self.add_byte(token_id, _BYTE_NAMES.index(text))
        elif text in self._texts or not text:
            self.add_unused(token_id)
        else:
            self._texts.add(text)
            self._rows[token_id] = (text, score, kind)

    def add_byte(self, token_id: int, byte: int) -> None:
        """Add the piece of a byte."""
        self._bytes.add(byte)
        self._texts.add(_BYTE_NAMES[byte])
        self._rows[token_id] = (_BYTE_NAMES[byte], 0.0, BYTE)

    def add_unused(self, token_id: int) -> None:
        """Keep an id that nothing has."""
        self._rows[token_id] = (f"<unused_{token_id}>", 0.0, UNUSED)

    def complete(self, unknown: int | None) -> bool:
        """Whether there is an unknown piece, and a piece for each id."""
        return unknown is not None and len(self._rows) == max(self._rows) + 1

    def fill(self) -> int:
        """Add the bytes and the unknown piece that are missing; return how many."""
        following = max(self._rows, default=-1) + 1
        missing = [byte for byte in range(256) if byte not in self._bytes]
        for place, byte in enumerate(missing):
            self.add_byte(following + place, byte)
        if any(kind == UNKNOWN for _, _, kind in self._rows.values()):
            return len(missing)
        self.add(following + len(missing), "<unk>", 0.0, UNKNOWN)
        return len(missing) + 1

    def rows(self) -> list[tuple[str, float, int]]:
        """Text, score and type of each id from 0 on."""
        for token_id in range(max(self._rows, default=-1) + 1):
            if token_id not in self._rows:
                self.add_unused(token_id)
        return [self._rows[token_id] for token_id in range(len(self._rows))]


def _protobuf() -> Any:
    try:
        from sentencepiece import sentencepiece_model_pb2
    except ImportError as error:
        raise ExportError(
            f"sentencepiece: writing a model needs {error.name}, which is not installed",
            hint="pip install 'pytok-tokenizers[export]'",
        ) from error
    return sentencepiece_model_pb2


def read_model(proto: bytes) -> Any:
    """Read the protobuf of a model."""
    model = _protobuf().ModelProto()
    model.ParseFromString(proto)
    return model


def with_pieces(proto: bytes, pieces: Iterable[tuple[int, str, int]], name: str) -> bytes:
    """Append pieces (id, text, type) to a model.

    Raises
    ------
    ExportError
        When an id is not the next one, or a text is a piece already.

    """
    model = read_model(proto)
    texts = {piece.piece for piece in model.pieces}
    for token_id, text, kind in pieces:
        if token_id < len(model.pieces) and model.pieces[token_id].piece == text:
            continue
        if token_id != len(model.pieces) or text in texts:
            raise ExportError(
                f"{name}: the added token {text!r} has id {token_id}; a SentencePiece model has "
                f"room for {len(model.pieces)} next, and for each text once"
            )
        texts.add(text)
        model.pieces.add(piece=text, score=0.0, type=kind)
    model.trainer_spec.vocab_size = len(model.pieces)
    content: bytes = model.SerializeToString()
    return content


def model_bytes(pieces: PieceList, *, unigram: bool, dummy_prefix: bool, charsmap: str) -> bytes:
    """Serialise a model.

    Parameters
    ----------
    pieces
        Its pieces.
    unigram
        Whether it is a unigram model; BPE otherwise.
    dummy_prefix
        Whether a space goes before a text.
    charsmap
        The character map, base64; empty for none.

    """
    model = _protobuf().ModelProto()
    rows = pieces.rows()
    for text, score, kind in rows:
        model.pieces.add(piece=text, score=score, type=kind)
    trainer, normalizer = model.trainer_spec, model.normalizer_spec
    trainer.model_type = 1 if unigram else 2
    trainer.vocab_size = len(rows)
    trainer.byte_fallback = pieces.has_all_bytes
    names = {text: token_id for token_id, (text, _, _) in enumerate(rows)}
    unknown = next((i for i, (_, _, kind) in enumerate(rows) if kind == UNKNOWN), None)
    if unknown is not None:
        trainer.unk_id, trainer.unk_piece = unknown, rows[unknown][0]
    trainer.bos_id, trainer.eos_id = names.get("<s>", -1), names.get("</s>", -1)
    trainer.pad_id = names.get("<pad>", -1)
    normalizer.name = "identity" if not charsmap else "custom"
    normalizer.precompiled_charsmap = base64.b64decode(charsmap)
    normalizer.add_dummy_prefix = dummy_prefix
    normalizer.remove_extra_whitespaces = False
    normalizer.escape_whitespaces = True
    content: bytes = model.SerializeToString()
    return content
