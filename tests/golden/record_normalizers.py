"""Record what the normalisers of the `tokenizers` library do, as known answers.

Run from anywhere, with `tokenizers` and `sentencepiece` installed::

    python tests/golden/record_normalizers.py

Writes ``normalizers.json`` next to this file:

- ``inputs``: the texts;
- ``configs``: for each normaliser its definition, ``answers`` (per input the
  output and, flat, the original byte span of each output character: how far
  its start is from the last one's, and its length; ``null`` if all is as in
  the input), and
  ``digests``: one CRC-32 per Unicode plane over the outputs for every code
  point, see :func:`probes`.

The Rust test ``normalizers.rs`` recomputes all of it.
"""

from __future__ import annotations

import base64
import itertools
import json
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
from sentencepiece import sentencepiece_model_pb2
from tokenizers import PreTokenizedString, Regex, Tokenizer

EVERY_CHARACTER = Regex("(?m).")
SEPARATOR = b"\xff"

# Planes whose code points are tried one by one; the others hold nothing but
# unassigned and private-use code points and are tried in blocks.
DENSE_PLANES = (0, 1, 2, 3, 14)

INPUTS = [
    "",
    " ",
    "Hello, World!",
    "  Hello\t\n World  ",
    " \u3000\u00a0x\u2003 ",
    "\r\n\t",
    "ÀÉÎõü ÅÅÅ café naïve",
    "e\u0301 e\u0323\u0301 e\u0301\u0323 e\u0327\u0323\u0301\u0301",
    "\u0301leading mark",
    "q\u0307\u0323 q\u0323\u0307 \u1e0b\u0323 \u1e0d\u0307",
    "a\u0315\u0300\u05ae\u0300\u0062",
    "a" + "\u0301" * 40 + "b" + "\u0323\u0301" * 20,
    "\u1100\u1161\u11a8 \u1112\u1161\u11ab\u1100\u1173\u11af 한국어 \uac00\u11a8",
    "\u0344 \u0958 \u2adc \ufb1d \ufb2c \u09c7\u09be \u0b92\u0bd7 \u1025\u102e",
    "İstanbul I\u0307 ı ẞ ß ΣΑΣ ὈΔΥΣΣΕΎΣ ǅ ŉ ﬃ",
    "𝔾𝕠𝕠𝕕 𝟙𝟚 ⓐⒷ ① ㈱ ㍿ ㌔ ½ ¼ ² ℡ ™ Å Ω K",
    "ﬁ ﬂ ﬀ ſt ﷺ ﷽ ﹁ ︒ ︑ ﹏ ﹙x﹚",
    "ＡＢＣａｂｃ１２３！？，．（）～￥ ｶﾞｷﾞ ﾊﾟ ﾡ",
    "かがか\u3099 ハバパハ\u309a ヷ ゟ ヿ 〱 ㇰ",
    "你好，世界！“引号”——破折号……《书名》、顿号；冒号：",
    "我今天能为你做什么 abc 123",
    "\uf900\uf901\ufa0c\ufa0e\ufa30 \U0002f800\U0002f801\U0002fa1d",
    "㐀䶵 一龥鿿 𠀀𪛖 𪜀𫜴 𫝀𫠝 𫠠\U0002b920𬺡 𬺰𮯠 𰀀𱍊 𱍐𲎯 \U0002ebf0",
    "〇 〡〢 ⺀ ⻩ ⼀ ⿕ ⿰⿱ 々 〻 ㆒",
    "👩‍👩‍👧‍👦 👍🏽 🇨🇳🇺🇸 ❤️ 1️⃣ 🏴\U000e0067\U000e0062\U000e007f",
    "שָׁלוֹם עולם \u202eRTL\u202c مرحبا ﻣﺮﺣﺒﺎ ﻻ \u0627\u0653",
    "हिन्दी ड़ी \u0921\u093c क्ष தமிழ் เขาไม่ได้พูดสักคำ \u0e33",
    "\x00a\x00 \x01\x08\x0b\x0c\x0e\x1f\x7f\x80\x85\x8f\x9f",
    "\ufeffBOM\ufeff \u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060 so\u00adft",
    "\ufffd \ufffe \uffff \U0001fffe \U0010ffff \ue000 \U000f0000 \U00100000",
    "▁under▁ _low_ Ġ Ċ",
    "\u1680\u180e\u2000\u200a\u202f\u205f",
    "™\x1eg \x1e™ \x1e",
    "x" * 30 + " " * 30 + "字" * 30,
    "Ünïcödé ÜNÏCÖDÉ U\u0308NI\u0308",
    "aaaab aaa a",
    "ᾈ ᾳ ᾼ Ⅷ ⅷ ꭰ Ꭰ Ა ა 𐐀 𐐨 𞤀",
    "\u0f71\u0f72\u0f74 \u0f73 \U0001d15e \U0001d1bb\U0001d16f",
    "\u212b\u0301 \u00c5\u0301 A\u030a\u0301 \u01fa",
    "ⰀꙀ Ꙁ ꞏ Ꞑ ꟶ \u1c89 \ua7cb \ua7dc \U00010d50 \U00016ea0",
]

