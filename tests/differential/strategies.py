"""Hostile texts: what breaks tokenizers, as Hypothesis strategies and as a fixed list."""

from __future__ import annotations

import os
import random
from functools import cache

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

FULL = os.environ.get("PYTOK_FULL") == "1"


def examples(fast: int = 150, slow: int = 2_000) -> settings:
    """Settings for a test: few and always the same examples, or many and new ones."""
    return settings(
        max_examples=slow if FULL else fast,
        derandomize=not FULL,
        database=None,
        deadline=None,
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


BLOCKS = (
    (0x00, 0x7F), (0x80, 0x24F), (0x300, 0x36F), (0x370, 0x7FF), (0x900, 0xE7F), (0x1100, 0x11FF),
    (0x2000, 0x2BFF), (0x2E80, 0x33FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7FF), (0xE000, 0xFAFF),
    (0xFB00, 0xFFFF), (0x1D400, 0x1D7FF), (0x1F000, 0x1FAFF), (0x20000, 0x33479), (0xE0000, 0xE01EF),
    (0xF0000, 0x10FFFF),
)  # fmt: skip
"""Ranges of code points that are drawn from with equal chance."""


SPACES = (
    " ", "\t", "\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1f", "\x85", "\xa0", "\u1680", "\u180e",
    "\u2000", "\u2003", "\u2009", "\u200a", "\u200b", "\u2028", "\u2029", "\u202f", "\u205f",
    "\u2060", "\u3000", "\ufeff", "\u2581",
)  # fmt: skip
"""White space in all forms, and what looks like it but is not."""

LOOK_ALIKES = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|extra_0|>", "<|fim_prefix|>", "<s>", "</s>",
    "<unk>", "<pad>", "<mask>", "<sep>", "<cls>", "<eop>", "<eod>", "[CLS]", "[SEP]", "[UNK]",
    "[PAD]", "[MASK]", "[BOS]", "[EOS]", "<0x41>", "<0xE5>", "<0x0A>", "<｜begin▁of▁sentence｜>",
    "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜▁pad▁｜>", "<|", "|>", "<｜", "｜>", "▁", "▁▁", "Ġ", "Ċ",
    "##", "##a", "</w>", "<|endoftext|", "<<|endoftext|>>",
)  # fmt: skip
"""Special tokens, parts of them, and the notations of vocabularies."""

FIXED_ATOMS = (
    *SPACES,
    *LOOK_ALIKES,
    # Letters whose case mapping, normalisation or class is unusual.
    "ß", "ſ", "İ", "ı", "ŉ", "ǅ", "ΐ", "Σ", "ς", "ﬁ", "ﬃ", "Å", "Å", "Ⅷ", "ⅷ", "①", "⑽", "㈱", "㍿", "㎏",
    "½", "²", "₂", "٣", "३", "𝟘", "𝐀", "ª", "º", "ʰ", "ᴬ", "Ꭰ", "ꭰ", "Ა", "ა", "ﾞ", "ﾟ", "ｶﾞ", "パ",
    # Combining marks, in and out of canonical order, and joiners.
    "é", "e\u0301", "a\u0323\u0301", "a\u0301\u0323", "\u0301", "\u0323", "\u20dd", "\u0e33", "\u3099",
    "\u0345", "\u1161", "\u1100\u1161\u11a8", "각", "\u200c", "\u200d", "\u034f", "\ufe0f", "\ufe0e",
    # Emoji sequences.
    "😀", "👍🏽", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇨🇳", "🇨", "1️⃣", "❤️", "🧑🏿‍🚀", "\U0001f3fb", "\U000e0067\U000e007f",
    # Right to left.
    "שלום", "שָׁלוֹם", "العربية", "ﷺ", "ﻻ", "\u200f", "\u202e", "\u2067", "\u061c", "٪",
    # Han of every plane, compatibility ideographs, radicals, components, variation.
    "学", "學", "𠀀", "𪜀", "𫠝", "𬺰", "𮯰", "𰀀", "𱍐", "\U0002ebf0", "\U0002f800", "\U00033479", "豈", "﨎", "﨑",
    "⼀", "⺀", "〇", "々", "〆", "⿰", "㐀", "䶿", "\u9fff", "葛\U000e0100", "龦", "\ufa70",
    # Punctuation, full and half width, vertical forms.
    "，", "。", "？", "！", "：", "；", "、", "「", "」", "『", "』", "《", "》", "（", "）", "……", "——", "︰", "︵",
    "﹁", "～", "·", "・", "‧", "．", "Ａ", "ａ", "０", "｡", "'", "’", "''", "``", "'s", "'LL", "’s", "-", "--",
    "...", "_", "$", "€", "^", "`", "+", "©", "™", "¡", "§",
    # Not characters, not text.
    "\x00", "\x01", "\x7f", "\x80", "\x9f", "\xad", "\ue000", "\uf8ff", "\U000f0000", "\U0010fffd", "\ufffe",
    "\uffff", "\U0001ffff", "\U0010ffff", "\ufffd", "\ud7ff", "\ufdd0", "\U000e0001", "\u0378",
    # Plain text.
    "a", "b", "A", "the", " the", "Hello", "don't", "1", "12", "123", "1234", "x=1;", "學而時習之", "不亦說乎",
    "def f(x):", "    ", "http://a.b/c?d=e&f", "日本語テスト", "한국어", "ไทย", "हिन्दी", "Việt", "ελληνικά", "Привет",
)  # fmt: skip

