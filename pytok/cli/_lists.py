"""Options that take a list: `--counts a b c`.

Typer has options of one value that may be repeated, and no others. So a
command line is rewritten before it is parsed: a list option is repeated before
each of its values.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from typer.core import TyperCommand

__all__ = ["command_with_lists", "spread"]


def spread(
    arguments: list[str], options: Mapping[str, int], lists: Collection[str], places: int
) -> list[str]:
    """Repeat list options before each of their values.

    The values of a list end at the next option or at `--`; `--name=value` has
    one. A command that takes a fixed number of positional arguments gets these
    first: before they have been named, an option has one value.

    Parameters
    ----------
    arguments
        What follows the name of the command.
    options
        The command's options as they are written, and how many values each has.
    lists
        Those of them that take a list; each has one value.
    places
        The number of positional arguments; 0 when there may be any number.

    Examples
    --------
    >>> spread(["text", "--counts", "a", "b", "-o", "out"], {"--counts": 1, "-o": 1},
    ...        {"--counts"}, 0)
    ['text', '--counts', 'a', '--counts', 'b', '-o', 'out']

    """
    written: list[str] = []
    place = named = 0
    while place < len(arguments):
        name = arguments[place]
        if name == "--":
            break
        values = options.get(name, 0)
        written += arguments[place : place + 1 + values]
        place += 1 + values
        if not _is_option(name):
            named += 1
        elif name in lists and named >= places:
            while place < len(arguments) and not _is_option(arguments[place]):
                written += [name, arguments[place]]
                place += 1
    return written + arguments[place:]


def _is_option(argument: str) -> bool:
    return len(argument) > 1 and argument.startswith("-")


def command_with_lists(*lists: str) -> type[TyperCommand]:
    """Return the class of a command some of whose repeatable options take lists."""

    class CommandWithLists(TyperCommand):
        # Typer has a click of its own or not, so the type of the context is not one.
        def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
            options: dict[str, int] = {}
            places = 0
            for parameter in self.get_params(ctx):
                if parameter.param_type_name == "argument":
                    places += max(parameter.nargs, 0)
                    continue
                values = 0 if getattr(parameter, "is_flag", False) else parameter.nargs
                options |= dict.fromkeys(parameter.opts, values)
            return super().parse_args(ctx, spread(args, options, lists, places))

    return CommandWithLists
