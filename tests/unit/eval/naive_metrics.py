"""The definitions of the metrics, written out one character at a time."""

from __future__ import annotations

import math
import unicodedata
from fractions import Fraction


def characters_of(text):
    """(start, end) byte spans of the characters."""
    spans, at = [], 0
    for character in text:
        size = len(character.encode())
        spans.append((at, at + size))
        at += size
    return spans


def touching(text, spans):
    """For each character the numbers of the pieces that touch it."""
    return [
        [n for n, (a, b) in enumerate(spans) if a < b and a < end and b > start]
        for start, end in characters_of(text)
    ]


def missing(text, spans, unknown=()):
    """Characters that no single known piece covers alone."""
    result = []
    for character, pieces in zip(text, touching(text, spans), strict=True):
        if not pieces:
            result.append(not character.isspace())
        else:
            result.append(len(pieces) != 1 or pieces[0] in unknown)
    return result


def part_lengths(text, spans, start, end):
    """Lengths of the parts of pieces inside characters start..end, and whole characters in each."""
    lengths, whole = {}, {}
    for pieces in touching(text, spans)[start:end]:
        for piece in pieces:
            lengths[piece] = lengths.get(piece, 0) + Fraction(1, len(pieces))
            whole[piece] = whole.get(piece, 0) + (len(pieces) == 1)
    return list(lengths.values()), list(whole.values())


def entropy(lengths):
    total = sum(lengths)
    return -sum(float(n / total) * math.log2(n / total) for n in lengths) if total else 0.0


def sentence_parts(text):
    """Character spans of sentences: split after 。！？ and closers, and at line breaks."""
    closers = "”’」』）》〉】〕］｝〗〙﹂﹄＂\"')]}"
    units, start, at = [], 0, 0
    while at < len(text):
        if text[at] == "\n":
            units.append((start, at))
            at += 1
            start = at
            continue
        run = at
        while run < len(text) and text[run] in "。！？" + closers:
            run += 1
        if any(mark in text[at:run] for mark in "。！？"):
            units.append((start, run))
            start = at = run
        else:
            at = max(run, at + 1)
    units.append((start, len(text)))
    return units


def sentences(text):
    """Units that are not white space only."""
    return [(a, b) for a, b in sentence_parts(text) if text[a:b].strip()]


def sentence_edges(text):
    """Positions where a sentence begins or ends; not those between two line breaks."""
    edges = {at for unit in sentence_parts(text) for at in unit}
    return {at for at in edges if text[at - 1 : at + 1] != "\n\n"}


def clauses(text):
    units, start = [], 0
    for at, character in enumerate(text):
        mark = unicodedata.category(character)[0] == "P"
        after = text[at + 1 : at + 2]
        if character == "\n":
            units.append((start, at))
            start = at + 1
        elif mark and not (after and unicodedata.category(after)[0] == "P"):
            units.append((start, at + 1))
            start = at + 1
    units.append((start, len(text)))
    return [(a, b) for a, b in units if text[a:b].strip()]


def word_is_missing(text, spans, start, end, unknown=()):
    gone = any(missing(text, spans, unknown)[start:end])
    lengths, whole = part_lengths(text, spans, start, end)
    if end - start == 1:
        return gone
    return gone or (len(lengths) > 1 and max(whole) <= 1)


def inner_boundaries(text, spans):
    touched = [set(pieces) for pieces in touching(text, spans)]
    return {at for at in range(1, len(text)) if not touched[at - 1] & touched[at]}
