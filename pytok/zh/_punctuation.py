"""The steps of punctuation, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytok.zh._names import name_marks
from pytok.zh._ocr import ocr_report
from pytok.zh._quotes import quotes
from pytok.zh._segment import segment
from pytok.zh._sentences import sentence_breaks, sentence_marks

__all__ = ["PUNCTUATION_STEPS"]

PUNCTUATION_STEPS: dict[str, Callable[..., dict[str, Any]]] = {
    "quotes": quotes,
    "sentence-marks": sentence_marks,
    "name-marks": name_marks,
    "sentence-breaks": sentence_breaks,
    "ocr-report": ocr_report,
    "segment": segment,
}
"""Each step: a function from keyword options to the step's definition."""
