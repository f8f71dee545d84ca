"""The command line: one command per file, thin over the library.

Data goes to stdout; progress, warnings and errors go to stderr. Exit codes:
0 done, 1 a check that the user asked for failed, 2 an error.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from pytok import __version__
from pytok.cli._lists import command_with_lists
from pytok.cli.compare import compare_command
from pytok.cli.corpora import corpora_app
from pytok.cli.count import count_command
from pytok.cli.count_words import count_words_command
from pytok.cli.decode import decode_command
from pytok.cli.doctor import doctor_command
from pytok.cli.encode import encode_command
from pytok.cli.eval import eval_command
from pytok.cli.export import export_command
from pytok.cli.extend import extend_command
from pytok.cli.inspect import inspect_command
from pytok.cli.normalize import normalize_command
from pytok.cli.prune import prune_command
from pytok.cli.train import train_command
from pytok.errors import PytokError
from pytok.eval.show import printable

__all__ = ["app", "main"]

app = typer.Typer(
    name="pytok",
    help="Tokenizer toolkit for Chinese.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("eval", cls=command_with_lists("--tokenizer", "-t", "--spans"))(eval_command)
app.command("compare")(compare_command)
app.command(
    "train", cls=command_with_lists("--counts", "--unsegmented-counts", "--special-tokens")
)(train_command)
app.command("count-words")(count_words_command)
app.command("extend", cls=command_with_lists("--text", "--check"))(extend_command)
app.command("export", cls=command_with_lists("--verify"))(export_command)
app.command("prune", cls=command_with_lists("--corpus", "--protect"))(prune_command)
app.command("doctor")(doctor_command)
app.command("encode")(encode_command)
app.command("decode")(decode_command)
app.command("count")(count_command)
app.command("normalize")(normalize_command)
app.command("inspect")(inspect_command)
app.add_typer(corpora_app, name="corpora")


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"pytok {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Tokenizer toolkit for Chinese."""


def _close_stdout() -> None:
    """Let what Python flushes once more at exit go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run a command; an error that pytok raises on purpose ends with exit code 2.

    A reader that closes the pipe (`| head`) ends the command without a message.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Data is UTF-8 whatever the terminal or the locale is.
        sys.stdout.reconfigure(encoding="utf-8")
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _close_stdout()
        sys.exit(1)
    except PytokError as error:
        sys.stderr.write(printable(f"error: {error}") + "\n")
        if error.hint:
            sys.stderr.write(printable(f"hint: {error.hint}") + "\n")
        sys.exit(2)
    except OSError as error:
        _close_stdout()
        sys.stderr.write(f"error: standard output: {error.strerror or error}\n")
        sys.stderr.write("hint: what was written is not complete; check the disk\n")
        sys.exit(2)
