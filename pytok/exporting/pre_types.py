"""llama.cpp's pre-types: the splitting patterns that it knows, by name.

It has no field for a pattern. A vocabulary whose patterns are none of these cannot
be cut as it should be.
"""

from __future__ import annotations

from collections.abc import Sequence

from pytok.exporting.patterns import GPT2

__all__ = ["DEVIATIONS", "NEWER", "cuts_of", "patterns_of", "pre_type"]

_QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_DEEPSEEK = (
    r"\p{N}{1,3}",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?"
    "[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
)
_SUFFIX = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_REST = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_KIMI = (
    rf"[\p{{Han}}]+|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}&&[^\p{{Han}}]]*[{_LOWER}&&[^\p{{Han}}]]+"
    rf"{_SUFFIX}|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}&&[^\p{{Han}}]]+[{_LOWER}&&[^\p{{Han}}]]*"
    rf"{_SUFFIX}|\p{{N}}{{1,3}}{_REST}"
)
_O200K = (
    rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+{_SUFFIX}"
    rf"|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*{_SUFFIX}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_LLAMA3 = _QWEN.replace(r"\p{N}|", r"\p{N}{1,3}|")
# GPT-2's pattern as tiktoken 0.14 writes it: `\s` never gets more than one space,
# because `\s+(?!\S)` has taken all but the last.
_R50K = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
# Source: llama.cpp, `llama-vocab.cpp` (names) and the files of the models.
_NAMES: dict[tuple[str, ...], str] = {
    (GPT2,): "gpt-2",
    (_R50K,): "gpt-2",
    (_QWEN,): "qwen2",
    (_LLAMA3,): "llama-bpe",
    (_O200K,): "gpt-4o",
    (_KIMI,): "kimi-k2",
    _DEEPSEEK: "deepseek-v3",
}

# Where llama.cpp's own code for a name is not the pattern (`llama-vocab.cpp`,
# `unicode.cpp`; run with llama.cpp of October 2026).
DEVIATIONS = {
    "deepseek-v3": "that ~ is a symbol: llama.cpp cuts before it",
    "kimi-k2": "that capitals begin a word, that combining marks belong to words, and 々 and 〇 to "
    "Han: llama.cpp's code does otherwise",
    "gpt-4o": "that combining marks belong to words, and that capitals beyond ASCII begin one: "
    "llama.cpp cuts at marks, and knows the case of ASCII alone",
}
# So does its code for every name, with what few texts have.
NEWER = (
    "what Unicode 16 and later added: llama.cpp cuts at such characters, and at 'ſ, where its "
    "patterns do not"
)

_ASCII_SUFFIX = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])"
_ANY_SUFFIX = _SUFFIX.removesuffix("?")
# The blocks that its code takes for Han.
_HAN = "㐀-䶿一-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002ebef\U0002f800-\U0002fa1f"
_NOT_CAPITAL, _NOT_SMALL = r"[\p{L}&&[^A-Z]]", r"[\p{L}&&[^a-z]]"
_HEAD = r"[^\r\n\p{L}\p{N}]?"
# What its code does, as patterns.
_CUTS: dict[str, tuple[str, ...]] = {
    "qwen2": (_QWEN.replace(_ANY_SUFFIX, _ASCII_SUFFIX),),
    "llama-bpe": (_LLAMA3.replace(_ANY_SUFFIX, _ASCII_SUFFIX),),
    "gpt-4o": (
        rf"{_HEAD}{_NOT_SMALL}*{_NOT_CAPITAL}+{_ASCII_SUFFIX}?"
        rf"|{_HEAD}{_NOT_SMALL}+{_NOT_CAPITAL}*{_ASCII_SUFFIX}?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    "kimi-k2": (rf"[{_HAN}]+|{_HEAD}[\p{{L}}&&[^{_HAN}]]+{_ASCII_SUFFIX}?|\p{{N}}{{1,3}}{_REST}",),
    "deepseek-v3": (*_DEEPSEEK[:2], _DEEPSEEK[2].replace(r"\p{S}", r"[\p{S}&&[^~]]")),
}


def pre_type(patterns: Sequence[str]) -> str | None:
    r"""Name the pre-type with these patterns; None when there is none.

    Examples
    --------
    >>> pre_type([r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"])
    'gpt-2'
    >>> pre_type([r"\S+"]) is None
    True

    """
    return _NAMES.get(tuple(patterns))


def patterns_of(name: str) -> tuple[str, ...]:
    """Give the patterns of a pre-type, as tokenizers reads them.

    Raises
    ------
    KeyError
        When the name is none of those that `pre_type` gives.

    Examples
    --------
    >>> len(patterns_of("deepseek-v3"))
    3

    """
    return {known: patterns for patterns, known in reversed(_NAMES.items())}[name]


def cuts_of(name: str) -> tuple[str, ...]:
    """Give patterns that cut as llama.cpp's code for a pre-type does.

    Raises
    ------
    KeyError
        As `patterns_of`.

    Examples
    --------
    >>> cuts_of("deepseek-v3") == patterns_of("deepseek-v3")
    False

    """
    return _CUTS.get(name) or patterns_of(name)
