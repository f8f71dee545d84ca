"""tekken.json, which mistral-common reads."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path

from pytok.exporting.parts import Parts
from pytok.exporting.plan import Encode, Plan
from pytok.exporting.ranks import bpe_hint, rank_vocabulary
from pytok.exporting.to_tiktoken import one_pattern

__all__ = ["TEKKEN", "plan_tekken"]

TEKKEN = "tekken.json"
# What every chat format of mistral-common puts around messages.
_EXPECTED = ("<unk>", "<s>", "</s>")


def plan_tekken(parts: Parts) -> Plan:
    """Plan a tekken.json.

    The format numbers the special tokens first, then the 256 bytes in their order,
    then the other pieces by rank: a tokenizer that numbers otherwise gets an `id_map`.

    Raises
    ------
    ExportError
        When the pieces are no byte strings, or the text is cut by more than one pattern.

    """
    vocabulary = rank_vocabulary(parts)
    pattern, doubts = one_pattern(vocabulary, parts.name, "tekken.json")
    specials = sorted(vocabulary.special_tokens.items(), key=lambda item: item[1])
    ranks = vocabulary.ranks
    single = [bytes([byte]) for byte in range(256)]
    longer = sorted((piece for piece in ranks if len(piece) > 1), key=ranks.__getitem__)
    pieces = [*single, *longer]
    id_map = {old: new for new, (_, old) in enumerate(specials)}
    id_map |= {ranks[piece]: len(specials) + rank for rank, piece in enumerate(pieces)}
    content = {
        "config": {
            "pattern": pattern,
            "num_vocab_tokens": len(pieces),
            "default_vocab_size": len(pieces) + len(specials),
            "default_num_special_tokens": len(specials),
            "version": "v7",
        },
        "vocab": [_entry(rank, piece) for rank, piece in enumerate(pieces)],
        "special_tokens": [
            {"rank": rank, "token_str": text, "is_control": True}
            for rank, (text, _) in enumerate(specials)
        ],
        "version": 1,
        "type": "Tekken",
    }
    losses = list(vocabulary.losses)
    if specials:
        losses.append("special tokens found in a text: its library puts them there by id only")
    missing = [token for token in _EXPECTED if token not in vocabulary.special_tokens]
    if missing:
        losses.append(f"{', '.join(missing)}, which the chat formats of mistral-common need")
    plain = [token["content"] for token in parts.added_tokens if not token["special"]]
    inexact = vocabulary.inexact + doubts
    if plain:
        inexact += (f"added tokens that every text is searched for, such as {plain[0]!r}",)
    return Plan(
        target="tekken",
        files={TEKKEN: json.dumps(content, ensure_ascii=False, indent=1).encode()},
        reload=_reload,
        inexact=inexact,
        losses=tuple(losses),
        id_map=None if all(old == new for old, new in id_map.items()) else id_map,
        finds_special=False,
        hint=bpe_hint(parts),
    )


def _entry(rank: int, piece: bytes) -> dict[str, object]:
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    return {
        "rank": rank,
        "token_bytes": base64.b64encode(piece).decode(),
        "token_str": text,
    }


def _reload(folder: Path) -> Mapping[str, Encode]:
    from importlib.metadata import version

    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tekken = Tekkenizer.from_file(folder / TEKKEN)

    def encode(texts: list[str], special: bool) -> list[list[int]]:
        return [tekken.encode(text, bos=False, eos=False) for text in texts]

    return {f"mistral-common {version('mistral-common')}": encode}
