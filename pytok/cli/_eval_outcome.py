"""What `pytok eval` says on stderr, and whether it has failed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from pytok.eval import Report
from pytok.eval.conditions import Condition
from pytok.eval.folder import read_folder
from pytok.eval.run import BASELINE

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
    """Name what was left out and what does not fit."""
    for kind in report.kinds:
        for reason in kind.skipped:
            sys.stderr.write(f"warning: left out: {reason}\n")
        for check in kind.gold_checks:
            for mismatch in check.mismatches:
                sys.stderr.write(f"warning: {mismatch.explained(check.path)}\n")
    for parallel in report.parallel:
        if parallel.problem:
            sys.stderr.write(f"warning: {parallel.name} not measured: {parallel.problem}\n")


def has_failed(report: Report, conditions: Sequence[Condition], *, skip_bad: bool) -> bool:
    """Whether the exit code is 1; names every condition that holds."""
    # The baseline is always there; what was asked for must not fail unseen.
    systems = [system for kind in report.kinds for system in kind.systems]
    asked = [system for system in systems if system.system.split()[:1] != [BASELINE]]
    reasons = [reason for condition in conditions for reason in condition.failures(report)]
    for reason in reasons:
        sys.stderr.write(f"failed: {reason}\n")
    return (
        bool(reasons)
        or (bool(asked) and all(system.failure is not None for system in asked))
        or (not skip_bad and any(kind.skipped for kind in report.kinds))
        or any(check.mismatches for kind in report.kinds for check in kind.gold_checks)
        or any(parallel.problem for parallel in report.parallel)
    )
