"""Evaluate systems on a folder: read, cut, count, resample.

Flow: files -> documents -> batches of bounded size -> for every system the
pieces -> per-document sums -> numbers. A system that fails loses its own row
only. The baseline, jieba, is always the first row, and its words are the
words of kinds without gold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pytok.eval.config import EvalConfig
from pytok.eval.corpora import documents
from pytok.eval.folder import read_folder
from pytok.eval.gold import match_gold
from pytok.eval.kind_report import Context, report_of
from pytok.eval.kinds import Kind
from pytok.eval.opening import told_apart, with_baseline
from pytok.eval.parity_run import measure_parallel
from pytok.eval.perturb.losses import PerturbedReport
from pytok.eval.perturb.run import PerturbedRun, perturbed_report
from pytok.eval.provenance import Provenance
from pytok.eval.report import Report
from pytok.eval.rows import Row
from pytok.eval.run import KindRun, Steps
from pytok.eval.scan import Progress, Scan, scan
from pytok.eval.spans import SpanFinder
from pytok.eval.speed import measure_speed
from pytok.eval.systems import System
from pytok.eval.term_lists import term_lists
from pytok.eval.verdicts import decided

__all__ = ["DEFAULT_TOKENIZER", "evaluate"]

DEFAULT_TOKENIZER = "zh-32k"


def evaluate(
    root: str | Path,
    systems: Sequence[str | System] = (DEFAULT_TOKENIZER,),
    *,
    config: EvalConfig | None = None,
    on_progress: Progress | None = None,
) -> Report:
    """Measure systems on every kind of text in a folder.

    Parameters
    ----------
    root
        A folder as `pytok.eval.folder.read_folder` reads it, or one file.
    systems
        Names for `open_system`, or systems. The baseline is added in front.
        The first tokenizer is the reference of ``nsl``.
    config
        Options.
    on_progress
        Called with a label, the characters done and the characters in all.

    Raises
    ------
    CorpusError
        If there is no file of text. Files that cannot be read are left out,
        and `KindReport.skipped` names them; a kind without text has no rows.
    ConfigError
        If a name is not a known system or tokenizer.

    """
    started = datetime.now(timezone.utc)
    config = config or EvalConfig()
    progress = on_progress or (lambda _label, _done, _total: None)
    opened = told_apart(systems)
    rows_of = with_baseline(opened)
    reference = next((system for system in opened if system.tokenizer is not None), None)
    folder = read_folder(Path(root))
    known = tuple(dict.fromkeys([*folder.known_spans, *config.known_spans]))
    lists = term_lists(folder.spans, config.spans, known)
    spans = SpanFinder({name: terms.terms for name, terms in lists.items()})
    found = scan(folder.kinds, progress)
    kinds = match_gold(found.kinds)
    work = sum(found.sources[path].characters for kind in kinds for path in kind.all_files)
    steps = Steps(progress, work * len(rows_of) * (1 + len(config.perturb)))
    context = Context(found, reference, config)
    reports = []
    for kind in kinds:
        rows = [Row(system) for system in rows_of]
        run = KindRun(kind, rows, found.sources, steps)
        run.spans = spans
        report = report_of(kind, run, run.measure(), context)
        reports.append(replace(report, perturbed=_losses(kind, rows, context, steps)))
    reports += found.lost
    speed = {
        kind.name: measure_speed(_texts(kind, found), rows_of, on_progress=steps.say)
        for kind in (kinds if config.speed else ())
    }
    return Report(
        root=str(root),
        version=_version(),
        seed=config.seed,
        resamples=config.resamples,
        reference=None if reference is None else reference.name,
        kinds=decided(sorted(reports, key=lambda report: report.kind)),
        spans={name: terms.sources for name, terms in lists.items()},
        parallel=measure_parallel(
            folder.parallel,
            opened,
            resamples=config.resamples,
            seed=config.seed,
            progress=progress,
        ),
        speed=speed,
        provenance=Provenance.of(started, config.command),
    )


def _losses(
    kind: Kind, clean: list[Row], context: Context, steps: Steps
) -> tuple[PerturbedReport, ...]:
    """Measure a kind again under every perturbation."""
    config = context.config
    reports = []
    for perturbation in config.perturb:
        rows = [Row(row.system) for row in clean]
        for row, before in zip(rows, clean, strict=True):
            row.failure = before.failure
        run = PerturbedRun(
            kind,
            rows,
            context.scan.sources,
            steps,
            perturbation=perturbation,
            seed=config.seed,
        )
        reports.append(
            perturbed_report(
                run,
                perturbation,
                clean,
                reference=context.reference,
                resamples=config.resamples,
                seed=config.seed,
            )
        )
    return tuple(reports)


def _texts(kind: Kind, found: Scan) -> Iterator[str]:
    """Documents of a kind; gold words without the spaces where there is no other text."""
    for path in kind.files or kind.gold:
        for text in documents(path, found.sources[path].file.rule):
            yield text if kind.files else text.replace(" ", "")


def _version() -> str:
    try:
        return version("pytok-tokenizers")
    except PackageNotFoundError:
        return "source"
