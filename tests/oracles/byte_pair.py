"""Byte-pair encoding as its definition says it: O(n^2), nothing clever.

Sennrich, Haddow and Birch (2016): merge the pair of the lowest rank, the
leftmost first, until no pair has a rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

Piece = TypeVar("Piece", str, bytes)


def merge_by_rules(
    symbols: Sequence[Piece], ranks: Mapping[tuple[Piece, Piece], int]
) -> list[Piece]:
    """Merge by a list of pair rules, as in tokenizer.json."""
    parts = list(symbols)
    while True:
        ranked = [
            (ranks[pair], place) for place, pair in enumerate(pairwise(parts)) if pair in ranks
        ]
        if not ranked:
            return parts
        _, place = min(ranked)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]


def merge_by_results(data: bytes, ranks: Mapping[bytes, int]) -> list[int]:
    """Merge by the ranks of the results, as tiktoken and tekken do; ranks are the ids."""
    if data in ranks:
        return [ranks[data]]
    parts = [data[place : place + 1] for place in range(len(data))]
    while True:
        ranked = [
            (ranks[left + right], place)
            for place, (left, right) in enumerate(pairwise(parts))
            if left + right in ranks
        ]
        if not ranked:
            return [ranks[part] for part in parts]
        _, place = min(ranked)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]


def merges_of_ranks(ranks: Mapping[bytes, int]) -> list[tuple[bytes, bytes]]:
    """The pair rules that give the same tokens as the ranks of the results.

    For each piece: the two parts into which it falls when only pieces of a lower
    rank may be used. This is how rank files become tokenizer.json.
    """
    rules = []
    for piece, rank in sorted(ranks.items(), key=lambda item: item[1]):
        if len(piece) == 1:
            continue
        parts = [piece[place : place + 1] for place in range(len(piece))]
        while len(parts) > 2:
            ranked = [
                (ranks[left + right], place)
                for place, (left, right) in enumerate(pairwise(parts))
                if ranks.get(left + right, rank) < rank
            ]
            if not ranked:
                break
            _, place = min(ranked)
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        if len(parts) == 2:
            rules.append((parts[0], parts[1]))
    return rules
