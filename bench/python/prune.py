"""What pruning costs: token inflation at 50, 25 and 10 % kept, for each kind of text.

    python bench/python/prune.py SHARED -o bench/results/prune-DATE

Every second paragraph-sized block of each kind is counted, the others are
measured, so no figure is of text that the plan has seen. Three plans a
vocabulary and size: by all kinds together, and by one kind alone, measured on
that kind. Beside pytok stands the common recipe of the vocabulary trimmers
(`hf-trim`, `textpruner`: keep the ids that a corpus uses most), in the only form
in which its result is a tokenizer: the same counts, one round, and frequency
instead of utility, with the pieces that kept ones are made of.
"""

from __future__ import annotations

import argparse
import json
import lzma
import platform
import time
from pathlib import Path
from typing import Any

import numpy as np

import pytok

KINDS = ("news", "code", "classical")
KEPT = (0.5, 0.25, 0.1)
BLOCK = 2_000
CHARACTERS_A_KIND = 500_000
VOCABULARIES: dict[str, dict[str, str]] = {
    "zh-32k": {},
    "zh-64k": {},
    "gpt2": {"file": "gpt2.json.xz"},
    "cl100k": {"file": "cl100k_base.tiktoken.xz", "encoding": "cl100k"},
    "deepseek": {"file": "deepseek-tokenizer.json.xz"},
    "qwen": {"file": "qwen.tiktoken.xz", "encoding": "qwen"},
    "kimi-k2": {"file": "kimi_k2.tiktoken.xz", "encoding": "kimi-k2"},
    "chinese-llama": {"file": "chinese-llama-alpaca-chinese_sp.model"},
}
# Rows of the embedding, width, matrices (1: tied), bytes a number, and public code or
# text that gives them. (GPT-2's numbers are float32 in its checkpoint.)
MODELS = (
    (
        "Qwen2.5-0.5B",
        (151_936, 896, 1, 2),
        "cdpearlman/LLMVis: rag_docs/qwen_overview.md; tied: Abandon-ht/LLM-tutorial: "
        "docs/source/model_pages/qwen2.5-0.5b-instruct.rst",
    ),
    ("Qwen2-7B", (152_064, 3_584, 2, 2), "Retruth/deontic: nlp_models/qwen2/README.md"),
    ("DeepSeek-V3", (129_280, 7_168, 2, 2), "the defaults of transformers.DeepseekV3Config"),
    (
        "Kimi-K2",
        (163_840, 7_168, 2, 2),
        "ParagEkbote/hf-model-inspector: model_inspection_report.md",
    ),
    ("GPT-2", (50_257, 768, 1, 4), "the defaults of transformers.GPT2Config"),
)


def text_of(path: Path) -> str:
    opener: Any = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        return str(file.read())


