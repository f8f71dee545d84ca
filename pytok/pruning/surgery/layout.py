"""Which tensors have rows per id, and whether what the configuration says of them is true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytok.errors import ConfigError, FormatError
from pytok.pruning.surgery.checkpoint import CONFIG, Checkpoint
from pytok.pruning.surgery.safetensors import TensorInfo

__all__ = ["Layout", "layout_of"]

# The ends of names, as transformers' models have them; the axis is 0 but for one.
EMBEDDINGS = (
    "embed_tokens.weight",
    "tok_embeddings.weight",
    "word_embeddings.weight",
    "word_embedding.weight",
    "wte.weight",
    "embed_in.weight",
    "shared.weight",
    "backbone.embeddings.weight",
)
OUTPUTS = (
    "lm_head.weight",
    "lm_head.bias",
    "lm_head.decoder.weight",
    "lm_head.decoder.bias",
    "embed_out.weight",
    "output_layer.weight",
    "predictions.decoder.weight",
    "predictions.decoder.bias",
    "predictions.bias",
    "shared_head.head.weight",
    "final_logits_bias",
)
# As a whole name only: inside of a layer it is another thing.
_WHOLE = ("output.weight",)
_AXES = {"final_logits_bias": 1}
_COMPARED_BYTES = 8 << 20


@dataclass(frozen=True)
class Layout:
    """The tensors that change: their axis by name, their rows, and whether they are tied."""

    rows: int
    axes: Mapping[str, int]
    tied: bool


def layout_of(checkpoint: Checkpoint, given: Mapping[str, int | None] | None) -> Layout:
    """Find the tensors with rows per id.

    Parameters
    ----------
    checkpoint
        The checkpoint.
    given
        Axis of the vocabulary by name, for tensors whose names do not say it;
        None for those that have none.

    Raises
    ------
    ConfigError
        If `given` names a tensor that is not there or an axis that it has not,
        or a tensor is as long as the vocabulary and nothing says whether by chance.
    FormatError
        If there is no embedding, lengths disagree with each other or with
        config.json, or the tensors are not tied as config.json says.

    """
    tensors = checkpoint.tensors()
    axes = _known(tensors) | _checked(given or {}, tensors)
    chosen = {name: axis for name, axis in axes.items() if axis is not None}
    embeddings = [name for name in chosen if _ends(name, EMBEDDINGS)] or list(chosen)[:1]
    if not embeddings:
        raise FormatError(
            f"{checkpoint.folder}: no tensor is known as the embedding of tokens",
            hint="pass its name in tensors, with axis 0",
        )
    rows = tensors[embeddings[0]].shape[chosen[embeddings[0]]]
    for name, axis in chosen.items():
        if tensors[name].shape[axis] != rows:
            raise FormatError(
                f"{checkpoint.folder}: {name} has {tensors[name].shape[axis]} rows, "
                f"{embeddings[0]} has {rows}",
                hint="pass the name in tensors, with None, if its rows are not ids",
            )
    sizes = _vocab_sizes(checkpoint.config)
    if rows not in sizes:
        raise FormatError(
            f"{checkpoint.folder / CONFIG}: vocab_size is "
            f"{', '.join(map(str, sizes)) or 'missing'}, but {embeddings[0]} has {rows} rows",
            hint="correct config.json, or finish the download",
        )
    _check_unknown(checkpoint, tensors, axes, rows)
    outputs = [name for name in chosen if _is_output_matrix(name, tensors[name])]
    _check_ties(checkpoint, embeddings[0], outputs)
    return Layout(rows, chosen, not outputs)


def _ends(name: str, ends: tuple[str, ...]) -> bool:
    return any(name == end or name.endswith("." + end) for end in ends)


def _is_output_matrix(name: str, info: TensorInfo) -> bool:
    return len(info.shape) == 2 and (
        name in _WHOLE or (_ends(name, OUTPUTS) and name.endswith(".weight"))
    )


def _known(tensors: Mapping[str, TensorInfo]) -> dict[str, int | None]:
    axes: dict[str, int | None] = {}
    for name, info in tensors.items():
        if name in _WHOLE or _ends(name, EMBEDDINGS + OUTPUTS):
            axis = _AXES.get(name.rpartition(".")[2], 0)
            if axis >= len(info.shape):
                raise FormatError(f"tensor {name!r}: shape {list(info.shape)} has no axis {axis}")
            axes[name] = axis
    return axes


def _checked(
    given: Mapping[str, int | None], tensors: Mapping[str, TensorInfo]
) -> dict[str, int | None]:
    for name, axis in given.items():
        if name not in tensors:
            raise ConfigError(f"tensors: the checkpoint has no {name!r}")
        dimensions = len(tensors[name].shape)
        if axis is not None and not 0 <= axis < dimensions:
            raise ConfigError(f"tensors: axis {axis} of {name!r}, expected below {dimensions}")
    return dict(given)


def _vocab_sizes(config: Mapping[str, Any]) -> list[int]:
    """Return the vocab_size of a configuration, or those of its parts where each has its own."""
    if "vocab_size" in config:
        return [config["vocab_size"]]
    parts = [part for part in config.values() if isinstance(part, dict)]
    return [size for part in parts for size in _vocab_sizes(part)]


def _check_unknown(
    checkpoint: Checkpoint,
    tensors: Mapping[str, TensorInfo],
    axes: Mapping[str, int | None],
    rows: int,
) -> None:
    """Fail on what might belong to the vocabulary: leaving it would break the model."""
    for name, info in tensors.items():
        if name in axes:
            continue
        # Gemma 3n has an embedding per layer, with fewer rows than the vocabulary.
        if rows in info.shape or "embed_tokens_per_layer." in name:
            raise ConfigError(
                f"{checkpoint.folder}: {name} of shape {list(info.shape)} may have rows per id "
                f"(the vocabulary has {rows})",
                hint="pass its name in tensors, with the axis, or None if that is chance",
            )


def _check_ties(checkpoint: Checkpoint, embedding: str, outputs: list[str]) -> None:
    """Compare tie_word_embeddings with the tensors; where it is missing, both are possible."""
    flag = checkpoint.config.get("tie_word_embeddings")
    if flag is None and isinstance(text := checkpoint.config.get("text_config"), dict):
        flag = text.get("tie_word_embeddings")
    heads = ("CausalLM", "LMHead", "ConditionalGeneration", "MaskedLM")
    architectures = checkpoint.config.get("architectures") or []
    if flag is False and not outputs and any(h in str(a) for a in architectures for h in heads):
        raise FormatError(
            f"{checkpoint.folder / CONFIG}: tie_word_embeddings is false, "
            "but there is no output matrix",
            hint="correct the flag, or finish the download",
        )
    if flag is True:
        for name in outputs:
            if not _equal(checkpoint, embedding, name):
                raise FormatError(
                    f"{checkpoint.folder / CONFIG}: tie_word_embeddings is true, "
                    f"but {name} differs from {embedding}",
                    hint="set the flag to false if the model was trained with both",
                )


def _equal(checkpoint: Checkpoint, first: str, second: str) -> bool:
    one = checkpoint.file_of(first).bytes_of(first)
    other = checkpoint.file_of(second).bytes_of(second)
    return len(one) == len(other) and all(
        np.array_equal(one[at : at + _COMPARED_BYTES], other[at : at + _COMPARED_BYTES])
        for at in range(0, len(one), _COMPARED_BYTES)
    )