ATOMS = st.one_of(
    st.sampled_from(FIXED_ATOMS),
    st.sampled_from(BLOCKS).flatmap(lambda block: st.integers(*block)).map(chr),
    st.characters(exclude_categories=["Cs"]),
)
"""Pieces of text of one or a few characters."""

RUNS = st.builds(str.__mul__, ATOMS, st.integers(2, 300))
"""One piece over and over."""


def texts(max_atoms: int = 40) -> st.SearchStrategy[str]:
    """Hostile texts: pieces in any order, now and then a long run."""
    return st.lists(st.one_of(ATOMS, ATOMS, ATOMS, ATOMS, RUNS), max_size=max_atoms).map("".join)


def alphabet_texts(alphabet: str, max_size: int = 60) -> st.SearchStrategy[str]:
    """Texts over a few characters, in which merges and matches overlap often."""
    return st.text(st.sampled_from(alphabet), max_size=max_size)


FIXED_TEXTS = (
    "",
    *FIXED_ATOMS,
    *(f"a{atom}b" for atom in FIXED_ATOMS),
    *(f"学{atom}而" for atom in FIXED_ATOMS),
    *(f" {atom} {atom}{atom}" for atom in FIXED_ATOMS),
    *(f"{space}{space}a{space}{space}{space}学{space}" for space in SPACES),
    "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？",
    "  Hello,  world!\r\n\r\n\tdef f(x):\n        return x  \n",
    "I'm you're we'll THEY'VE it’s 'tis ''' 'S 'ſ don't",
    "１２３４５ 12345 ١٢٣٤٥ ①②③ Ⅷ 3.14 1,000,000",
    "👨‍👩‍👧‍👦 family 🇨🇳🇹🇼 flags 👍🏽",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘!͖̬̰̙̗̿̋ͥͥ̂ͣ̐́́͜͞",
    "<|endoftext|>学<|im_start|>user\n<s> [INST] hi [/INST]</s>",
    " ▁a▁▁b▁ ▁",
)  # fmt: skip
"""Every piece alone, between letters, between Han and between spaces; and whole texts."""


@cache
def random_texts(count: int, atoms: tuple[str, ...] = (), seed: int = 0) -> tuple[str, ...]:
    """Hostile texts from a seeded generator: as `texts`, many times faster, not shrinking.

    Every other text is made of ``atoms`` alone, when they are given.
    """
    generator = random.Random(seed)

    def atom() -> str:
        choice = generator.randrange(20)
        if choice < 12:
            return generator.choice(FIXED_ATOMS)
        if choice < 18:
            return chr(generator.randint(*generator.choice(BLOCKS)))
        if choice < 19:
            return generator.choice(FIXED_ATOMS) * generator.randint(2, 40)
        point = generator.randrange(0x110000 - 0x800)
        return chr(point if point < 0xD800 else point + 0x800)

    result = []
    for number in range(count):
        size = generator.randrange(13)
        if atoms and number % 2:
            result.append("".join(generator.choices(atoms, k=2 * size)))
        else:
            result.append("".join(atom() for _ in range(size)))
    return tuple(result)


SPARSE = (
    (0x3400, 0x4DBF, 16), (0x4E00, 0x9FFF, 16), (0xAC00, 0xD7A3, 16), (0xE000, 0xF8FF, 64),
    (0x17000, 0x18CFF, 16), (0x20000, 0x3FFFF, 32), (0x40000, 0xDFFFF, 4_096), (0xE0200, 0xEFFFF, 256),
    (0xF0000, 0x10FFFF, 1_024),
)  # fmt: skip
"""Blocks whose code points are alike, and the step at which they are sampled."""


@cache
def code_points(*, full: bool = FULL) -> tuple[str, ...]:
    """Every code point that is a character of a text; sampled in large uniform blocks.

    The two code points at each end of such a block and of each row of 256 are
    always among them. With ``PYTOK_FULL=1``: all 1,112,064.
    """

    def wanted(point: int) -> bool:
        if 0xD800 <= point <= 0xDFFF:
            return False
        if full:
            return True
        for first, last, step in SPARSE:
            if first <= point <= last:
                edge = point - first < 2 or last - point < 2 or point & 0xFFFF >= 0xFFFE
                return edge or (point - first) % step == 0
        return True

    return tuple(chr(point) for point in range(0x110000) if wanted(point))
