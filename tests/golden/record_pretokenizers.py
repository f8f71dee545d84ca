"""Record what ``tokenizers`` makes of hostile texts, for every pre-tokenizer.

    python tests/golden/record_pretokenizers.py

writes ``tests/golden/pretokenizers.json``: for each configuration (as it stands
in tokenizer.json) the pieces of each input with their character offsets, and
for the configurations that depend on Unicode facts a checksum over every code
point in three contexts, one per block so that a difference can be located.
"""

from __future__ import annotations

import json
import pathlib
import struct
import zlib

import tiktoken
import tokenizers
from tiktoken_ext import openai_public  # type: ignore[import-untyped]
from tokenizers import Regex
from tokenizers import pre_tokenizers as pt

INPUTS = [
    "",
    " ",
    "   ",
    "\n",
    "\r\n\r\n x",
    "Hello, world!",
    "  Hello   world  ",
    "I'm he'LL they'Re it'ſ 'S 's''t",
    "中文分詞,測試。「引號」!",
    "日本語のテキストー カタカナ abc 한국어",
    "mixed中文and日本語ひらがな123４５６½Ⅷ٣",
    "a\u0301e\u0301 \u0301x n\u0303",
    "👩‍👩‍👧‍👦 🇹🇼🏳️‍🌈 👍🏽!",
    "tab\tnbsp\u00a0nel\u0085ogham\u1680mvs\u180ezwsp\u200bbom\ufeffls\u2028ideo\u3000end",
    "\u0000\u0001control\u007f\u009f",
    "▁already ▁▁marked▁ ▁",
    "▁",
    "a-b--c---d",
    "---",
    "x__y_z",
    "$100.50 + €20 = £?",
    "3.14159 1,000,000 v2.0-rc1",
    "snake_case camelCase PascalCase HTTPServer2",
    "https://example.com/a/b?c=d&e=f#g",
    "\ue000\U000f0000\U0010ffff\U000e0001",
    "ﬁ ß İ ı ǆ ŉ Å",
    "กขค ไทย देवनागरी العربية עברית",
    "   \n  \n\n  leading then\t\ttabs",
    "trailing spaces   ",
    "aaaaaaaaaaaaaaaaaaaaaaaaa",
    "𠀀𠮷野家 𝒜𝓫 𐍈",
    "〇一二三 々〻 ⺀⿰ ㊀ ㌔",
    "*a*b** **",
    "\r",
    "é\r\né",
]

