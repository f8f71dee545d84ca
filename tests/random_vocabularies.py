"""Small random vocabularies of every kind that a tokenizer.json has, and texts for them.

Ids with holes, added tokens among the pieces, merges that make the same piece in several
ways or never happen, pieces that no text reaches, missing characters: what real files
have here and there, all at once.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

Record = dict[str, Any]
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def byte_alphabet() -> list[str]:
    """The character of each byte in byte-level vocabularies."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = (number for number in range(256, 512))
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]


ALPHABET = byte_alphabet()


def _merged(rng: Random, symbols: list[str], prefix: str = "", suffix: str = "") -> Any:
    """Pieces, and merges of pairs of them drawn at random."""
    pieces, merges = list(dict.fromkeys(symbols)), []
    for _ in range(rng.randint(4, 50)):
        left, right = rng.choice(pieces), rng.choice(pieces)
        if (suffix and left.endswith(suffix)) or not right.startswith(prefix):
            continue
        made = left + right[len(prefix) :]
        if len(made) <= 12 and [left, right] not in merges:
            merges.append([left, right])
            pieces += [made] if made not in pieces else []
    return pieces, merges


def _numbered(rng: Random, pieces: list[str]) -> dict[str, int]:
    """Ids from 0 on, often with holes."""
    step = rng.choice([0, 0, 5])
    ids, number = {}, 0
    for piece in dict.fromkeys(pieces):
        number += rng.randint(1, step) if step and rng.random() < 0.2 else 0
        ids[piece] = number
        number += 1
    return ids


def _added(rng: Random, vocab: dict[str, int]) -> list[Record]:
    """Added tokens: pieces that are there, one in a hole, one at the end."""
    contents = rng.sample([piece for piece in vocab if len(piece) > 1], rng.randint(0, 2))
    free = sorted(set(range(max(vocab.values()))) - set(vocab.values()))
    if free and rng.random() < 0.7:
        vocab["<in>"] = rng.choice(free)
        contents.append("<in>")
    end = max(vocab.values()) + 1
    if len(vocab) != end or rng.random() < 0.5:
        vocab["<end>"] = end  # elsewhere a token gets the number of pieces for its id
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    tokens = [(vocab.get(content, end), content) for content in [*contents, "<end>"]]
    return [
        {"id": number, "content": content, **flags, "special": rng.random() < 0.5}
        for number, content in sorted(tokens)
    ]


def _record(rng: Random, vocab: dict[str, int], model: Record, **parts: Any) -> Record:
    added = _added(rng, vocab)
    empty = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    return {
        "version": "1.0",
        **dict.fromkeys(empty),
        **parts,
        "added_tokens": added,
        "model": {**model, "vocab": vocab},
    }


def _bpe(merges: list[list[str]], **changes: Any) -> Record:
    fields = dict.fromkeys(("dropout", "unk_token"))
    affixes = dict.fromkeys(("continuing_subword_prefix", "end_of_word_suffix"))
    flags = dict.fromkeys(("fuse_unk", "byte_fallback", "ignore_merges"), False)
    return {"type": "BPE", **fields, **affixes, **flags, "merges": merges, **changes}


def byte_level(rng: Random) -> Record:
    """BPE over bytes."""
    symbols = [*ALPHABET]
    rng.shuffle(symbols)
    used = [ALPHABET[byte] for byte in "abcé中国 ".encode()]
    pieces, merges = _merged(rng, used)
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    level["use_regex"] = rng.random() < 0.5
    vocab = _numbered(rng, [*symbols, *pieces])
    return _record(rng, vocab, _bpe(merges), pre_tokenizer=level, decoder=level)


def fallback(rng: Random) -> Record:
    """BPE over characters, with bytes for the others."""
    pieces, merges = _merged(rng, list("abcd中国"))
    order = [["<unk>"], BYTES, pieces]
    rng.shuffle(order)
    every = [piece for part in order for piece in part]
    model = _bpe(merges, unk_token="<unk>", byte_fallback=True, fuse_unk=rng.random() < 0.5)
    return _record(rng, _numbered(rng, every), model)


def characters(rng: Random) -> Record:
    """BPE over characters, with an unknown token."""
    pieces, merges = _merged(rng, list("abcd中国"))
    model = _bpe(merges, unk_token="<unk>", fuse_unk=rng.random() < 0.5)
    return _record(rng, _numbered(rng, ["<unk>", *pieces]), model)


def affixes(rng: Random) -> Record:
    """BPE with a prefix or a suffix by the place in a word."""
    prefix, suffix = rng.choice([("##", ""), ("", "</w>"), ("##", "</w>")])
    symbols = [
        before + one + after for one in "abcd" for before in ("", prefix) for after in ("", suffix)
    ]
    pieces, merges = _merged(rng, symbols, prefix, suffix)
    model = _bpe(merges, unk_token="<unk>")
    model["continuing_subword_prefix"], model["end_of_word_suffix"] = prefix or None, suffix or None
    vocab = _numbered(rng, ["<unk>", *pieces])
    return _record(rng, vocab, model, pre_tokenizer={"type": "Whitespace"})


def unigram(rng: Random, *, byte_fallback: bool = False) -> Record:
    """Unigram, in any order and with equal scores."""
    pieces = {piece: -rng.choice([5.0, 12.0, 20.0]) for piece in BYTES * byte_fallback}
    pieces |= {one: -rng.choice([1.0, 2.0, 5.5]) for one in "abcd中国" if rng.random() < 0.9}
    for _ in range(rng.randint(3, 30)):
        piece = "".join(rng.choices("abcd中国", k=rng.randint(2, 5)))
        pieces.setdefault(piece, -rng.choice([1.0, 2.0, 3.0, 6.0, rng.uniform(0.0, 9.0)]))
    rows = [["<unk>", 0.0], *map(list, pieces.items())]
    if rng.random() < 0.4:
        rng.shuffle(rows)
    vocab = {piece: number for number, (piece, _) in enumerate(rows)}
    model = {"type": "Unigram", "unk_id": vocab["<unk>"], "byte_fallback": byte_fallback}
    record = _record(rng, vocab, model)
    record["model"]["vocab"] = rows
    return record


def wordpiece(rng: Random) -> Record:
    """WordPiece, with any mark of pieces that continue a word."""
    prefix = rng.choice(["##", "@@", ""])
    pieces = ["[UNK]", *"abcd中", *(prefix + one for one in "abcd中" if rng.random() < 0.9)]
    for _ in range(rng.randint(3, 40)):
        piece = "".join(rng.choices("abcd中", k=rng.randint(2, 5)))
        pieces.append(rng.choice(["", prefix]) + piece)
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": prefix}
    model["max_input_chars_per_word"] = 100
    return _record(rng, _numbered(rng, pieces), model, pre_tokenizer={"type": "Whitespace"})


KINDS: dict[str, Callable[[Random], Record]] = {
    "byte-level": byte_level,
    "fallback": fallback,
    "characters": characters,
    "affixes": affixes,
    "unigram": unigram,
    "unigram-bytes": lambda rng: unigram(rng, byte_fallback=True),
    "wordpiece": wordpiece,
}


def texts(rng: Random, count: int) -> list[str]:
    """Texts of the characters that the vocabularies have, and of a few that they lack."""
    units = [*"abcd中国é "] * 4 + ["x", "人", "<end>", "<in>"]
    return ["".join(rng.choices(units, k=rng.randint(1, 24))) for _ in range(count)]
