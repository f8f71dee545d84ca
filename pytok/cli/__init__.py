"""The command line: one command per file, thin over the library.

Data goes to stdout; progress, warnings and errors go to stderr. Exit codes:
0 done, 1 a check that the user asked for failed, 2 an error.
"""

from __future__ import annotations

import sys

import typer

from pytok.cli.corpora import corpora_app
from pytok.cli.eval import eval_command
from pytok.errors import PytokError

__all__ = ["app", "main"]

app = typer.Typer(
    name="pytok",
    help="Tokenizer toolkit for Chinese.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("eval")(eval_command)
app.add_typer(corpora_app, name="corpora")


def main() -> None:
    """Run a command; an error that pytok raises on purpose ends with exit code 2."""
    try:
        app()
    except PytokError as error:
        sys.stderr.write(f"error: {error}\n")
        if error.hint:
            sys.stderr.write(f"hint: {error.hint}\n")
        sys.exit(2)