BEHAVIORS = ["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]

CONTRACTIONS = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
UPPER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
LOWER = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"

# The definitions of tiktoken name the rank files, which are not needed here.
openai_public.load_tiktoken_bpe = lambda *_, **__: {}
R50K = openai_public.r50k_base()["pat_str"]
CL100K = openai_public.cl100k_base()["pat_str"]
O200K = openai_public.o200k_base()["pat_str"]


def cased(numbers: str, contractions: str, without: str, line_ends: str) -> str:
    """The family of o200k: words that break where capitals begin."""
    prefix = r"[^\r\n\p{L}\p{N}]?"
    return (
        f"{prefix}[{UPPER}{without}]*[{LOWER}{without}]+{contractions}"
        f"|{prefix}[{UPPER}{without}]+[{LOWER}{without}]*{contractions}"
        rf"|{numbers}| ?[^\s\p{{L}}\p{{N}}]+[{line_ends}]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )


TEKKEN = cased(r"\p{N}", "", "", r"\r\n/")
KIMI_K2 = r"[\p{Han}]+|" + cased(r"\p{N}{1,3}", CONTRACTIONS + "?", r"&&[^\p{Han}]", r"\r\n")
DEEPSEEK = [
    r"\p{N}{1,3}",
    "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
    "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?"
    "[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+",
]
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN = LLAMA3.replace("{1,3}", "")


def configurations() -> list[pt.PreTokenizer]:
    """Every pre-tokenizer in every setting, and ways of putting them together."""
    built = [
        pt.BertPreTokenizer(),
        pt.Whitespace(),
        pt.WhitespaceSplit(),
        pt.UnicodeScripts(),
        pt.Digits(individual_digits=False),
        pt.Digits(individual_digits=True),
        pt.FixedLength(length=1),
        pt.FixedLength(length=5),
        pt.CharDelimiterSplit(" "),
        pt.CharDelimiterSplit("中"),
    ]
    built += [
        pt.ByteLevel(add_prefix_space=prefix, use_regex=regex)
        for prefix in (False, True)
        for regex in (False, True)
    ]
    built += [
        pt.Metaspace(replacement=mark, prepend_scheme=scheme, split=split)
        for mark, scheme, split in [
            ("▁", "always", True),
            ("▁", "first", True),
            ("▁", "never", True),
            ("▁", "always", False),
            ("_", "always", True),
            ("a", "never", True),
            (" ", "always", True),
        ]
    ]
    built += [pt.Punctuation(behavior) for behavior in BEHAVIORS]
    built += [pt.Split("a", behavior, invert) for behavior in BEHAVIORS for invert in (False, True)]
    built += [
        pt.Split("--", "merged_with_next"),
        pt.Split("", "isolated"),
        pt.Split(" ", "merged_with_previous"),
        pt.Split(Regex(LLAMA3), "isolated"),
        pt.Split(Regex(r"a*"), "isolated"),
        pt.Split(Regex(r"\b"), "isolated"),
        pt.Split(Regex(r"$"), "removed"),
        pt.Split(Regex(r"(?<=a)b|\d+"), "contiguous"),
        pt.Split(Regex(r"\p{Han}+"), "merged_with_previous", True),
        pt.Split(Regex(r"\w+"), "contiguous", True),
        pt.Split(Regex(r"\s"), "merged_with_next"),
        pt.Sequence([]),
        pt.Sequence([pt.WhitespaceSplit(), pt.ByteLevel(add_prefix_space=True)]),
        pt.Sequence([pt.Split("中", "isolated"), pt.Metaspace(prepend_scheme="first")]),
        pt.Sequence([pt.Digits(individual_digits=True), pt.ByteLevel(add_prefix_space=False)]),
        pt.Sequence([pt.ByteLevel(add_prefix_space=True, use_regex=False), pt.FixedLength(2)]),
        pt.Sequence([pt.Metaspace(), pt.Punctuation("contiguous"), pt.UnicodeScripts()]),
        pt.Sequence([pt.Sequence([pt.Metaspace()]), pt.Metaspace(replacement="_")]),
        pt.Sequence([pt.UnicodeScripts(), pt.ByteLevel(add_prefix_space=False)]),
        pt.Sequence(
            [
                *(pt.Split(Regex(pattern), "isolated") for pattern in DEEPSEEK),
                pt.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        ),
    ]
    built += [
        pt.Split(Regex(pattern), "isolated") for pattern in (GPT2, O200K, QWEN, KIMI_K2, TEKKEN)
    ]
    return built


def tiktoken_words() -> list[dict[str, object]]:
    """The words of tiktoken, for every known pattern.

    Every part of every input is a token, so that each word is one token.
    """
    parts = {bytes([b]): None for b in range(256)}
    for text in INPUTS:
        for start in range(len(text)):
            for end in range(start + 1, len(text) + 1):
                parts[text[start:end].encode()] = None
    ranks = {part: rank for rank, part in enumerate(parts)}
    patterns = [R50K, CL100K, O200K, LLAMA3, QWEN, KIMI_K2, TEKKEN, *DEEPSEEK, GPT2, r"\p{L}+|\d"]
    recorded = []
    for pattern in patterns:
        encoding = tiktoken.Encoding(
            "words", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}
        )
        words = [encoding.decode_tokens_bytes(encoding.encode_ordinary(text)) for text in INPUTS]
        recorded.append({"pattern": pattern, "words": [[w.decode() for w in ws] for ws in words]})
    return recorded


UNICODE = [
    pt.BertPreTokenizer(),
    pt.Whitespace(),
    pt.UnicodeScripts(),
    pt.Digits(individual_digits=False),
    pt.Punctuation("merged_with_previous"),
    pt.ByteLevel(add_prefix_space=True),
    pt.Split(Regex(LLAMA3), "isolated"),
]

BLOCK = 0x1000


def assigned_blocks() -> list[int]:
    """The first code points of the blocks in which anything is assigned."""
    return [*range(0, 0x40000, BLOCK), 0xE0000]


def in_context(first: int) -> str:
    """Every code point of a block in three contexts."""
    block = (chr(c) for c in range(first, first + BLOCK) if not 0xD800 <= c <= 0xDFFF)
    return "".join(f"{c}a{c} 中{c}1 " for c in block)


def checksum(pre_tokenizer: pt.PreTokenizer, text: str) -> int:
    """CRC-32 over the pieces and their offsets."""
    crc = 0
    for piece, (start, end) in pre_tokenizer.pre_tokenize_str(text):
        crc = zlib.crc32(piece.encode() + struct.pack("<BII", 0xFF, start, end), crc)
    return crc


def state(pre_tokenizer: pt.PreTokenizer) -> dict[str, object]:
    """The configuration as it stands in tokenizer.json."""
    loaded: dict[str, object] = json.loads(pre_tokenizer.__getstate__())
    return loaded


def main() -> None:
    """Write the file."""
    cases = []
    for pre_tokenizer in configurations():
        results = []
        for text in INPUTS:
            found = pre_tokenizer.pre_tokenize_str(text)
            offsets = [place for _, span in found for place in span]
            plain = all(text[start:end] == piece for piece, (start, end) in found)
            # Pieces that are just what stands in the text are left out.
            results.append([None if plain else [piece for piece, _ in found], offsets])
        cases.append({"config": state(pre_tokenizer), "results": results})
    checksums = [
        {
            "config": state(pre_tokenizer),
            "crc32": [checksum(pre_tokenizer, in_context(first)) for first in assigned_blocks()],
        }
        for pre_tokenizer in UNICODE
    ]
    recorded = {
        "versions": {"tokenizers": tokenizers.__version__, "tiktoken": tiktoken.__version__},
        "inputs": INPUTS,
        "cases": cases,
        "checksums": checksums,
        "tiktoken_words": tiktoken_words(),
    }
    path = pathlib.Path(__file__).with_name("pretokenizers.json")
    path.write_text(json.dumps(recorded, ensure_ascii=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
