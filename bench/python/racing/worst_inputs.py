"""Inputs that a tokenizer may be slow on, made from a family, a size and a seed."""

from __future__ import annotations

import base64
import random

SENTENCES = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"


def han(rng: random.Random, count: int) -> str:
    """Draw characters of the basic block."""
    return "".join(map(chr, rng.choices(range(0x4E00, 0x9FA6), k=count)))


def basic_plane(rng: random.Random, count: int) -> str:
    """Draw code points of the basic plane, no surrogates."""
    found = rng.choices([*range(0x20, 0xD800), *range(0xE000, 0xFFFE)], k=count)
    return "".join(map(chr, found))


def alternating(rng: random.Random, count: int) -> str:
    """Change the script with each character."""
    parts = ("abc", "中文字", "αβγ", "кит", "かな", "한글", "12", "،ب")
    return "".join(rng.choice(parts[i % len(parts)]) for i in range(count))


def encoded(rng: random.Random, count: int) -> str:
    return base64.b64encode(rng.randbytes(count * 3 // 4 + 3)).decode("ascii")[:count]


def unspaced(rng: random.Random, count: int) -> str:
    """English words without spaces."""
    words = ("token", "izer", "speed", "ing", "with", "out", "any", "space", "linear", "the")
    text = "".join(rng.choice(words) for _ in range(count // 3 + 1))
    return text[:count]


# The function and how many bytes a character has about.
FAMILIES = {
    "a": (lambda rng, n: "a" * n, 1),
    "中": (lambda rng, n: "中" * n, 3),
    "哈": (lambda rng, n: "哈" * n, 3),
    "ab": (lambda rng, n: ("ab" * n)[:n], 1),
    "—": (lambda rng, n: "—" * n, 3),
    "-": (lambda rng, n: "-" * n, 1),
    "spaces": (lambda rng, n: " " * n, 1),
    "newlines": (lambda rng, n: "\n" * n, 1),
    "digits": (lambda rng, n: "".join(rng.choices("0123456789", k=n)), 1),
    "base64": (encoded, 1),
    "random a-z": (lambda rng, n: "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=n)), 1),
    "no spaces": (unspaced, 1),
    "random Han": (han, 3),
    "Han, no marks": (lambda rng, n: "".join(rng.choices(SENTENCES, k=n)), 3),
    "alternating": (alternating, 2),
    "random BMP": (basic_plane, 3),
    "punctuation": (
        lambda rng, n: "".join(rng.choices("!?.,;:()[]{}<>/\\|@#$%^&*~`'\"=+_", k=n)),
        1,
    ),
}


def make(family: str, size: int, seed: int = 0) -> str:
    """Make a text of about `size` bytes of UTF-8; another seed is another text where it can be."""
    draw, width = FAMILIES[family]
    # A run has no other text: another length stands for it.
    return draw(random.Random(f"{family}/{size}/{seed}"), size // width + seed)
