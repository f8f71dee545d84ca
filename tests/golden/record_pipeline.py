"""Record what ``tokenizers`` makes of tokens and of sequences of tokens.

    python tests/golden/record_pipeline.py

writes ``tests/golden/pipeline.json``: every decoder over lists of tokens, and
small tokenizers (whole words, byte-level or not) with every post-processor,
truncation and padding over single texts and pairs, lookups included. A case
that the reference refuses, or in which it panics, is recorded as ``null``.
"""

from __future__ import annotations

import json
import pathlib
import random
from collections.abc import Callable
from typing import Any

import tokenizers
from tokenizers import Encoding, Tokenizer

RANDOM = random.Random(20)

BYTE_LEVEL = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": True,
}
FUSE: dict[str, Any] = {"type": "Fuse"}
BYTE_FALLBACK: dict[str, Any] = {"type": "ByteFallback"}


def replace(kind: str, pattern: str, content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": {kind: pattern}, "content": content}


def strip(content: str, start: int, stop: int) -> dict[str, Any]:
    return {"type": "Strip", "content": content, "start": start, "stop": stop}


def metaspace(scheme: str, replacement: str = "▁") -> dict[str, Any]:
    return {
        "type": "Metaspace",
        "replacement": replacement,
        "prepend_scheme": scheme,
        "split": True,
    }


def sequence(*decoders: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "decoders": list(decoders)}


def ctc(pad: str, delimiter: str, cleanup: bool) -> dict[str, Any]:
    return {
        "type": "CTC",
        "pad_token": pad,
        "word_delimiter_token": delimiter,
        "cleanup": cleanup,
    }


DECODERS: list[dict[str, Any] | None] = [
    None,
    {"type": "BPEDecoder", "suffix": "</w>"},
    {"type": "BPEDecoder", "suffix": ""},
    {"type": "BPEDecoder", "suffix": "▁"},
    BYTE_FALLBACK,
    BYTE_LEVEL,
    ctc("<pad>", "|", True),
    ctc("<pad>", "|", False),
    ctc("a", "▁", True),
    ctc("", "", True),
    FUSE,
    metaspace("always"),
    metaspace("first"),
    metaspace("never"),
    metaspace("always", "a"),
    replace("String", "▁", " "),
    replace("String", "aa", "b"),
    replace("String", "", "-"),
    replace("String", "ab", ""),
    replace("String", "a.", "<$0>"),
    replace("Regex", r"\s+", "_"),
    replace("Regex", r"a*", "x"),
    replace("Regex", r"(?<=a)b|\p{Han}", "[]"),
    replace("Regex", r"$", "!"),
    strip(" ", 1, 0),
    strip("a", 1, 1),
    strip("a", 0, 1),
    strip("▁", 3, 0),
    {"type": "WordPiece", "prefix": "##", "cleanup": True},
    {"type": "WordPiece", "prefix": "##", "cleanup": False},
    {"type": "WordPiece", "prefix": "", "cleanup": True},
    sequence(),
    sequence(replace("String", "▁", " "), BYTE_FALLBACK, FUSE, strip(" ", 1, 0)),
    sequence(replace("String", "▁", " "), BYTE_FALLBACK, FUSE),
    sequence(BYTE_FALLBACK, metaspace("always")),
    sequence(BYTE_FALLBACK, FUSE, replace("String", "ab", "▁")),
    sequence(FUSE, replace("String", "aab", "c"), strip("a", 2, 0)),
    sequence(FUSE, replace("Regex", r"(.)\1", "$")),
    sequence(FUSE, strip("a", 2, 1)),
    sequence(FUSE, strip(" ", 2, 0), metaspace("first")),
    sequence(FUSE, {"type": "WordPiece", "prefix": "##", "cleanup": True}),
    sequence(FUSE, {"type": "BPEDecoder", "suffix": "</w>"}),
    sequence(FUSE, BYTE_FALLBACK, FUSE),
    sequence(BYTE_LEVEL, replace("String", "\ufffd", "?"), strip("a", 1, 0)),
    sequence(BYTE_LEVEL, BYTE_LEVEL),
    sequence(replace("String", "a", ""), {"type": "WordPiece", "prefix": "##", "cleanup": True}),
    sequence(ctc("<pad>", "|", True), {"type": "BPEDecoder", "suffix": "</w>"}),
    sequence(sequence(BYTE_FALLBACK), ctc("\ufffd", "|", True), metaspace("never")),
    sequence(metaspace("always"), metaspace("always", "a"), FUSE, replace("String", "  ", " ")),
]

ALPHABETS = [
    ["a", "ab", "aa", "b", "ba", "aab", "", " ", "aaaa", "</w>", "a</w>", "c</w>c</w>"],
    ["▁", "▁▁", "▁a", "a▁", "中", "▁中▁", "a", " ", "", "▁▁▁▁b"],
    ["<0xE5>", "<0x8F>", "<0xAB>", "<0x61>", "<0x+F>", "<0xé>", "<0x0g>", "<0xF0>", "a", "▁"],
    ["<0xE5>", "<0x8f>", "<0xab>", "<0xE4>", "<0xB8>", "<0xAD>", "<0x0A>", "中"],
    ["Ġ", "Ġa", "åı«", "å", "ı", "«", "ĠĠ", "中", "Ċ", "ðŁĺĢ", "ðŁ", "ĺ", "Ģ", "ÿ", "a b"],
    [
        "##",
        "##a",
        "a",
        ".",
        "do",
        "not",
        "n't",
        "'",
        "'s",
        " '",
        "' ",
        "##.",
        "?",
        "!",
        " ,",
        "I",
        "'m",
    ],
    ["<pad>", "|", "a", "b", "b", "<pad>a<pad>", "||", "'", " ", "do not", " do not", "a .", "."],
    ["\ufffd", "a", "中a", "ab中", "  ", "\n", "a\u0301", "👩‍👩", " a ", "\u0000"],
]


def token_lists() -> list[list[str]]:
    lists: list[list[str]] = [[], [""], ["", ""], ["a"], [" "], ["▁"], ["<0xE5>"], ["å"]]
    for alphabet in ALPHABETS:
        lists.append(list(alphabet))
        for length in (2, 3, 5, 9, 14):
            lists.append([RANDOM.choice(alphabet) for _ in range(length)])
    mixed = [token for alphabet in ALPHABETS for token in alphabet]
    lists += [[RANDOM.choice(mixed) for _ in range(RANDOM.randint(2, 12))] for _ in range(12)]
    return lists


def tokenizer(vocabulary: dict[str, int], **parts: Any) -> Tokenizer:
    definition = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": parts.get("normalizer"),
        "pre_tokenizer": parts.get("pre_tokenizer"),
        "post_processor": parts.get("post_processor"),
        "decoder": parts.get("decoder"),
        "model": {"type": "WordLevel", "vocab": vocabulary, "unk_token": "[UNK]"},
    }
    return Tokenizer.from_str(json.dumps(definition))


