"""What a tokenizer is made of: its definition, as plain data."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytok.tokenizer import Tokenizer

__all__ = ["BYTE_CHARACTERS", "CHARACTER_BYTES", "Component", "Parts", "flattened"]

Component = Mapping[str, Any]


def _byte_characters() -> list[str]:
    """List the visible character of each byte: GPT-2's alphabet (openai/gpt-2 `encoder.py`)."""
    shown = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (byte for byte in range(256) if byte not in shown)
    moved = {byte: chr(0x100 + place) for place, byte in enumerate(others)}
    return [moved.get(byte, chr(byte)) for byte in range(256)]


BYTE_CHARACTERS = _byte_characters()
CHARACTER_BYTES = {character: byte for byte, character in enumerate(BYTE_CHARACTERS)}


@dataclass(frozen=True)
class Parts:
    """The components of a tokenizer, in the notation of tokenizer.json.

    Parameters
    ----------
    name
        Its name.
    source
        Whose behaviour it has: ``"tokenizers"``, ``"tiktoken"``, ``"sentence_piece"``.
    added_tokens
        Tokens that are found in the text before the model sees it.
    chinese
        Steps of `pytok.zh`, if any.
    normalizer, pre_tokenizer, model, post_processor, decoder
        The components; the model is also ``ByteRanks`` or ``SentencePiece``.

    """

    name: str
    source: str
    added_tokens: tuple[Component, ...]
    chinese: Any
    normalizer: Component | None
    pre_tokenizer: Component | None
    model: Component
    post_processor: Component | None
    decoder: Component | None

    @classmethod
    def of(cls, tokenizer: Tokenizer) -> Parts:
        """Take a tokenizer apart."""
        definition = json.loads(tokenizer._core.pytok_json())["definition"]
        return cls(
            name=tokenizer.name,
            source=definition["source"],
            added_tokens=tuple(definition["added_tokens"]),
            chinese=definition.get("chinese"),
            normalizer=definition["normalizer"],
            pre_tokenizer=definition["pre_tokenizer"],
            model=definition["model"],
            post_processor=definition["post_processor"],
            decoder=definition["decoder"],
        )

    @property
    def kind(self) -> str:
        """The kind of model, such as ``"BPE"``."""
        kind: str = self.model["type"]
        return kind

    @property
    def proto(self) -> bytes:
        """The protobuf of a SentencePiece model."""
        return base64.b64decode(self.model["proto"])

    @property
    def ranks(self) -> dict[bytes, int]:
        """The byte strings of a rank vocabulary and their ids."""
        return {base64.b64decode(piece): rank for piece, rank in self.model["ranks"]}


def flattened(component: Component | None, field: str) -> Sequence[Component]:
    """Give the members of a component that may be a Sequence, those of nested ones too."""
    if component is None:
        return ()
    if component["type"] != "Sequence":
        return (component,)
    return tuple(part for member in component[field] for part in flattened(member, field))
