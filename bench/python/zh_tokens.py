"""What the Chinese steps do for tokens: coverage, fragmentation, consistency.

    python bench/python/zh_tokens.py [--shared FOLDER] [-o FILE]

Gold words of classical Chinese (UD Kyoto, dev), of Cantonese (HKCanCor) and of Hokkien
(the words that iCorpus has, 2,000 sentences), and the Shiji in vertical print and with
errors of recognition, whose words are those of jieba's dictionary in both scripts; with
embedded tokenizers and with those of Qwen, DeepSeek and Kimi. Each step is measured
alone, then steps that presets do not have, and then the preset. Tokens are traced back
to the text that was given, so words and characters are the same in every row:

* `oov_char`: share of characters that no single token covers.
* `fe_word`: fragmentation entropy of words of two or more characters, in bits.
* `consistency`: H(pattern | word type) in bits; a pattern is how a word is cut.

`perturbed` is the classical text with three in ten of its characters that have an
attested variant replaced by one, drawn by how often two editions of one text differ
in that pair (kanripo-witness-pairs.tsv). Word types are those of the text before, so
consistency tells whether a word is cut alike however it is written. The gain is the
entropy without the steps over that with them. `z-variants, held out` leaves away the
variants that `old-prints.tsv` alone has, which was written by looking at such pairs.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import math
import os
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytok
from pytok import _pytok, zh
from pytok._segmenter import jieba_dictionary
from pytok.eval.consistency import consistency_entropy
from pytok.eval.fragmentation import fragmentation_entropy
from pytok.eval.gold import words_of_line
from pytok.eval.layout import Segmentation
from pytok.eval.oov import oov_char
from pytok.eval.text_batch import TextBatch
from pytok.eval.words import Words, WordTypes
from pytok.zh._tables import rows

SEED = 20
SENTENCES = 2000
OTHERS = {
    "classical": ("semantic-variants", "ocr-report", "t2s", "t2tw", "t2hk", "t2jp"),
    "cantonese": ("t2s", "hk2s", "hk2t"),
    "hokkien": ("t2s", "tw2s", "tw2t"),
}
PERTURBED_SHARE = 0.3
TOKENIZERS = {
    "zh-32k": "zh-32k",
    "zh-64k": "zh-64k",
    "zh-32k-words": "zh-32k-words",
    "zh-32k-wide": "zh-32k-wide",
    "Qwen": "data/vocab/qwen.tiktoken.xz",
    "DeepSeek": "data/vocab/deepseek-tokenizer.json.xz",
    "Kimi K2": "data/vocab/kimi_k2.tiktoken.xz",
}


@dataclass(frozen=True)
class Text:
    """Lines in words; `types` is what the words count as."""

    lines: list[list[str]]
    types: list[list[str]]


@dataclass(frozen=True)
class Measured:
    """The figures of a tokenizer, with some steps, on a text."""

    tokens: int
    oov_char: float
    fe_word: float
    consistency: float


def gold(path: Path) -> Text:
    lines = [words_of_line(line) for line in path.read_text(encoding="utf-8").split("\n")]
    lines = [line for line in lines if line]
    return Text(lines, lines)


def shiji(path: Path, words: _pytok.WordSegmenter) -> Text:
    lines = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        places = [0, *words.boundaries(line), len(line)]
        lines.append([line[start:end] for start, end in pairwise(places) if start < end])
    lines = [line for line in lines if line]
    return Text(lines, lines)


def hokkien(shared: Path) -> Text:
    path = shared / "data/parallel/icorpus-nan-cmn.tsv.xz"
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as handle:
        pairs = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        lines = [pair["nan_hanji_seg"].split() for pair in pairs]
    lines = [line for line in lines[:: len(lines) // SENTENCES] if line][:SENTENCES]
    return Text(lines, lines)


def variants(shared: Path) -> dict[str, list[tuple[str, int]]]:
    """By character, what stands in its place in another edition, and how often."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    path = shared / "data/variants/kanripo-witness-pairs.tsv"
    with path.open(encoding="utf-8") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            found[row["wyg"]].append((row["sbck"], int(row["count"])))
            found[row["sbck"]].append((row["wyg"], int(row["count"])))
    return found