CARET = {"type": "Replace", "pattern": {"Regex": "^"}, "content": "▁"}


def bert(clean: bool, chinese: bool, accents: bool | None, lower: bool) -> dict[str, Any]:
    return {
        "type": "BertNormalizer",
        "clean_text": clean,
        "handle_chinese_chars": chinese,
        "strip_accents": accents,
        "lowercase": lower,
    }


def sequence(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "normalizers": list(steps)}


def plain(name: str) -> dict[str, Any]:
    return {"type": name}


def replace(kind: str, pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def prepend(content: str) -> dict[str, Any]:
    return {"type": "Prepend", "prepend": content}


def strip(left: bool, right: bool) -> dict[str, Any]:
    return {"type": "Strip", "strip_left": left, "strip_right": right}


def charsmap() -> str:
    """A small character map that sentencepiece itself compiles, in base64."""
    rules = {
        "™": "TM", "½": "1⁄2", "㍿": "株式会社", "ﬁ": "fi", "ﬃ": "ffi", "…": "...",
        "\u3000": " ", "\u00a0": " ", "\u200b": " ", "\ufeff": "", "\x1e": "",
        "\u00ad": "", "\t": " ", "\n": " ", "\r": " ", "e\u0301": "é", "e\u0323\u0301": "E",
        "A\u030a": "Å", "か\u3099": "が", "ハ\u309a": "パ", "ｶﾞ": "ガ", "ｶ": "カ", "\u0627\u0653": "آ",
        "\u095c": "\u0921\u093c", "\u0e33": "\u0e4d\u0e32", "\u1100\u1161": "가", "\u1100\u1161\u11a8": "각",
        "ab": "X", "abc": "YZ", "中国": "C", "\u570b": "\u56fd", "👍": "+1", "👍🏽": "+2", "\r\n": " ",
        "\U0002f800": "\u4e3d", "\uf900": "\u8c48", "ﷺ": "صلى الله عليه وسلم", "\u0301": "", "ß": "ss",
    }  # fmt: skip
    rules |= {chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)}
    with tempfile.TemporaryDirectory() as folder:
        tsv = Path(folder, "rules.tsv")
        tsv.write_text(
            "".join(
                f"{' '.join(f'{ord(c):X}' for c in old)}\t{' '.join(f'{ord(c):X}' for c in new)}\n"
                for old, new in rules.items()
            ),
            encoding="utf-8",
        )
        corpus = Path(folder, "corpus.txt")
        corpus.write_text("hello world\nhow are you\n" * 20, encoding="utf-8")
        sentencepiece.SentencePieceTrainer.train(
            input=str(corpus),
            model_prefix=str(Path(folder, "model")),
            vocab_size=20,
            hard_vocab_limit=False,
            normalization_rule_tsv=str(tsv),
            minloglevel=2,
        )
        proto = sentencepiece_model_pb2.ModelProto()
        proto.ParseFromString(Path(folder, "model.model").read_bytes())
    return base64.b64encode(proto.normalizer_spec.precompiled_charsmap).decode()


