"""The words of jieba, in time proportional to the text.

jieba's hidden Markov model (its `finalseg`) copies the path of every state at
every character, so a run of n single characters costs n squared: a line of
750 kB without punctuation takes half an hour. Long blocks are therefore cut
here, by the tables of the installed package: the most probable path over the
dictionary, and the model over what that path leaves as single characters. The
words are jieba's, ties included; short blocks, which are nearly all, go to jieba.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from itertools import islice
from math import log
from typing import Any

__all__ = ["jieba_words"]

# Below, the copies take less time than the model itself.
_LONG = 2000


def jieba_words(tokenizer: Any, text: str) -> Iterator[str]:
    """Give the words of a text as ``tokenizer.cut(text)`` does.

    Parameters
    ----------
    tokenizer
        A `jieba.Tokenizer`, initialised.
    text
        The text.

    Examples
    --------
    >>> import jieba
    >>> tokenizer = jieba.Tokenizer()
    >>> tokenizer.initialize()
    >>> list(jieba_words(tokenizer, "学习汉语。"))
    ['学习', '汉语', '。']

    """
    from jieba import re_han_default

    for block in re_han_default.split(text):
        # A text that does not begin with a word begins with an empty block.
        if len(block) > _LONG and re_han_default.match(block):
            yield from _long_block(tokenizer, block)
        else:
            yield from tokenizer.cut(block)


def _long_block(tokenizer: Any, block: str) -> Iterator[str]:
    """Cut a block by the dictionary, and what stays single by the model."""
    ends = _dictionary_ends(tokenizer.FREQ, tokenizer.total, block)
    start = single = 0
    while start < len(block):
        end = ends[start]
        if end > start + 1:
            yield from _singles(tokenizer.FREQ, block[single:start])
            yield block[start:end]
            single = end
        start = end
    yield from _singles(tokenizer.FREQ, block[single:])


def _dictionary_ends(frequencies: dict[str, int], total: int, block: str) -> array[int]:
    """Give, for each start, where the word of the most probable rest ends.

    Frequencies of words are taken as independent; of equally probable words the
    longer one is taken.
    """
    of_all = log(total)
    rest = array("d", bytes(8 * (len(block) + 1)))
    ends = array("q", bytes(8 * len(block)))
    for start in range(len(block) - 1, -1, -1):
        best = None
        end = start + 1
        # The table holds the prefixes of its words too, with frequency 0.
        while (frequency := frequencies.get(block[start:end])) is not None:
            if frequency:
                found = (log(frequency) - of_all + rest[end], end)
                best = found if best is None else max(best, found)
            if end == len(block):
                break
            end += 1
        rest[start], ends[start] = best or (log(1) - of_all + rest[start + 1], start + 1)
    return ends


def _singles(frequencies: dict[str, int], run: str) -> Iterator[str]:
    """Cut what the dictionary left as single characters."""
    from jieba import finalseg

    if len(run) < 2 or frequencies.get(run):
        yield from run
        return
    for block in finalseg.re_han.split(run):
        if len(block) > _LONG and finalseg.re_han.match(block):
            yield from _model_words(finalseg, block)
        else:
            yield from finalseg.cut(block)


def _model_words(finalseg: Any, block: str) -> Iterator[str]:
    """Cut a block by the most probable states: begin, middle, end, single.

    The algorithm is that of Viterbi (1967), with one step back kept for each
    state and character. Of equally probable states the last letter is taken.
    """
    start = 0
    for at, state in enumerate(_states(finalseg, block)):
        if state in "ES":
            word = block[start : at + 1]
            yield from word if word in finalseg.Force_Split_Words else (word,)
            start = at + 1


def _states(finalseg: Any, block: str) -> Iterator[str]:
    """Give a state for each character, the most probable path."""
    never = finalseg.MIN_FLOAT
    scores = {
        state: finalseg.start_P[state] + finalseg.emit_P[state].get(block[0], never)
        for state in finalseg.PrevStatus
    }
    came_from: dict[str, list[str]] = {state: [state] for state in scores}
    steps = [
        (
            state,
            finalseg.emit_P[state].get,
            [(last, finalseg.trans_P[last].get(state, never)) for last in before],
            came_from[state].append,
        )
        for state, before in finalseg.PrevStatus.items()
    ]
    for character in islice(block, 1, None):
        reached = {}
        for state, emitted, before, remember in steps:
            emission = emitted(character, never)
            reached[state], last = max(
                (scores[last] + moved + emission, last) for last, moved in before
            )
            remember(last)
        scores = reached
    _, state = max((scores[state], state) for state in "ES")
    path = []
    for at in range(len(block) - 1, -1, -1):
        path.append(state)
        state = came_from[state][at]
    return reversed(path)
