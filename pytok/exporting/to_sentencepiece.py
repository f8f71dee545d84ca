"""SentencePiece: a .model file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytok.errors import ExportError
from pytok.exporting.parts import CHARACTER_BYTES, Component, Parts, flattened
from pytok.exporting.plan import Encode, Plan
from pytok.exporting.ranks import order_doubt
from pytok.exporting.sentencepiece_pieces import (
    CONTROL,
    NORMAL,
    UNKNOWN,
    USER_DEFINED,
    PieceList,
    model_bytes,
    with_pieces,
)

__all__ = ["MODEL", "plan_sentencepiece"]

MODEL = "tokenizer.model"
SPACE = "▁"
_FALLBACK = "--allow-inexact writes what SentencePiece can hold, and measures how many texts differ"


def plan_sentencepiece(parts: Parts) -> Plan:
    """Plan a SentencePiece model.

    Exact for what came from one, and for a BPE with byte fallback whose only
    other step writes spaces as ▁ (the tokenizer.json of Llama 2).

    Raises
    ------
    ExportError
        When even the pieces cannot be written.

    """
    inexact: list[str] = []
    if parts.chinese is not None:
        inexact.append("the steps of pytok.zh before the model")
    if parts.kind == "SentencePiece":
        content = _extended(parts, inexact)
    elif parts.kind in ("BPE", "Unigram", "ByteRanks"):
        content = _built(parts, inexact)
    else:
        raise ExportError(f"{parts.name}: SentencePiece has no {parts.kind} models")
    losses = []
    if any(token["special"] for token in parts.added_tokens):
        losses.append("special tokens found in a text: its library never finds them")
    if any(part["type"] != "ByteLevel" for part in flattened(parts.post_processor, "processors")):
        losses.append("the special tokens that the tokenizer puts around a text")
    return Plan(
        target="sentencepiece",
        files={MODEL: content},
        reload=_reload,
        inexact=tuple(inexact),
        losses=tuple(losses),
        finds_special=False,
        hint=_FALLBACK,
    )


def _extended(parts: Parts, inexact: list[str]) -> bytes:
    """Give a model, with its added tokens as pieces after all others."""
    if not parts.added_tokens:
        return parts.proto
    tokens = sorted(parts.added_tokens, key=lambda token: int(token["id"]))
    plain = [token["content"] for token in tokens if not token["special"]]
    if plain:
        inexact.append(
            f"{len(plain)} added tokens as such, {plain[0]!r} first: its user-defined pieces are "
            "found after normalisation"
        )
    pieces = [
        (token["id"], token["content"], CONTROL if token["special"] else USER_DEFINED)
        for token in tokens
    ]
    return with_pieces(parts.proto, pieces, parts.name)


def _built(parts: Parts, inexact: list[str]) -> bytes:
    """Build a model from pieces."""
    by_bytes = parts.kind == "ByteRanks" or any(
        part["type"] == "ByteLevel"
        for part in (
            *flattened(parts.pre_tokenizer, "pretokenizers"),
            *flattened(parts.normalizer, "normalizers"),
        )
    )
    pieces = _byte_level(parts, inexact) if by_bytes else _characters(parts, inexact)
    prefix, charsmap = _text_steps(parts, by_bytes, inexact)
    return model_bytes(
        pieces,
        unigram=parts.kind == "Unigram",
        dummy_prefix=prefix,
        charsmap=charsmap,
    )


def _text_steps(parts: Parts, by_bytes: bool, inexact: list[str]) -> tuple[bool, str]:
    """Find what is done to a text: whether a space goes before it, and the character map."""
    prefix, spaces, charsmap = False, by_bytes, ""
    for step in flattened(parts.normalizer, "normalizers"):
        if step == {"type": "Prepend", "prepend": SPACE}:
            prefix = True
        elif step == {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}:
            spaces = True
        elif step["type"] == "Precompiled" and not charsmap:
            charsmap = step["precompiled_charsmap"]
            inexact.append("that the character map is applied to grapheme clusters")
        elif step["type"] != "ByteLevel":
            inexact.append(f"the normalizer {step['type']}")
    for step in flattened(parts.pre_tokenizer, "pretokenizers"):
        if step["type"] == "Metaspace" and step["replacement"] == SPACE and not spaces:
            spaces, prefix = True, step["prepend_scheme"] != "never"
            inexact += _metaspace_doubts(step, prefix)
        else:
            inexact += _cutting(step)
    if not spaces:
        inexact.append("spaces that are not written as ▁")
    return prefix, charsmap


def _metaspace_doubts(step: Component, prefix: bool) -> list[str]:
    doubts = ["that no space is put before a text that begins with one"] if prefix else []
    return [*doubts, "that each word is encoded apart (Metaspace)"] if step["split"] else doubts


def _cutting(step: Component) -> list[str]:
    """Name a step that cuts the text; the byte alphabet alone does not."""
    if step["type"] == "Split":
        return [f"the pattern {next(iter(step['pattern'].values()))!r} that cuts the text"]
    if step["type"] == "ByteLevel":
        return ["the pattern of ByteLevel that cuts the text"] if step["use_regex"] else []
    return [f"the pre-tokenizer {step['type']}"]


def _characters(parts: Parts, inexact: list[str]) -> PieceList:
    """Take the pieces of a model over characters."""
    model = parts.model
    pieces = PieceList()
    special = {token["id"]: token for token in parts.added_tokens}
    unknown = _unknown_id(model)
    scores = _scores(parts, inexact)
    for piece, token_id in _entries(model):
        token = special.get(token_id)
        if token_id == unknown:
            kind = UNKNOWN
        elif token is not None:
            kind = CONTROL if token["special"] else USER_DEFINED
        else:
            kind = NORMAL
        pieces.add(token_id, piece, scores[token_id], kind, bytes_as_such=model["byte_fallback"])
    for token_id, token in special.items():
        if token_id not in pieces:
            kind = CONTROL if token["special"] else USER_DEFINED
            pieces.add(token_id, token["content"], 0.0, kind)
    plain = [token["content"] for token in parts.added_tokens if not token["special"]]
    if plain:
        inexact.append(f"added tokens that are no control tokens, such as {plain[0]!r}")
    if not model["byte_fallback"] or not pieces.has_all_bytes:
        inexact.append("how unknown characters are joined")
    if not pieces.complete(unknown):
        inexact.append("that there is no unknown token, or that ids have gaps")
    return pieces


def _byte_level(parts: Parts, inexact: list[str]) -> PieceList:
    """Take the pieces of a model over bytes that are whole characters."""
    pieces = PieceList()
    special = {token["id"]: token for token in parts.added_tokens}
    scores = _scores(parts, inexact)
    inside = 0
    for data, token_id in _byte_entries(parts):
        if token_id in special:
            continue
        text = _text(data)
        if text is not None:
            pieces.add(token_id, text, scores[token_id], NORMAL)
        elif len(data) == 1:
            pieces.add_byte(token_id, data[0])
        else:
            inside += 1
            pieces.add_unused(token_id)
    for token_id, token in special.items():
        kind = CONTROL if token["special"] else USER_DEFINED
        pieces.add(token_id, token["content"], 0.0, kind)
    if inside:
        inexact.append(f"{inside:,} pieces that end inside a character")
    extra = pieces.fill()
    if extra:
        inexact.append(f"a vocabulary without {extra} more pieces for single bytes and <unk>")
    return pieces


def _text(data: bytes) -> str | None:
    """Give the text of a piece with its spaces as ▁; None when there is none."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if SPACE in text or "\0" in text else text.replace(" ", SPACE)


