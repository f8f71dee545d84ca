"""The report as tables: one per kind, one row per system.

Where the terminal is too narrow for all columns, they go into several tables
below each other, each with the name of the system in front. Below a value
stands its 95 % interval. Definitions are printed once, at the end.
"""

from __future__ import annotations

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pytok.eval.definitions import METRICS, Metric, describe
from pytok.eval.numbers import DICTIONARY, FEW, NO_OFFSETS
from pytok.eval.perturb.table import print_losses
from pytok.eval.printable import made_printable
from pytok.eval.ranking import SIGNS, rankings
from pytok.eval.report import KindReport, Number, ParallelReport, Report, SystemReport
from pytok.eval.show import figure, visible
from pytok.eval.spans import PATTERNS
from pytok.eval.speed_table import speed_lines

__all__ = ["print_report"]

_SHOWN = [metric for metric in METRICS.values() if metric.label]
_WORST = 12
_LONGEST_NAME = 24


def print_report(report: Report, console: Console) -> None:
    """Print every kind, then the definitions.

    Parameters
    ----------
    report
        The report.
    console
        Where to; its width decides how many columns stand side by side.

    """
    report = made_printable(report)
    for kind in report.kinds:
        _print_kind(kind, console)
    for parallel in report.parallel:
        _print_parallel(parallel, console)
    for part in speed_lines(report.speed):
        console.print(part)
    _print_definitions(report, console)


def _print_kind(kind: KindReport, console: Console) -> None:
    console.print(Text(kind.kind, style="bold"))
    _say(console, f"text: {_size(kind.documents, kind.characters)}, {kind.bytes:,} bytes")
    if kind.words_are_gold:
        size = _size(kind.word_documents, kind.word_characters)
        _say(console, f"* gold words of {kind.words_from}: {kind.words:,} words, {size}")
    elif kind.words_from:
        _say(console, f"* no gold words: {kind.words:,} words cut by {kind.words_from}")
    for check in kind.gold_checks:
        _say(console, check.summary)
    for skipped in kind.skipped:
        _say(console, f"left out: {skipped}")
    if kind.documents == 1:
        _say(console, "one document: no intervals, and no system can be shown to be better")
    elif 1 < kind.documents < FEW:
        _say(console, f"fewer than {FEW} documents: the intervals are too narrow")
    elif not kind.characters:
        _say(console, "no text: nothing to measure")
    sound = [system for system in kind.systems if system.failure is None]
    for columns in _fitting(sound, console.width):
        console.print(_table(sound, columns))
    for line in rankings(kind):
        _say(console, line)
    for system in kind.systems:
        _print_notes(system, console)
    print_losses(kind.perturbed, console)
    console.print()


def _print_parallel(parallel: ParallelReport, console: Console) -> None:
    """Print the parity of one set: a row per pair of sides, a column per system."""
    console.print(Text(f"{parallel.name} (parity)", style="bold"))
    if parallel.problem:
        _say(console, Text(f"not measured: {parallel.problem}", style="red"))
        console.print()
        return
    _say(console, f"{parallel.lines:,} parallel lines: {', '.join(parallel.sides)}")
    for reason in parallel.dropped:
        _say(console, f"left out: {reason}")
    sound = [system for system in parallel.systems if system.failure is None]
    if sound:
        console.print(_pair_table(sound))
    for system in parallel.systems:
        _print_notes(system, console)
    console.print()


