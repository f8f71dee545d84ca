"""A SentencePiece model in the notation of tokenizer.json.

A BPE model with byte fallback, without character map and user-defined pieces is
exact (Llama 2, Mistral 7B): its scores are an order of merges. A unigram model is
not: scores are added in single precision there and in double precision here, and
a character map is applied to grapheme clusters here.
"""

from __future__ import annotations

import base64
from typing import Any

from pytok.exporting.parts import Parts
from pytok.exporting.ranks import merges_of
from pytok.exporting.sentencepiece_pieces import (
    BYTE,
    CONTROL,
    NORMAL,
    UNKNOWN,
    UNUSED,
    USER_DEFINED,
    read_model,
)

__all__ = ["sentencepiece_definition"]

_UNIGRAM, _BPE = 1, 2
SPACE = "▁"


def sentencepiece_definition(parts: Parts) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Write a model as a tokenizer.json; also why ids of some texts will be others.

    Raises
    ------
    ExportError
        When the library that reads the model is missing.

    """
    model = read_model(parts.proto)
    inexact: list[str] = []
    unigram = model.trainer_spec.model_type == _UNIGRAM
    kinds = [piece.type for piece in model.pieces]
    if USER_DEFINED in kinds:
        inexact.append(
            f"{kinds.count(USER_DEFINED)} user-defined pieces: they are found before normalisation"
        )
    if UNUSED in kinds:
        inexact.append(f"{kinds.count(UNUSED)} unused pieces")
    if model.trainer_spec.treat_whitespace_as_suffix:
        inexact.append("spaces that end a word (treat_whitespace_as_suffix)")
    definition = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": _added_tokens(model, parts, inexact),
        "normalizer": {
            "type": "Sequence",
            "normalizers": _normalizers(model.normalizer_spec, inexact),
        },
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": _decoder(model.normalizer_spec),
        "model": _unigram(model, inexact) if unigram else _bpe(model, inexact),
    }
    return definition, tuple(inexact)


def _added_tokens(model: Any, parts: Parts, inexact: list[str]) -> list[dict[str, Any]]:
    found = [
        {
            "id": token_id,
            "content": piece.piece,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": piece.type != USER_DEFINED,
        }
        for token_id, piece in enumerate(model.pieces)
        if piece.type in (UNKNOWN, CONTROL, USER_DEFINED)
    ]
    if parts.added_tokens:
        inexact.append("added tokens beside those of the model")
    return found + [dict(token) for token in parts.added_tokens]


def _normalizers(spec: Any, inexact: list[str]) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    if spec.precompiled_charsmap:
        inexact.append("the character map: it is applied to grapheme clusters")
        charsmap = base64.b64encode(spec.precompiled_charsmap).decode()
        steps.append({"type": "Precompiled", "precompiled_charsmap": charsmap})
    if spec.remove_extra_whitespaces:
        inexact.append("which white space is removed")
        steps.append({"type": "Strip", "strip_left": True, "strip_right": True})
        steps.append({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
    if spec.add_dummy_prefix:
        steps.append({"type": "Prepend", "prepend": SPACE})
    if spec.escape_whitespaces:
        steps.append({"type": "Replace", "pattern": {"String": " "}, "content": SPACE})
    return steps


def _decoder(spec: Any) -> dict[str, Any]:
    steps: list[dict[str, Any]] = [
        {"type": "Replace", "pattern": {"String": SPACE}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
    ]
    if spec.add_dummy_prefix:
        steps.append({"type": "Strip", "content": " ", "start": 1, "stop": 0})
    return {"type": "Sequence", "decoders": steps}


def _unigram(model: Any, inexact: list[str]) -> dict[str, Any]:
    inexact.append("scores that are added in single precision")
    return {
        "type": "Unigram",
        "unk_id": model.trainer_spec.unk_id,
        "vocab": [[piece.piece, piece.score] for piece in model.pieces],
        "byte_fallback": model.trainer_spec.byte_fallback,
    }


def _bpe(model: Any, inexact: list[str]) -> dict[str, Any]:
    if not model.trainer_spec.byte_fallback:
        inexact.append("how unknown characters are joined")
    normal = [piece for piece in model.pieces if piece.type == NORMAL]
    runs = _runs_of_one_score(normal)
    ordered = sorted(
        (piece for piece in normal if piece.piece not in runs), key=lambda piece: -piece.score
    )
    ranks = {piece.piece: rank for rank, piece in enumerate(ordered)}
    merged = [piece.score for piece in ordered if len(piece.piece) > 1]
    if len(set(merged)) < len(merged):
        inexact.append("pieces of the same score: the leftmost pair goes first")
    merges, unreached = merges_of(ranks)
    if unreached:
        inexact.append(f"{unreached} pieces that pieces of better scores do not spell")
    # From the left: of the pairs that stand side by side in a run, those with more
    # characters are further left, since every run behind the first one is new.
    longest_first = sorted(runs, key=len, reverse=True)
    for run in longest_first:
        sides = ((run[:cut], run[cut:]) for cut in range(1, len(run)))
        merges += [(a, b) for a, b in sides if {a, b} <= runs | {run[0]}]
    ranks |= {run: len(ranks) + place for place, run in enumerate(longest_first)}
    known = [pair for pair in merges if pair[0] in ranks and pair[1] in ranks]
    if len(known) < len(merges):
        inexact.append(f"{len(merges) - len(known)} merges of characters that are no pieces")
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": model.pieces[model.trainer_spec.unk_id].piece,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": True,
        "byte_fallback": any(piece.type == BYTE for piece in model.pieces),
        "ignore_merges": False,
        "vocab": {piece.piece: token_id for token_id, piece in enumerate(model.pieces)},
        "merges": [list(pair) for pair in known],
    }


def _runs_of_one_score(pieces: list[Any]) -> set[str]:
    """Give pieces that repeat one character and share the worst score.

    So Mistral 7B has its runs of spaces. No other piece has to wait for them, so
    what they become depends on the length of a run alone.
    """
    merged = [piece for piece in pieces if len(piece.piece) > 1]
    worst = min((piece.score for piece in merged), default=0.0)
    found = {piece.piece for piece in merged if piece.score == worst}
    same = len({character for run in found for character in run}) == 1
    return found if len(found) > 1 and same else set()
