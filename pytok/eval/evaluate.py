"""Evaluate systems on a folder: read, cut, count, resample.

Flow: files -> documents -> batches of bounded size -> for every system the
pieces -> per-document sums -> numbers. A system that fails loses its own row
only. The baseline, jieba, is always the first row, and its words are the
words of kinds without gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pytok.errors import ConfigError
from pytok.eval.bootstrap import FEWEST, RESAMPLES, SEED
from pytok.eval.corpora import Kind, documents
from pytok.eval.folder import read_folder
from pytok.eval.gold import match_gold
from pytok.eval.gold_check import check_gold
from pytok.eval.integrity_numbers import integrity_numbers
from pytok.eval.numbers import Draws, Resampled, WordSource, numbers_of
from pytok.eval.opening import told_apart, with_baseline
from pytok.eval.parity_run import measure_parallel
from pytok.eval.perturb import Perturbation
from pytok.eval.perturb.losses import PerturbedReport
from pytok.eval.perturb.run import PerturbedRun, perturbed_report
from pytok.eval.piece_lengths import by_script
from pytok.eval.provenance import Provenance
from pytok.eval.rank_frequency import rank_frequency
from pytok.eval.report import KindReport, Number, Report, SystemReport
from pytok.eval.rows import Row
from pytok.eval.run import KindRun, Steps
from pytok.eval.scan import Progress, Scan, scan
from pytok.eval.spans import SpanFinder
from pytok.eval.speed import measure_speed
from pytok.eval.systems import System
from pytok.eval.term_lists import term_lists
from pytok.eval.verdicts import decided, with_comparisons

__all__ = ["DEFAULT_TOKENIZER", "EvalConfig", "evaluate"]

DEFAULT_TOKENIZER = "zh-32k"
_WORST = 20


@dataclass(frozen=True)
class EvalConfig:
    """Options of an evaluation.

    Parameters
    ----------
    resamples
        Bootstrap resamples and rounds of the paired tests, 100 or more,
        default 10,000.
    seed
        Seed of the bootstrap and of the tests.
    perturb
        Perturbations under which every kind is measured again, with `seed`.
    command
        Command line to note in the report.
    spans
        Files with terms whose integrity is measured, by the name of their
        list, beside those of the folder.
    known_spans
        Lists of terms known by name: ``"idioms"``, ``"legal"``, ``"finance"``.
    speed
        Measure speed by size of the text, which takes a while.

    """

    resamples: int = RESAMPLES
    seed: int = SEED
    perturb: tuple[Perturbation, ...] = ()
    command: tuple[str, ...] = ()
    spans: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    speed: bool = False
    known_spans: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.resamples < FEWEST:
            raise ConfigError(
                f"resamples: {self.resamples}, expected {FEWEST} or more",
                hint="a 95 % interval cannot be read off fewer; 10,000 is the default",
            )


@dataclass(frozen=True)
class _Context:
    """What all kinds of one evaluation share."""

    scan: Scan
    reference: System | None
    config: EvalConfig


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
    lists = term_lists(folder.spans, config.spans, config.known_spans)
    spans = SpanFinder({name: terms.terms for name, terms in lists.items()})
    found = scan(folder.kinds, progress)
    kinds = match_gold(found.kinds)
    work = sum(found.sources[path].characters for kind in kinds for path in kind.all_files)
    steps = Steps(progress, work * len(rows_of) * (1 + len(config.perturb)))
    context = _Context(found, reference, config)
    reports = []
    for kind in kinds:
        rows = [Row(system) for system in rows_of]
        run = KindRun(kind, rows, found.sources, steps)
        run.spans = spans
        words = run.measure()
        text_draws, word_draws = _draws(rows, words, config)
        report = _kind_report(
            kind, rows, words, context, text_draws=text_draws, word_draws=word_draws
        )
        report = with_comparisons(
            _with_examples(report, rows, run),
            rows,
            rounds=config.resamples,
            seed=config.seed,
            text_draws=text_draws,
            word_draws=word_draws,
        )
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
    kind: Kind, clean: list[Row], context: _Context, steps: Steps
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


def _with_examples(report: KindReport, rows: list[Row], run: KindRun) -> KindReport:
    """Add what the numbers look like in the text."""
    systems = tuple(
        system
        if row.failure is not None
        else replace(
            system,
            character_contexts=row.worst_characters(_WORST),
            worst_words=row.worst_words(run.known.types, _WORST),
            rank_frequency=rank_frequency(row.id_counts),
            piece_lengths=by_script(row.lengths),
        )
        for system, row in zip(report.systems, rows, strict=True)
    )
    sound = {row.system.name for row in rows if row.failure is None}
    found = (pair for pair in run.differences.found() if {pair.first, pair.second} <= sound)
    return replace(report, systems=systems, differences=tuple(found))


def _draws(rows: list[Row], words: WordSource, config: EvalConfig) -> tuple[Resampled, Resampled]:
    """Resampled sums of all rows, of the text and of the words."""
    sound = [row for row in rows if row.failure is None]
    draws = {"resamples": config.resamples, "seed": config.seed}
    text = Resampled([row.text for row in sound], **draws)
    return text, Resampled([row.word for row in sound] if words.label else [], **draws)


def _measuring(
    kind: Kind,
    rows: list[Row],
    words: WordSource,
    context: _Context,
    *,
    text_draws: Resampled,
    word_draws: Resampled,
) -> Callable[[Row], tuple[Number, ...]]:
    """Make the function that gives the numbers of a row."""
    config = context.config
    draws = {"resamples": config.resamples, "seed": config.seed}
    sound = [row for row in rows if row.failure is None]
    span_draws = Resampled([row.spans for row in sound if row.spans is not None], **draws)
    reference = next((row for row in sound if row.system is context.reference), None)

    def measure(row: Row) -> tuple[Number, ...]:
        speed = Resampled([row.speed], **draws)
        speed.note = speed.note.replace("documents", "batches")
        found = numbers_of(
            row,
            kind=kind.name,
            words=words,
            reference=reference,
            draws=Draws(text_draws, word_draws, speed),
        )
        return found + integrity_numbers(row, kind=kind.name, drawn=span_draws)

    return measure


def _numbers_or_failure(
    row: Row, measure: Callable[[Row], tuple[Number, ...]]
) -> dict[str, Number]:
    """Numbers of a row by metric; a system that raises loses its own row only."""
    if row.failure is not None:
        return {}
    try:
        return {number.metric: number for number in measure(row)}
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        # Ids that cannot be reached are looked for only here.
        row.failure = f"{type(error).__name__}: {error}"
        return {}


def _kind_report(
    kind: Kind,
    rows: list[Row],
    words: WordSource,
    context: _Context,
    *,
    text_draws: Resampled,
    word_draws: Resampled,
) -> KindReport:
    sources = context.scan.sources
    measure = _measuring(kind, rows, words, context, text_draws=text_draws, word_draws=word_draws)
    systems = []
    for row in rows:
        tokenizer = row.system.tokenizer
        numbers = _numbers_or_failure(row, measure)
        systems.append(
            SystemReport(
                system=row.system.name,
                sha256=row.system.sha256,
                vocab_size=None if tokenizer is None else tokenizer.vocab_size,
                numbers=numbers,
                worst_characters=tuple(
                    sorted(row.worst.items(), key=lambda item: (-item[1], item[0]))[:_WORST]
                ),
                failure=row.failure,
            )
        )
    sound = [row for row in rows if row.failure is None]
    sizes = sound[0].text.total() if sound else {}
    word_sizes = sound[0].word.total() if sound else {}
    return KindReport(
        kind=kind.name,
        files=tuple(sources[path].file for path in kind.files),
        gold=tuple(sources[path].file for path in kind.gold),
        documents=sound[0].text.documents if sound else 0,
        characters=round(sizes.get("characters", 0)),
        bytes=round(sizes.get("bytes", 0)),
        words_from=words.label,
        words_are_gold=words.gold,
        words=round(word_sizes.get("words", 0)),
        word_documents=sound[0].word.documents if sound else 0,
        word_characters=round(word_sizes.get("word_text_characters", 0)),
        systems=tuple(systems),
        skipped=tuple(context.scan.skipped.get(kind.name, ())),
        gold_checks=check_gold(kind),
    )
