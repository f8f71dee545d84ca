"""Options that several commands share, and how a tokenizer is named."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from pytok import Tokenizer

__all__ = [
    "AddSpecialTokens",
    "Encoding",
    "Files",
    "Json",
    "Pattern",
    "Special",
    "SpecialPolicy",
    "TokenizerName",
    "load",
]


class SpecialPolicy(str, Enum):
    """What to do with control tokens that stand in a text."""

    error = "error"
    text = "text"
    special = "special"


Files = Annotated[
    list[Path] | None,
    typer.Argument(help="Text files (also .gz, .xz); - or none: standard input.", metavar="FILE"),
]
TokenizerName = Annotated[
    str,
    typer.Option(
        "--tokenizer", "-t", help="Embedded name, file, folder or hub id.", metavar="NAME"
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(help="Published encoding of a tiktoken rank file, e.g. qwen.", metavar="NAME"),
]
Pattern = Annotated[
    str | None, typer.Option(help="Splitting pattern of a tiktoken rank file.", metavar="REGEX")
]
Special = Annotated[
    SpecialPolicy, typer.Option(help="Control tokens in the text: refuse, as text, or match.")
]
AddSpecialTokens = Annotated[
    bool,
    typer.Option(
        "--add-special-tokens/--no-special-tokens",
        help="Add what the tokenizer's own library adds by default.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


def load(name: str, *, encoding: str | None = None, pattern: str | None = None) -> Tokenizer:
    """Load the tokenizer that a command line names."""
    return Tokenizer.from_pretrained(name, encoding=encoding, pattern=pattern)
