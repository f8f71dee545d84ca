"""Training a tokenizer like another one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pytok import Tokenizer

__all__ = ["trained_like"]


def trained_like(
    tokenizer: Any,
    chinese: Tokenizer | None,
    train: Callable[..., Any],
    texts: Iterable[Any],
    arguments: dict[str, Any],
) -> Any:
    """Train a tokenizer with the components and special tokens of another one.

    Parameters
    ----------
    tokenizer, chinese
        The `PytokTokenizer`, and its core if that has Chinese steps: the texts are
        normalised before training, and the new tokenizer has the same steps.
    train
        `train_new_from_iterator` of the base, not bound.
    texts
        Texts, or batches of texts.
    arguments
        Further arguments of `train`.

    """
    plain = copy.copy(tokenizer)
    # It would ask for the ids that tokens have in this vocabulary.
    plain.init_kwargs = {
        key: value for key, value in tokenizer.init_kwargs.items() if key != "added_tokens_decoder"
    }
    steps = None if chinese is None else chinese.normalizer
    if steps is None:
        return train(plain, texts, **arguments)
    made = train(plain, _normalized(texts, steps.text), **arguments)
    made._follow(made.core.with_normalizer(steps))
    return made


def _normalized(texts: Iterable[Any], normalize: Callable[[str], str]) -> Iterator[Any]:
    for item in texts:
        yield normalize(item) if isinstance(item, str) else [normalize(text) for text in item]
