"""The out-of-vocabulary and entropy table that the field quotes, on real corpora.

    python bench/python/eval_quoted.py TEXT [--shared FOLDER] [-o NAME]

TEXT is what `training_text.py` wrote, so that code comes from packages that no
tokenizer of ours was trained on; news (NTREX, PUD) and classical text (the start of
the Shiji, UD Kyoto) are never trained on. Measured are jieba, THULAC (`pip install
thulac`, model 2016 in the package) and our tokenizers; NAME.json has every number with
its definition, interval and source, NAME.md the table. The gold words of PUD are
traditional; `news-simplified` is the same measure on the simplified words of UD GSD
(Wikipedia), in a run of its own.
"""

from __future__ import annotations

import argparse
import lzma
import os
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console

from pytok.eval import EvalConfig, Report, evaluate
from pytok.eval.json_text import json_text
from pytok.eval.quoted import quoted_json
from pytok.eval.quoted_table import print_quoted

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = ["thulac", "zh-32k", "zh-64k", "zh-32k-words"]
CLASSICAL_BYTES = 600_000
CODE_BYTES = 400_000


def start_of(path: Path, size: int | None = None) -> str:
    raw = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    text = raw[:size].decode(errors="ignore")
    return text if size is None else text[: text.rfind("\n") + 1]


def lay_out(text: Path, data: Path, folder: Path, news_gold: str) -> None:
    for kind in ("news", "code", "classical"):
        (folder / kind).mkdir(parents=True)
    files = {
        "news/ntrex-zho-CN.txt": start_of(data / "news" / "ntrex-zho-CN.txt"),
        f"news/{news_gold}": start_of(data / "gold" / news_gold),
        "classical/shiji-punctuated.txt": start_of(
            data / "classical" / "shiji-punctuated.txt.xz", CLASSICAL_BYTES
        ),
        "classical/ud-lzh-kyoto-dev.seg.txt": start_of(data / "gold" / "ud-lzh-kyoto-dev.seg.txt"),
    }
    for path in sorted((text / "score" / "code").glob("*.txt")):
        files[f"code/{path.name}"] = start_of(path, CODE_BYTES // 5)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")


def measured(options: argparse.Namespace, news_gold: str, kinds: set[str]) -> Report:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "quoted"
        lay_out(options.text, options.shared / "data", folder, news_gold)
        for kind in ("news", "code", "classical"):
            if kind not in kinds:
                for path in (folder / kind).iterdir():
                    path.unlink()
        return evaluate(folder, SYSTEMS, config=EvalConfig())


def table_of(report: Report) -> str:
    out = StringIO()
    print_quoted(report, Console(file=out, width=110, highlight=False, color_system=None))
    return out.getvalue()


def corpus_of(report: Report) -> str:
    """Say what was measured, as a list."""
    lines = []
    for kind in (found for found in report.kinds if found.characters or found.words):
        names = ", ".join(Path(file.path).name for file in kind.files)
        gold = ", ".join(Path(file.path).name for file in kind.gold) or "none"
        lines.append(
            f"* {kind.kind}: {names}: {kind.characters:,} characters in {kind.documents:,} "
            f"documents; gold words: {gold} ({kind.words:,} words from {kind.words_from})"
        )
    lines.append(f"* pytok {report.version}, {report.resamples:,} resamples, seed {report.seed}")
    return "\n".join(lines) + "\n"


def recorded(report: Report) -> dict[str, object]:
    """Everything but the sums by document and the examples, which hold text."""
    provenance = report.provenance
    return {
        "provenance": None
        if provenance is None
        else {
            name: value
            for name, value in provenance.to_json().items()
            if name in ("started", "seconds", "python", "packages", "processor")
        },
        "seed": report.seed,
        "resamples": report.resamples,
        "kinds": {
            kind.kind: {
                "files": [
                    {"name": Path(file.path).name, "sha256": file.sha256}
                    for file in (*kind.files, *kind.gold)
                ],
                "documents": kind.documents,
                "characters": kind.characters,
                "words": kind.words,
                "words_from": kind.words_from,
                "words_are_gold": kind.words_are_gold,
                "numbers": {
                    system.system: {
                        name: [number.value, number.low, number.high]
                        for name, number in system.numbers.items()
                    }
                    for system in kind.systems
                },
            }
            for kind in report.kinds
        },
        "systems": {
            system.system: {"sha256": system.sha256, "failure": system.failure}
            for kind in report.kinds
            for system in kind.systems
        },
        "quoted": quoted_json(report),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("PYTOK_SHARED", str(ROOT.parent / "shared"))
    parser.add_argument("text", type=Path)
    parser.add_argument("--shared", type=Path, default=Path(default))
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    runs = {
        "news, code, classical": measured(
            options, "ud-pud-news.seg.txt", {"news", "code", "classical"}
        ),
        "news, simplified gold": measured(options, "ud-gsdsimp-dev.seg.txt", {"news"}),
    }
    tables = "# The figures that the field quotes, beside ours\n\n"
    tables += "\n".join(
        f"## {name}\n\n{corpus_of(run)}\n```\n{table_of(run)}```\n" for name, run in runs.items()
    )
    print(tables)
    if options.output:
        plain = {name: recorded(run) for name, run in runs.items()}
        options.output.with_suffix(".json").write_text(json_text(plain) + "\n", encoding="utf-8")
        options.output.with_suffix(".md").write_text(tables, encoding="utf-8")


if __name__ == "__main__":
    main()
