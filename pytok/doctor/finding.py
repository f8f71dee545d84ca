"""What a check found: what happens, where, how to mend it, and whom it concerns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = [
    "ALL",
    "GGUF",
    "PYTOK",
    "TRANSFORMERS",
    "TRANSFORMERS_4",
    "TRANSFORMERS_5",
    "VLLM",
    "Finding",
    "Level",
]

Level = Literal["error", "warning", "note"]

TRANSFORMERS_4 = "transformers 4.57"
TRANSFORMERS_5 = "transformers 5"
VLLM = "vLLM"
GGUF = "GGUF"
PYTOK = "pytok"
TRANSFORMERS = (TRANSFORMERS_4, TRANSFORMERS_5, VLLM)  # vLLM loads through either
ALL = (*TRANSFORMERS, GGUF)


@dataclass(frozen=True)
class Finding:
    """One thing that a loader of the folder will trip over.

    Parameters
    ----------
    check
        Name of the check.
    level
        ``"error"``: it does not load, or gives wrong ids; ``"warning"``: wrong in
        some calls; ``"note"``: nothing is wrong, but good to know.
    what
        What happens, in a sentence.
    where
        File, and field where there is one.
    mend
        How to mend it.
    loaders
        Which loaders it concerns.
    settings
        Settings of tokenizer_config.json that mend it without changing an id; None as
        a value takes a setting away. Empty where only a person can decide.

    Examples
    --------
    >>> finding = Finding("padding", "warning", "no pad token", "tokenizer_config.json", "add one")
    >>> finding.fixable, finding.to_json()["level"]
    (False, 'warning')

    """

    check: str
    level: Level
    what: str
    where: str
    mend: str
    loaders: tuple[str, ...] = TRANSFORMERS
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fixable(self) -> bool:
        """Whether `mend` can mend it."""
        return bool(self.settings)

    def to_json(self) -> dict[str, Any]:
        """Give the fields as JSON has them."""
        return {
            "check": self.check,
            "level": self.level,
            "what": self.what,
            "where": self.where,
            "mend": self.mend,
            "loaders": list(self.loaders),
            "fixable": self.fixable,
        }
