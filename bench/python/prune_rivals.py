"""Vocabulary trimmers beside pytok: the same texts, the same size.

    pip install --no-deps --target RIVALS hf-trim tqdm
    pip download --no-deps --no-binary :all: textpruner      # and unpack it
    python bench/python/prune_rivals.py SHARED --hf-trim RIVALS --textpruner SRC -o FILE

`hf-trim` and `textpruner` keep the ids that a corpus uses. The former is run on
SentencePiece models, the latter on GPT-2's; their own code chooses the pieces and
writes the files, a small class stands for the slow tokenizers of transformers that
they ask for ids. pytok then prunes to the same size on the same texts. Measured on
texts that were not counted:

* `loads`: whether the library that the file is of reads it.
* `tokens`: more tokens than with the whole vocabulary.
* `broken`: texts all of whose ids were kept, and that are encoded otherwise all the same.
* `lossy`: texts that do not come back, and did before.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
from prune import KINDS, blocks, text_of

import pytok

MODELS = {
    "mistral (BPE, bytes)": "mistral01.model",
    "chinese-llama (BPE)": "chinese-llama-alpaca-chinese_sp.model",
    "cpm1 (Unigram)": "cpm1-chinese_vocab.model",
}
OPTIONS: dict[str, Any] = {"special": "text", "add_special_tokens": False}


class Slow:
    """What hf-trim asks of a tokenizer of transformers."""

    additional_special_tokens: tuple[str, ...] = ()

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.model = sentencepiece.SentencePieceProcessor(model_proto=content)
        ids = range(self.model.get_piece_size())
        special = [number for number in ids if self.model.is_control(number)]
        self.all_special_tokens = [self.model.id_to_piece(one) for one in special]

    def __call__(self, texts: list[str], add_special_tokens: bool = False) -> dict[str, Any]:
        return {"input_ids": self.model.encode(texts)}

    def convert_ids_to_tokens(self, number: int) -> str:
        return str(self.model.id_to_piece(number))

    def convert_tokens_to_ids(self, tokens: set[str]) -> list[int]:
        return [self.model.piece_to_id(token) for token in tokens]

    def save_pretrained(self, folder: str) -> None:
        (Path(folder) / "spiece.model").write_bytes(self.content)

    @classmethod
    def from_pretrained(cls, folder: str) -> Slow:
        return cls((Path(folder) / "spiece.model").read_bytes())


def compared(before: Any, after: Any, kept: dict[int, int], texts: list[str]) -> dict[str, Any]:
    """Compare two encoders, each a pair of functions."""
    counts = {"texts": len(texts), "broken": 0, "lossy": 0}
    more = [0, 0]
    for text in texts:
        old, new = before[0](text), after[0](text)
        more[0] += len(old)
        more[1] += len(new)
        if all(number in kept for number in old):
            counts["broken"] += [kept[number] for number in old] != new
        counts["lossy"] += before[1](old) == text and after[1](new) != text
    return {**counts, "tokens": more[1] / more[0] - 1}


def sentencepiece_row(path: Path, trimmer: Any, counted: list[str], texts: list[str]) -> Any:
    slow = Slow(path.read_bytes())
    trim = trimmer(slow)
    trim.make_vocab(counted)
    model = trim.make_tokenizer().model
    kept = {}
    for number in range(model.get_piece_size()):
        kept[slow.model.piece_to_id(model.id_to_piece(number))] = number
    before = (slow.model.encode, slow.model.decode)
    rival = compared(before, (model.encode, model.decode), kept, texts)
    tokenizer = pytok.Tokenizer.from_file(path)
    size = model.get_piece_size()
    try:
        result = pytok.prune(tokenizer, counted, target_size=size)
    except pytok.ConfigError as error:
        return {"size": size, "hf-trim": rival, "pytok": str(error)}
    own = result.tokenizer._core.own_file()
    assert own is not None
    ours = sentencepiece.SentencePieceProcessor(model_proto=own[1])
    mine = compared(before, (ours.encode, ours.decode), dict(result.id_map), texts)
    return {"size": size, "of": len(tokenizer), "hf-trim": rival, "pytok": mine}


def gpt2_row(path: Path, source: Path, counted: list[str], texts: list[str]) -> Any:
    sys.path.insert(0, str(source / "textpruner" / "tokenizer_utils"))
    sys.modules["utils"] = importlib.import_module("utils")
    record = json.loads(text_of(path))
    stock = tokenizers.Tokenizer.from_str(json.dumps(record))
    merges = [
        tuple(m.split(" ")) if isinstance(m, str) else tuple(m) for m in record["model"]["merges"]
    ]

    class Gpt2:
        def __init__(self) -> None:
            self.bpe_ranks = {pair: rank for rank, pair in enumerate(merges)}

        def __len__(self) -> int:
            return stock.get_vocab_size()

        def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
            ids: list[int] = stock.encode(text, add_special_tokens=False).ids
            return ids

        def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
            return [stock.id_to_token(number) for number in ids]

    code = (source / "textpruner/tokenizer_utils/roberta_gpt2_tokenizer.py").read_text()
    scope: dict[str, Any] = {"__name__": "rival"}
    exec(compile(code.replace("from .utils", "from utils"), "rival", "exec"), scope)
    rival = scope["RobertaGPT2Tokenizer"]
    ids = rival.get_token_ids(Gpt2(), counted)
    row: dict[str, Any] = {"size": len(ids), "of": len(Gpt2())}
    with tempfile.TemporaryDirectory() as folder:
        rival.save_vocab(Gpt2(), ids, folder)
        try:
            tokenizers.models.BPE.from_file(f"{folder}/vocab.json", f"{folder}/merges.txt")
            row["textpruner"] = "loads"
        except Exception as error:  # the library raises nothing more exact
            row["textpruner"] = f"does not load: {error}"
    tokenizer = pytok.Tokenizer.from_file(path)
    result = pytok.prune(tokenizer, counted, target_size=len(ids))
    ours = tokenizers.Tokenizer.from_str(result.tokenizer._core.tokenizer_json().decode())

    def functions(one: tokenizers.Tokenizer) -> Any:
        return (lambda text: one.encode(text, add_special_tokens=False).ids, one.decode)

    row["pytok"] = compared(functions(stock), functions(ours), dict(result.id_map), texts)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--hf-trim", type=Path, required=True)
    parser.add_argument("--textpruner", type=Path, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.hf_trim))
    trimmer = importlib.import_module("hftrim.TokenizerTrimmer").TokenizerTrimmer
    counted, texts = ([], [])
    for kind in KINDS:
        first, second = blocks(arguments.shared, kind)
        counted += [line for block in first for line in block.split("\n") if line.strip()]
        texts += [line for block in second for line in block.split("\n") if line.strip()]
    vocabularies = arguments.shared / "data" / "vocab"
    rows = {
        name: sentencepiece_row(vocabularies / file, trimmer, counted, texts)
        for name, file in MODELS.items()
    }
    rows["gpt2"] = gpt2_row(vocabularies / "gpt2.json.xz", arguments.textpruner, counted, texts)
    text = json.dumps({"texts": len(texts), "rows": rows}, indent=1, ensure_ascii=False)
    arguments.output.write_text(text + "\n")
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
