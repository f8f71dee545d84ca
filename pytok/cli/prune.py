"""`pytok prune`: a vocabulary without the pieces that a text does without."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pytok import PruneResult, Tokenizer, prune
from pytok.cli._options import Encoding, Json, Pattern, load
from pytok.cli._prune_table import print_report
from pytok.cli._surgery import Model, Multiple, print_surgery
from pytok.cli._training import Threads, progress_bar
from pytok.cli.train import check_writable
from pytok.errors import ConfigError
from pytok.pruning.surgery import SurgeryReport, check_model, prune_model
from pytok.pruning.surgery.prune import check_multiple

__all__ = ["kinds_of", "prune_command"]


def prune_command(
    tokenizer: Annotated[
        str | None,
        typer.Argument(
            help="Embedded name, file, folder or hub id. Default: the one of --model.",
            metavar="[TOKENIZER]",
            show_default=False,
        ),
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            "--corpus",
            help="Text like that to come: files, folders or quoted globs, as in `pytok train`. "
            "Each is a kind of text in the report; of a folder of folders, each folder in it. "
            "With TOKENIZER before, all up to the next option; may be repeated.",
            metavar="PATH",
            show_default=False,
        ),
    ] = None,
    target_size: Annotated[
        int | None, typer.Option(help="Pieces that stay.", show_default=False)
    ] = None,
    max_inflation: Annotated[
        float | None,
        typer.Option(
            help="Instead of a size: by which share there may be more tokens, such as 0.02.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder of the new tokenizer.", show_default=False),
    ] = None,
    counts: Annotated[
        Path | None,
        typer.Option(
            help="Instead of a corpus: a file of `pytok count-words`.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    protect: Annotated[
        list[str] | None,
        typer.Option(
            help="A text whose tokens stay; may be repeated.", metavar="TEXT", show_default=False
        ),
    ] = None,
    stable: Annotated[
        bool, typer.Option("--stable", help="Keep ids; pieces that go are never used.")
    ] = False,
    special_id: Annotated[
        list[str] | None,
        typer.Option(
            help="The new id of a special token; may be repeated.",
            metavar="TOKEN=ID",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(help="Rounds of counting and pruning.")] = 4,
    model: Model = None,
    pad_to_multiple_of: Multiple = 64,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print the plan and the curve; write no tokenizer."),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            help="File of a plot of size against inflation, .png or .svg.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    encoding: Encoding = None,
    pattern: Pattern = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Take the pieces out of a vocabulary that a text does without."""
    if not corpus and counts is None:
        raise ConfigError("--corpus: missing", hint="pass --corpus PATH, text like that to come")
    if target_size is None and max_inflation is None:
        raise ConfigError("--target-size: missing", hint="pass it, or --max-inflation")
    if output is None and not dry_run:
        raise ConfigError("--output: missing", hint="pass -o FOLDER, or --dry-run")
    if tokenizer is None and model is None:
        raise ConfigError("TOKENIZER: missing", hint="pass it, or --model FOLDER")
    if model is not None and stable:
        raise ConfigError("--stable: ids stay, and so does the model", hint="leave out --model")
    if model is not None:
        check_multiple(pad_to_multiple_of)
        check_model(model, output)
    loaded = load(tokenizer or str(model), encoding=encoding, pattern=pattern)
    _check_outputs(loaded, None if dry_run else output, plot)
    with progress_bar() as show:
        result = prune(
            loaded,
            kinds_of(corpus) if corpus else None,
            counts=counts,
            target_size=target_size,
            max_inflation=max_inflation,
            protect=protect or (),
            mode="stable" if stable else "compact",
            special_ids=_special_ids(special_id or []),
            rounds=rounds,
            threads=threads,
            on_progress=show,
        )
    surgery = None
    if output is not None and not dry_run:
        surgery = _save(result, output, model, pad_to_multiple_of)
    if plot is not None:
        from pytok.pruning.plot import write_curve

        write_curve(result.report, plot)
        sys.stderr.write(f"plot: {plot}\n")
    if as_json:
        record = {
            "output": None if dry_run else str(output),
            "report": result.report.to_json(),
            "plan": result.plan.to_json(),
            "model": None if surgery is None else surgery.to_json(),
        }
        sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    else:
        print_report(result, loaded, None if dry_run else output)
        if surgery is not None:
            print_surgery(surgery)


def _save(
    result: PruneResult, output: Path, model: Path | None, multiple: int
) -> SurgeryReport | None:
    if model is None:
        result.save(output)
        return None
    return prune_model(
        model, output, result.id_map, tokenizer=result.tokenizer, pad_to_multiple_of=multiple
    )


def kinds_of(paths: list[Path]) -> dict[str, list[Path]]:
    """Name the kind of each path; the folders in a folder are kinds of their own.

    Examples
    --------
    >>> kinds_of([Path("news/a.txt"), Path("b/a.txt.xz")])
    {'a': [PosixPath('news/a.txt'), PosixPath('b/a.txt.xz')]}

    """
    kinds: dict[str, list[Path]] = {}
    for path in paths:
        folders = (
            sorted(inner for inner in path.iterdir() if inner.is_dir()) if path.is_dir() else []
        )
        for one in folders or [path]:
            kinds.setdefault(one.resolve().name.split(".")[0] or str(one), []).append(one)
    return kinds


def _special_ids(values: list[str]) -> dict[str, int]:
    ids = {}
    for value in values:
        token, _, number = value.rpartition("=")
        if not token or not number.isdecimal():
            raise ConfigError(f"--special-id: {value!r}, expected TOKEN=ID")
        ids[token] = int(number)
    return ids


def _check_outputs(tokenizer: Tokenizer, output: Path | None, plot: Path | None) -> None:
    """Fail before the work rather than after it."""
    if output is not None:
        own = tokenizer._core.own_file()
        check_writable(output, own[0] if own else "tokenizer.json")
    if plot is not None:
        from pytok.pruning.plot import check_plot

        check_plot(plot)
