"""What `pytok eval` says on stderr, and whether it has failed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pytok.eval import Report
from pytok.eval.conditions import Condition
from pytok.eval.folder import read_folder
from pytok.eval.report import KindReport, ParallelReport
from pytok.eval.run import BASELINE
from pytok.eval.show import printable

__all__ = ["has_failed", "read_conditions", "say_warnings"]


def read_conditions(given: Sequence[str], corpus: Path) -> list[Condition]:
    """Read conditions, before the long work starts.

    Raises
    ------
    ConfigError
        If a condition cannot be read, or names a kind that the corpus lacks.
    CorpusError
        If there is a condition and the corpus cannot be found.

    """
    conditions = list(map(Condition.parse, given))
    if conditions:
        folder = read_folder(corpus)
        names = [kind.name for kind in folder.kinds]
        names += [parallel.name for parallel in folder.parallel]
        for condition in conditions:
            condition.require_kind(names)
    return conditions


def say_warnings(report: Report) -> None:
    """Name what was left out, what does not fit and what failed."""
    for kind in report.kinds:
        if (
            not kind.characters
            and not kind.skipped
            and not any(system.failure for system in kind.systems)
        ):
            _say(f"warning: {kind.kind}: no text, nothing to measure")
        for reason in kind.skipped:
            _say(f"warning: left out: {reason}")
        for check in kind.gold_checks:
            for mismatch in check.mismatches:
                _say(f"warning: {mismatch.explained(check.path)}")
    for parallel in report.parallel:
        if parallel.problem:
            _say(f"warning: {parallel.name} not measured: {parallel.problem}")
        for reason in parallel.dropped:
            _say(f"warning: {parallel.name}: left out: {reason}")
    for name, where, failure in _failures(report):
        _say(f"warning: {name} failed on {where}: {failure}")


def _say(line: str) -> None:
    sys.stderr.write(printable(line) + "\n")


def _failures(report: Report) -> Iterator[tuple[str, str, str]]:
    """System, place and reason of every row that is lost."""
    parts: tuple[KindReport | ParallelReport, ...] = (*report.kinds, *report.parallel)
    for part in parts:
        where = part.kind if isinstance(part, KindReport) else f"{part.name} (parity)"
        failed = {row.system: row.failure for row in part.systems if row.failure is not None}
        yield from ((name, where, reason) for name, reason in failed.items())
        for perturbed in part.perturbed if isinstance(part, KindReport) else ():
            for losses in perturbed.systems:
                if losses.failure is not None and losses.system not in failed:
                    yield losses.system, f"{where}, {perturbed.perturbation}", losses.failure
        for speed in report.speed.get(part.kind, ()) if isinstance(part, KindReport) else ():
            if speed.failure is not None and speed.system not in failed:
                yield speed.system, f"{where}, speed", speed.failure


def has_failed(
    report: Report, conditions: Sequence[Condition], *, skip_bad: bool, asked: Sequence[str]
) -> bool:
    """Whether the exit code is 1; names every condition that holds.

    The baseline is measured unasked; it is no failure then, unless it is among
    the names that were `asked` for.
    """
    failed = {name for name, _, _ in _failures(report)}
    if BASELINE not in asked:
        failed = {name for name in failed if name.split()[:1] != [BASELINE]}
    reasons = [reason for condition in conditions for reason in condition.failures(report)]
    for reason in reasons:
        _say(f"failed: {reason}")
    return (
        bool(reasons)
        or bool(failed)
        or any(not kind.characters and not kind.skipped for kind in report.kinds)
        or (not skip_bad and any(kind.skipped for kind in report.kinds))
        or any(check.mismatches for kind in report.kinds for check in kind.gold_checks)
        or any(parallel.problem or parallel.dropped for parallel in report.parallel)
    )
