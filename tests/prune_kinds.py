"""A small tokenizer of every kind that can be pruned, with its own library."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sample_files
import sentencepiece
import tiktoken
import tokenizers
from tiktoken.load import load_tiktoken_bpe

import pytok

CORPORA = Path(__file__).resolve().parents[1] / "corpora"
NAMES = ("bpe", "whole-words", "unigram", "ranks", "wordpiece", "sp-bpe", "sp-unigram", "sp-bytes")
STABLE = tuple(name for name in NAMES if name != "wordpiece")
LOSSLESS = ("bpe", "whole-words", "unigram", "ranks")


@cache
def texts_of(kind: str) -> tuple[str, ...]:
    """The lines of the samples of a kind."""
    files = sorted(path for path in (CORPORA / kind).rglob("*") if path.is_file())
    lines = [line for path in files for line in path.read_text("utf-8").split("\n")]
    return tuple(line for line in lines if line.strip())


@dataclass(frozen=True)
class Kind:
    """A tokenizer, and how its own library reads what is saved."""

    tokenizer: pytok.Tokenizer
    stock: Callable[[pytok.Tokenizer], Callable[[str], list[int]]]


def _tokenizers(tokenizer: pytok.Tokenizer) -> Callable[[str], list[int]]:
    content = tokenizer._core.tokenizer_json().decode()
    library = tokenizers.Tokenizer.from_str(content)
    return lambda text: library.encode(text, add_special_tokens=False).ids


def _tiktoken(tokenizer: pytok.Tokenizer) -> Callable[[str], list[int]]:
    own = tokenizer._core.own_file()
    assert own is not None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ranks"
        path.write_bytes(own[1])
        ranks = load_tiktoken_bpe(str(path))
    library = tiktoken.Encoding("x", pat_str=_CL100K, mergeable_ranks=ranks, special_tokens={})
    return library.encode_ordinary


_CL100K = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def _sentencepiece(tokenizer: pytok.Tokenizer) -> Callable[[str], list[int]]:
    own = tokenizer._core.own_file()
    assert own is not None
    library = sentencepiece.SentencePieceProcessor(model_proto=own[1])
    return library.encode


def load(content: bytes, **options: Any) -> pytok.Tokenizer:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(content)
        return pytok.Tokenizer.from_file(path, **options)


def _trained(**options: Any) -> pytok.Tokenizer:
    config = pytok.TrainConfig(special_tokens=["<|end|>", "<|pad|>"], **options)
    return pytok.train(list(texts_of("news") + texts_of("code")), config).tokenizer


def _whole_words() -> pytok.Tokenizer:
    record = json.loads(_trained(algorithm="bpe", vocab_size=1200)._core.tokenizer_json())
    record["model"]["ignore_merges"] = True
    return load(json.dumps(record).encode())


def _ranks() -> pytok.Tokenizer:
    tokenizer = _trained(algorithm="bpe", vocab_size=1200, pretokenizer="qwen")
    ids = [number for number in range(len(tokenizer)) if not _is_added(tokenizer, number)]
    raw = [tokenizer.token_bytes(number) for number in ids]
    lines = (base64.b64encode(piece) + b" %d\n" % rank for rank, piece in enumerate(raw))
    specials = {"<|end|>": len(raw) + 7, "<|pad|>": len(raw) + 9}
    return load(b"".join(lines), pattern=_CL100K, special_tokens=specials)


def _is_added(tokenizer: pytok.Tokenizer, number: int) -> bool:
    return any(tokenizer.token_to_id(token.content) == number for token in tokenizer.added_tokens)


def _wordpiece() -> pytok.Tokenizer:
    record = sample_files.bert_json()
    words = sorted({word for text in texts_of("code") for word in text.lower().split()})
    characters = sorted(
        {one for text in texts_of("code") + texts_of("news") for one in text.lower()}
    )
    pieces = [*list(record["model"]["vocab"])[:4], *characters, *(f"##{one}" for one in characters)]
    pieces += [word[:end] for word in words for end in (2, 3, 5)]
    pieces += [f"##{word[start : start + 3]}" for word in words for start in (1, 2) if word[start:]]
    pieces = [piece for piece in dict.fromkeys(pieces) if piece.strip()]
    record["model"]["vocab"] = {piece: number for number, piece in enumerate(pieces)}
    return load(json.dumps(record).encode())


def _sp(model_type: str, **options: Any) -> pytok.Tokenizer:
    stream = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts_of("news") + texts_of("code")),
        model_writer=stream,
        model_type=model_type,
        vocab_size=3000,
        control_symbols=["<end>"],
        user_defined_symbols=["<user>"],
        minloglevel=2,
        **options,
    )
    return load(stream.getvalue())


@cache
def kind(name: str) -> Kind:
    """Return one of `NAMES`."""
    if name == "bpe":
        return Kind(_trained(algorithm="bpe", vocab_size=1200), _tokenizers)
    if name == "whole-words":
        return Kind(_whole_words(), _tokenizers)
    if name == "unigram":
        return Kind(pytok.Tokenizer.from_pretrained("zh-32k"), _tokenizers)
    if name == "ranks":
        return Kind(_ranks(), _tiktoken)
    if name == "wordpiece":
        return Kind(_wordpiece(), _tokenizers)
    if name == "sp-bpe":
        return Kind(_sp("bpe", byte_fallback=True, character_coverage=0.99), _sentencepiece)
    if name == "sp-unigram":
        return Kind(_sp("unigram"), _sentencepiece)
    return Kind(_sp("unigram", byte_fallback=True, character_coverage=0.99), _sentencepiece)