def _pair_table(systems: list[SystemReport]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("tokens of")
    for system in systems:
        table.add_column(system.system, justify="right", overflow="fold")
    for metric, number in systems[0].numbers.items():
        table.add_row(
            number.corpus.partition(": ")[2],
            *(" ".join(_cell(system.numbers[metric])) for system in systems),
        )
    return table


def _say(console: Console, line: str | Text) -> None:
    """Print a line below a heading; it stays indented where it is wrapped."""
    console.print(
        Padding(Text(line) if isinstance(line, str) else line, (0, 0, 0, 2), expand=False)
    )


def _size(documents: int, characters: int) -> str:
    noun = "document" if documents == 1 else "documents"
    return f"{characters:,} characters in {documents:,} {noun}"


def _fitting(systems: list[SystemReport], width: int) -> list[list[Metric]]:
    """Divide the shown metrics into tables that fit; nobody's metrics are left out."""
    name = _name_width(systems)
    tables: list[list[Metric]] = []
    room = 0
    named = (
        [describe(name) for name in systems[0].numbers if name not in METRICS] if systems else []
    )
    for metric in (*_SHOWN, *named):
        numbers = [system.numbers[metric.name] for system in systems]
        if all(number.value is None for number in numbers):
            continue
        lines = [_heading(metric), *(line for number in numbers for line in _cell(number))]
        needed = max(map(len, lines)) + 2
        if not tables or needed > room:
            tables.append([])
            room = width - name - 2
        tables[-1].append(metric)
        room -= needed
    return tables


def _name_width(systems: list[SystemReport]) -> int:
    longest = max((cell_len(system.system) for system in systems), default=0)
    return min(max(longest, len("system")), _LONGEST_NAME)


def _heading(metric: Metric) -> str:
    return metric.label + ("*" if metric.on_words else "")


def _table(systems: list[SystemReport], columns: list[Metric]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("system", overflow="fold", width=_name_width(systems))
    for metric in columns:
        table.add_column(_heading(metric), justify="right", no_wrap=True)
    for system in systems:
        cells = []
        for metric in columns:
            value, *rest = _cell(system.numbers[metric.name])
            cells.append(Text.assemble(value, *(("\n" + line, "dim") for line in rest)))
        table.add_row(system.system, *cells)
    return table


def _cell(number: Number) -> list[str]:
    """Value, and the interval if there is one, as lines."""
    if number.value is None:
        return ["-"]
    if number.low is None or number.high is None:
        return [figure(number.value)]
    return [figure(number.value), f"{figure(number.low)}–{figure(number.high)}"]


def _print_notes(system: SystemReport, console: Console) -> None:
    if system.failure is not None:
        _say(console, Text(f"{system.system} failed: {system.failure}", style="red"))
        return
    oov = system.numbers.get("oov_char")
    if oov is not None and oov.interval == NO_OFFSETS:
        _say(console, f"{system.system} gives no offsets: only metrics of ids are measured")
    asked = system.numbers.get("oov_lex")
    if asked is not None and asked.value is not None and DICTIONARY in asked.corpus:
        _say(console, f"{system.system}, oov_lex asks: {asked.corpus.partition(DICTIONARY)[2]}")
    if system.worst_characters:
        worst = ", ".join(
            f"{visible(character)} {count:,}"
            for character, count in system.worst_characters[:_WORST]
        )
        _say(console, f"{system.system}, characters without a token: {worst}")


def _named_prefixes(report: Report) -> list[str]:
    """Prefixes of the metrics that files or patterns give a name."""
    parts: list[KindReport | ParallelReport] = [*report.kinds, *report.parallel]
    names = {name for part in parts for system in part.systems for name in system.numbers}
    prefixes = ("integrity_", "integrity_edges_", "parity_")
    return [prefix for prefix in prefixes if any(name.startswith(prefix) for name in names)]


def _print_patterns(report: Report, console: Console) -> None:
    """Say where spans come from, if there were any."""
    if "integrity_" not in _named_prefixes(report):
        return
    patterns = {name: text for name, text in PATTERNS.items() if name not in report.spans}
    _say(console, "; ".join(f"{name}: {text}" for name, text in patterns.items()))
    for name, files in report.spans.items():
        terms = sum(file.documents for file in files)
        _say(console, f"{name}: {terms:,} terms of {', '.join(file.path for file in files)}")


def _print_definitions(report: Report, console: Console) -> None:
    console.print(Text("definitions", style="bold"))
    shown = _SHOWN if report.kinds else []
    shown = [*shown, *map(describe, _named_prefixes(report))]
    for metric in shown:
        better = f"; {metric.better} is better" if metric.better else ""
        line = Text(_heading(metric), style="bold")
        line.append(f": {metric.definition} ({metric.unit}{better})", style="not bold")
        _say(console, line)
    _print_patterns(report, console)
    if report.kinds:
        _say(console, "*: measured on the words named above each table")
    parts: list[KindReport | ParallelReport] = [*report.kinds, *report.parallel]
    notes = {
        number.interval
        for part in parts
        for system in part.systems
        for number in system.numbers.values()
        if number.low is not None
    }
    if notes:
        _say(
            console,
            f"a–b: 95 % interval, percentile bootstrap over documents (MB/s: over batches, "
            f"parity: over blocks of 20 lines; jackknife where a number is no ratio of sums), "
            f"{report.resamples:,} resamples, seed {report.seed}",
        )
    if any(map(rankings, report.kinds)):
        _say(console, SIGNS)
    systems = {s.system: s.sha256 for part in parts for s in part.systems}
    for name, digest in systems.items():
        _say(console, f"{name}: sha256 {digest or 'none'}")
    _say(console, f"pytok {report.version}; --json has every number with its source")
