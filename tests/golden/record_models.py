"""Record what the models of `tokenizers` make of hostile words.

Writes `models.json` beside this file: for each model its definition and, for
each word, the ids and byte offsets of its tokens, or null where the library
raises. `pieces` gives the text of every token that was seen. A model that the
library refuses to load has `"refused": true` instead.

Run with `tokenizers` 0.23.3 installed: `python tests/golden/record_models.py`.
"""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

Definition = dict[str, Any]

WORDS = [
    "", "a", "b", "ab", "ba", "aa", "aaa", "aaaa", "aaaaa", "abab", "abba", "abc", "cab",
    "abcabcabc", "bcbcbc", "cccccc", "x", "xx", "xxx", "axb", "axxb", "xaxx", "axbxc", "ab x",
    " ", "  ", " a", "a ", "中", "国", "中国", "中国中国", "国中", "a中b", "中x国", "中xx国a",
    "é", "e\u0301", "ée\u0301é", "😀", "😀😀a", "a😀中", "\u0000", "a\u0000b", "\n\n", "##", "##a",
    "a##b", "</w>", "a</w>", "<unk>", "<0x61>", "ü", "aüb", "üü", "x中üa", "ÿ", "日本", "日x本",
    "a" * 33, "ab" * 40, "中国" * 20, "abcx" * 15, "x" * 40,
]  # fmt: skip


def bpe(vocab: dict[str, int], merges: list[tuple[str, str]], **options: Any) -> Definition:
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        **options,
        "vocab": vocab,
        "merges": merges,
    }


def numbered(pieces: list[str]) -> dict[str, int]:
    return {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}


BASE = numbered(
    [
        *["<unk>", *"abce 中国é😀\n#<>/wunk", "\u0301", "ab", "bc", "abc", "aa", "aaa", "abab"],
        *["axb", "中国", "中国中", "国中", "cc", "  ", "##a"],
    ]
)
MERGES = [
    ("a", "b"), ("b", "c"), ("ab", "c"), ("a", "a"), ("aa", "a"), ("ab", "ab"),
    ("中", "国"), ("中国", "中"), ("国", "中"), ("c", "c"), (" ", " "), ("a", "bc"),
]  # fmt: skip
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def with_pieces(pieces: list[str]) -> dict[str, int]:
    return numbered([*BASE, *pieces])


def affixed(prefix: str, suffix: str) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """A vocabulary in which every form of the letters exists but a few."""
    letters = list("abc中国")
    pieces = ["<unk>", *letters]
    pieces += [prefix + letter for letter in letters]
    pieces += [letter + suffix for letter in letters]
    pieces += [prefix + letter + suffix for letter in letters]
    merges = []
    for left, right in [("a", "b"), ("b", "c"), ("a", "a"), ("中", "国")]:
        for before in dict.fromkeys(["", prefix]):
            for after in dict.fromkeys(["", suffix]):
                pieces.append(before + left + right + after)
                merges.append((before + left, prefix + right + after))
    return numbered(pieces), merges


def random_bpe(seed: int) -> Definition:
    """A random vocabulary under random options."""
    source = random.Random(seed)
    prefix = source.choice([None, None, None, "#"])
    suffix = source.choice([None, None, None, "<"])
    letters = [*"abcx中国é", "😀"]
    pieces = ["<unk>", *letters]
    for letter in letters:
        if source.random() < 0.8:
            pieces.append((prefix or "") + letter)
        if source.random() < 0.8:
            pieces += [letter + (suffix or ""), (prefix or "") + letter + (suffix or "")]
    merges: list[tuple[str, str]] = []
    while len(merges) < 25:
        left, right = source.choice(pieces[1:]), source.choice(pieces[1:])
        if prefix and not right.startswith(prefix):
            continue
        merges.append((left, right))
        pieces.append(left + right[len(prefix or "") :])
    if source.random() < 0.5:
        source.shuffle(merges)
    pieces += source.choice([[], BYTES, BYTES[:0xC0], BYTES[0x80:]])
    vocab = numbered(pieces)
    if source.random() < 0.4:
        for piece in list(vocab):
            if source.random() < 0.1:
                del vocab[piece]
        merges = [
            merge
            for merge in merges
            if {*merge, merge[0] + merge[1][len(prefix or "") :]} <= vocab.keys()
        ]
    return bpe(
        vocab,
        merges,
        unk_token=source.choice([None, "<unk>", "<unk>"]),
        continuing_subword_prefix=prefix,
        end_of_word_suffix=suffix,
        fuse_unk=source.random() < 0.5,
        byte_fallback=source.random() < 0.6,
        ignore_merges=source.random() < 0.3,
    )


