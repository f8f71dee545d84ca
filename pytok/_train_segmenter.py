"""The word segmenter and the lexicon of a training run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pytok import _pytok
from pytok._segmenter import jieba_segmenter
from pytok.errors import ConfigError

if TYPE_CHECKING:
    from pytok._train_config import TrainConfig

__all__ = ["segmentation"]


def segmentation(config: TrainConfig, boundary_prior: float, threads: int) -> dict[str, object]:
    """Return what the trainer takes for the segmenter and the lexicon.

    The dictionary is read when something needs it; with several threads from now
    on, beside what comes before that.
    """
    uses_dictionary = config.lexicon == "segmenter" and config.algorithm == "hybrid"
    lexicon = list(config.lexicon) if isinstance(config.lexicon, tuple) else []
    parts: dict[str, object] = {"open_words": None, "boundaries": None, "lexicon": lexicon}
    if callable(config.segmenter):
        parts["boundaries"] = _boundaries_by(config.segmenter)
    elif config.segmenter == "jieba" and (boundary_prior or uses_dictionary):
        parts["open_words"] = jieba_segmenter if threads == 1 else _opening()
        if uses_dictionary:
            parts["lexicon"] = None
    return parts


def _opening() -> Callable[[], _pytok.WordSegmenter]:
    executor = ThreadPoolExecutor(1, thread_name_prefix="pytok-dictionary")
    words = executor.submit(jieba_segmenter)
    executor.shutdown(wait=False)
    return words.result


def _boundaries_by(
    cut_words: Callable[[str], Iterable[str]],
) -> Callable[[list[str]], list[list[int]]]:
    def boundaries(text: str) -> list[int]:
        words = cut_words(text)
        if not isinstance(words, Iterable):
            raise ConfigError(f"segmenter: gave {words!r}, expected the words of a text")
        words = list(words)
        if not all(isinstance(word, str) for word in words) or "".join(words) != text:
            raise ConfigError(
                f"segmenter: gave {words!r} for {text!r}, expected words which joined are the text"
            )
        found: list[int] = []
        place = 0
        for word in filter(None, words):
            place += len(word.encode("utf-8"))
            found.append(place)
        return found[:-1]

    return lambda texts: [boundaries(text) for text in texts]
