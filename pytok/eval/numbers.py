"""From the counts of the rows to numbers with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytok.eval.bootstrap import DocumentSums, interval, resampled_sums
from pytok.eval.consistency import entropy_of_patterns
from pytok.eval.definitions import METRICS, Metric
from pytok.eval.distribution import renyi_efficiency, utilisation
from pytok.eval.group_intervals import FEW, JACKKNIFED, jackknife_note, jackknifed
from pytok.eval.ratio import ratio
from pytok.eval.report import Number
from pytok.eval.rows import Row
from pytok.eval.systems import TokenizerSystem
from pytok.eval.tally import known_without_offsets
from pytok.eval.text_batch import FloatArray

__all__ = [
    "DICTIONARY",
    "FEW",
    "NO_OFFSETS",
    "Draws",
    "Resampled",
    "WordSource",
    "no_words",
    "numbers_of",
    "single_values",
]

# In the corpus of a number, before the word list that it was asked of.
DICTIONARY = "; dictionary: "
_GOLD_ONLY = ("boundary_", "oov_lex")
_COUNT = "none: a count of this corpus, not an estimate"
NO_OFFSETS = "none: the tokenizer gives no offsets, which this metric needs"
_COUNTS = ("characters", "tokens")
_OF_INFORMATION = ("renyi_efficiency", "bits_per_bit")
_OF_IDS = (*_OF_INFORMATION, "ids_used", "rare_ids", "unreachable_ids", "straddling_tokens")
_NO_SUM = "none: not a ratio of sums over documents"


@dataclass(frozen=True)
class WordSource:
    """Where words come from.

    Parameters
    ----------
    label
        Gold files or the name of a segmenter; empty when there are no words.
    gold
        Whether they are gold words.
    row
        The row whose pieces the words are, or None.

    """

    label: str
    gold: bool
    row: Row | None


class Resampled:
    """Sums of several rows over the same resampled documents.

    Parameters
    ----------
    sums
        Per-document sums; all of the same documents.
    resamples, seed
        Of the bootstrap.

    """

    def __init__(self, sums: Sequence[DocumentSums], *, resamples: int, seed: int) -> None:
        self.note = "none: fewer than two documents"
        self._drawn: dict[tuple[int, str], FloatArray] = {}
        if not sums or len(sums[0].rows) < 2:
            return
        drawn = resampled_sums(
            np.concatenate([part.rows for part in sums], axis=1), resamples=resamples, seed=seed
        )
        columns = [(id(part), name) for part in sums for name in part.columns]
        self._drawn = {key: drawn[:, at] for at, key in enumerate(columns)}
        group = sums[0].documents_per_row
        self.note = (
            f"95 %, percentile bootstrap over {len(sums[0].rows)} "
            + ("documents" if group == 1 else f"groups of {group} documents")
            + f", {resamples} resamples, seed {seed}"
        )
        if len(sums[0].rows) < FEW:
            self.note += f"; fewer than {FEW} documents, so it is too narrow"

    def interval(
        self, numerator: tuple[DocumentSums, str], denominator: tuple[DocumentSums, str]
    ) -> tuple[float, float] | None:
        """Interval of a ratio of two columns, or None."""
        if not self._drawn:
            return None
        above, below = (self._drawn[id(sums), name] for sums, name in (numerator, denominator))
        return interval(above, below)

    def ratios(
        self, numerator: tuple[DocumentSums, str], denominator: tuple[DocumentSums, str]
    ) -> FloatArray | None:
        """Ratio of two columns in every resample, not a number where undefined, or None."""
        if not self._drawn:
            return None
        above, below = (self._drawn[id(sums), name] for sums, name in (numerator, denominator))
        return np.divide(above, below, out=np.full_like(above, np.nan), where=below != 0)


@dataclass(frozen=True)
class Draws:
    """Resampled sums of the text, of the words and of the speed of a row."""

    text: Resampled
    word: Resampled
    speed: Resampled


def numbers_of(
    row: Row,
    *,
    kind: str,
    words: WordSource,
    reference: Row | None,
    draws: Draws,
) -> tuple[Number, ...]:
    """All numbers of a row."""
    measured: list[Number] = []
    single = single_values(row)
    around = jackknifed(row, single)

    def add(metric: Metric, value: float, found: tuple[float, float] | None, note: str) -> None:
        sums = row.word if metric.on_words else row.text
        column = "word_text_characters" if metric.on_words else "characters"
        nothing = bool(np.isnan(value))
        measured.append(
            Number(
                metric=metric.name,
                value=None if nothing else value,
                low=None if found is None or nothing else found[0],
                high=None if found is None or nothing else found[1],
                interval=note,
                corpus=_corpus(metric, row, kind=kind, words=words),
                documents=sums.documents,
                characters=round(sums.total()[column]),
                tokenizer=row.system.name,
                sha256=row.system.sha256,
            )
        )

    for metric in METRICS.values():
        if metric.on_words and (reason := no_words(metric, row, words)):
            add(metric, float("nan"), None, reason)
        elif metric.name in single:
            note = _COUNT if metric.name in _COUNTS else _NO_SUM
            found = around.get(metric.name)
            if np.isnan(single[metric.name]):
                note = _why_nothing(metric, row)
            elif metric.name in JACKKNIFED:
                note = jackknife_note(row, metric.on_words)
            add(metric, single[metric.name], found, note)
        else:
            drawn, above, below = _columns(metric, row, reference, draws)
            if below is None:
                add(metric, float("nan"), None, "none: no reference tokenizer")
                continue
            value = ratio(above[0].total()[above[1]], below[0].total()[below[1]])
            found = None if np.isnan(value) else drawn.interval(above, below)
            note = _why_nothing(metric, row) if np.isnan(value) else drawn.note
            add(metric, value, found, note)
    return tuple(measured)


def _corpus(metric: Metric, row: Row, *, kind: str, words: WordSource) -> str:
    """Name what a number was measured on, and with which dictionary."""
    if not metric.on_words:
        return kind
    asked = getattr(row.system, "dictionary", "") if metric.name.startswith("oov_lex") else ""
    return f"{kind}, words: {words.label}" + (f"{DICTIONARY}{asked}" if asked else "")


def no_words(metric: Metric, row: Row, words: WordSource) -> str:
    """Why a metric of words cannot be measured; empty where it can."""
    if not words.label:
        return "none: no words (the word segmenter failed)"
    if words.row is row:
        return "none: the words are this system's own"
    if not words.gold and metric.name.startswith(_GOLD_ONLY):
        return "none: no gold words"
    if metric.name.startswith("oov_lex") and row.system.knows is None:
        return "none: the system has no dictionary"
    return ""


def _columns(
    metric: Metric, row: Row, reference: Row | None, draws: Draws
) -> tuple[Resampled, tuple[DocumentSums, str], tuple[DocumentSums, str] | None]:
    """Find the draws, numerator and denominator of a metric."""
    if metric.name == "megabytes_per_second":
        return draws.speed, (row.speed, metric.numerator), (row.speed, metric.denominator)
    if metric.on_words:
        return draws.word, (row.word, metric.numerator), (row.word, metric.denominator)
    above = (row.text, metric.numerator)
    if metric.name == "nsl":
        return draws.text, above, None if reference is None else (reference.text, "tokens")
    return draws.text, above, (row.text, metric.denominator)


def _why_nothing(metric: Metric, row: Row) -> str:
    """Why a metric has no value on a text that there is."""
    tokenizer = row.system.tokenizer
    if metric.name in _OF_IDS:
        if tokenizer is None:
            return "none: a word segmenter has no ids"
        if metric.name in _OF_INFORMATION and tokenizer.vocab_size < 2:
            return "none: a vocabulary of one id, whose tokens carry no information"
    if not row.has_offsets and not known_without_offsets(metric.numerator, metric.denominator):
        return NO_OFFSETS
    return "none: nothing to measure"


def single_values(row: Row) -> dict[str, float]:
    """Values that are not ratios of per-document sums."""
    total = row.text.total()
    seen = row.type_counts > 0
    shares = row.type_missing[seen] / row.type_counts[seen]
    values = {
        "characters": total["characters"],
        "tokens": total["tokens"],
        "oov_word_type": ratio(float(shares.sum()), len(shares)),
        "consistency_entropy": entropy_of_patterns(row.patterns).entropy,
        "renyi_efficiency": float("nan"),
        "ids_used": float("nan"),
        "rare_ids": float("nan"),
        "unreachable_ids": float("nan"),
        "straddling_tokens": float("nan"),
    }
    if isinstance(row.system, TokenizerSystem):
        size = row.system.tokenizer.vocab_size
        used = utilisation(row.id_counts.astype(np.int64), size)
        values["renyi_efficiency"] = renyi_efficiency(row.id_counts.astype(np.int64), size)
        values["ids_used"] = float(used.used)
        values["rare_ids"] = float(used.rare)
        values["unreachable_ids"] = float(row.system.unreachable)
        values["straddling_tokens"] = float(row.system.straddling)
    return values
