"""What others may have changed in a `tokenizers.Tokenizer`, without all of its vocabulary."""

from __future__ import annotations

from typing import Any, NamedTuple

from tokenizers import normalizers

__all__ = ["BackendState", "merged_of", "samples", "state_of", "tokens_of"]

_SETTINGS = (
    "dropout",
    "unk_token",
    "fuse_unk",
    "byte_fallback",
    "ignore_merges",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "max_input_chars_per_word",
)
# Which pieces a model is asked to put together: at these quarters of the vocabulary.
_QUARTERS = range(1, 5)
_LONGEST = 12  # characters of a piece that are looked at


class BackendState(NamedTuple):
    """The components of a backend, and the settings of its model."""

    backend: int
    normalizer: Any
    components: tuple[bytes | None, ...]
    model: tuple[Any, ...]


def state_of(backend: Any) -> BackendState:
    """Sum a backend up, in two or three microseconds."""
    model = backend.model
    parts = (backend.pre_tokenizer, backend.post_processor, backend.decoder)
    return BackendState(
        backend=id(backend),
        normalizer=_normalizer_state(backend.normalizer),
        components=tuple(None if part is None else part.__getstate__() for part in parts),
        model=tuple(getattr(model, name, None) for name in _SETTINGS),
    )


def merged_of(backend: Any) -> tuple[Any, ...]:
    """Let the model put some of its pieces together: another one does it otherwise."""
    model, size = backend.model, backend.get_vocab_size(with_added_tokens=False)
    pieces = [(model.id_to_token(size * part // 4 - 1) or "")[:_LONGEST] for part in _QUARTERS]
    if getattr(model, "dropout", None):
        return (type(model), *pieces)
    try:
        ids = tuple(token.id for token in model.tokenize("".join(pieces)))
    except Exception:
        # tokenizers raises nothing more precise where there is no unknown piece.
        ids = ()
    return (type(model), *pieces, ids)


def tokens_of(backend: Any) -> str:
    """Write down the added tokens with their settings: a microsecond for each of them."""
    return repr(backend.get_added_tokens_decoder())


def samples(backend: Any) -> bool:
    """Whether the model cuts a text in another way each time."""
    model = backend.model
    return bool(getattr(model, "dropout", None) or getattr(model, "alpha", None))


def _normalizer_state(normalizer: Any) -> Any:
    if normalizer is None:
        return None
    if isinstance(normalizer, normalizers.Sequence):
        steps: Any = normalizer
        return tuple(_normalizer_state(step) for step in steps)
    if isinstance(normalizer, normalizers.Precompiled):
        # Its table, of 300 kB, would be written out.
        return normalizer.normalize_str("ＡＢ ﬁ\u3000①é")
    return normalizer.__getstate__()