def attempt(action: Callable[..., Any], *arguments: Any) -> Any:
    """The result of an action, ``None`` when it raises or panics."""
    try:
        return action(*arguments)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # pyo3's PanicException is no Exception
        return None


def record_decoders() -> dict[str, Any]:
    lists = token_lists()
    cases = []
    for config in DECODERS:
        if config is None:
            results = []
            for tokens in lists:
                # Equal tokens have equal ids.
                vocabulary = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
                ids = [vocabulary[token] for token in tokens]
                results.append(tokenizer(vocabulary).decode(ids, skip_special_tokens=False))
        else:
            decoder = tokenizer({}, decoder=config).decoder
            results = [attempt(decoder.decode, tokens) for tokens in lists]
        cases.append({"config": config, "results": results})
    return {"tokens": lists, "cases": cases}


TEXTS = [
    "",
    "a",
    " Hello  world",
    "one two three four five six",
    "  中文\u3000分詞 test ",
    "a b c d e f g h i j k",
    "x\u3000\u3000y\u3000",
]

WHITESPACE: dict[str, Any] = {"normalizer": None, "pre_tokenizer": {"type": "WhitespaceSplit"}}
IDEOGRAPHIC = {"type": "Replace", "pattern": {"String": "\u3000"}, "content": " "}
SETUPS = [
    WHITESPACE,
    {"normalizer": IDEOGRAPHIC, "pre_tokenizer": {**BYTE_LEVEL, "add_prefix_space": False}},
    {"normalizer": IDEOGRAPHIC, "pre_tokenizer": {**BYTE_LEVEL, "add_prefix_space": True}},
    {
        "normalizer": IDEOGRAPHIC,
        "pre_tokenizer": {**BYTE_LEVEL, "add_prefix_space": False, "use_regex": False},
    },
]


