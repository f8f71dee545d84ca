"""Slices of each kind of text, never the same twice in one process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from . import corpus
from .rows import Settings

WARM_UP = 2


@cache
def kind(settings: Settings, name: str) -> corpus.Kind:
    return corpus.load(settings.shared, name)


def slices(
    settings: Settings, name: str, *, part: int = 0, parts: int = 1, size: int | None = None
) -> Iterator[list[bytes]]:
    """Yield slices of about `slice_bytes`, smaller where the text would not last.

    Tokenizers that share no cache may read the same slices. For several races of
    one tokenizer, `part` of `parts` takes text of its own.
    """
    documents = kind(settings, name).documents
    count = len(documents)
    documents = documents[count * part // parts : count * (part + 1) // parts]
    available = sum(map(len, documents))
    # Rounds and warm-up, and the document by which each slice goes over its size.
    fitting = available // (settings.rounds + WARM_UP + 1) - corpus.DOCUMENT
    return corpus.slices(documents, min(size or settings.slice_bytes, fitting))


def batches(
    settings: Settings, document: int, count: int, documents: int = 128
) -> list[list[bytes]]:
    """Make batches of `documents` texts of about `document` bytes of modern Chinese."""
    text = b"\n".join(kind(settings, "modern").documents).decode()
    characters = document * len(text) // len(text.encode())
    pieces = [text[i : i + characters].encode() for i in range(0, len(text), characters)]
    pieces = pieces[: count * documents]
    return [pieces[i : i + documents] for i in range(0, len(pieces), documents)]
