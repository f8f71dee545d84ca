"""GGUF: a vocabulary that llama.cpp loads, without weights."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytok._roles import special_roles
from pytok.errors import ExportError
from pytok.exporting.llama_cpp import reload_gguf
from pytok.exporting.parts import BYTE_CHARACTERS, Parts
from pytok.exporting.plan import Plan
from pytok.exporting.pre_types import DEVIATIONS, NEWER, pre_type
from pytok.exporting.ranks import bpe_hint, merges_of, rank_vocabulary
from pytok.exporting.sentencepiece_pieces import UNKNOWN, USER_DEFINED, read_model
from pytok.tokenizer import Tokenizer

__all__ = ["GGUF", "plan_gguf"]

GGUF = "tokenizer.gguf"
# Types of a token (llama.h); those of SentencePiece have the same numbers.
_NORMAL, _CONTROL, _USER_DEFINED, _UNUSED = 1, 3, 4, 5
_BPE = 2


@dataclass(frozen=True)
class _Vocabulary:
    """What the file says: texts, types and perhaps scores by id, and the settings."""

    model: str
    pre: str
    texts: list[bytes]
    types: list[int]
    scores: list[float] | None
    merges: list[str] | None
    special_ids: Mapping[str, int]
    space_prefix: bool = False


def plan_gguf(tokenizer: Tokenizer, parts: Parts) -> Plan:
    """Plan a GGUF vocabulary.

    Exact for BPE over bytes whose patterns llama.cpp has, and for SentencePiece BPE
    models with byte fallback that do not normalise.

    Raises
    ------
    ExportError
        When the kind of model is none of these.

    """
    inexact: list[str] = []
    losses: list[str] = []
    if parts.kind == "SentencePiece":
        vocabulary = _of_sentencepiece(parts, inexact)
    else:
        vocabulary = _of_ranks(parts, _roles(tokenizer, losses), inexact, losses)
    return Plan(
        target="gguf",
        files={GGUF: _written(vocabulary, parts.name)},
        reload=lambda folder: reload_gguf(folder / GGUF),
        inexact=tuple(inexact),
        losses=tuple(losses),
        finds_special=parts.kind != "SentencePiece",
        keeps_special_text=all(token["special"] for token in parts.added_tokens),
        hint=bpe_hint(parts),
    )


def _roles(tokenizer: Tokenizer, losses: list[str]) -> dict[str, int]:
    """Find the ids of special tokens, under llama.cpp's names."""
    ids = {token.content: token.id for token in tokenizer.added_tokens if token.id is not None}
    roles = {
        _ROLES[role]: ids[content]
        for role, content in special_roles(tokenizer).items()
        if role in _ROLES
    }
    if "eos" in roles:
        roles.setdefault("bos", roles["eos"])
    else:
        losses.append("an end of the text: llama.cpp takes the token 11 for it where none is named")
    return roles


_ROLES = {"bos_token": "bos", "eos_token": "eos", "pad_token": "padding", "unk_token": "unknown"}


def _of_ranks(
    parts: Parts, roles: Mapping[str, int], inexact: list[str], losses: list[str]
) -> _Vocabulary:
    """Make a vocabulary of llama.cpp's model "gpt2"."""
    vocabulary = rank_vocabulary(parts)
    inexact += [reason for reason in vocabulary.inexact if not reason.startswith(_ORDER)]
    losses += vocabulary.losses
    pre = pre_type(vocabulary.patterns)
    if pre is None:
        patterns = " then ".join(map(repr, vocabulary.patterns)) or "none"
        inexact.append(f"the pre-tokenizer: llama.cpp has no pre-type for the patterns {patterns}")
    elif pre in DEVIATIONS:
        inexact.append(DEVIATIONS[pre])
    if pre is not None:
        losses.append(NEWER)
    if vocabulary.merges is None:
        pairs, unreached = merges_of(vocabulary.ranks)
        if unreached:
            inexact.append(f"{unreached} pieces that merges of bytes do not reach")
    else:
        pairs = list(vocabulary.merges)
    size = 1 + max([*vocabulary.ranks.values(), *vocabulary.special_tokens.values()])
    texts = [f"[PAD{token_id}]".encode() for token_id in range(size)]
    types = [_UNUSED] * size
    for piece, token_id in vocabulary.ranks.items():
        texts[token_id], types[token_id] = _shown(piece).encode(), _NORMAL
    for token in parts.added_tokens:
        texts[token["id"]] = token["content"].encode()
        types[token["id"]] = _CONTROL if token["special"] else _USER_DEFINED
    return _Vocabulary(
        model="gpt2",
        pre=pre or "default",
        texts=texts,
        types=types,
        scores=None,
        merges=[f"{_shown(left)} {_shown(right)}" for left, right in pairs],
        special_ids=roles,
    )