def special(name: str, *ids: int) -> dict[str, Any]:
    tokens = [f"{name}{number or ''}" for number in range(len(ids))]
    return {"id": name, "ids": list(ids), "tokens": tokens}


def template(single: str, pair: str) -> dict[str, Any]:
    def piece(word: str) -> dict[str, Any]:
        name, _, type_id = word.partition(":")
        kind = "Sequence" if name in ("A", "B") else "SpecialToken"
        return {kind: {"id": name, "type_id": int(type_id or 0)}}

    return {
        "type": "TemplateProcessing",
        "single": [piece(word) for word in single.split()],
        "pair": [piece(word) for word in pair.split()],
        "special_tokens": {
            "[CLS]": special("[CLS]", 1),
            "[SEP]": special("[SEP]", 2),
            "<multi>": special("<multi>", 3, 4, 5),
        },
    }


def processors(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "processors": list(steps)}


BERT = {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]}
TEMPLATE = template("[CLS] A [SEP]", "[CLS] A [SEP] B:1 [SEP]:1")


def roberta(trim: bool, prefix: bool) -> dict[str, Any]:
    return {
        "type": "RobertaProcessing",
        "sep": ["</s>", 7],
        "cls": ["<s>", 6],
        "trim_offsets": trim,
        "add_prefix_space": prefix,
    }


def byte_level(trim: bool, prefix: bool) -> dict[str, Any]:
    return {**BYTE_LEVEL, "trim_offsets": trim, "add_prefix_space": prefix}


PROCESSORS: list[dict[str, Any] | None] = [
    None,
    BERT,
    roberta(True, True),
    roberta(True, False),
    roberta(False, True),
    byte_level(True, True),
    byte_level(True, False),
    byte_level(False, True),
    TEMPLATE,
    template("<multi>:3 A:2", "B:1 <multi>:4 A:7"),
    template("A A:1", "A [SEP] B:1 [SEP]:1 A:2"),
    template("", "A B"),
    processors(),
    processors(byte_level(True, False), TEMPLATE),
    processors(byte_level(True, True), BERT),
    processors(roberta(True, False), byte_level(True, False)),
    processors(TEMPLATE, byte_level(True, False)),
    processors(TEMPLATE, BERT),
    processors(BERT, TEMPLATE),
    processors(TEMPLATE, TEMPLATE),
]


def dump(encoding: Encoding) -> list[Any]:
    return [
        encoding.ids,
        encoding.type_ids,
        [
            int(f"{a}{s}")
            for a, s in zip(encoding.attention_mask, encoding.special_tokens_mask, strict=True)
        ],
        [offset for offsets in encoding.offsets for offset in offsets],
        encoding.word_ids,
        encoding.sequence_ids,
        encoding.n_sequences,
        [dump(part) for part in encoding.overflowing],
    ]


def lookups(encoding: Encoding, characters: int) -> dict[str, Any]:
    """Every lookup at every position, two positions too many included."""
    tokens = range(len(encoding.ids) + 2)
    words = range(max((word for word in encoding.word_ids if word is not None), default=0) + 2)
    both = (0, 1)
    return {
        "char_to_token": [
            [encoding.char_to_token(at, which) for at in range(characters)] for which in both
        ],
        "char_to_word": [
            [encoding.char_to_word(at, which) for at in range(characters)] for which in both
        ],
        "word_to_tokens": [
            [encoding.word_to_tokens(word, which) for word in words] for which in both
        ],
        "word_to_chars": [
            [encoding.word_to_chars(word, which) for word in words] for which in both
        ],
        "token_to_chars": [encoding.token_to_chars(token) for token in tokens],
        "token_to_word": [encoding.token_to_word(token) for token in tokens],
        "token_to_sequence": [encoding.token_to_sequence(token) for token in tokens],
    }


