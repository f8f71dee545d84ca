"""`pytok train`: a tokenizer from text or from word counts."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from pytok import TrainReport, train
from pytok._files import check_folder
from pytok.cli._training import (
    Config,
    Digits,
    Memory,
    Normalizer,
    Pretokenizer,
    Threads,
    TrainFiles,
    Work,
    config_of,
    normalizer_of,
    progress_bar,
    read_counts,
)
from pytok.errors import ConfigError, ExportError

__all__ = ["check_writable", "train_command"]


def train_command(
    files: TrainFiles = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder of the tokenizer.", show_default=False),
    ] = None,
    config: Config = None,
    unsegmented_counts: Annotated[
        list[Path] | None,
        typer.Option(
            "--unsegmented-counts",
            help="Word counts of texts that the segmenter does not know: a list, as with --counts.",
            show_default=False,
        ),
    ] = None,
    counts: Annotated[
        list[Path] | None,
        typer.Option(
            "--counts",
            help="Word counts of `pytok count-words`, with or instead of text: one file or more, "
            "up to the next option; may be repeated. Name text before, or after `--`.",
            show_default=False,
        ),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option(
            help="How pieces are found: hybrid, bpe or unigram. Default: hybrid.",
            show_default=False,
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(
            help="Prices of the hybrid: balanced, align (word boundaries first), words "
            "(boundaries above all, more tokens) or compress (fewest tokens). Default: balanced.",
            show_default=False,
        ),
    ] = None,
    lam: Annotated[
        float | None,
        typer.Option(
            help="Price of a token in nats, 0 to 1000: 0 is the most likely segmentation, a large "
            "one the fewest tokens. Default: the preset's.",
            show_default=False,
        ),
    ] = None,
    boundary_prior: Annotated[
        float | None,
        typer.Option(
            help="Weight in nats, 0 to 1000, of pieces' misfit with words. Default: the preset's.",
            show_default=False,
        ),
    ] = None,
    segmenter: Annotated[
        str | None,
        typer.Option(
            help="What finds words, in training only: jieba or none. Default: jieba.",
            show_default=False,
        ),
    ] = None,
    unsegmented: Annotated[
        list[str] | None,
        typer.Option(
            help="Glob of input files that the segmenter does not know, such as classical texts; "
            "repeat for several.",
            show_default=False,
        ),
    ] = None,
    lexicon: Annotated[
        str | None,
        typer.Option(
            help="Words that are candidates when frequent: a file of one word per line, segmenter "
            "(its dictionary) or none. Default: segmenter.",
            show_default=False,
        ),
    ] = None,
    lexicon_prior: Annotated[
        float | None,
        typer.Option(
            help="What a word of the lexicon costs less, in nats, 0 to 1000. Default: 0.",
            show_default=False,
        ),
    ] = None,
    overshoot: Annotated[
        float | None,
        typer.Option(
            help="Candidates per piece that is kept, 1 to 100. Default: 1.5 for hybrid, 4 for "
            "unigram, 1 for bpe.",
            show_default=False,
        ),
    ] = None,
    refinement: Annotated[
        int | None,
        typer.Option(
            help="Rounds that try neighbours as pieces after pruning. Default: 2 for hybrid with "
            "wide, else 0.",
            show_default=False,
        ),
    ] = None,
    estimate: Annotated[
        str | None,
        typer.Option(
            help="Uses of pieces: hard (cheapest segmentation) or soft (all). Default: hard for "
            "hybrid, soft for unigram.",
            show_default=False,
        ),
    ] = None,
    han_prefixes: Annotated[
        bool | None,
        typer.Option(
            "--han-prefixes/--no-han-prefixes",
            help="First two bytes of all Han characters are pieces. Default: with hybrid.",
            show_default=False,
        ),
    ] = None,
    vocab_size: Annotated[
        int | None,
        typer.Option(
            help="Ids, special tokens and 256 bytes included. Default: 32000.",
            show_default=False,
        ),
    ] = None,
    special_token: Annotated[
        list[str] | None,
        typer.Option(
            "--special-token",
            "--special-tokens",
            help="Control token; repeat for several, or list them after --special-tokens.",
            show_default=False,
        ),
    ] = None,
    pretokenizer: Pretokenizer = None,
    digits: Digits = None,
    normalizer: Normalizer = None,
    min_frequency: Annotated[
        int | None,
        typer.Option(help="Least count of a pair that is merged. Default: 1.", show_default=False),
    ] = None,
    tau: Annotated[
        int | None,
        typer.Option(
            help="Cut words where two characters meet fewer times. Default: 10.",
            show_default=False,
        ),
    ] = None,
    tau_c: Annotated[
        int | None,
        typer.Option(
            help="Least count of a Han character to be a piece, 0 for none; rarer ones are bytes. "
            "Default with hybrid: 20, or one in 250,000 Han characters if that is more.",
            show_default=False,
        ),
    ] = None,
    tau_w: Annotated[
        int | None,
        typer.Option(
            help="Least count of a word of the lexicon; with bpe, of any piece of --min-chars "
            "characters or more. Default with hybrid: 10.",
            show_default=False,
        ),
    ] = None,
    min_chars: Annotated[
        int | None,
        typer.Option(
            help="Characters from which a piece counts as a word. Default: 2.",
            show_default=False,
        ),
    ] = None,
    max_chars: Annotated[
        int | None, typer.Option(help="Most characters of a word.", show_default=False)
    ] = None,
    span_bytes: Annotated[
        tuple[int, int] | None,
        typer.Option(help="Least and most bytes of a word, 1 to 8.", show_default=False),
    ] = None,
    max_token_bytes: Annotated[
        int | None,
        typer.Option(help="Most bytes of a piece. Default: 48.", show_default=False),
    ] = None,
    required_chars: Annotated[
        str | None,
        typer.Option(help="Characters that are pieces whatever their count.", show_default=False),
    ] = None,
    char_align: Annotated[
        bool | None,
        typer.Option(
            "--char-align/--no-char-align",
            help="Pieces are whole characters or part of one. Default: char-align.",
            show_default=False,
        ),
    ] = None,
    tie: Annotated[
        str | None,
        typer.Option(
            help="Pairs of equal count: bytes, or hf for the order of `tokenizers`. "
            "Default: bytes.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Accepted and without effect: training draws no random numbers.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = None,
    memory: Memory = None,
    work: Work = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """Train a tokenizer."""
    if not files and not counts and not unsegmented_counts:
        raise ConfigError("FILE: nothing to train on", hint="name files, or pass --counts")
    if output is None:
        raise ConfigError("--output: missing", hint="pass -o FOLDER")
    check_writable(output)
    options = config_of(
        config,
        {
            "algorithm": algorithm,
            "preset": preset,
            "lam": lam,
            "boundary_prior": boundary_prior,
            "segmenter": segmenter,
            "unsegmented": unsegmented or None,
            "lexicon": lexicon,
            "lexicon_prior": lexicon_prior,
            "overshoot": overshoot,
            "refinement": refinement,
            "estimate": estimate,
            "han_prefixes": han_prefixes,
            "vocab_size": vocab_size,
            "special_tokens": special_token or None,
            "pretokenizer": pretokenizer,
            "digits": digits,
            "normalizer": normalizer_of(normalizer),
            "min_frequency": min_frequency,
            "tau": tau,
            "tau_c": tau_c,
            "tau_w": tau_w,
            "min_chars": min_chars,
            "max_chars": max_chars,
            "span_bytes": span_bytes,
            "max_token_bytes": max_token_bytes,
            "required_chars": required_chars,
            "char_align": char_align,
            "tie": tie,
            "threads": threads,
            "seed": seed,
            "memory": memory,
        },
    )
    with progress_bar() as show:
        result = train(
            files or None,
            options,
            counts=read_counts(counts or [], options),
            unsegmented_counts=read_counts(unsegmented_counts, options)
            if unsegmented_counts
            else None,
            work=work,
            on_progress=show,
        )
    result.tokenizer.save(output)
    if as_json:
        record = {
            "output": str(output),
            "vocab_size": result.tokenizer.vocab_size,
            "options": options.to_mapping(),
            "report": result.report.to_json(),
        }
        sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    else:
        _print(output, result.tokenizer.vocab_size, result.report)


def check_writable(folder: Path, name: str = "tokenizer.json") -> None:
    """Fail before the work rather than after it. `name` is the file beside pytok.json."""
    check_folder(folder, [name])
    existing = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        raise ExportError(
            f"{folder}: cannot be written: {existing} is not a writable folder",
            hint="choose a writable folder",
        )


def _print(output: Path, vocab_size: int, report: TrainReport) -> None:
    rows = [
        ("folder", str(output)),
        ("vocabulary", f"{vocab_size:,}"),
        ("text", f"{report.text_bytes:,} bytes"),
        ("different words", f"{report.unique_words:,} ({report.unique_word_bytes:,} bytes)"),
        ("segments after the cut", f"{report.segments:,} ({report.segment_bytes:,} bytes)"),
        ("tau", f"{report.tau} (run {report.runs})"),
    ]
    if report.least_count is not None:
        rows.append(("smallest count merged", f"{report.least_count:,}"))
    if report.candidates is not None:
        rows.append(("candidates", f"{report.candidates:,}"))
    if report.protected is not None:
        rows.append(("pieces that stay", f"{report.protected:,}"))
    if report.tokens is not None:
        rows.append(("tokens of the text", f"{report.tokens:,}"))
    rows.append(
        ("counting, training", f"{report.count_seconds:.1f} s, {report.train_seconds:.1f} s")
    )
    table = Table("", box=None, show_header=False)
    table.add_column(justify="right")
    for name, value in rows:
        table.add_row(name, value)
    Console(highlight=False).print(table)
