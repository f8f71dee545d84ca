"""A measured number, and a file that was measured."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from pytok.eval.definitions import describe
from pytok.eval.json_text import JsonValue

__all__ = ["Number", "SourceFile"]


@dataclass(frozen=True)
class SourceFile:
    """A file that was measured.

    Parameters
    ----------
    path
        Path as found.
    sha256
        SHA-256 of the stored bytes.
    documents
        Documents in it.
    rule
        What a document is.

    """

    path: str
    sha256: str
    documents: int
    rule: str


@dataclass(frozen=True)
class Number:
    """A measured number with all that is needed to make it again.

    Parameters
    ----------
    metric
        Name of the metric, see `describe`.
    value
        The value; None when there was nothing to measure.
    low, high
        95 % interval, or None.
    interval
        How the interval was made, or why there is none.
    corpus
        Kind, and the gold file or the segmenter where words are needed.
    documents, characters
        Size of what it was measured on.
    tokenizer, sha256
        Name of the system and SHA-256 of its definition.

    """

    metric: str
    value: float | None
    low: float | None
    high: float | None
    interval: str
    corpus: str
    documents: int
    characters: int
    tokenizer: str
    sha256: str | None

    def to_json(self) -> dict[str, JsonValue]:
        """All fields, with the definition, unit and direction of the metric."""
        metric = describe(self.metric)
        value = None if self.value is None or math.isnan(self.value) else self.value
        return {
            **asdict(self),
            "value": value,
            "definition": metric.definition,
            "unit": metric.unit,
            "better": metric.better,
        }