# llama.cpp has the merges themselves, so their order is no obstacle.
_ORDER = ("the order of merges", "that no merge makes")


def _shown(piece: bytes) -> str:
    return "".join(BYTE_CHARACTERS[byte] for byte in piece)


def _of_sentencepiece(parts: Parts, inexact: list[str]) -> _Vocabulary:
    """Make a vocabulary of llama.cpp's model "llama"."""
    model = read_model(parts.proto)
    if model.trainer_spec.model_type != _BPE:
        raise ExportError(
            f"{parts.name}: a SentencePiece unigram model is not written as GGUF: llama.cpp adds "
            "its scores in another precision",
            hint="export to sentencepiece or hf, and convert the model with llama.cpp's own script",
        )
    spec = model.normalizer_spec
    if spec.precompiled_charsmap:
        inexact.append("the character map: llama.cpp does not normalise")
    if spec.remove_extra_whitespaces:
        inexact.append("that spaces are removed")
    if not model.trainer_spec.byte_fallback:
        inexact.append("unknown characters without byte fallback")
    if parts.added_tokens or any(piece.type == USER_DEFINED for piece in model.pieces):
        inexact.append("user-defined pieces: they are found before spaces are written as ▁")
    if parts.chinese is not None:
        inexact.append("the steps of pytok.zh before the model")
    trainer = model.trainer_spec
    roles = {"bos": trainer.bos_id, "eos": trainer.eos_id, "unknown": trainer.unk_id}
    if trainer.pad_id >= 0:
        roles["padding"] = trainer.pad_id
    types = [piece.type for piece in model.pieces]
    assert UNKNOWN in types
    return _Vocabulary(
        model="llama",
        pre="default",
        texts=[piece.piece.encode() for piece in model.pieces],
        types=types,
        scores=[piece.score for piece in model.pieces],
        merges=None,
        special_ids={role: token_id for role, token_id in roles.items() if token_id >= 0},
        space_prefix=spec.add_dummy_prefix,
    )


def _written(vocabulary: _Vocabulary, name: str) -> bytes:
    try:
        from gguf import GGUFWriter
    except ImportError as error:
        raise ExportError(
            f"gguf: writing needs {error.name}, which is not installed",
            hint="pip install 'pytok-tokenizers[export]'",
        ) from error
    with tempfile.TemporaryDirectory() as place:
        path = Path(place, GGUF)
        # A vocabulary is loaded under the name of some architecture.
        writer: Any = GGUFWriter(path, "llama")
        writer.add_name(name)
        writer.add_tokenizer_model(vocabulary.model)
        writer.add_tokenizer_pre(vocabulary.pre)
        writer.add_token_list(vocabulary.texts)
        writer.add_token_types(vocabulary.types)
        if vocabulary.scores is not None:
            writer.add_token_scores(vocabulary.scores)
        if vocabulary.merges is not None:
            writer.add_token_merges(vocabulary.merges)
        for role, token_id in vocabulary.special_ids.items():
            writer.add_uint32(f"tokenizer.ggml.{role}_token_id", token_id)
        writer.add_bool("tokenizer.ggml.add_bos_token", False)
        writer.add_bool("tokenizer.ggml.add_eos_token", False)
        writer.add_add_space_prefix(vocabulary.space_prefix)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.close()
        return path.read_bytes()
