"""What a surgery did."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["SurgeryReport", "TensorChange"]


@dataclass(frozen=True)
class TensorChange:
    """A tensor that has rows per id: its shape before and after."""

    name: str
    dtype: str
    before: tuple[int, ...]
    after: tuple[int, ...]


@dataclass(frozen=True)
class SurgeryReport:
    """What was written, and what was not.

    Parameters
    ----------
    output
        The folder of the new checkpoint.
    rows_before, rows_after
        Rows of the vocabulary, padding included.
    ids
        Of them those that an id uses; the rest pads.
    tied
        Whether the output matrix is the embedding (no tensor of its own).
    bytes_before, bytes_after
        Size of all tensors.
    tensors
        Tensors that changed.
    config_ids
        What changed in config.json and generation_config.json, as
        ``"file: key"`` and the values before and after.
    copied
        Other files that were taken over as they are.
    left_out
        Files that were not: the old tokenizer's, weights of other formats,
        folders.

    """

    output: Path
    rows_before: int
    rows_after: int
    ids: int
    tied: bool
    bytes_before: int
    bytes_after: int
    tensors: tuple[TensorChange, ...]
    config_ids: dict[str, tuple[Any, Any]]
    copied: tuple[str, ...]
    left_out: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {**asdict(self), "output": str(self.output)}
