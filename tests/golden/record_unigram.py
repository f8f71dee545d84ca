"""Record what ``tokenizers`` makes of words with unigram models.

    python tests/golden/record_unigram.py

writes ``tests/golden/unigram.json``: small models with repeated pieces, ties,
positive and extreme scores, byte fallback whole and broken, the unknown piece
at several places or missing. Of each word the file has the tokens (id, start,
end in bytes; flat) and the text of those tokens whose text is not the piece;
``null`` where the reference refuses the word. Of long words it has a checksum.
"""

from __future__ import annotations

import json
import pathlib
import random
from collections.abc import Iterator
from typing import Any

import tokenizers
from tokenizers import Tokenizer

RANDOM = random.Random(20)

ALPHABET = ["a", "b", "c", "中", "国", "人", "é", "\u0301", "👍", "\0", " ", "▁"]
RARE = ["x", "𠀀", "\U0010ffff", "ß", "\n"]

WORDS = [
    "",
    "a",
    "abc",
    "abcabcabc",
    "中国人",
    "中国人中国国人",
    "x",
    "xx",
    "xax",
    "xxaxx𠀀b",
    "<unk>",
    "a<unk>b",
    "x<unk>x",
    "<unk><unk>",
    "x<unk",
    "<0x61><0xE4>",
    "ab\0c",
    "\0\0",
    "e\u0301é",
    "👍👍👍",
    "▁a▁b ▁",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "人𠀀人𠀀𠀀人",
    "ßabß中ß",
]
WORDS += ["".join(RANDOM.choices(ALPHABET + RARE[:2], k=RANDOM.randint(2, 30))) for _ in range(30)]

# Of words, so many times, only a checksum is recorded.
LONG = [("a", 20000), ("abcba中国", 4000), ("中国人a", 5000), ("x", 5000), ("aab👍cx", 3000)]

Vocabulary = list[tuple[str, float]]


def pieces(count: int) -> list[str]:
    """Distinct pieces over the alphabet, all of its characters among them."""
    found = dict.fromkeys(ALPHABET)
    while len(found) < count:
        found["".join(RANDOM.choices(ALPHABET[:8], k=RANDOM.randint(2, 5)))] = None
    return list(found)


def scored(score: Any, count: int = 80) -> Vocabulary:
    return [("<unk>", 0.0), *((piece, score(piece)) for piece in pieces(count))]


def byte_pieces(missing: int | None = None) -> Vocabulary:
    return [(f"<0x{byte:02X}>", -9.0) for byte in range(256) if byte != missing]


def models() -> Iterator[tuple[str, dict[str, Any]]]:
    def model(
        vocab: Vocabulary, unk_id: int | None = 0, byte_fallback: bool = False
    ) -> dict[str, Any]:
        return {"type": "Unigram", "unk_id": unk_id, "vocab": vocab, "byte_fallback": byte_fallback}

    def usual(piece: str) -> float:
        return -RANDOM.uniform(2, 12)

    yield "usual", model(scored(usual))
    yield "no unknown piece", model(scored(usual), None)
    yield "unknown piece in the middle", model(scored(usual), 7)
    yield "a common unknown piece", model(scored(usual), 1)
    yield "byte fallback", model(scored(usual) + byte_pieces(), 0, True)
    yield "byte fallback, a byte missing", model(scored(usual) + byte_pieces(0xA0), 0, True)
    yield "byte fallback, no unknown piece", model(scored(usual) + byte_pieces(), None, True)
    yield "bytes without fallback", model(scored(usual) + byte_pieces())
    yield "equal scores", model(scored(lambda piece: -1.0))
    yield "scores by length", model(scored(lambda piece: -float(len(piece))))
    yield "scores by length, almost", model(scored(lambda piece: -0.1 * len(piece)))
    yield "rough scores", model(scored(lambda piece: RANDOM.choice([-3.0, -2.0, -1.0])))
    yield "positive scores", model(scored(lambda piece: RANDOM.uniform(30, 60)))
    yield (
        "extreme scores",
        model(scored(lambda piece: RANDOM.choice([-1e300, 1e300, -1e-300, 0.0]))),
    )
    repeated = scored(usual)
    yield (
        "repeated pieces",
        model(repeated + [(piece, usual(piece)) for piece, _ in repeated[5:40:2]]),
    )
    yield "an empty piece", model([*scored(usual), ("", -1.0)])
    # An unknown character scores 20 here, two of them as much as "xx".
    unlikely = [("<unk>", 90.0), ("a", 50.0), ("xx", 30.0), ("𠀀b", 31.0), ("x𠀀", 35.0)]
    yield "unknown before known", model(unlikely)
    yield "only the unknown piece", model([("<unk>", 0.0)])
    yield "few pieces", model([("<unk>", 0.0), ("ab", -1.0), ("abc", -3.0), ("c", -1.0)])
    yield "no pieces", model([], None)


def refusals() -> Iterator[dict[str, Any]]:
    yield {"type": "Unigram", "unk_id": 0, "vocab": [], "byte_fallback": False}
    yield {"type": "Unigram", "unk_id": 2, "vocab": [("a", 0.0), ("b", 0.0)], "byte_fallback": True}


def load(model: dict[str, Any]) -> Tokenizer:
    return Tokenizer.from_str(json.dumps({"version": "1.0", "added_tokens": [], "model": model}))


def tokens(tokenizer: Tokenizer, word: str) -> list[Any] | None:
    try:
        found = tokenizer.model.tokenize(word)
    except Exception:  # the reference has no exception type of its own
        return None
    flat: list[int] = []
    texts = []
    for token in found:
        flat += [token.id, *token.offsets]
        if token.value != tokenizer.id_to_token(token.id):
            texts.append(token.value)
    return [flat, texts]


def checksum(found: list[Any] | None) -> int | None:
    """FNV-1a over ids and offsets."""
    if found is None:
        return None
    value = 0x811C9DC5
    for number in found[0]:
        value = (value ^ number) * 0x01000193 & 0xFFFFFFFF
    return value


def main() -> None:
    recorded = []
    for name, model in models():
        tokenizer = load(model)
        recorded.append({
            "name": name,
            "model": model,
            "pieces": [tokenizer.id_to_token(id) for id in range(len(model["vocab"]))],
            "words": [tokens(tokenizer, word) for word in WORDS],
            "long": [checksum(tokens(tokenizer, word * count)) for word, count in LONG],
        })  # fmt: skip
    refused = list(refusals())
    for model in refused:
        try:
            load(model)
        except Exception:  # see above
            continue
        raise SystemExit(f"the reference accepts {model}")
    result = {
        "tokenizers": tokenizers.__version__,
        "words": WORDS,
        "long": LONG,
        "models": recorded,
        "refused": refused,
    }
    path = pathlib.Path(__file__).with_name("unigram.json")
    path.write_text(json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
