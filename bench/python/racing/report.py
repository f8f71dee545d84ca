"""The result as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .rows import Row

LIBRARIES = ("pytok", "fastokens", "gigatoken", "tiktoken", "tokenizers", "sentencepiece")


def number(value: float | None) -> str:
    """Give three digits that say something."""
    if value is None:
        return ""
    if value == float("inf"):
        return "no end"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def measured(row: Row) -> list[str]:
    """Give the cells of the libraries; what is none of them stands in the last."""
    cells = [number(row.measured.get(name)) for name in LIBRARIES]
    rest = {name: value for name, value in row.measured.items() if name not in LIBRARIES}
    others = ", ".join(f"{name} {number(value)}" for name, value in rest.items())
    return [*cells, others]


def cells(row: Row) -> list[str]:
    unit = "x" if row.rival else row.unit
    value = f"**{number(row.value)}** {unit}" if row.value is not None else ""
    asked = f"{number(row.least)} / {number(row.aim)}" if row.least is not None else ""
    where = ", ".join(filter(None, [row.vocabulary, row.text]))
    figures = measured(row)
    return [where, row.unit, *figures, row.rival or "", value, asked, row.verdict, row.note]


def table(rows: Sequence[Row]) -> str:
    head = ["vocabulary, text", "unit", *LIBRARIES, "other", "rival", "value", "least / aim"]
    head += ["verdict", "note"]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in rows:
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells(row)) + " |")
    return "\n".join(lines)


def summary(rows: Sequence[Row]) -> str:
    """Count the verdicts and list what was missed, the farthest first."""
    judged = [row for row in rows if row.least is not None]
    counts = Counter(row.verdict for row in judged)
    lines = [f"{len(judged)} rows have a target: "]
    lines[0] += ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()) + "."
    missed = sorted((row for row in judged if row.verdict == "missed"), key=closeness)
    if missed:
        lines += ["", "Missed, the farthest first:", ""]
    for row in missed:
        where = ", ".join(filter(None, [row.vocabulary, row.text]))
        than = f" x {row.rival}" if row.rival else f" {row.unit}"
        asked = f"at {'most' if is_limit(row) else 'least'} {number(row.least)}"
        lines.append(f"* {row.what}, {where}: {number(row.value)}{than}, {asked}")
    return "\n".join(lines)


def is_limit(row: Row) -> bool:
    """Whether the value itself must be small: ratios are always the better the larger."""
    return row.smaller_is_better and row.rival is None


def closeness(row: Row) -> float:
    """How much of what was asked was reached; 1 is all."""
    if row.value is None or row.least is None or row.value <= 0:
        return 0.0
    return row.least / row.value if is_limit(row) else row.value / row.least


def markdown(record: dict[str, Any], rows: Sequence[Row], plot: str) -> str:
    machine = record["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items())
    parts = [
        f"# The race, {machine['date']}",
        f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, commit "
        f"{machine['commit']}. Load average {machine['load_at_start']} at the start, "
        f"{machine['load_at_end']} at the end. {versions}.",
        f"`python bench/python/race.py {record['arguments']}`: medians of {record['rounds']} "
        "rounds, rivals in turns on text that none has seen, ids compared in every round. A "
        "ratio is that of medians, above 1 where pytok is better; `rival` is the best library "
        "with the same ids, or the one that the row names. Rows of one thread are CPU time, "
        "the others time on the clock.",
        summary(rows),
        f"![ratios]({plot})",
    ]
    for name in dict.fromkeys((row.family, row.what) for row in rows):
        chosen = [row for row in rows if (row.family, row.what) == name]
        parts += [f"## {name[1][0].upper()}{name[1][1:]} (`{name[0]}`)", table(chosen)]
    parts += ["## Texts", texts(record["texts"])]
    for family, why in record["failed"].items():
        parts.append(f"Not measured: {family}: {why}")
    return "\n\n".join(parts) + "\n"


def texts(kinds: dict[str, list[list[Any]]]) -> str:
    lines = []
    for kind, sources in kinds.items():
        named = ", ".join(f"{name} {size:,}" if size else name for name, size in sources)
        lines.append(f"* {kind}: {named}")
    return "\n".join(lines) + "\n\nBytes after lines that were seen before were left out."
