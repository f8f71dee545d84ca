"""The parts in which THULAC gets a text, in time proportional to it."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["thulac_parts"]

# THULAC's own limit: it takes a shorter line as one, and cuts a longer one after
# these marks. Its expression for that runs to the end of the line from every
# character where the marks are missing, and a sentence of this length is an
# IndexError in it.
_LIMIT = 50_000
_MARKS = "。？！；;!?"


def thulac_parts(text: str) -> Iterator[str]:
    r"""Cut a text so that THULAC gives for the parts what it gives for the text.

    Parameters
    ----------
    text
        The text. Lines of fewer than 50,000 characters are not cut; longer ones
        as THULAC does, after as many whole sentences as are shorter than that. A
        longer sentence, which it cannot take, is cut at that length.

    Examples
    --------
    >>> list(thulac_parts("天气好。\n我去。"))
    ['天气好。\n我去。']
    >>> [len(part) for part in thulac_parts("天气好。" * 20_000)]
    [49996, 30004]

    """
    if max(map(len, text.split("\n"))) < _LIMIT:
        yield text
        return
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        start = 0
        length = len(line.removesuffix("\n"))
        while length - start >= _LIMIT:
            window = line[start : start + _LIMIT - 1]
            end = max(map(window.rfind, _MARKS)) + 1 or len(window)
            yield window[:end]
            start += end
        yield line[start:]