def blocks(root: Path, kind: str) -> tuple[list[str], list[str]]:
    """Counted and measured blocks of a kind, about as much of each of its files."""
    files = sorted(
        path for path in (root / "data" / kind).iterdir() if not path.name.startswith("README")
    )
    texts = [
        text_of(path) for path in files if path.suffix in {".txt", ".xz"} and "csv" not in path.name
    ]
    counted: list[str] = []
    measured: list[str] = []
    for text in texts:
        part = text[: CHARACTERS_A_KIND * 2 // len(texts)]
        whole = [part[start : start + BLOCK] for start in range(0, len(part), BLOCK)]
        counted += whole[::2]
        measured += whole[1::2]
    return counted, measured


def load(name: str, root: Path) -> pytok.Tokenizer:
    options = dict(VOCABULARIES[name])
    file = options.pop("file", None)
    if file is None:
        return pytok.Tokenizer.from_pretrained(name)
    return pytok.Tokenizer.from_file(root / "data" / "vocab" / file, **options)


def tokens(tokenizer: pytok.Tokenizer, texts: list[str]) -> int:
    options: dict[str, Any] = {"special": "text", "add_special_tokens": False}
    return len(tokenizer.encode_batch_ids(texts, **options)[0])


def by_frequency(tokenizer: pytok.Tokenizer, texts: list[str], size: int) -> pytok.Tokenizer | None:
    """Keep the most frequent ids, and those that they are made of, to the same size."""
    options: dict[str, Any] = {"special": "text", "add_special_tokens": False}
    flat, _ = tokenizer.encode_batch_ids(texts, **options)
    limit = max(tokenizer.vocab.values()) + 1
    found = np.bincount(flat, minlength=limit)
    order = np.lexsort((np.arange(limit), -found))
    order = order[: min(size, int((found > 0).sum()))]
    # As many as may be, in steps, so that what they are made of still fits the size.
    for tenths in range(20, 9, -1):
        try:
            return pytok.prune(
                tokenizer,
                counts=np.ones(limit, dtype=np.int64),
                target_size=size,
                protect=order[: len(order) * tenths // 20].tolist(),
            ).tokenizer
        except pytok.ConfigError:
            continue
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--only", action="append")
    arguments = parser.parse_args()
    texts = {kind: blocks(arguments.shared, kind) for kind in KINDS}
    rows: list[dict[str, Any]] = []
    for name in arguments.only or VOCABULARIES:
        tokenizer = load(name, arguments.shared)
        before = {kind: tokens(tokenizer, texts[kind][1]) for kind in KINDS}
        for kept in KEPT:
            size = round(len(tokenizer) * kept)
            row: dict[str, Any] = {"vocabulary": name, "pieces": len(tokenizer), "kept": size}
            try:
                start = time.process_time()
                counted = {kind: texts[kind][0] for kind in KINDS}
                result = pytok.prune(tokenizer, counted, target_size=size)
                row["seconds"] = round(time.process_time() - start, 2)
                row["all"] = {
                    kind: tokens(result.tokenizer, texts[kind][1]) / before[kind] - 1
                    for kind in KINDS
                }
                row["own"] = {}
                for kind in KINDS:
                    own = pytok.prune(tokenizer, texts[kind][0], target_size=size).tokenizer
                    row["own"][kind] = tokens(own, texts[kind][1]) / before[kind] - 1
                together = [text for kind in KINDS for text in texts[kind][0]]
                rival = by_frequency(tokenizer, together, size)
                if rival is not None:
                    row["by_frequency"] = {
                        kind: tokens(rival, texts[kind][1]) / before[kind] - 1 for kind in KINDS
                    }
            except pytok.ConfigError as error:
                row["refused"] = str(error)
            rows.append(row)
            print(json.dumps(row), flush=True)
    record = {
        "machine": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "pytok": pytok.__version__,
        "characters": {kind: [sum(map(len, part)) for part in texts[kind]] for kind in KINDS},
        "rows": rows,
    }
    arguments.output.with_suffix(".json").write_text(json.dumps(record, indent=1) + "\n")
    arguments.output.with_suffix(".md").write_text(report(record))


def report(record: dict[str, Any]) -> str:
    """Write the tables."""
    characters = record["characters"]
    lines = [
        "# What pruning costs",
        "",
        "`python bench/python/prune.py SHARED`. Tokens more than with the whole vocabulary, on "
        "blocks that were not counted: news · code · classical, in %. "
        + "; ".join(
            f"{kind}: {n[0]:,} characters counted, {n[1]:,} measured"
            for kind, n in characters.items()
        )
        + ". *All*: one vocabulary by all three kinds. *Own*: three vocabularies, each by the "
        "kind that it is measured on. *By frequency*: the most frequent ids of all three kinds, "
        "and what they are made of.",
        "",
        "| vocabulary | kept | all | own | by frequency | CPU s |",
        "|---|---|---|---|---|---|",
    ]

    def cells(values: dict[str, float] | None) -> str:
        return "–" if not values else " · ".join(f"{100 * values[kind]:.2f}" for kind in KINDS)

    for row in record["rows"]:
        share = f"{row['kept']:,} of {row['pieces']:,}"
        if "refused" in row:
            lines.append(f"| {row['vocabulary']} | {share} | {row['refused']} | | | |")
            continue
        lines.append(
            f"| {row['vocabulary']} | {share} | {cells(row['all'])} | {cells(row['own'])} "
            f"| {cells(row.get('by_frequency'))} | {row['seconds']} |"
        )
    lines += [
        "",
        "Bytes saved in the embedding and output matrices (rows padded to a multiple of 64):",
        "",
        "| model | rows × width, matrices | 50 % | 25 % | 10 % | shape from |",
        "|---|---|---|---|---|---|",
    ]
    for model, (size, width, matrices, number), found in MODELS:
        saved = [
            (size - -(-round(size * kept) // 64) * 64) * width * matrices * number for kept in KEPT
        ]
        shape = f"{size:,} × {width:,}, {matrices}"
        lines.append(
            f"| {model} | {shape} | "
            + " | ".join(f"{n / 1e6:,.0f} MB" for n in saved)
            + f" | {found} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
