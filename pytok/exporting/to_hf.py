"""Hugging Face: a folder that tokenizers and transformers load."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytok import _pytok
from pytok.errors import ConfigError, ExportError
from pytok.exporting.byte_level import byte_level_definition
from pytok.exporting.parts import BYTE_CHARACTERS, Parts
from pytok.exporting.patterns import for_tokenizers
from pytok.exporting.plan import Encode, Plan
from pytok.exporting.ranks import RankVocabulary, merges_of, rank_vocabulary
from pytok.exporting.sentencepiece_as_hf import sentencepiece_definition
from pytok.tokenizer import Tokenizer

__all__ = ["definition_for_hf", "plan_hf"]

PROFILES = ("portable", "native")


def plan_hf(tokenizer: Tokenizer, parts: Parts, profile: str) -> Plan:
    """Plan a folder for Hugging Face.

    Parameters
    ----------
    tokenizer, parts
        The tokenizer, whole and taken apart.
    profile
        ``"portable"``: loads without pytok, as a `PreTrainedTokenizerFast`;
        ``"native"``: as `pytok.hf.PytokTokenizer`, with pytok.json and the shim for
        ``trust_remote_code``.

    Raises
    ------
    ConfigError
        When the profile is none of these.
    ExportError
        When a tokenizer.json has no place for a component.

    """
    if profile not in PROFILES:
        raise ConfigError(f"profile: {profile!r}, expected 'portable' or 'native'")
    inexact: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    of_sentencepiece = parts.kind == "SentencePiece"
    if of_sentencepiece:
        losses = ("control tokens that stay plain text: tokenizers finds them in every text",)
    if parts.source != "tokenizers":
        # Its own notation: what follows is a tokenizer of tokenizers with the same ids.
        definition, inexact = definition_for_hf(parts)
        core = _pytok.Tokenizer.load(json.dumps(definition, ensure_ascii=False).encode())
        tokenizer = Tokenizer._of(core, parts.name)
    else:
        tokenizer._core.tokenizer_json()
    return Plan(
        target="hf",
        files=_files(tokenizer, profile),
        reload=_reload,
        inexact=inexact,
        losses=losses,
        finds_special=not of_sentencepiece,
        keeps_special_text=of_sentencepiece,
        adds_special=True,
    )


def _files(tokenizer: Tokenizer, profile: str) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        folder = tokenizer.save(Path(place, "saved"))
        if profile == "native":
            from pytok.hf.folder import NATIVE, settle_config

            settle_config(folder, NATIVE)
        else:
            (folder / "pytok.json").unlink()
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def definition_for_hf(parts: Parts) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Write a tokenizer of another format as a tokenizer.json; also why ids would be others.

    Raises
    ------
    ExportError
        When a tokenizer.json has no place for a component.

    """
    if parts.chinese is not None:
        raise ExportError(
            f"{parts.name}: steps of pytok.zh cannot be written beside a model of another format",
            hint="export the tokenizer without them: tokenizer.with_normalizer(None)",
        )
    if parts.kind == "SentencePiece":
        return sentencepiece_definition(parts)
    return _ranks_definition(rank_vocabulary(parts), parts)


def _ranks_definition(
    vocabulary: RankVocabulary, parts: Parts
) -> tuple[dict[str, Any], tuple[str, ...]]:
    inexact = vocabulary.inexact
    patterns: list[str] = []
    for pattern in vocabulary.patterns:
        written = for_tokenizers(pattern)
        if written is None:
            doubt = f"the pattern {pattern!r}, which the other engine may read otherwise"
            inexact = (*inexact, doubt)
        patterns.append(written or pattern)
    merges, unreached = merges_of(vocabulary.ranks)
    vocab = {_text_of(piece): rank for piece, rank in vocabulary.ranks.items()}
    # Without an entry an added token would get the next free id.
    vocab |= vocabulary.special_tokens
    definition = byte_level_definition(
        patterns,
        dict(sorted(vocab.items(), key=lambda item: item[1])),
        [(_text_of(left), _text_of(right)) for left, right in merges],
        added_tokens=parts.added_tokens,
        # tiktoken looks a whole word up before it merges.
        ignore_merges=unreached > 0,
    )
    return definition, inexact


def _text_of(piece: bytes) -> str:
    return "".join(BYTE_CHARACTERS[byte] for byte in piece)


def _reload(folder: Path) -> Mapping[str, Encode]:
    import tokenizers
    import transformers

    backend = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))

    def stock(texts: list[str], special: bool) -> list[list[int]]:
        return [encoding.ids for encoding in backend.encode_batch(texts)]

    if (folder / "pytok.json").exists():
        import pytok.hf  # noqa: F401  # registers the class that the folder names
    drop_in = transformers.AutoTokenizer.from_pretrained(str(folder))

    def through_transformers(texts: list[str], special: bool) -> list[list[int]]:
        ids: list[list[int]] = drop_in(texts, verbose=False)["input_ids"] if texts else []
        return ids

    return {
        f"tokenizers {tokenizers.__version__}": stock,
        f"transformers {transformers.__version__} ({type(drop_in).__name__})": through_transformers,
    }
