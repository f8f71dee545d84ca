"""Every model of `tokenizers` under every option: ids, tokens and offsets equal the library's."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from . import components
from .components import (
    MERGES,
    Json,
    added_token,
    byte_level_bpe,
    character_model,
    definition,
    load_both,
)
from .references import byte_piece
from .strategies import FULL

WHITESPACE: Json = {"type": "Whitespace"}


def check_texts(pair: components.Pair, alphabet: str = "abcdeth学而 ") -> None:
    """Fixed texts, hostile texts, and texts in which pieces overlap."""
    components.assert_same_everywhere(pair, [*alphabet, *components.OVERLAPPING])


def small_bpe(**options: Any) -> Json:
    """BPE over few pieces, so that most characters are unknown."""
    prefix = options.get("continuing_subword_prefix") or ""
    suffix = options.get("end_of_word_suffix") or ""
    single = "abcdeth学而"
    forms = [
        left + character + right
        for character in single
        for left in {"", prefix}
        for right in {"", suffix}
    ]
    pieces = ["[UNK]", "<unk>", *sorted(forms)]
    merges = []
    for first, second in (
        ("a", "b"),
        ("t", "h"),
        ("th", "e"),
        ("c", "d"),
        ("学", "而"),
        ("ab", "cd"),
    ):
        for right in sorted({"", suffix}):
            left = first
            joined = left + second + right
            merges.append(f"{left} {prefix}{second}{right}")
            pieces.append(joined)
            if prefix:
                merges.append(f"{prefix}{left} {prefix}{second}{right}")
                pieces.append(prefix + joined)
    if options.get("byte_fallback"):
        pieces += [f"<0x{byte:02X}>" for byte in range(256)]
    pieces = list(dict.fromkeys(pieces))
    known = set(pieces)
    merges = [merge for merge in merges if all(part in known for part in merge.split(" "))]
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": False,
        "ignore_merges": False,
        "vocab": {piece: number for number, piece in enumerate(pieces)},
        "merges": merges,
        **options,
    }


@pytest.mark.parametrize("unk", [None, "[UNK]"])
@pytest.mark.parametrize("fuse", [False, True])
@pytest.mark.parametrize("fallback", [False, True])
@pytest.mark.parametrize("ignore", [False, True])
@pytest.mark.parametrize("words", [False, True])
def test_bpe_options(
    unk: str | None, fuse: bool, fallback: bool, ignore: bool, words: bool
) -> None:
    model = small_bpe(unk_token=unk, fuse_unk=fuse, byte_fallback=fallback, ignore_merges=ignore)
    check_texts(load_both(definition(model, pre_tokenizer=WHITESPACE if words else None)))


@pytest.mark.parametrize("prefix", [None, "##", "学"])
@pytest.mark.parametrize("suffix", [None, "</w>", "e"])
@pytest.mark.parametrize("unk", [None, "[UNK]"])
@pytest.mark.parametrize("ignore", [False, True])
def test_bpe_prefix_and_suffix(
    prefix: str | None, suffix: str | None, unk: str | None, ignore: bool
) -> None:
    model = small_bpe(
        continuing_subword_prefix=prefix,
        end_of_word_suffix=suffix,
        unk_token=unk,
        ignore_merges=ignore,
    )
    check_texts(load_both(definition(model, pre_tokenizer=WHITESPACE)))


def test_bpe_with_partial_byte_fallback() -> None:
    """Bytes are used only when all bytes of the character have a piece."""
    model = small_bpe(byte_fallback=True, unk_token="[UNK]", fuse_unk=True)
    for byte in (0xA4, 0xE5, 0x20, 0x00):
        del model["vocab"][f"<0x{byte:02X}>"]
    check_texts(load_both(definition(model)))


def test_bpe_unknown_token_that_is_a_piece_of_text() -> None:
    check_texts(load_both(definition(small_bpe(unk_token="a", fuse_unk=True))))


def test_bpe_merges_in_an_order_that_is_not_that_of_the_vocabulary() -> None:
    """Ranks come from the list of merges, ids from the vocabulary."""
    model = character_model(MERGES)
    generator = random.Random(7)
    ids = list(model["vocab"].values())
    generator.shuffle(ids)
    model["vocab"] = dict(zip(model["vocab"], ids, strict=True))
    check_texts(load_both(definition(model)))


def test_bpe_merges_whose_result_has_two_ways() -> None:
    """abc by (ab, c) and by (a, bc): the first that applies wins, both give one id."""
    model = character_model(("b c", "a b", "ab c", "a bc", "c c", "cc c", "c cc", "aa a", "a a"))
    for piece in ("aaa",):
        model["vocab"].setdefault(piece, len(model["vocab"]))
    check_texts(load_both(definition(model)), "abc")


def test_bpe_with_holes_between_ids() -> None:
    model = character_model(MERGES)
    model["vocab"] = {piece: 3 * number + 5 for piece, number in model["vocab"].items()}
    check_texts(load_both(definition(model)))


@pytest.mark.parametrize("seed", range(200 if FULL else 12))
def test_bpe_random_merges(seed: int) -> None:
    """Random merge lists over a small alphabet, as no training would make them."""
    generator = random.Random(seed)
    pieces = list("abc学")
    merges: list[str] = []
    while len(merges) < 30:
        left, right = generator.choice(pieces), generator.choice(pieces)
        if len(left + right) > 12 or f"{left} {right}" in merges:
            continue
        merges.append(f"{left} {right}")
        if left + right not in pieces:
            pieces.append(left + right)
    model = character_model(merges)
    pair = load_both(definition(model))

    components.assert_same_everywhere(pair, "abc学", fixed=50)
    for length in (100, 300, 1_000, 5_000):
        components.assert_same(pair, "".join(generator.choices("abc学", k=length)))
        components.assert_same(pair, "a" * length)


@pytest.mark.parametrize("ignore", [False, True])
def test_byte_level_bpe(ignore: bool) -> None:
    tokenizer = byte_level_bpe(600)
    model = components.json.loads(tokenizer.to_str())
    model["model"]["ignore_merges"] = ignore
    # Words that are pieces without merges that lead to them.
    for word in ("zq", "Ġquux", "学学", "不亦说乎"):
        piece = word if word[0] in "zĠ" else byte_piece(word.encode())
        model["model"]["vocab"].setdefault(piece, 5_000 + len(model["model"]["vocab"]))
    pair = load_both(model)
    check_texts(pair)
    components.assert_all_same(pair, ["zq", "a quux", "学学", "不亦说乎", "zq zq zqz"])


@pytest.mark.parametrize("unk", ["[UNK]", "a", "missing"])
@pytest.mark.parametrize("prefix", ["##", "", "学"])
@pytest.mark.parametrize("longest", [100, 3, 0])
def test_word_piece_options(unk: str, prefix: str, longest: int) -> None:
    pieces = ["[UNK]", "a", "b", "ab", "abc", "the", "t", "h", "学", "学而", ".", "é", "Ａ"]
    pieces += [prefix + piece for piece in ("a", "b", "c", "bc", "e", "he", "而", "é", "\u0301")]
    model = {
        "type": "WordPiece",
        "unk_token": unk,
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": longest,
        "vocab": {piece: number for number, piece in enumerate(dict.fromkeys(pieces))},
    }
    for pre_tokenizer in (None, WHITESPACE, {"type": "BertPreTokenizer"}):
        check_texts(load_both(definition(model, pre_tokenizer=pre_tokenizer)))


HAN = "学而时习之不亦说乎有朋自远方来乐人知愠君子學時習說樂遠來吃饭你好世界中国北京大一二三四五六七八九十日月水火木金土"


def chinese_bert(**options: Any) -> tokenizers.Tokenizer:
    """BERT's tokenizer for Chinese with a small vocabulary."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *HAN]
    pieces += [f"##{character}" for character in HAN]
    pieces += ["，", "。", "？", ",", ".", "?", "!", "the", "hello", "##s", "##ing", "play", "e"]
    pieces += [*"abcdfghijklmnopqrstuvwxyz0123456789"]
    pieces += [f"##{character}" for character in "abcdefghijklmnopqrstuvwxyz0123456789"]
    vocab = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = tokenizers.Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(**options)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(
        ("[SEP]", vocab["[SEP]"]), ("[CLS]", vocab["[CLS]"])
    )
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    return tokenizer


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("strip_accents", [None, False, True])
@pytest.mark.parametrize("chinese", [False, True])
def test_chinese_bert(lowercase: bool, strip_accents: bool | None, chinese: bool) -> None:
    tokenizer = chinese_bert(
        lowercase=lowercase, strip_accents=strip_accents, handle_chinese_chars=chinese
    )
    pair = load_both(tokenizer)
    check_texts(pair, HAN + "，。 thelo\u0301É")
    for first, second in itertools.product(components.TEXTS[::70], repeat=2):
        components.assert_same(pair, first, second)


