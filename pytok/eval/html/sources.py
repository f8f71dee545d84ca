"""What the numbers of a report were measured on, in one list."""

from __future__ import annotations

from collections.abc import Iterable

from pytok.eval.perturb.losses import PerturbedReport
from pytok.eval.quoted import Claim, claims
from pytok.eval.report import KindReport, ParallelReport, Report, SourceFile, SystemReport

__all__ = ["claims_by_system", "lost_metrics", "measured", "rows_by_name", "source_files"]


def _parts(report: Report) -> list[KindReport | ParallelReport]:
    return [*report.kinds, *report.parallel]


def rows_by_name(report: Report) -> dict[str, SystemReport]:
    """Give one row of every system, for what does not depend on the text."""
    return {system.system: system for part in _parts(report) for system in part.systems}


def source_files(report: Report) -> list[tuple[str, SourceFile]]:
    """Every file once, with the kind or the set of parallel texts it is part of."""
    found = {
        file.path: (kind.kind, file) for kind in report.kinds for file in (*kind.files, *kind.gold)
    }
    for parallel in report.parallel:
        for file in parallel.files:
            found.setdefault(file.path, (parallel.name, file))
    for name, files in report.spans.items():
        for file in files:
            found.setdefault(file.path, (f"terms: {name}", file))
    return list(found.values())


def claims_by_system(report: Report) -> dict[str, dict[str, dict[str, Claim]]]:
    """Sort what can be said beside the quoted figures by system, metric and kind."""
    found: dict[str, dict[str, dict[str, Claim]]] = {}
    for claim in claims(report):
        found.setdefault(claim.system, {}).setdefault(claim.metric, {})[claim.kind] = claim
    return found


def measured(systems: Iterable[SystemReport], metric: str) -> list[SystemReport]:
    """Systems that have a value of a metric; without one nothing can be said."""
    return [
        system
        for system in systems
        if metric in system.numbers and system.numbers[metric].value is not None
    ]


def lost_metrics(perturbed: PerturbedReport) -> list[str]:
    """Metrics of which at least one system has a loss, in their order."""
    return list(dict.fromkeys(name for system in perturbed.systems for name in system.losses))
