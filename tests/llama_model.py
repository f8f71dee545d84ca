"""A GGUF vocabulary as llama.cpp itself tokenizes with it.

The Python package that brings llama.cpp loads whole models only, so the vocabulary
gets weights of the smallest size: one layer, 32 numbers a token, all zero.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

WIDTH = 32


def with_weights(vocabulary: Path, model: Path) -> None:
    """Copy a vocabulary into a model."""
    from gguf import GGUFReader, GGUFValueType, GGUFWriter

    fields: Any = GGUFReader(vocabulary).fields
    writer: Any = GGUFWriter(model, "llama")
    for name, field in fields.items():
        if not name.startswith("tokenizer."):
            continue
        kind = field.types[0]
        inner = field.types[1] if kind == GGUFValueType.ARRAY else None
        writer.add_key_value(name, field.contents(), kind, inner)
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(WIDTH)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    size = len(fields["tokenizer.ggml.tokens"].data)
    shapes = {"token_embd": (size, WIDTH), "output_norm": (WIDTH,)}
    shapes |= {f"blk.0.{part}_norm": (WIDTH,) for part in ("attn", "ffn")}
    square = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    shapes |= {f"blk.0.{part}": (WIDTH, WIDTH) for part in square}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", np.zeros(shape, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def llama_cpp(vocabulary: Path, folder: Path) -> Callable[[str, bool], list[int]]:
    """Load a vocabulary with llama.cpp: (text, whether control tokens are found) -> ids."""
    from cyllama.llama import llama_cpp as library

    model_path = folder / "model.gguf"
    with_weights(vocabulary, model_path)
    model: Any = library.LlamaModel(str(model_path), library.LlamaModelParams())
    vocab: Any = model.get_vocab()

    def encode(text: str, special: bool) -> list[int]:
        # An empty text is no text to that package.
        return list(vocab.tokenize(text, add_special=False, parse_special=special)) if text else []

    encode.model = model  # type: ignore[attr-defined]  # the vocabulary is part of it
    return encode
