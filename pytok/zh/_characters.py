"""Steps that put one character in the place of another."""

from __future__ import annotations

from typing import Any

__all__ = ["width"]


def width(*, mode: str) -> dict[str, Any]:
    """Full-width letters and digits become ASCII."""
    del mode
    wide = [*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B)]
    rows = [(chr(code), chr(code - 0xFEE0), "full-width") for code in wide]
    return {"type": "characters", "rows": rows}
