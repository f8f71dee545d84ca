"""Record what ``sentencepiece`` makes of small models and hostile texts.

    python tests/golden/record_sentencepiece.py

writes ``tests/golden/sentencepiece.json``. A model is a list of parts, base64
each, whose concatenation is the file: protobuf merges what stands twice, so a
part of a few bytes switches an option of a trained model, and character maps
are stored once. Of each text the file has the tokens (id, distance of the begin
from the last begin, length; flat), the text of unknown tokens, and the decoded
text where it is not the text itself.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import pathlib
import random
import struct
import tempfile
from collections.abc import Iterator
from typing import Any

import sentencepiece
from sentencepiece import SentencePieceProcessor, SentencePieceTrainer

RANDOM = random.Random(20)

HAN = "中国人民的一是不了在有和这大为上个到说们以子也你会着要出年得里后自前能多对行天地"
LATIN = """
    the of and to in is that for it was on with as be
    at by this from or one had low lower newest
""".split()  # noqa: SIM905

MARK = "\u2581"

TEXTS = [
    "",
    " ",
    "   ",
    "a",
    " a",
    "a ",
    "  a  b   c  ",
    "the newest of this low",
    "the  newest   of\tthis\nlow\r\n",
    "\t",
    "\n",
    "\n\n a\n",
    "\u3000",
    "\u3000中国\u3000人民\u3000",
    "\u00a0a\u00a0\u00a0b\u00a0",
    "中国人民的一年",
    "中国人是中国的人",
    "国人民中国人民国人",
    "中 国 人",
    "ａｂｃ１２３！？，。",
    "Ｔｈｅ　ＮＥＷＥＳＴ",
    "THE NEWEST Straße İstanbul ΑΣ",
    "ﬁ ﬃ ㈱ ㍿ ① ½ ﷽ \ufdfa",
    "e\u0301 é e\u0301\u0301 a\u0308\u0304",
    "한국어 한국",
    "\u30cf\u309a パ ﾊﾟ",
    "👩\u200d👩\u200d👧 👍🏽 🇨🇳",
    "a👍b👍👍c",
    "\0",
    "a\0b\0\0 \0",
    "\ufeffa\ufeff",
    "\u200b\u200da\u200e\u00ad",
    "\x01\x02\x7f\x80\x85\x9f",
    "\ufffd \ufffe \uffff",
    MARK,
    MARK * 3,
    f"{MARK}a {MARK} b{MARK}",
    f"a{MARK}b{MARK}{MARK}c {MARK}",
    f" {MARK} the{MARK}newest",
    "<s></s><unk><pad><sep><cls>",
    "the<sep>newest <sep> of<sep>",
    "<0x41><0xE4>",
    "abcabab abc ab",
    "xabcx xaby ▁x x",
    "x  x   x",
    "𠀀𠀁𪚥龘靐齉",
    "㐀㐁a㐂㐃 㐄",
    "中㐀国㐁㐂人",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "哈哈哈哈哈哈哈哈哈哈",
    "3.1415926 2024年5月10日 1,000,000",
    "low lower lowest newest widest",
    "lowerlowernewestlow",
    "....!!!!????",
    "def f(x):\n    return x  # 返回\r\n",
    "https://example.com/a?b=c&d=%20",
    "計程車 计程车 電腦 軟體 軟",
    "台灣的電腦軟體和計程車",
    "q w z qz wq",
    "\U0010ffff\U0010fffe",
    "a\u2028b\u2029c\u2003d",
    "  \u3000 \u00a0 ",
    "的的 的　的",
    "中国人 a中国 人民a",
]

# Of texts, so many times, only a checksum of the ids is recorded.
LONG = [
    ("a", 30000),
    (HAN[4:] + " the newest ", 1500),
    ("哈", 20000),
    ("  ", 5000),
    ("lower㐀 ", 8000),
]


def corpus() -> Iterator[str]:
    """Sentences of Latin words and Han characters, some digits and marks."""
    choose = random.Random(3)
    for _ in range(1500):
        words = []
        for _ in range(choose.randint(3, 9)):
            kind = choose.random()
            if kind < 0.5:
                words.append(choose.choice(LATIN))
            elif kind < 0.9:
                start = choose.randrange(len(HAN) - 4)
                words.append(HAN[start : start + choose.randint(1, 4)])
            else:
                words.append(str(choose.randrange(3000)))
        yield choose.choice([" ", " ", "", "  "]).join(words) + choose.choice(
            ["", ".", "。", "，x", "  (a)"]
        )


def train(**options: Any) -> bytes:
    writer = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=corpus(),
        model_writer=writer,
        **{
            "vocab_size": 200,
            "hard_vocab_limit": False,
            "num_threads": 1,
            "minloglevel": 2,
            **options,
        },
    )
    return writer.getvalue()


def rules(*pairs: tuple[str, str]) -> str:
    """A file of normalisation rules: code points in hexadecimal."""
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", delete=False) as file:
        lines = csv.writer(file, delimiter="\t", lineterminator="\n")
        for source, target in pairs:
            lines.writerow([" ".join(f"{ord(c):X}" for c in s) for s in (source, target)])
    return file.name


# The few parts of protobuf's wire format that are needed to edit a model.
def varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number: int, value: bytes | int | float) -> bytes:
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3) + varint(value)


def fields(message: bytes) -> Iterator[tuple[int, Any]]:
    at = 0

    def read() -> int:
        nonlocal at
        number = shift = 0
        while True:
            byte = message[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while at < len(message):
        key = read()
        if key & 7 == 0:
            yield key >> 3, read()
        elif key & 7 == 5:
            (value,) = struct.unpack("<f", message[at : at + 4])
            at += 4
            yield key >> 3, value
        else:
            size = read()
            yield key >> 3, message[at : at + size]
            at += size


def pieces(model: bytes) -> list[dict[int, Any]]:
    return [dict(fields(value)) for number, value in fields(model) if number == 1]


def with_pieces(model: bytes, edited: list[dict[int, Any]]) -> bytes:
    """The model with other pieces: 1 text, 2 score, 3 kind."""
    head = b"".join(
        field(1, b"".join(field(number, value) for number, value in piece.items()))
        for piece in edited
    )
    return head + b"".join(field(number, value) for number, value in fields(model) if number != 1)


def parts(model: bytes) -> list[bytes]:
    """The model as its own part and its normalisers, which others may share."""
    own, rest = b"", []
    for number, value in fields(model):
        if number in (3, 5):
            # Without the name of the file with the rules.
            spec = b"".join(field(*entry) for entry in fields(value) if entry[0] != 6)
            rest.append(field(number, spec))
        else:
            own += field(number, value)
    return [own, *rest]


def unused(model: bytes, share: float) -> bytes:
    """Some of the pieces marked as unused, long and short ones alike."""
    edited = pieces(model)
    for piece in edited:
        if piece.get(3, 1) == 1 and RANDOM.random() < share:
            piece[3] = 5
    return with_pieces(model, edited)


def rescored(model: bytes, score: Any) -> bytes:
    edited = pieces(model)
    for piece in edited:
        if piece.get(3, 1) in (1, 4, 5):
            piece[2] = float(score(piece.get(2, 0.0), piece[1].decode()))
    return with_pieces(model, edited)


SYMBOLS = [
    "中国",
    "中国人",
    "国人",
    "ab",
    "abc",
    "x",
    " a",
    f"{MARK}x",
    "  ",
    "<sep>",
    "é",
    "Ａ",
    "的　",
    "👍",
]

CONVERSIONS = [
    ("計程車", "出租车"), ("電腦", "电脑"), ("軟體", "软件"), ("軟", "软"), ("the", "THE"), ("q", ""), ("w", "  "), ("z", " z "),
    ("\t", " "), ("\n", " "), ("\u3000", " "), ("龘", "\U0010ffff"), ("的", MARK), ("a\u0308", "ä"),
]  # fmt: skip


def models() -> Iterator[tuple[str, list[bytes]]]:
    keep = {"remove_extra_whitespaces": False, "allow_whitespace_only_pieces": True}
    identity = {"normalization_rule_name": "identity"}
    symbols = {"user_defined_symbols": SYMBOLS, "control_symbols": ["<cls>", "了", "abcab"]}
    named = {
        "unk_surface": "〓",
        "unk_piece": "[UNK]",
        "bos_piece": "[B]",
        "eos_piece": "[E]",
        "pad_piece": "[P]",
        "pad_id": 3,
    }
    trained: dict[str, bytes] = {}
    for kind in ("unigram", "bpe"):
        options: dict[str, dict[str, Any]] = {
            "plain": {},
            "bytes": {"byte_fallback": True, "vocab_size": 430, **identity},
            "folded": {"normalization_rule_name": "nfkc_cf"},
            "rules": {"normalization_rule_tsv": rules(*CONVERSIONS)},
            "no prefix": {"add_dummy_prefix": False, **identity},
            "suffix": {"treat_whitespace_as_suffix": True},
            "spaces": {**keep, **identity},
            "llama": {
                **keep,
                **identity,
                "byte_fallback": True,
                "split_digits": True,
                "vocab_size": 430,
            },
            "symbols": symbols,
            "symbols, bytes, spaces": {
                **symbols,
                **keep,
                **identity,
                "byte_fallback": True,
                "vocab_size": 440,
            },
            "named": named,
            "denormalised": {
                "denormalization_rule_tsv": rules(
                    ("n", "N"), ("中国", "中國"), (" ", "_"), ("e", "")
                )
            },
        }
        for name, option in options.items():
            trained[f"{kind}, {name}"] = train(model_type=kind, **option)
    for kind in ("word", "char"):
        trained[kind] = train(model_type=kind, **(symbols if kind == "char" else {}))
        trained[f"{kind}, suffix"] = train(model_type=kind, treat_whitespace_as_suffix=True)
    for name, model in trained.items():
        yield name, parts(model)
    for name in (
        "unigram, plain",
        "bpe, plain",
        "bpe, symbols",
        "unigram, bytes",
        "bpe, llama",
        "word",
        "char",
    ):
        for share in (0.2, 0.7):
            yield f"{name}, {share} unused", parts(unused(trained[name], share))
    scores = {
        "equal": lambda score, text: -1.0,
        "zero": lambda score, text: 0.0,
        "positive": lambda score, text: 20 + score,
        "huge": lambda score, text: 9000 * score,
        "huge and positive": lambda score, text: 90000 + 9000 * score,
        # So close to each other that the rounding of long sums decides.
        "close": lambda score, text: -10 * len(text) + 0.001 * score,
        "few": lambda score, text: RANDOM.choice([-2.0, -1.0, -0.0, 0.0, 1.0]),
    }
    for name, score in scores.items():
        for base in ("unigram, symbols", "bpe, symbols"):
            yield f"{base}, {name} scores", parts(rescored(trained[base], score))
    for base in ("unigram, symbols", "bpe, rules"):
        for bits in range(16):
            flags = b"".join(field(3 + n, bits >> n & 1) for n in range(3))
            patch = field(3, flags) + field(2, field(24, bits >> 3))
            yield f"{base}, options {bits:04b}", [*parts(trained[base]), patch]


def unknown_texts(processor: SentencePieceProcessor, found: dict[str, list[Any]]) -> list[str]:
    return [
        piece.decode()
        for piece, id in zip(found["pieces"], found["ids"], strict=True)
        if processor.is_unknown(id)
    ]


def tokens(processor: SentencePieceProcessor, text: str) -> list[Any]:
    found = processor.encode(text.encode(), out_type="offset_mapping")
    assert processor.encode(text) == found["ids"]
    flat, last = [], 0
    for id, (begin, end) in zip(found["ids"], found["offsets"], strict=True):
        flat += [id, begin - last, end - begin]
        last = begin
    decoded = processor.decode(found["ids"])
    return [flat, unknown_texts(processor, found), None if decoded == text else decoded]


def checksum(ids: list[int]) -> int:
    """FNV-1a over the ids."""
    value = 0x811C9DC5
    for id in ids:
        value = (value ^ id) * 0x01000193 & 0xFFFFFFFF
    return value


def sequences(processor: SentencePieceProcessor) -> list[list[Any]]:
    """Ids that no text gives, and what they decode to."""
    reserved = [
        id for id in range(len(processor)) if processor.is_control(id) or processor.is_unknown(id)
    ]
    bytes_ = [id for id in range(len(processor)) if processor.is_byte(id)]
    spaced = [id for id in range(len(processor)) if MARK in processor.id_to_piece(id)]
    out = []
    for _ in range(8):
        ids = []
        for _ in range(RANDOM.randint(1, 9)):
            pool = RANDOM.choice([reserved, bytes_, spaced, range(len(processor))])
            ids.append(RANDOM.choice(pool or range(len(processor))))
        out.append([ids, processor.decode(ids)])
    return out


def refusals() -> Iterator[tuple[str, bytes]]:
    """Files that the library refuses."""

    def model(*table: dict[int, Any], trainer: bytes = b"") -> bytes:
        return b"".join(
            field(1, b"".join(field(number, value) for number, value in piece.items()))
            for piece in table
        ) + field(2, trainer)

    unknown = {1: b"<unk>", 3: 2}
    byte_fallback = field(35, 1)
    all_bytes = [{1: b"<0x%02X>" % byte, 3: 6} for byte in range(256)]
    a = {1: b"a", 2: -1.0}
    yield "long", model(unknown, a, {1: b"b" * 8000})
    for kind in (1, 2, 3, 4):
        trainer = field(3, kind)
        yield f"{kind}: no unknown", model(a, trainer=trainer)
        yield f"{kind}: two unknown", model(unknown, {1: b"u", 3: 2}, a, trainer=trainer)
        yield f"{kind}: twice", model(unknown, a, a, trainer=trainer)
        yield f"{kind}: empty", model(unknown, a, {1: b""}, trainer=trainer)
        yield f"{kind}: nul", model(unknown, a, {1: b"\0"}, trainer=trainer)
        yield f"{kind}: nul inside", model(unknown, a, {1: b"b\0", 3: 5}, trainer=trainer)
        yield f"{kind}: byte", model(unknown, a, {1: b"<0x41>", 3: 6}, trainer=trainer)
    for kind in (1, 2):
        trainer = field(3, kind)
        yield (
            f"{kind}: bytes missing",
            model(unknown, a, *all_bytes[1:], trainer=trainer + byte_fallback),
        )
        yield (
            f"{kind}: no byte",
            model(unknown, a, {1: b"b", 3: 6}, *all_bytes, trainer=trainer + byte_fallback),
        )
    yield "bpe: twice across tables", model(unknown, a, {1: b"a", 3: 3}, trainer=field(3, 2))
    yield "unigram: nothing to find", model(unknown, {1: b"<s>", 3: 3})
    yield "unigram: infinite", model(unknown, {1: b"a", 2: float("inf")})
    yield "unigram: not a number", model(unknown, {1: b"a", 2: float("nan")})
    yield "cut", model(unknown, a)[:-3]
    yield "text", b'{"model": {}}'
    for name, blob in {
        "short": b"abc",
        "no trie": struct.pack("<I", 0) + b"\0",
        "too large": struct.pack("<I", 4096) + b"\0" * 1024,
    }.items():
        yield f"character map: {name}", model(unknown, a) + field(3, field(2, blob))
        yield f"denormaliser: {name}", model(unknown, a) + field(5, field(2, blob))


def main() -> None:
    table: dict[bytes, int] = {}
    recorded = []
    for name, model in models():
        processor = SentencePieceProcessor(model_proto=b"".join(model))
        recorded.append({
            "name": name,
            "parts": [table.setdefault(part, len(table)) for part in model],
            "special": [processor.unk_id(), processor.bos_id(), processor.eos_id(), processor.pad_id()],
            "texts": [tokens(processor, text) for text in TEXTS],
            "long": [checksum(processor.encode(text * count)) for text, count in LONG],
            "sequences": sequences(processor),
        })  # fmt: skip
    refused = []
    for name, model in refusals():
        try:
            SentencePieceProcessor(model_proto=model)
        except Exception:  # the library has no exception type of its own
            refused.append([name, base64.b64encode(model).decode()])
        else:
            raise SystemExit(f"the library accepts {name!r}")
    result = {
        "sentencepiece": sentencepiece.__version__,
        "texts": TEXTS,
        "long": LONG,
        "parts": [base64.b64encode(part).decode() for part in table],
        "models": recorded,
        "refused": refused,
    }
    path = pathlib.Path(__file__).with_name("sentencepiece.json")
    path.write_text(json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
