"""Tokenizers of the training benchmarks: described, trained, kept, loaded.

A `Recipe` says which library trains with which options. `trained` gives the file
of the tokenizer, and trains only when the folder of models has none of the same
recipe, text and trainer. `load` opens the file with pytok, after a check that
pytok and the library that made it give the same ids.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

from patterns import QWEN
from training_text import REPOSITORY, read_toml

import pytok
from pytok.eval import TokenizerSystem
from pytok.eval.corpora import document_rule, documents

SYSTEMS = REPOSITORY / "bench" / "definitions" / "systems.toml"


@dataclass(frozen=True)
class Recipe:
    """How one tokenizer is trained."""

    name: str
    library: str
    options: dict[str, Any] = field(default_factory=dict)

    def sized(self, vocab_size: int) -> Recipe:
        """Give the recipe with `vocab_size`, unless it has its own."""
        return Recipe(self.name, self.library, {"vocab_size": vocab_size, **self.options})


def read_recipes(path: Path, vocab_size: int) -> tuple[str, list[Recipe]]:
    """Read a file like `systems.toml`: the name of the reference, and all rows."""
    table = read_toml(path)
    recipes = [Recipe(**entry).sized(vocab_size) for entry in table["system"]]
    return table["reference"], recipes


def texts_of(folder: Path) -> Iterator[str]:
    """Yield the documents of the training files, the same for every trainer."""
    for path in sorted(folder.glob("*.txt")):
        yield from documents(path, document_rule(path))


@cache
def text_digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.txt")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


@cache
def trainer_digest(library: str) -> str:
    """Tell versions of a trainer apart; pytok, which is being made, by its files."""
    if library != "pytok":
        return version(library)
    package = Path(pytok.__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*package.glob("*.py"), *package.glob("_pytok*.so")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def model_folder(recipe: Recipe, text: Path, models: Path) -> Path:
    parts = [recipe.library, recipe.options, text_digest(text), trainer_digest(recipe.library)]
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:12]
    slug = re.sub(r"[^a-z0-9]+", "-", recipe.name.lower()).strip("-")
    return models / f"{slug}-{recipe.options['vocab_size']}-{key}"


def trained(recipe: Recipe, text: Path, models: Path) -> Path:
    """Give the file of a trained tokenizer, trained now when there is none."""
    folder = model_folder(recipe, text, models)
    if not folder.is_dir():
        models.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=models, prefix=".new-") as name:
            made = Path(name) / "model"
            made.mkdir()
            about = TRAINERS[recipe.library](recipe.options, texts_of(text), made)
            record = {"name": recipe.name, "library": recipe.library, "options": recipe.options}
            record |= {"text": text_digest(text), "trainer": trainer_digest(recipe.library)}
            note = json.dumps({**record, "report": about}, indent=1, ensure_ascii=False)
            (made / "recipe.json").write_text(note + "\n", encoding="utf-8")
            made.rename(folder)
    return next(folder / name for name in MODEL_FILES if (folder / name).exists())


MODEL_FILES = ("tokenizer.json", "tokenizer.model")
Trainer = Callable[[dict[str, Any], Iterable[str], Path], dict[str, Any]]


def train_with_tokenizers(
    options: dict[str, Any], texts: Iterable[str], folder: Path
) -> dict[str, Any]:
    from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

    options = dict(options)
    if (scheme := options.pop("pretokenizer")) != "qwen":
        raise ValueError(f"pretokenizer: {scheme!r}, expected 'qwen'")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(initial_alphabet=alphabet, show_progress=False, **options)
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    return {}


def train_with_sentencepiece(
    options: dict[str, Any], texts: Iterable[str], folder: Path
) -> dict[str, Any]:
    import sentencepiece

    # A sentence is a line: its model knows no newline, which is a byte then.
    lines = (line for text in texts for line in text.split("\n") if line)
    with (folder / "tokenizer.model").open("wb") as writer:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=lines, model_writer=writer, minloglevel=1, **options
        )
    return {}


def train_with_pytok(options: dict[str, Any], texts: Iterable[str], folder: Path) -> dict[str, Any]:
    result = pytok.train(texts, pytok.TrainConfig.from_mapping(options))
    result.tokenizer.save(folder)
    return result.report.to_json()


TRAINERS: dict[str, Trainer] = {
    "tokenizers": train_with_tokenizers,
    "sentencepiece": train_with_sentencepiece,
    "pytok": train_with_pytok,
}


def own_ids(path: Path, texts: list[str]) -> list[list[int]]:
    """Encode with the library that the format of the file belongs to."""
    if path.suffix == ".model":
        import sentencepiece

        return sentencepiece.SentencePieceProcessor(model_file=str(path)).encode(texts)
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    return [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]


def load(name: str, path: Path, check: list[str]) -> TokenizerSystem:
    """Open a tokenizer file with pytok, or raise when pytok and its library disagree."""
    tokenizer = pytok.Tokenizer.from_file(path)
    ids, bounds = tokenizer.encode_batch_ids(check, special="text", add_special_tokens=False)
    ours = [ids[start:end].tolist() for start, end in pairwise(bounds.tolist())]
    for text, mine, theirs in zip(check, ours, own_ids(path, check), strict=True):
        if mine != theirs:
            raise ValueError(f"{path}: pytok and its library give other ids for {text[:60]!r}")
    return TokenizerSystem(tokenizer, label=name)
