"""`pytok decode`: ids to text, one line of output for each line of ids."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pytok.cli._options import Encoding, Files, Json, Pattern, TokenizerName, load
from pytok.cli._text import STDIN, read_lines, source_name
from pytok.errors import CorpusError, VocabError

__all__ = ["decode_command"]


def _parse(line: str, path: Path, number: int) -> list[int]:
    """Read ids as numbers with spaces or commas, a JSON list, or a JSON record."""
    try:
        if line.lstrip().startswith(("{", "[")):
            record = json.loads(line)
            ids = record["ids"] if isinstance(record, dict) else record
            if not isinstance(ids, list) or not all(type(i) is int for i in ids):
                raise ValueError("not a list of integers")
            return ids
        return [int(i) for i in line.replace(",", " ").split()]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise CorpusError(
            f"{source_name(path)}: line {number}: not ids: {line.strip()[:40]!r}",
            hint="expected numbers separated by spaces, or what `pytok encode --json` prints",
        ) from error


def decode_command(
    files: Files = None,
    tokenizer: TokenizerName = "zh-32k",
    skip_special_tokens: Annotated[
        bool, typer.Option("--skip-special-tokens", help="Leave special tokens out.")
    ] = False,
    encoding: Encoding = None,
    pattern: Pattern = None,
    as_json: Json = False,
) -> None:
    """Decode ids into text."""
    loaded = load(tokenizer, encoding=encoding, pattern=pattern)
    for path in files or [STDIN]:
        for number, line in enumerate(read_lines(path), start=1):
            ids = _parse(line, path, number)
            try:
                text = loaded.decode(ids, skip_special_tokens=skip_special_tokens)
            except VocabError as error:
                where = f"{source_name(path)}: line {number}"
                raise VocabError(f"{where}: {error}", hint=error.hint) from error
            sys.stdout.write((json.dumps(text, ensure_ascii=False) if as_json else text) + "\n")