@pytest.mark.needs_shared
def test_chinese_bert_on_real_text(shared: Any) -> None:
    from . import corpus

    characters: dict[str, None] = {}
    texts_of_all = []
    for kind in corpus.KINDS:
        texts_of_all += [d.text[:2_000] for d in corpus.documents(shared, kind, full=False)][::12]
    for text in texts_of_all:
        characters.update(dict.fromkeys(text))
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *list(characters)[:4_000]]
    pieces += [f"##{c}" for c in list(characters)[:300]]
    vocab = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": vocab,
    }
    normalizer = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    }
    pair = load_both(
        definition(
            model,
            normalizer=normalizer,
            pre_tokenizer={"type": "BertPreTokenizer"},
            post_processor={"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
            decoder={"type": "WordPiece", "prefix": "##", "cleanup": True},
            added_tokens=[
                added_token(piece, number, special=True) for number, piece in enumerate(pieces[:5])
            ],
        )
    )
    components.assert_all_same(pair, texts_of_all)


@pytest.mark.parametrize("unk", ["[UNK]", "a", "missing", ""])
def test_word_level(unk: str) -> None:
    words = ["[UNK]", "a", "b", "the", "Hello", "学", "学而", ",", ".", "é", "", "🇨🇳"]
    model = {
        "type": "WordLevel",
        "unk_token": unk,
        "vocab": {word: number for number, word in enumerate(words)},
    }
    for pre_tokenizer in (
        None,
        WHITESPACE,
        {"type": "WhitespaceSplit"},
        {"type": "UnicodeScripts"},
    ):
        check_texts(load_both(definition(model, pre_tokenizer=pre_tokenizer)))


@pytest.mark.needs_shared
def test_word_level_on_real_text(shared: Any) -> None:
    from . import corpus

    documents = list(corpus.documents(shared, "parallel", full=False))
    words = sorted({word for d in documents for word in d.text.split()})[::2]
    model = {
        "type": "WordLevel",
        "unk_token": "[UNK]",
        "vocab": {word: number for number, word in enumerate(["[UNK]", *words])},
    }
    pair = load_both(definition(model, pre_tokenizer={"type": "WhitespaceSplit"}))
    for document in documents:
        components.assert_same(pair, document.text)


UNIGRAM_PIECES = [
    ("<unk>", 0.0),
    ("▁", -2.0),
    ("a", -2.5),
    ("b", -3.25),
    ("ab", -4.0),
    ("abc", -6.0),
    ("c", -4.5),
    ("bc", -4.5),
    ("▁the", -3.0),
    ("th", -3.7),
    ("e", -2.1),
    ("t", -4.0),
    ("h", -4.1),
    ("学", -5.0),
    ("而", -5.5),
    ("学而", -10.5),
    ("时习之", -9.0),
    ("é", -6.5),
    ("🇨🇳", -8.0),
    ("\u0301", -7.0),
]


def unigram(unk: int | None, fallback: bool, pieces: Any = None) -> Json:
    vocab = [list(piece) for piece in pieces or UNIGRAM_PIECES]
    if fallback:
        vocab += [[f"<0x{byte:02X}>", -12.0 - byte / 64] for byte in range(256)]
    return {"type": "Unigram", "unk_id": unk, "vocab": vocab, "byte_fallback": fallback}


@pytest.mark.parametrize("unk", [None, 0, 3])
@pytest.mark.parametrize("fallback", [False, True])
@pytest.mark.parametrize(
    "pre_tokenizer",
    [
        None,
        WHITESPACE,
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
        {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False},
    ],
    ids=["none", "whitespace", "metaspace", "metaspace-whole"],
)
def test_unigram_options(unk: int | None, fallback: bool, pre_tokenizer: Json | None) -> None:
    pair = load_both(definition(unigram(unk, fallback), pre_tokenizer=pre_tokenizer))
    check_texts(pair, "abcthe 学而时习之é\u0301")


def test_unigram_ties() -> None:
    """Equal sums: the library keeps the path that it found first."""
    pieces = [("<unk>", -20.0)]
    pieces += [(piece, -float(len(piece))) for piece in ("a", "aa", "aaa", "b", "ab", "ba", "aba")]
    pieces += [("学", -1.0), ("学学", -2.0), ("学a", -2.0)]
    check_texts(load_both(definition(unigram(0, False, pieces))), "ab学")


@pytest.mark.parametrize("seed", range(8))
def test_unigram_random_scores(seed: int) -> None:
    """Sums of many doubles of different size, on long texts.

    The scores have all their digits: the library reads one in ten of them with
    an error in the last place, which decides between sums that are equal but
    for the order of their terms.
    """
    generator = random.Random(seed)
    pieces: dict[str, float] = {"<unk>": -30.0}
    for character in "abcd学而":
        pieces[character] = -generator.uniform(3, 9)
    while len(pieces) < 60:
        piece = "".join(generator.choices("abcd学而", k=generator.randint(2, 6)))
        pieces[piece] = -generator.uniform(4, 14)
    pair = load_both(definition(unigram(0, False, list(pieces.items()))))
    for length in (10, 100, 1_000, 20_000):
        components.assert_same(pair, "".join(generator.choices("abcd学而", k=length)))
        components.assert_same(pair, "".join(generator.choices("abcd学而z", k=length)))


def test_unigram_scores_are_read_and_written_as_by_the_library(tmp_path: Any) -> None:
    """Scores have all their digits here, of which the library's reader gets the last one wrong
    now and then. pytok makes the same mistake, and writes files that do not drift.
    """
    generator = random.Random(3)
    scores = [-generator.uniform(1, 15) for _ in range(2_000)]
    scores += [-generator.uniform(1, 15) * 10.0**exponent for exponent in range(-30, 30)]
    pieces = [("<unk>", 0.0), *((f"{chr(0x4E00 + i)}", score) for i, score in enumerate(scores))]
    pair = load_both(definition(unigram(0, False, pieces)))
    pair.candidate.save(tmp_path)
    saved = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    expected = components.json.loads(pair.reference.to_str())["model"]["vocab"]
    assert components.json.loads(saved.to_str())["model"]["vocab"] == expected


@pytest.mark.parametrize("rule", ["nmt_nfkc", "identity"])
def test_unigram_like_xlm_roberta(rule: str, tmp_path: Any) -> None:
    """Character map, Metaspace and template around a trained Unigram model."""
    from .test_normalizers import charsmap_json, trained_charsmap

    parts = []
    if rule != "identity":
        parts.append(charsmap_json(trained_charsmap(rule, tmp_path)))
    parts.append({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "})
    tokenizer = components.trained(
        models.Unigram(),
        trainers.UnigramTrainer(
            vocab_size=300,
            special_tokens=["<s>", "<pad>", "</s>", "<unk>"],
            unk_token="<unk>",
            show_progress=False,
        ),
        pre_tokenizer=pre_tokenizers.Sequence(
            [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
        ),
        decoder=decoders.Metaspace(),
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    content = components.json.loads(tokenizer.to_str())
    content["normalizer"] = {"type": "Sequence", "normalizers": parts}
    pair = load_both(content)
    check_texts(pair)
    components.assert_same(pair, "学而 时习之", "the hello")


def test_llama_like_bpe() -> None:
    """Prepend and Replace, BPE with byte fallback, the four decoders: Llama 2's file."""
    model = character_model(MERGES, unk_token="<0x00>", fuse_unk=True)
    pair = load_both(
        definition(
            model,
            normalizer={
                "type": "Sequence",
                "normalizers": [
                    {"type": "Prepend", "prepend": "▁"},
                    {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
                ],
            },
            decoder={
                "type": "Sequence",
                "decoders": [
                    {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                    {"type": "ByteFallback"},
                    {"type": "Fuse"},
                    {"type": "Strip", "content": " ", "start": 1, "stop": 0},
                ],
            },
            added_tokens=[
                added_token("<s>", 1_000, special=True),
                added_token("</s>", 1_001, special=True),
            ],
        )
    )
    check_texts(pair)


def test_dropout_that_is_zero_changes_nothing() -> None:
    check_texts(load_both(definition(character_model(MERGES, dropout=0.0))))