def _byte_entries(parts: Parts) -> list[tuple[bytes, int]]:
    if parts.kind == "ByteRanks":
        return list(parts.ranks.items())
    return [
        (bytes(CHARACTER_BYTES.get(c, 0x3F) for c in piece), token_id)
        for piece, token_id in _entries(parts.model)
    ]


def _entries(model: Component) -> list[tuple[str, int]]:
    if model["type"] == "BPE":
        return list(model["vocab"].items())
    return [(piece, number) for number, (piece, _) in enumerate(model["vocab"])]


def _unknown_id(model: Component) -> int | None:
    if model["type"] == "Unigram":
        found: int | None = model["unk_id"]
        return found
    return None if model["unk_token"] is None else model["vocab"].get(model["unk_token"])


def _scores(parts: Parts, inexact: list[str]) -> dict[int, float]:
    """Score pieces so that better ones go first, as the merges or the scores say."""
    model = parts.model
    if parts.kind == "Unigram":
        inexact.append("scores in double precision: it adds them in single precision")
        return {number: score for number, (_, score) in enumerate(model["vocab"])}
    if parts.kind == "ByteRanks":
        return {rank: -float(rank) for rank in parts.ranks.values()}
    for name in ("continuing_subword_prefix", "end_of_word_suffix", "dropout"):
        if model[name]:
            inexact.append(f"{name} of the BPE model")
    order: dict[str, int] = {}
    for left, right in model["merges"]:
        order.setdefault(left + right, len(order))
    made = dict.fromkeys(model["vocab"], len(order)) | order
    special = {token["content"] for token in parts.added_tokens}
    doubt = order_doubt(
        made,
        map(tuple, model["merges"]),
        lambda piece: len(piece) == 1 or piece in special or piece not in order,
        False,
    )
    if doubt:
        inexact.append(doubt)
    return {token_id: -float(made[piece]) for piece, token_id in model["vocab"].items()}


def _reload(folder: Path) -> Mapping[str, Encode]:
    import sentencepiece

    processor: Any = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto((folder / MODEL).read_bytes())

    def encode(texts: list[str], special: bool) -> list[list[int]]:
        found: list[list[int]] = processor.encode(texts, out_type=int, num_threads=1)
        return found

    return {f"sentencepiece {sentencepiece.__version__}": encode}