def perturbed(text: Text, shared: Path) -> Text:
    others = variants(shared)
    drawn = random.Random(SEED)

    def replaced(character: str) -> str:
        choices = others.get(character)
        if not choices or drawn.random() >= PERTURBED_SHARE:
            return character
        forms, counts = zip(*choices, strict=True)
        return str(drawn.choices(forms, counts)[0])

    lines = [["".join(map(replaced, word)) for word in line] for line in text.lines]
    return Text(lines, text.lines)


def measure(tokenizer: pytok.Tokenizer, text: Text) -> Measured:
    texts = ["".join(line) for line in text.lines]
    ids, spans, bounds = tokenizer.encode_batch_spans(
        texts, special="text", add_special_tokens=False
    )
    batch = TextBatch.of(texts)
    pieces = Segmentation.of_spans(batch, spans, bounds, ids=ids, unk_id=tokenizer.unk_id)
    words = Words.of(batch, text.lines)
    types = WordTypes().number([word for line in text.types for word in line])
    typed = Words(words.units, types)
    return Measured(
        tokens=len(ids),
        oov_char=oov_char(pieces).share,
        fe_word=fragmentation_entropy(pieces, words.units, shortest=2).entropy,
        consistency=consistency_entropy(pieces, typed).entropy,
    )


@cache
def pipelines(preset: str) -> list[tuple[str, zh.Pipeline]]:
    """Return no steps, each step of a preset alone, other steps, and the preset."""
    old = "".join(row[0] for row in rows("variants.tsv") if row[4] == "old-prints")
    found = [("none", zh.Pipeline())]
    found += [(step.name, zh.Pipeline([step])) for step in zh.PRESETS[preset]]
    found += [(name, zh.Pipeline([name])) for name in OTHERS[preset]]
    if preset == "classical":
        held_out = zh.Step("z-variants", {"keep": old})
        found.append(("z-variants, held out", zh.Pipeline([held_out])))
    return [*found, (preset, zh.Pipeline(preset=preset))]


def run(tokenizer: pytok.Tokenizer, text: Text, preset: str) -> dict[str, dict[str, float]]:
    plain = measure(tokenizer, text)
    found: dict[str, dict[str, float]] = {}
    for name, pipeline in pipelines(preset):
        steps = tokenizer.with_normalizer(pipeline) if name != "none" else tokenizer
        here = measure(steps, text)
        gain = plain.consistency / here.consistency if here.consistency else math.nan
        found[name] = {**asdict(here), "consistency_gain": gain}
    return found


def show(name: str, found: dict[str, dict[str, dict[str, float]]]) -> None:
    print(
        f"\n## {name}\n\n| tokenizer | steps | tokens | oov_char % | fe_word | consistency | gain |"
    )
    print("|---|---|--:|--:|--:|--:|--:|")
    for tokenizer, measured in found.items():
        for steps, row in measured.items():
            print(
                f"| {tokenizer} | {steps} | {row['tokens']:,} | {100 * row['oov_char']:.2f} "
                f"| {row['fe_word']:.4f} | {row['consistency']:.4f} "
                f"| {row['consistency_gain']:.2f} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=os.environ.get("PYTOK_SHARED", "../shared"))
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    shared = Path(arguments.shared)
    classical = gold(shared / "data/gold/ud-lzh-kyoto-dev.seg.txt")
    words = _pytok.WordSegmenter.from_dictionary(jieba_dictionary())
    folder = shared / "data/classical"
    texts: Sequence[tuple[str, Text, str]] = [
        ("classical", classical, "classical"),
        ("classical, perturbed", perturbed(classical, shared), "classical"),
        ("Shiji, vertical", shiji(folder / "derived-shiji-vertical.txt", words), "classical"),
        ("Shiji, recognised", shiji(folder / "derived-shiji-ocrnoise.txt", words), "classical"),
        ("Cantonese", gold(shared / "data/gold/hkcancor.seg.txt"), "cantonese"),
        ("Hokkien", hokkien(shared), "hokkien"),
    ]
    tokenizers = {
        name: pytok.Tokenizer.from_pretrained(shared / place if "/" in place else place)
        for name, place in TOKENIZERS.items()
    }
    results = {}
    for name, text, preset in texts:
        results[name] = {
            label: run(tokenizer, text, preset) for label, tokenizer in tokenizers.items()
        }
        show(name, results[name])
    if arguments.output:
        record = {"results": results, "seed": SEED, "versions": {"pytok": pytok.__version__}}
        arguments.output.write_text(
            json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
        )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
