"""Compare trained tokenizers: tokens, word boundaries, fragmentation, coverage.

    python bench/python/training_text.py TEXT
    python bench/python/train_quality.py TEXT [--models FOLDER] [--only NAME ...] [-o FILE]

Trains every system of `bench/definitions/systems.toml` on TEXT/train, or takes
it from the folder of models, and measures it with `pytok.eval` on TEXT/score.
Token counts are compared with those of the reference; intervals are 95 %, paired
by document. A system that cannot be trained is named with the reason, and the
others go on. ``--add NAME=FILE`` scores any tokenizer file beside them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from systems import SYSTEMS, Recipe, load, read_recipes, trained

import pytok
from pytok.errors import PytokError
from pytok.eval import EvalConfig, Report, System, evaluate
from pytok.eval.corpora import document_rule, documents
from pytok.eval.report import KindReport, SystemReport

TEXT_METRICS = ["tokens", "nsl", "chars_per_token", "oov_char"]
WORD_METRICS = [
    "boundary_f1",
    "boundary_f1_multi",
    "boundary_precision",
    "boundary_recall",
    "fragmentation_entropy_word",
    "continued_word_share",
    "oov_word",
]
TABLES = {
    "tokens against the reference, %": ("nsl", lambda value: f"{100 * (value - 1):+.1f}"),
    "word-boundary F1": ("boundary_f1", lambda value: f"{value:.3f}".lstrip("0")),
    "word fragmentation entropy, bits": ("fragmentation_entropy_word", lambda v: f"{v:.3f}"),
    "characters that no token covers, %": ("oov_char", lambda value: f"{100 * value:.2f}"),
    "words out of vocabulary, %": ("oov_word", lambda value: f"{100 * value:.1f}"),
}
CHECK_CHARACTERS = 20_000


def check_texts(score: Path) -> list[str]:
    """Give the start of every scored file, to compare ids on."""
    texts: list[str] = []
    for path in sorted(score.rglob("*.txt")):
        size = 0
        for text in documents(path, document_rule(path)):
            texts.append(text[:CHECK_CHARACTERS])
            size += len(text)
            if size > CHECK_CHARACTERS:
                break
    return texts


def open_all(
    recipes: list[Recipe], added: list[str], text: Path, models: Path
) -> tuple[list[System], dict[str, str]]:
    """Train or find, load and check all; gives also why some are missing."""
    check = check_texts(text / "score")
    systems: list[System] = []
    failures: dict[str, str] = {}
    for recipe in recipes:
        start = time.perf_counter()
        try:
            path = trained(recipe, text / "train", models)
            systems.append(load(recipe.name, path, check))
        except (PytokError, ValueError, RuntimeError) as error:
            failures[recipe.name] = f"{type(error).__name__}: {error}"
            print(f"{recipe.name}: {failures[recipe.name]}", file=sys.stderr)
        else:
            seconds = time.perf_counter() - start
            print(f"{recipe.name}: {path}, {seconds:.0f} s", file=sys.stderr)
    for item in added:
        name, _, path_name = item.partition("=")
        systems.append(load(name, Path(path_name), check))
    return systems, failures


def row_of(kind: KindReport, system: SystemReport) -> dict[str, object]:
    """Give value and interval of the metrics that this benchmark is about."""
    row: dict[str, object] = {} if system.failure is None else {"failure": system.failure}
    for name in [*TEXT_METRICS, *(WORD_METRICS if kind.words_are_gold else [])]:
        number = system.numbers.get(name)
        if number is not None and number.value is not None:
            row[name] = [number.value, number.low, number.high]
    return row


def results_of(report: Report) -> dict[str, dict[str, dict[str, object]]]:
    """Turn a report into system -> kind of text -> metric -> value, low, high."""
    results: dict[str, dict[str, dict[str, object]]] = {}
    for kind in report.kinds:
        for system in kind.systems:
            results.setdefault(system.system, {})[kind.kind] = row_of(kind, system)
    return results


def straddling_of(report: Report) -> dict[str, float]:
    """Count the pieces that cross the edge of a character, by system."""
    return {
        system.system: number.value
        for system in report.kinds[0].systems
        if (number := system.numbers.get("straddling_tokens")) and number.value is not None
    }


def print_tables(results: dict[str, dict[str, dict[str, object]]]) -> None:
    kinds = list(next(iter(results.values())))
    for title, (metric, shown) in TABLES.items():
        columns = [
            kind for kind in kinds if any(metric in row.get(kind, {}) for row in results.values())
        ]
        print(f"\n## {title}\n\n| system | {' | '.join(columns)} |")
        print(f"|---|{'--:|' * len(columns)}")
        for system, row in results.items():
            cells = [shown(row[kind][metric][0]) if metric in row[kind] else "" for kind in columns]
            if any(cells):
                print(f"| {system} | {' | '.join(cells)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path, help="a folder that training_text.py wrote")
    parser.add_argument("--systems", type=Path, default=SYSTEMS)
    parser.add_argument("--models", type=Path, help="trained tokenizers; default TEXT/models")
    parser.add_argument("--only", nargs="+", default=[], help="names, beside the reference")
    parser.add_argument("--add", nargs="+", default=[], metavar="NAME=FILE")
    parser.add_argument("--gold-only", action="store_true", help="score the gold words alone")
    parser.add_argument("--vocab-size", type=int, default=32_000)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    if not (arguments.text / "manifest.json").is_file():
        parser.error(f"{arguments.text}: no manifest.json; run training_text.py first")
    reference, recipes = read_recipes(arguments.systems, arguments.vocab_size)
    if unknown := set(arguments.only) - {recipe.name for recipe in recipes}:
        parser.error(f"--only: no system {', '.join(sorted(unknown))}")
    wanted = {reference, *arguments.only} if arguments.only or arguments.add else None
    recipes = [recipe for recipe in recipes if wanted is None or recipe.name in wanted]
    # The first tokenizer is what pytok.eval compares with.
    recipes.sort(key=lambda recipe: recipe.name != reference)
    models = arguments.models or arguments.text / "models"
    systems, failures = open_all(recipes, arguments.add, arguments.text, models)
    if not systems or systems[0].name != reference:
        sys.exit(f"error: no {reference}, which all others are compared with")
    root = arguments.text / "score" / ("gold" if arguments.gold_only else "")
    report = evaluate(root, systems, config=EvalConfig(resamples=arguments.resamples))
    results = results_of(report)
    print_tables(results)
    straddling = straddling_of(report)
    print("\nstraddling tokens: " + ", ".join(f"{k} {v:.0f}" for k, v in straddling.items()))
    if arguments.output:
        record = {
            "pytok": pytok.__version__,
            "vocab_size": arguments.vocab_size,
            "reference": reference,
            "seed": report.seed,
            "resamples": report.resamples,
            "text": json.loads((arguments.text / "manifest.json").read_text(encoding="utf-8")),
            "options": {recipe.name: recipe.options for recipe in recipes},
            "failures": failures,
            "straddling_tokens": straddling,
            "results": results,
        }
        text = json.dumps(record, indent=1, ensure_ascii=False)
        arguments.output.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
