"""How a stretch of text was cut, small enough to keep and plain enough to show.

A cut state is one byte per character: whether a token edge is in front of the
character, and how many pieces touch it. That is all that is needed to show the
cut again, and to compare two cuts position by position.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytok.eval.layout import Segmentation
from pytok.eval.text_batch import TextBatch

__all__ = ["Cell", "CutStates", "cells_of", "cut_states", "text_between"]

CutStates = npt.NDArray[np.uint8]
_MOST = 127


@dataclass(frozen=True)
class Cell:
    """The shortest stretch of text between two token edges at characters.

    Parameters
    ----------
    text
        The text, one character or more.
    tokens
        Tokens in it: 1 for a piece of whole characters, more where a character
        is cut inside, 0 where no token covers it (white space left out).

    """

    text: str
    tokens: int


def cut_states(pieces: Segmentation) -> CutStates:
    """Give the cut state of every character, shape (n_characters,).

    Bit 0 is set if no piece reaches over the position before the character;
    the other bits are the number of pieces that touch it, at most 127.

    Examples
    --------
    >>> cut_states(Segmentation.of_words(["中国人"], [["中国", "人"]])).tolist()
    [3, 2, 3]

    """
    n_characters = pieces.batch.n_characters
    touching = pieces.end > pieces.first
    edges = np.bincount(pieces.first[touching] + 1, minlength=n_characters + 1)
    edges = edges - np.bincount(pieces.end[touching], minlength=n_characters + 1)
    edge = np.cumsum(edges)[:n_characters] == 0
    touched = np.minimum(pieces.pieces_per_character, _MOST).astype(np.uint8)
    states: CutStates = (touched << 1) | edge
    return states


def text_between(batch: TextBatch, start: int, end: int) -> str:
    """Characters `start` to `end` of a batch as text.

    Examples
    --------
    >>> text_between(TextBatch.of(["中国", "人"]), 1, 3)
    '国人'

    """
    return batch.code_points[start:end].astype("<u4").tobytes().decode("utf-32-le")


def cells_of(text: str, states: CutStates) -> tuple[Cell, ...]:
    """Divide a text into cells; its first character begins one.

    Parameters
    ----------
    text
        The text.
    states
        Cut states of its characters, shape (n_characters,).

    Examples
    --------
    >>> cells_of("中国龘 ", np.array([3, 2, 7, 1], dtype=np.uint8))
    (Cell(text='中国', tokens=1), Cell(text='龘', tokens=3), Cell(text=' ', tokens=0))

    """
    starts = [at for at, state in enumerate(states.tolist()) if at == 0 or state & 1]
    touched = (states >> 1).tolist()
    cells = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        # Every position inside a cell is crossed by one piece, which touches
        # the characters on both sides.
        tokens = sum(touched[start:end]) - (end - start - 1)
        cells.append(Cell(text[start:end], max(tokens, 0)))
    return tuple(cells)
