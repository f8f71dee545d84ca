"""`pytok count`: how many tokens, characters and bytes files have."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pytok import Tokenizer
from pytok.cli._options import Encoding, Files, Json, Pattern, TokenizerName, load
from pytok.cli._text import STDIN, read_text, source_name

__all__ = ["count_command"]


@dataclass(frozen=True)
class Count:
    """The sizes of one text."""

    name: str
    tokens: int
    characters: int
    bytes: int


def _count(tokenizer: Tokenizer, path: Path) -> Count:
    text = read_text(path)
    tokens = tokenizer.count(text, special="text", add_special_tokens=False)
    return Count(source_name(path), tokens, len(text), len(text.encode("utf-8")))


def count_command(
    files: Files = None,
    tokenizer: TokenizerName = "zh-32k",
    encoding: Encoding = None,
    pattern: Pattern = None,
    as_json: Json = False,
) -> None:
    """Count the tokens of files; control tokens in them count as plain text."""
    loaded = load(tokenizer, encoding=encoding, pattern=pattern)
    counts = [_count(loaded, path) for path in files or [STDIN]]
    if as_json:
        records = {"tokenizer": loaded.name, "files": [asdict(count) for count in counts]}
        sys.stdout.write(json.dumps(records, ensure_ascii=False, indent=2) + "\n")
        return
    if len(counts) > 1:
        counts.append(
            Count(
                "total",
                sum(count.tokens for count in counts),
                sum(count.characters for count in counts),
                sum(count.bytes for count in counts),
            )
        )
    table = Table("text", box=None)
    for column in ("tokens", "characters", "bytes", "chars/token"):
        table.add_column(column, justify="right")
    for count in counts:
        ratio = f"{count.characters / count.tokens:.3f}" if count.tokens else "–"
        table.add_row(
            count.name, f"{count.tokens:,}", f"{count.characters:,}", f"{count.bytes:,}", ratio
        )
    Console().print(table)
