"""Special tokens that the vocabulary does not have, or has as ordinary pieces."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import ALL, TRANSFORMERS, Finding
from pytok.doctor.folder import CONFIG, SPECIAL_MAP, TOKENIZER, Folder, content_of, special_tokens

__all__ = ["missing_specials"]


def missing_specials(folder: Folder) -> Iterator[Finding]:
    """Find special tokens of the configuration that transformers would add on loading."""
    if not folder.json(TOKENIZER):
        return
    added = {token["content"] for token in folder.added}
    decoder = folder.config.get("added_tokens_decoder")
    decoded = decoder.values() if isinstance(decoder, dict) else ()
    announced = set(map(content_of, decoded))
    seen: set[str] = set()
    for name in (CONFIG, SPECIAL_MAP):
        for key, token in special_tokens(folder.json(name)):
            if token in seen or token in added or token in announced:
                continue
            seen.add(token)
            if token in folder.ids:
                yield Finding(
                    "missing-specials",
                    "error",
                    f"{token!r} is an ordinary piece: loading makes it a special token, which is "
                    "cut out of every text first, so ids change",
                    f"{name}: {key}",
                    "name a special token, or put it into added_tokens of tokenizer.json",
                    TRANSFORMERS,
                )
            else:
                yield Finding(
                    "missing-specials",
                    "error",
                    f"{token!r} is not in the vocabulary: loading gives it a new id, for which "
                    "the model has no row; other loaders cut it into pieces",
                    f"{name}: {key}",
                    "name a token that is there, or add it to tokenizer.json and to the model",
                    ALL,
                )
