r"""The two dialects of splitting patterns: tiktoken's and that of tokenizers.

tiktoken compiles a pattern with fancy-regex, tokenizers with Oniguruma in Ruby's
syntax. In the second `{1,3}+` repeats the group and `$` also stands before a line
break; both have `(?>...)` and `\z`, which mean the same.
"""

from __future__ import annotations

import re

__all__ = ["GPT2", "for_tiktoken", "for_tokenizers"]

# GPT-2's pattern, which ByteLevel has built in (openai/gpt-2 `encoder.py`).
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

# One character, an escape or a class without nested ones, and its counted, possessive repeat.
_ATOM = r"(?:\\[pP]\{\^?\w+\}|\\.|\[(?:\\.|[^\[\]\\])*\]|[^\\\[\](){}|*+?^$])"
_COUNTED = re.compile(rf"({_ATOM}\{{\d+(?:,\d*)?\}})\+")
# What is read as one: an escape, a class with nested ones, an anchor.
_TOKEN = re.compile(r"\\.|\[(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\]\\])*\]|\$|\^", re.DOTALL)
# They differ in meaning, or one of the two does not have them.
_DOUBTFUL = ("$", "^", *(rf"\{letter}" for letter in "wWbBhHRXGKZ"))


def for_tokenizers(pattern: str) -> str | None:
    r"""Write a pattern of tiktoken for tokenizers; None when it may mean something else.

    Examples
    --------
    >>> for_tokenizers(r"\p{N}{1,3}+|\s++$|[$]")
    '(?>\\p{N}{1,3})|\\s++\\z|[$]'
    >>> for_tokenizers(r"\w+") is None
    True

    """
    if any(found[0] in _DOUBTFUL and found[0] != "$" for found in _TOKEN.finditer(pattern)):
        return None
    ends = _TOKEN.sub(lambda found: r"\z" if found[0] == "$" else found[0], pattern)
    return _COUNTED.sub(r"(?>\1)", ends)


def for_tiktoken(pattern: str) -> str | None:
    r"""Write a pattern of tokenizers for tiktoken; None when it may mean something else.

    Examples
    --------
    >>> for_tiktoken(r"\p{L}+|\s+(?!\S)|\s+") == r"\p{L}+|\s+(?!\S)|\s+"
    True
    >>> for_tiktoken("a$") is None
    True

    """
    if any(found[0] in _DOUBTFUL for found in _TOKEN.finditer(pattern)):
        return None
    return None if _COUNTED.search(pattern) or "[:" in pattern else pattern
