"""What steps of normalisation did, for people to read: a coloured diff, and counts."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby
from unicodedata import category

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pytok import zh

__all__ = ["console", "counts_table", "diff_lines", "shown"]

_COLOURS = {"sure": "green", "ambiguous": "yellow", "kept": "cyan"}

_WIDE = 4096
"""The width of what is no terminal, where nothing is cut or wrapped."""

_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def console() -> Console:
    """Return where tables and lines are printed."""
    width = None if sys.stdout.isatty() else _WIDE
    return Console(soft_wrap=True, highlight=False, width=width)


def shown(text: str) -> str:
    r"""Return a text with escapes for what a terminal would obey or not show.

    Examples
    --------
    >>> print(shown("甲\x1b[1m乙"))
    甲\x1b[1m乙

    """
    return "".join(map(_shown, text))


def _shown(character: str) -> str:
    is_selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    if is_selector or category(character) in _UNSEEN:
        return character.encode("unicode-escape").decode("ascii")
    return character


def diff_lines(name: str, first: int, text: str, normalized: zh.Normalized) -> Iterator[Text]:
    """Yield the lines of a text that a step spoke of, old and new, and why."""
    starts = [0, *(place + 1 for place, character in enumerate(text) if character == "\n")]

    def line_of(edit: zh.Edit) -> int:
        return bisect_right(starts, edit.original[0]) - 1

    edits = sorted(normalized.edits, key=lambda edit: (edit.original, edit.normalized))
    for line, group in groupby(edits, key=line_of):
        here = list(group)
        end = starts[line + 1] - 1 if line + 1 < len(starts) else len(text)
        span = (starts[line], end)
        yield Text(f"{shown(name)}:{first + line}", style="bold")
        yield _marked("- ", text, span, [(edit.original, edit.status) for edit in here])
        new = normalized.alignment.to_normalized(span)
        if text[span[0] : span[1]] != normalized.text[new[0] : new[1]]:
            marks = [(edit.normalized, edit.status) for edit in here]
            yield _marked("+ ", normalized.text, new, marks)
        yield from map(_why, here)


def _marked(
    sign: str, text: str, span: tuple[int, int], marks: Iterable[tuple[tuple[int, int], str]]
) -> Text:
    styles = [""] * (span[1] - span[0])
    for (start, end), status in marks:
        for place in range(max(start, span[0]), min(end, span[1])):
            styles[place - span[0]] = f"bold {_COLOURS[status]}"
    line = Text(sign)
    place = span[0]
    # Character by character, as an escape is longer than what it stands for.
    for style, group in groupby(styles):
        length = len(list(group))
        line.append(shown(text[place : place + length]), style=style or None)
        place += length
    return line


def _why(edit: zh.Edit) -> Text:
    before, after = shown(edit.before), shown(edit.after)
    line = Text("    ")
    what = before if edit.status == "kept" else f"{before} → {after}"
    line.append(what, style=_COLOURS[edit.status])
    line.append(f"  {edit.step}: {shown(edit.reason)}")
    if edit.status != "sure":
        line.append(f" ({edit.status})")
    if edit.candidates:
        line.append(f" [{' '.join(shown(form) or '∅' for form in edit.candidates)}]")
    return line


def counts_table(counts: dict[tuple[str, str, str], int]) -> Table:
    """Return the counts of edits by step, status and reason as a table."""
    table = Table("step", "status", box=None)
    table.add_column("reason", overflow="fold")
    table.add_column("parts", justify="right")
    for (step, status, reason), count in counts.items():
        table.add_row(step, status, Text(shown(reason)), f"{count:,}")
    return table
