"""Where clauses end in text that has no punctuation."""

from __future__ import annotations

import os
from base64 import b64encode
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any

from pytok.errors import ConfigError

__all__ = ["segment"]

LARGEST = 2**25


def segment(
    *, mode: str, model: str | os.PathLike[str] | None = None, bias: float = 0.0
) -> dict[str, Any]:
    """Mark where clauses end in text without punctuation, without putting anything in.

    Runs of Chinese characters are divided in lines that have none of ``。，；：、！？``
    in them; the places are in `Normalized.breaks`. Clauses and sentences are not told
    apart. There are no edits.

    Parameters
    ----------
    mode
        That of the pipeline; it makes no difference here.
    model
        The file of a model, as ``bench/python/zh_segment_train.py`` writes it.
        By default the one that ships, whose card (``pytok/zh/data/breaks.md``) has
        its sources and figures: F1 .66 in books that it was not trained on.
    bias
        What is added to the score of each break, in nats: above 0 there are more
        breaks, below 0 fewer and surer ones. Finite.

    Raises
    ------
    ConfigError
        When the file cannot be read or is no model, or an option is not as expected.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("陳勝者陽城人也字涉", steps=["segment"]).breaks
    (7,)

    References
    ----------
    S. Sarawagi and W. W. Cohen, Semi-Markov conditional random fields for
    information extraction, NIPS 2004.

    """
    del mode
    is_number = isinstance(bias, (int, float)) and not isinstance(bias, bool)
    if not is_number or not isfinite(bias):
        raise ConfigError(f"steps: segment: bias: {bias!r}, expected a finite number")
    if model is None:
        model = Path(str(files("pytok.zh") / "data" / "breaks.bin"))
    return {"type": "segment", "model": _content(Path(model)), "bias": float(bias)}


def _content(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST:
            raise ConfigError(f"steps: segment: model: {path}: expected at most {LARGEST} bytes")
        return b64encode(path.read_bytes()).decode("ascii")
    except OSError as error:
        raise ConfigError(f"steps: segment: model: {path}: {error.strerror}") from error
