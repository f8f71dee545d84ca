"""The word segmenter and the lexicon of a training run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from pytok import _pytok
from pytok._segmenter import jieba_dictionary
from pytok.errors import ConfigError

if TYPE_CHECKING:
    from pytok._train_config import TrainConfig

__all__ = ["open_segmenter"]

# Texts to the byte offsets, strictly inside them, at which words begin.
FindBoundaries: TypeAlias = Callable[[list[str]], list[list[int]]]


def open_segmenter(
    config: TrainConfig, boundary_prior: float
) -> tuple[_pytok.WordSegmenter | FindBoundaries | None, list[str] | None]:
    """Return what finds words, and the lexicon: None for that of the dictionary.

    The dictionary is read only when something needs it.
    """
    is_lexicon = config.lexicon == "segmenter" and config.algorithm == "hybrid"
    lexicon = list(config.lexicon) if isinstance(config.lexicon, tuple) else []
    if config.segmenter == "jieba":
        if not boundary_prior and not is_lexicon:
            return None, lexicon
        words = _pytok.WordSegmenter.from_dictionary(jieba_dictionary())
        return words, None if is_lexicon else lexicon
    if callable(config.segmenter):
        return _boundaries_by(config.segmenter), lexicon
    return None, lexicon


def _boundaries_by(cut_words: Callable[[str], Iterable[str]]) -> FindBoundaries:
    def boundaries(text: str) -> list[int]:
        words = list(cut_words(text))
        if not all(isinstance(word, str) for word in words) or "".join(words) != text:
            raise ConfigError(
                f"segmenter: gave {words!r} for {text!r}, expected words which joined are the text"
            )
        found: list[int] = []
        place = 0
        for word in words[:-1]:
            place += len(word.encode("utf-8"))
            if word:
                found.append(place)
        # An empty word at the end would put a boundary behind the text.
        return [place for place in found if place < len(text.encode("utf-8"))]

    return lambda texts: [boundaries(text) for text in texts]
