"""Texts on which libraries are known to disagree, for every tokenizer."""

from __future__ import annotations

from pytok.tokenizer import Tokenizer

__all__ = ["probes"]

# Han of both scripts and beyond the BMP, digits in groups, contractions, white
# space of all kinds, combining marks, emoji, and what normalisers touch.
_TEXTS = (
    "",
    " ",
    "\n",
    "  \n \n",
    "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？",
    "臺灣與香港：「繁體」——『引號』……",
    "㐀𠀀𫠝龘〇々〻ㄅㄆ　全角ＡＢＣ１２３",
    "价格是12345.67元，约合1,234,567円；2024年06月01日",
    "I'm sure they'LL say it'S 'RE-done, don't you'd've?",
    "\u017fi'\u017f caſe 'ſt K\u212a",
    "def f(x):\n    return x**2  # 平方\n\n\tprint(f'{x:>10}')\r\n\r\n",
    "  leading   and trailing   ",
    "tab\tnbsp\u00a0ideographic\u3000nel\u0085line\u2028em\u2003zero\u200bend \u180e",
    "e\u0301 é Å ﬁ ﷺ ½ ² Ⅷ ٣ ९ ໒ ௧",
    "👩‍👩‍👧‍👦🇨🇳☺️ 🏽",
    "שלום العربية ไทย हिन्दी ქართული Ελληνικά Кириллица",
    "`code` <tag> [x] {y} |z| ~!@#$%^&*()_+-=;:'\",./?\\",
    "a" * 300,
    "哈" * 100 + " " * 70 + "=" * 90,
    "https://例子.中国/路径?q=1&x=%E4%B8%AD#片段",
    "\x00\x01\x7f\u0080\ufffd\ufeff\uffff\U0010ffff",
    "▁▁ under ▁bar",
)
# Of a vocabulary, about so many pieces are probes.
_PIECES = 2000


def probes(tokenizer: Tokenizer) -> list[str]:
    """Give texts that every export is checked with.

    Fixed texts, each added token between words, pieces of the vocabulary at
    regular distances, and each of these after a space and between letters.
    """
    pieces = sorted(tokenizer.vocab.values())
    step = max(1, len(pieces) // _PIECES)
    added = [token.content for token in tokenizer.added_tokens]
    taken = {token.id for token in tokenizer.added_tokens} | set(tokenizer.control_tokens.values())
    found = [
        tokenizer.decode([token_id], skip_special_tokens=False)
        for token_id in pieces[::step]
        if token_id not in taken
    ]
    return [
        *_TEXTS,
        *(f"前{token}后 {token}\n{token}" for token in added[:: max(1, len(added) // 500)]),
        *found,
        *(f"的{piece}x {piece}" for piece in found),
    ]
