"""Measure tokenizers honestly: every number with its definition and interval.

`evaluate` runs everything on a folder; the modules hold one family of metrics
each, as pure functions of a `Segmentation`.
"""

from pytok.eval.config import EvalConfig
from pytok.eval.encoder import Encoder
from pytok.eval.evaluate import evaluate
from pytok.eval.report import Report
from pytok.eval.systems import (
    Pieces,
    Segmenter,
    System,
    TokenizerLike,
    TokenizerSystem,
    open_system,
    register,
    registered,
)

__all__ = [
    "Encoder",
    "EvalConfig",
    "Pieces",
    "Report",
    "Segmenter",
    "System",
    "TokenizerLike",
    "TokenizerSystem",
    "evaluate",
    "open_system",
    "register",
    "registered",
]
