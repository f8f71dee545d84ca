"""`pytok count-words`: the word counts of a part of a corpus, for `pytok train --counts`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pytok import count_words
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
)
from pytok.errors import ConfigError, ExportError

__all__ = ["count_words_command"]


def count_words_command(
    files: TrainFiles = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File of the counts.", show_default=False),
    ] = None,
    config: Config = None,
    pretokenizer: Pretokenizer = None,
    digits: Digits = None,
    normalizer: Normalizer = None,
    threads: Threads = None,
    memory: Memory = None,
    work: Work = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on standard output.")] = False,
) -> None:
    """Count the words of files. Counts of parts, merged, are the counts of the whole."""
    if not files:
        raise ConfigError("FILE: nothing to count", hint="name at least one file")
    if output is None:
        raise ConfigError("--output: missing", hint="pass -o FILE")
    folder = output.absolute().parent
    if output.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        raise ExportError(
            f"{output}: cannot be written", hint="pass a file in a folder that exists"
        )
    options = config_of(
        config,
        {
            "pretokenizer": pretokenizer,
            "digits": digits,
            "normalizer": normalizer_of(normalizer),
            "threads": threads,
            "memory": memory,
        },
    )
    with progress_bar() as show:
        counts = count_words(files, options, work=work, on_progress=show)
    counts.save(output)
    record = {
        "output": str(output),
        "text_bytes": counts.text_bytes,
        "unique_words": len(counts),
        "file_bytes": output.stat().st_size,
    }
    if as_json:
        sys.stdout.write(json.dumps(record, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write(
            f"{output}: {len(counts):,} different words of {counts.text_bytes:,} bytes of text\n"
        )
