"""The best segmentation under a Unigram model as its definition says it: try them all.

Kudo (2018). `best_by_enumeration` shares nothing with a Viterbi search but the
definition; `viterbi` is the textbook recurrence with the reference's tie rule,
for texts that are too long to enumerate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

UNKNOWN_PENALTY = 10.0
"""Below the lowest score of the vocabulary (`tokenizers` and `sentencepiece`)."""


def segmentations(text: str, scores: Mapping[str, float]) -> Iterator[list[str]]:
    """Every way to cut a text into pieces; a character without a piece stands alone."""
    if not text:
        yield []
        return
    for end in range(1, len(text) + 1):
        head = text[:end]
        if head in scores or end == 1:
            for rest in segmentations(text[end:], scores):
                yield [head, *rest]


def score(pieces: list[str], scores: Mapping[str, float]) -> float:
    """The sum of the scores, from left to right."""
    unknown = min(scores.values()) - UNKNOWN_PENALTY
    total = 0.0
    for piece in pieces:
        total += scores.get(piece, unknown)
    return total


def best_score_by_enumeration(text: str, scores: Mapping[str, float]) -> float:
    """The highest score of all segmentations."""
    return max(score(pieces, scores) for pieces in segmentations(text, scores))


def viterbi(text: str, scores: Mapping[str, float]) -> list[str]:
    """The best segmentation; of equal ones, the one whose last piece is longest, and so on."""
    unknown = min(scores.values()) - UNKNOWN_PENALTY
    best: list[tuple[float, int]] = [(0.0, 0)]
    for end in range(1, len(text) + 1):
        found: tuple[float, int] | None = None
        for start in range(end):
            piece = text[start:end]
            if piece in scores:
                candidate = best[start][0] + scores[piece]
            elif end - start == 1:
                candidate = best[start][0] + unknown
            else:
                continue
            if found is None or candidate > found[0]:
                found = (candidate, start)
        assert found is not None
        best.append(found)
    pieces, end = [], len(text)
    while end:
        start = best[end][1]
        pieces.append(text[start:end])
        end = start
    return pieces[::-1]
