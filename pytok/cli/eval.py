"""`pytok eval`: measure tokenizers on a folder of texts."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console

from pytok import Tokenizer
from pytok.cli._eval_outcome import has_failed, read_conditions, say_warnings
from pytok.cli._eval_outputs import Outputs
from pytok.cli._options import Encoding
from pytok.cli._progress import bar_on_stderr
from pytok.errors import ConfigError
from pytok.eval import EvalConfig, Report, evaluate
from pytok.eval.bootstrap import FEWEST, RESAMPLES, SEED
from pytok.eval.evaluate import DEFAULT_TOKENIZER
from pytok.eval.json_text import json_text
from pytok.eval.opening import opened_or_why, told_apart
from pytok.eval.perturb import chosen
from pytok.eval.quoted import quoted_json
from pytok.eval.quoted_table import print_quoted
from pytok.eval.run import BASELINE
from pytok.eval.show import printable
from pytok.eval.spans import PATTERNS
from pytok.eval.systems import System, TokenizerLike, TokenizerSystem, open_system
from pytok.eval.table import print_report
from pytok.eval.term_lists import KNOWN

__all__ = ["eval_command"]


def eval_command(
    corpus: Annotated[
        Path,
        typer.Argument(
            help="Folder of texts, one folder per kind (.txt, .md, .jsonl, source files; .gz and "
            ".xz too; gold words in *.seg.txt), or one file.",
            show_default=False,
        ),
    ],
    *,
    tokenizer: Annotated[
        list[str] | None,
        typer.Option(
            "--tokenizer",
            "-t",
            help="Embedded name, file, folder, or a word segmenter (rjieba, thulac, pkuseg); "
            f"several after the corpus, or repeat it.  [default: {DEFAULT_TOKENIZER}]",
            show_default=False,
        ),
    ] = None,
    encoding: Encoding = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print every number with its source as JSON.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            help="Write a page with plots and examples that opens offline (extra `report`).",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(
            help="Write every plot as PNG and SVG (extra `report`).",
            metavar="FOLDER",
            show_default=False,
        ),
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Files that cannot be read are no failure.")
    ] = False,
    perturb: Annotated[
        str,
        typer.Option(
            help="Measure again with the text changed, and show what is lost: some of ocr, "
            "variants, nopunct, fullwidth, traditional, typo, separated by commas; typo=0.05 "
            "takes another rate.",
            show_default=False,
        ),
    ] = "",
    fail_if: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-if",
            metavar="CONDITION",
            help='Exit with 1 if it holds, e.g. "classical.oov_char > 0.001": '
            "[SYSTEM:]KIND.METRIC, one of < <= > >=, and a number; KIND may be *. Repeatable.",
            show_default=False,
        ),
    ] = None,
    spans: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LIST",
            help="Terms that should stay whole: idioms, legal, finance, or NAME=FILE with one "
            "term a line; several in a row, or repeat it.",
            show_default=False,
        ),
    ] = None,
    quoted: Annotated[
        bool,
        typer.Option(
            "--quoted",
            help="Set news, code and classical beside the figures often quoted for jieba, "
            "THULAC and a hybrid, definition by definition.",
        ),
    ] = False,
    speed: Annotated[
        bool,
        typer.Option(
            "--speed",
            help="Also measure speed by size of the text: latency, threads, cold and warm, memory.",
        ),
    ] = False,
    resamples: Annotated[
        int,
        typer.Option(
            help=f"Bootstrap resamples, and rounds of the paired tests; {FEWEST} or more."
        ),
    ] = RESAMPLES,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the bootstrap and the tests.")] = SEED,
) -> None:
    """Measure tokenizers on a folder of texts, with jieba as the baseline."""
    outputs = Outputs(html, plots)
    conditions = read_conditions(fail_if or (), corpus)
    asked = tokenizer or [DEFAULT_TOKENIZER]
    systems = told_apart([_system(name, encoding) for name in asked])
    for condition in conditions:
        condition.require_system({*(system.name for system in systems), BASELINE})
    report = _with_progress(
        corpus,
        systems,
        EvalConfig(
            resamples=resamples,
            seed=seed,
            perturb=chosen(perturb) if perturb else (),
            command=tuple(sys.argv),
            spans=_span_files([item for item in spans or () if item not in KNOWN]),
            known_spans=tuple(dict.fromkeys(item for item in spans or () if item in KNOWN)),
            speed=speed,
        ),
    )
    outputs.write(report, quoted=quoted)
    say_warnings(report)
    if as_json:
        plain = report.to_json() | ({"quoted": quoted_json(report)} if quoted else {})
        sys.stdout.write(json_text(plain) + "\n")
    else:
        console = Console(highlight=False)
        print_report(report, console)
        if quoted:
            print_quoted(report, console)
    if has_failed(report, conditions, skip_bad=skip_bad, asked=asked):
        raise typer.Exit(1)


def _span_files(given: list[str]) -> dict[str, tuple[Path, ...]]:
    """Read NAME=FILE; a name given twice has both files."""
    files: dict[str, tuple[Path, ...]] = {}
    for item in given:
        name, equals, path = item.partition("=")
        if not (equals and path and re.fullmatch(r"\w+", name)):
            raise ConfigError(
                f"--spans: cannot read {item!r}",
                hint=f"give {', '.join(KNOWN)}, or NAME=FILE such as names=names.txt",
            )
        if name in PATTERNS:
            raise ConfigError(
                f"--spans: {name!r} is already the name of a pattern", hint="give another name"
            )
        files[name] = (*files.get(name, ()), Path(path))
    return files


def _system(name: str, encoding: str | None) -> str | System:
    """Name a system, or open a rank file whose own name does not say its encoding."""
    if encoding is None or not Path(name).is_file():
        return name

    def open_file() -> System:
        try:
            return open_system(name)
        except ConfigError:
            tokenizer = Tokenizer.from_pretrained(name, encoding=encoding)
            return TokenizerSystem(cast(TokenizerLike, tokenizer))

    return opened_or_why(name, open_file)


def _with_progress(corpus: Path, systems: list[System], config: EvalConfig) -> Report:
    """Evaluate with a bar on stderr, which disappears at the end."""
    with bar_on_stderr() as (bar, task):

        def show(label: str, done: int, total: int) -> None:
            bar.update(task, description=printable(label), completed=done, total=total)

        return evaluate(corpus, systems, config=config, on_progress=show)