def configs() -> list[tuple[dict[str, Any], list[str], bool]]:
    """Each with the inputs that only it gets, and whether to digest all code points."""
    precompiled = {"type": "Precompiled", "precompiled_charsmap": charsmap()}
    every = [
        bert(True, True, None, True),
        bert(True, False, False, False),
        bert(False, True, False, False),
        bert(False, False, True, False),
        plain("ByteLevel"),
        plain("Lowercase"),
        plain("NFC"),
        plain("NFD"),
        plain("NFKC"),
        plain("NFKD"),
        plain("Nmt"),
        plain("StripAccents"),
        precompiled,
        strip(True, True),
        replace("Regex", r"\s+|\p{P}", " "),
    ]
    some = [
        bert(True, True, False, True),
        bert(True, True, None, False),
        prepend("▁"),
        prepend("é中"),
        prepend(""),
        replace("String", " ", "▁"),
        replace("String", "a", ""),
        replace("String", "", "-"),
        replace("String", "aa", "中"),
        replace("String", ".*[", "x"),
        replace("Regex", "a*", "<>"),
        replace("Regex", r"(?<=\s)(?=\S)|$", "é"),
        CARET,
        strip(True, False),
        strip(False, True),
        strip(False, False),
        sequence(),
        sequence(prepend("▁"), replace("String", " ", "▁")),
        sequence(plain("NFKC"), plain("Lowercase"), plain("StripAccents"), strip(True, True)),
        sequence(plain("NFD"), plain("StripAccents"), plain("NFC")),
        sequence(plain("NFKD"), plain("NFKC"), plain("Nmt"), replace("Regex", " {2,}", " ")),
        sequence(strip(True, True), prepend(" "), bert(True, True, None, True)),
        sequence(plain("ByteLevel"), plain("Lowercase"), replace("String", "ġ", "")),
        sequence(precompiled, strip(True, True), replace("Regex", " {2,}", "▁")),
        sequence(sequence(CARET, replace("Regex", "[a-z]", "")), prepend("x")),
    ]
    # An edit after an insertion before everything lays the new text behind the
    # insertion. It crashes the library unless something is removed as well.
    odd = [
        (sequence(CARET, plain("StripAccents")), ["Abc\u0301", "e\u0301e\u0301"]),
        (sequence(CARET, plain("NFC")), ["Abe\u0301", "xyzA\u030a"]),
    ]
    return (
        [(config, [], True) for config in every]
        + [(config, [], False) for config in some]
        + [(config, inputs, False) for config, inputs in odd]
    )


def probes(plane: int) -> Iterator[str]:
    """The texts that try all code points of a plane."""
    first = plane << 16
    if plane in DENSE_PLANES:
        for code in range(first, first + 0x10000):
            if not 0xD800 <= code < 0xE000:
                c = chr(code)
                yield f"a{c}b"
                yield c
                yield f"中{c}\u0301"
    else:
        for block in range(first, first + 0x10000, 0x100):
            yield "a".join(map(chr, range(block, block + 0x100)))


def normalizer(config: dict[str, Any]) -> Any:
    empty = Tokenizer(tokenizers.models.WordLevel({}, unk_token=""))
    state = json.loads(empty.to_str())
    state["normalizer"] = config
    return Tokenizer.from_str(json.dumps(state)).normalizer


def answer(normalize: Any, text: str) -> list[Any] | None:
    pieces = PreTokenizedString(text)
    pieces.normalize(normalize.normalize)
    pieces.split(lambda _, part: part.split(EVERY_CHARACTER, "isolated"))
    splits = pieces.get_splits("original", "byte")
    output = "".join(piece for piece, _, _ in splits)
    assert all(len(piece) == 1 for piece, _, _ in splits)
    spans = []
    before = 0
    for _, (start, end), _ in splits:
        spans += [start - before, end - start]
        before = start
    widths = [0, *(len(c.encode()) for c in text)]
    identity = [x for pair in itertools.pairwise(widths) for x in pair]
    return None if (output, spans) == (text, identity) else [output, spans]


def digests(normalize: Any) -> list[int]:
    result = []
    for plane in range(17):
        crc = 0
        for probe in probes(plane):
            output = normalize.normalize_str(probe).encode() + SEPARATOR
            crc = zlib.crc32(output, crc)
        result.append(crc)
    return result


def main() -> None:
    recorded = []
    for config, inputs, digested in configs():
        normalize = normalizer(config)
        entry: dict[str, Any] = {"normalizer": config}
        if inputs:
            entry["inputs"] = inputs
        entry["answers"] = [answer(normalize, text) for text in inputs or INPUTS]
        if digested:
            entry["digests"] = digests(normalize)
        recorded.append(entry)
    lines = [json.dumps(entry, ensure_ascii=True, separators=(",", ":")) for entry in recorded]
    inputs = json.dumps(INPUTS, ensure_ascii=True, separators=(",", ":"))
    Path(__file__).with_name("normalizers.json").write_text(
        f'{{"tokenizers":"{tokenizers.__version__}",\n"inputs":{inputs},\n"configs":[\n'
        + ",\n".join(lines)
        + "\n]}\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
