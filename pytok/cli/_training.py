"""What `pytok train` and `pytok count-words` share: options, inputs, the progress bar."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pytok import TrainConfig, TrainProgress, WordCounts
from pytok.cli._progress import bar_on_stderr
from pytok.errors import ConfigError, FormatError

__all__ = [
    "Config",
    "Digits",
    "Memory",
    "Normalizer",
    "Pretokenizer",
    "Threads",
    "TrainFiles",
    "Work",
    "config_of",
    "normalizer_of",
    "progress_bar",
    "read_counts",
]

TrainFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Text files, .jsonl (a string or an object with `text` per line), .gz, .xz and .zst "
        "of them, .parquet, folders, or quoted globs.",
        metavar="FILE",
        show_default=False,
    ),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help="TOML file of the options of pytok.TrainConfig; those given on the command line win.",
        metavar="FILE",
    ),
]
Pretokenizer = Annotated[
    str | None,
    typer.Option(
        help="How text is cut into words: qwen, han, iso, wide (sentences, so that pieces may "
        "span words), a regular expression whose matches are the words, or the pre_tokenizer "
        "section of a tokenizer.json, as JSON. Default: qwen.",
        show_default=False,
    ),
]
Digits = Annotated[
    int | None,
    typer.Option(
        help="Digits in one word, 1 or 3, with the named ways to cut. Default: 1.",
        show_default=False,
    ),
]
Normalizer = Annotated[
    str | None,
    typer.Option(
        help="The normalizer section of a tokenizer.json, as JSON, applied before text is cut. "
        "Default: none.",
        metavar="JSON",
        show_default=False,
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Threads; the result is the same with any number. Default: one per core.",
        show_default=False,
    ),
]

Memory = Annotated[
    str | None,
    typer.Option(
        help="Memory for different words while they are counted, such as 2G; what is more goes "
        "to temporary files, and the result is the same. Default: no limit.",
        show_default=False,
    ),
]
Work = Annotated[
    Path | None,
    typer.Option(
        help="Folder that keeps the counts of each file, for a run that is interrupted and "
        "started again.",
        show_default=False,
    ),
]

LABELS = {
    "count": "counting words",
    "cut": "cutting",
    "pairs": "counting pairs",
    "merges": "merging",
    "segment": "finding words",
    "prune": "pruning",
    "compare": "comparing",
}


def normalizer_of(section: str | None) -> object:
    """Read the option `--normalizer`."""
    if section is None:
        return None
    try:
        return json.loads(section)
    except ValueError as error:
        raise ConfigError(f"--normalizer: is not JSON: {error}") from error


def config_of(path: Path | None, options: dict[str, object]) -> TrainConfig:
    """Make the config of a TOML file and of the options that were given."""
    named = {} if path is None else TrainConfig.options_in_toml(path)
    return TrainConfig.from_mapping(
        named | {name: value for name, value in options.items() if value is not None}
    )


def read_counts(paths: list[Path], config: TrainConfig) -> Iterator[WordCounts]:
    """Read the files of `--counts` one by one."""
    for path in paths:
        try:
            yield WordCounts.read(path, memory=config.memory)
        except FormatError as error:
            hint = "pass whole files of `pytok count-words`; text comes before --counts or after --"
            raise FormatError(str(error), hint=hint) from error


@contextmanager
def progress_bar() -> Iterator[Callable[[TrainProgress], None]]:
    """Show a bar on stderr when that is a terminal; it disappears at the end."""
    with bar_on_stderr() as (bar, task):
        stage = ""

        def show(event: TrainProgress) -> None:
            nonlocal stage
            if event.stage != stage:
                # Each stage has a speed of its own: the estimate begins anew.
                bar.reset(task)
                stage = event.stage
            bar.update(
                task,
                description=LABELS[event.stage],
                completed=event.done,
                total=event.total,
            )

        yield show
