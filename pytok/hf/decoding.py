"""Decoding with spaces around added tokens."""

from __future__ import annotations

from collections.abc import Callable, Container

__all__ = ["spaced"]


def spaced(ids: list[int], added: Container[int], decode: Callable[[list[int]], str]) -> str:
    """Decode ids with a space before and after every added token.

    Examples
    --------
    >>> spaced([0, 0, 5, 6, 0], {0}, lambda ids: "<s>" if ids == [0] else "ab")
    '<s> <s> ab <s>'

    """
    runs: list[list[int]] = []
    for token_id in ids:
        if not runs or token_id in added or runs[-1][-1] in added:
            runs.append([])
        runs[-1].append(token_id)
    parts = map(decode, runs)
    return " ".join(part for part in parts if part)