def definitions() -> dict[str, Definition]:
    both, both_merges = affixed("##", "</w>")
    before, before_merges = affixed("##", "")
    after, after_merges = affixed("", "</w>")
    some_bytes = with_pieces([piece for piece in BYTES if piece not in BYTES[0xB8:0xC0]])
    shared = dict.fromkeys("abc", 0) | {"b": 1, "c": 2, "ab": 3, "bc": 3, "abc": 3, "cc": 1}
    greedy = {"<unk>": 0, "b": 1, "中": 2, "a": 3, "##b": 4, "##ab": 5, "abc": 6, "ab": 7,
              "##": 8, "##中国": 9, "##c": 10, "##中": 11, "##a": 12, "国": 13}  # fmt: skip
    words = {"<unk>": 5, "a": 0, "ab": 1, "中国": 2, " ": 3, "##": 9}
    piece = {
        "type": "WordPiece",
        "unk_token": "<unk>",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": greedy,
    }
    without_unknown = {key: value for key, value in greedy.items() if key != "<unk>"}
    models = {
        "characters": bpe(BASE, MERGES),
        "unknown": bpe(BASE, MERGES, unk_token="<unk>"),
        "unknown fused": bpe(BASE, MERGES, unk_token="<unk>", fuse_unk=True),
        "unknown missing": bpe(BASE, MERGES, unk_token="[UNK]"),
        "bytes": bpe(with_pieces(BYTES), MERGES, byte_fallback=True),
        "some bytes": bpe(some_bytes, MERGES, byte_fallback=True, unk_token="<unk>"),
        "some bytes fused": bpe(
            some_bytes, MERGES, byte_fallback=True, unk_token="<unk>", fuse_unk=True
        ),
        "some bytes dropped": bpe(some_bytes, MERGES, byte_fallback=True),
        "bytes merge": bpe(
            with_pieces([*BYTES, "<0xC3><0xBC>", "a<0xC3><0xBC>"]),
            [("<0xC3>", "<0xBC>"), ("a", "<0xC3><0xBC>"), *MERGES],
            byte_fallback=True,
        ),
        "prefix": bpe(before, before_merges, continuing_subword_prefix="##", unk_token="<unk>"),
        "suffix": bpe(after, after_merges, end_of_word_suffix="</w>", unk_token="<unk>"),
        "prefix and suffix": bpe(
            both,
            both_merges,
            continuing_subword_prefix="##",
            end_of_word_suffix="</w>",
            unk_token="<unk>",
            fuse_unk=True,
        ),
        "prefix and suffix in bytes": bpe(
            numbered([*both, *BYTES]),
            both_merges,
            continuing_subword_prefix="##",
            end_of_word_suffix="</w>",
            byte_fallback=True,
        ),
        "empty affixes": bpe(
            BASE, MERGES, continuing_subword_prefix="", end_of_word_suffix="", unk_token=""
        ),
        "prefix of no piece": bpe(
            with_pieces(["zzzz"]), MERGES[:0], continuing_subword_prefix="zzzz", unk_token="<unk>"
        ),
        "whole words": bpe(BASE, MERGES, ignore_merges=True),
        "whole words first": bpe(BASE, [("b", "c")], ignore_merges=True, unk_token="<unk>"),
        "whole words, all dropped out": bpe(BASE, MERGES, ignore_merges=True, dropout=1.0),
        "no dropout": bpe(BASE, MERGES, dropout=0.0, ignore_merges=True),
        "all dropped out": bpe(BASE, MERGES, dropout=1.0, unk_token="<unk>"),
        "a merge twice": bpe(BASE, [*MERGES, ("a", "b")]),
        "a merge twice, the other order": bpe(BASE, [*MERGES[::-1], ("中", "国"), ("a", "a")]),
        "merges with the unknown": bpe(
            with_pieces(["<unk>a", "<unk><unk>"]),
            [("<unk>", "<unk>"), ("<unk>", "a"), *MERGES],
            unk_token="<unk>",
        ),
        "ids shared": bpe(
            {**shared, "aa": 4, "aaa": 4, "aaaa": 4},
            [
                ("c", "c"),
                ("a", "bc"),
                ("b", "c"),
                ("ab", "c"),
                ("a", "b"),
                ("aa", "aa"),
                ("a", "a"),
                ("aa", "a"),
                ("a", "aa"),
            ],
        ),
        "merges that add nothing": bpe(
            numbered(["a", "b", "#", "#b", "#a", "ab", "aa", "##", "b#"]),
            [("a", "#"), ("a", "#b"), ("#b", "#"), ("b", "#"), ("a", "#a"), ("#", "#")],
            continuing_subword_prefix="#",
        ),
        "a prefix that is not there": bpe(
            numbered(["a", "b", "#b", "#a", "ab", "aa", "ba", "bb"]),
            [("a", "ab"), ("b", "#b")],
            continuing_subword_prefix="#",
        ),
        "gaps": bpe({"a": 7, "b": 1_000_000, "ab": 4_294_967_295, "c": 0}, [("a", "b")]),
        "nothing": bpe({}, []),
        "nothing but an unknown": bpe({"<unk>": 3}, [], unk_token="<unk>"),
        "left missing": bpe(BASE, [("zz", "a")]),
        "right missing": bpe(BASE, [("a", "zz")]),
        "result missing": bpe(BASE, [("b", "a")]),
        "too much dropout": bpe(BASE, MERGES, dropout=1.5),
        "negative dropout": bpe(BASE, MERGES, dropout=-0.5),
        "pieces": piece,
        "pieces of four characters": {**piece, "max_input_chars_per_word": 4},
        "pieces of no character": {**piece, "max_input_chars_per_word": 0},
        "pieces without prefix": {**piece, "continuing_subword_prefix": ""},
        "pieces of another prefix": {**piece, "continuing_subword_prefix": "@"},
        "pieces without the unknown": {**piece, "vocab": without_unknown},
        "words": {"type": "WordLevel", "vocab": words, "unk_token": "<unk>"},
        "words without the unknown": {"type": "WordLevel", "vocab": words, "unk_token": "[UNK]"},
        "words with the empty word": {
            "type": "WordLevel",
            "vocab": {**words, "": 8},
            "unk_token": "a",
        },
    }
    models |= {f"random {seed}": random_bpe(seed) for seed in range(16)}
    return models


def record(definition: Definition) -> dict[str, Any]:
    try:
        tokenizer = Tokenizer.from_str(json.dumps({"version": "1.0", "model": definition}))
    except Exception:
        return {"definition": definition, "refused": True}
    pieces: dict[int, str] = {}
    words: list[list[int] | None] = []
    for word in WORDS:
        try:
            tokens = tokenizer.model.tokenize(word)
        except Exception:
            words.append(None)
            continue
        flat: list[int] = []
        for token in tokens:
            flat += [token.id, *token.offsets]
            pieces[token.id] = token.value
        words.append(flat)
    shared = len(set(definition["vocab"].values())) < len(definition["vocab"])
    named = {} if shared else pieces  # the library names a shared id at random
    return {"definition": definition, "refused": False, "pieces": named, "words": words}


def main() -> None:
    golden = {
        "tokenizers": version("tokenizers"),
        "words": WORDS,
        "models": {name: record(model) for name, model in definitions().items()},
    }
    text = json.dumps(golden, ensure_ascii=False, separators=(",", ":"))
    Path(__file__).with_name("models.json").write_text(
        text.replace('"definition"', '\n"definition"') + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
