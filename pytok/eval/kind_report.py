"""From the counted rows of a kind to its report: numbers, examples, comparisons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from pytok.eval.config import EvalConfig
from pytok.eval.gold_check import check_gold
from pytok.eval.integrity_numbers import integrity_numbers
from pytok.eval.kinds import Kind
from pytok.eval.numbers import Draws, Resampled, WordSource, numbers_of
from pytok.eval.piece_lengths import by_script
from pytok.eval.rank_frequency import rank_frequency
from pytok.eval.report import KindReport, Number, SystemReport
from pytok.eval.rows import Row
from pytok.eval.run import KindRun
from pytok.eval.scan import Scan
from pytok.eval.systems import System
from pytok.eval.verdicts import with_comparisons

__all__ = ["Context", "report_of"]

_WORST = 20


@dataclass(frozen=True)
class Context:
    """What all kinds of one evaluation share.

    Parameters
    ----------
    scan
        The files that were read through.
    reference
        Tokenizer that ``nsl`` divides by, or None.
    config
        Options.

    """

    scan: Scan
    reference: System | None
    config: EvalConfig


def report_of(kind: Kind, run: KindRun, words: WordSource, context: Context) -> KindReport:
    """Report a kind whose rows are filled.

    Parameters
    ----------
    kind
        The kind.
    run
        The passes that filled the rows.
    words
        Where the words came from.
    context
        What all kinds share.

    """
    rows, config = run.rows, context.config
    text_draws, word_draws = _draws(rows, words, config)
    report = _numbers(kind, rows, words, context, text_draws=text_draws, word_draws=word_draws)
    return with_comparisons(
        _with_examples(report, rows, run),
        rows,
        rounds=config.resamples,
        seed=config.seed,
        text_draws=text_draws,
        word_draws=word_draws,
    )


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
    context: Context,
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


def _numbers(
    kind: Kind,
    rows: list[Row],
    words: WordSource,
    context: Context,
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