def vocabulary_of(setup: dict[str, Any]) -> dict[str, int]:
    words = ["[UNK]", "[CLS]", "[SEP]", "<multi>", "<multi>1", "<multi>2", "<s>", "</s>", "[PAD]"]
    blank = tokenizer({"[UNK]": 0}, **setup)
    for text in TEXTS:
        normalized = blank.normalizer.normalize_str(text) if blank.normalizer else text
        words += [word for word, _ in blank.pre_tokenizer.pre_tokenize_str(normalized)]
    return {word: number for number, word in enumerate(dict.fromkeys(words))}


def random_truncation(added: int) -> dict[str, Any] | None:
    if RANDOM.random() < 0.25:
        return None
    budget = RANDOM.choice([0, 1, 2, 3, 4, 5, 7, 9])
    return {
        "max_length": budget + added,
        # A stride of the whole budget is refused by us even when nothing is cut.
        "stride": RANDOM.randrange(budget) if budget and RANDOM.random() < 0.6 else 0,
        "strategy": RANDOM.choice(["longest_first", "only_first", "only_second"]),
        "direction": RANDOM.choice(["left", "right"]),
    }


def random_padding() -> dict[str, Any] | None:
    if RANDOM.random() < 0.6:
        return None
    return {
        "direction": RANDOM.choice(["left", "right"]),
        "pad_id": 8,
        "pad_type_id": RANDOM.choice([0, 3]),
        "pad_token": "[PAD]",
        "length": RANDOM.choice([None, 6, 12]),
        "pad_to_multiple_of": RANDOM.choice([None, 0, 4]),
    }


def encode(
    instance: Tokenizer,
    truncation: dict[str, Any] | None,
    first: str,
    second: str | None,
    add_special: bool,
) -> Encoding:
    if truncation:
        instance.enable_truncation(**truncation)
    return instance.encode(first, second, add_special_tokens=add_special)


def record_sequences() -> dict[str, Any]:
    vocabularies = [vocabulary_of(setup) for setup in SETUPS]
    raw = [
        [
            (
                encoding.ids,
                [offset for offsets in encoding.offsets for offset in offsets],
                encoding.word_ids,
            )
            for text in TEXTS
            for encoding in [tokenizer(vocabulary, **setup).encode(text)]
        ]
        for setup, vocabulary in zip(SETUPS, vocabularies, strict=True)
    ]
    cases = []
    for number in range(420):
        setup = RANDOM.randrange(len(SETUPS))
        processor = number % len(PROCESSORS)
        first = RANDOM.randrange(len(TEXTS))
        second = RANDOM.choice([None, *range(len(TEXTS))])
        add_special = RANDOM.random() < 0.8
        instance = tokenizer(
            vocabularies[setup], post_processor=PROCESSORS[processor], **SETUPS[setup]
        )
        # The reference checks the stride as if special tokens were always added.
        added = max(map(instance.num_special_tokens_to_add, (False, True)))
        truncation = random_truncation(added)
        padding = random_padding()
        if padding:
            instance.enable_padding(**padding)
        pair = None if second is None else TEXTS[second]
        encoding = attempt(encode, instance, truncation, TEXTS[first], pair, add_special)
        case = {
            "setup": setup,
            "processor": processor,
            "first": first,
            "second": second,
            "add_special": add_special,
            "truncation": truncation,
            "padding": padding,
            "result": None if encoding is None else dump(encoding),
        }
        # Where sequences overlap, the reference answers at random.
        overlaps = processor == PROCESSORS.index(processors(TEMPLATE, byte_level(True, False)))
        if encoding is not None and number % 4 == 0 and not overlaps:
            case["lookups"] = lookups(encoding, max(map(len, TEXTS)) + 2)
        cases.append(case)
    return {
        "texts": TEXTS,
        "vocabularies": [list(vocabulary) for vocabulary in vocabularies],
        "raw": raw,
        "processors": PROCESSORS,
        "cases": cases,
    }


def main() -> None:
    recorded = {
        "tokenizers": tokenizers.__version__,
        "decoders": record_decoders(),
        "sequences": record_sequences(),
    }
    path = pathlib.Path(__file__).with_name("pipeline.json")
    text = json.dumps(recorded, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
