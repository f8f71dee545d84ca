"""Loading a GGUF vocabulary: by llama.cpp itself, and read back by the rules it publishes.

llama.cpp is used where llama-cpp-python is installed. The other check needs the
package gguf alone: it reads tokens, merges and pre-type out of the file, and cuts
and merges as `llama-vocab.cpp` and `unicode.cpp` do, also where that is not the
pattern of the model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytok import _pytok
from pytok.exporting.byte_level import byte_level_definition
from pytok.exporting.plan import Encode
from pytok.exporting.pre_types import cuts_of
from pytok.exporting.sentencepiece_pieces import PieceList, model_bytes
from pytok.tokenizer import Tokenizer

__all__ = ["reload_gguf"]

_CONTROL, _USER_DEFINED, _BYTE = 3, 4, 6


def reload_gguf(path: Path) -> Mapping[str, Encode]:
    """Load a vocabulary with everything that is installed; at least with gguf."""
    from importlib.metadata import version

    found: dict[str, Encode] = {f"gguf {version('gguf')}, read back": _read_back(path)}
    try:
        encode = _llama_cpp_python(path)
    except ImportError:
        return found
    return found | {f"llama.cpp in llama-cpp-python {version('llama-cpp-python')}": encode}


def _llama_cpp_python(path: Path) -> Encode:
    from llama_cpp import Llama

    model: Any = Llama(str(path), vocab_only=True, verbose=False)

    def encode(texts: list[str], special: bool) -> list[list[int]]:
        return [
            list(model.tokenize(text.encode(), add_bos=False, special=special)) if text else []
            for text in texts
        ]

    return encode


def _read_back(path: Path) -> Encode:
    from gguf import GGUFReader

    fields: Any = GGUFReader(path).fields
    model = fields["tokenizer.ggml.model"].contents()
    texts = fields["tokenizer.ggml.tokens"].contents()
    types = fields["tokenizer.ggml.token_type"].contents()
    if model == "llama":
        pieces = PieceList()
        scores = fields["tokenizer.ggml.scores"].contents()
        for token_id, (text, score, kind) in enumerate(zip(texts, scores, types, strict=True)):
            pieces.add(token_id, text, score, kind, bytes_as_such=kind == _BYTE)
        prefix = fields["tokenizer.ggml.add_space_prefix"].contents()
        content = model_bytes(pieces, unigram=False, dummy_prefix=prefix, charsmap="")
    else:
        merges = fields["tokenizer.ggml.merges"].contents()
        definition = _byte_level(texts, types, merges, fields["tokenizer.ggml.pre"].contents())
        content = json.dumps(definition, ensure_ascii=False).encode()
    tokenizer = Tokenizer._of(_pytok.Tokenizer.load(content), path.name)

    def encode(texts: list[str], special: bool) -> list[list[int]]:
        policy: Any = "special" if special else "text"
        return [
            tokenizer.encode_ids(text, special=policy, add_special_tokens=False) for text in texts
        ]

    return encode


def _byte_level(
    texts: list[str], types: list[int], merges: list[str], pre: str
) -> dict[str, object]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return byte_level_definition(
        cuts_of(pre),
        {text: token_id for token_id, text in enumerate(texts)},
        [merge.split(" ") for merge in merges],
        added_tokens=[
            {"id": token_id, "content": text, "special": kind == _CONTROL, **flags}
            for token_id, (text, kind) in enumerate(zip(texts, types, strict=True))
            if kind in (_CONTROL, _USER_DEFINED)
        ],
        ignore_merges=pre in ("llama-bpe", "gpt-4o", "kimi-k2"),
    )
