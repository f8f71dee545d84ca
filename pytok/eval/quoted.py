"""The figures that the field quotes, beside what is measured here.

A table of out-of-vocabulary rates and fragmentation entropies of jieba, THULAC
and a hybrid of BERT and rules is often quoted. Its corpus is not public and
neither figure was published with a definition, so it cannot be measured again;
what can be said is under which definition a measured number lies below the
quoted one. `claims` says it, and only with an interval that excludes the
quoted figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pytok.eval.definitions import METRICS

if TYPE_CHECKING:
    from pytok.eval.json_text import JsonValue
    from pytok.eval.report import KindReport, Number, Report, SystemReport

__all__ = [
    "HYBRID",
    "QUOTED",
    "QUOTED_KINDS",
    "SOURCE",
    "Claim",
    "Quoted",
    "claims",
    "quoted_json",
    "summary",
]

SOURCE = "quoted, corpus not public, definitions not published"
QUOTED_KINDS = ("news", "code", "classical")
_OOV = ("oov_unk", "oov_char", "oov_word", "oov_lex", "oov_lex_han")
_ENTROPY = tuple(f"fragmentation_entropy_{unit}" for unit in ("sentence", "clause", "word"))


@dataclass(frozen=True)
class Quoted:
    """One quoted row: OOV as shares (0..1) by kind, and one mean entropy in bits."""

    system: str
    oov: dict[str, float]
    entropy: float


QUOTED = (
    Quoted("jieba", {"news": 0.082, "code": 0.247, "classical": 0.315}, 4.12),
    Quoted("THULAC", {"news": 0.069, "code": 0.193, "classical": 0.281}, 3.87),
    Quoted("BERT+rules hybrid", {"news": 0.031, "code": 0.074, "classical": 0.126}, 2.35),
)
HYBRID = QUOTED[-1]


@dataclass(frozen=True)
class Claim:
    """Whether a measured number lies below the quoted one.

    Parameters
    ----------
    system, kind, metric
        What was measured, and under which definition.
    value, low, high
        The number and its 95 % interval, or None.
    words
        Where the words come from; empty for metrics without words.
    quoted_system, quoted
        The quoted figure.
    verdict
        ``"below"`` (the interval lies below the quoted figure), ``"above"``,
        ``"undecided"`` (it holds the figure, or there is no interval), or
        ``"not measured"``.
    reason
        Why a number is not measured or not decided; else empty.

    """

    system: str
    kind: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    words: str
    quoted_system: str
    quoted: float
    verdict: str
    reason: str


def claims(report: Report, quoted: Quoted = HYBRID) -> tuple[Claim, ...]:
    """Compare every system with a quoted row, kind by kind and definition by definition.

    Parameters
    ----------
    report
        An evaluation with some of the kinds ``news``, ``code``, ``classical``;
        other kinds have no quoted figure.
    quoted
        The row to compare with, by default that of the hybrid.

    """
    return tuple(
        _claim(kind, system, metric, quoted)
        for kind in report.kinds
        if kind.kind in QUOTED_KINDS
        for system in kind.systems
        if system.failure is None
        for metric in _measurable(system)
    )


def _measurable(system: SystemReport) -> Iterator[str]:
    """Definitions that mean something: a segmenter has no ids, a tokenizer no dictionary."""
    segmenter = system.vocab_size is None
    for metric in (*_OOV, *_ENTROPY):
        if metric.startswith("oov_lex") and not segmenter:
            continue
        # A segmenter cuts between characters, so it loses none: 0 by construction.
        if metric in ("oov_unk", "oov_char") and segmenter:
            continue
        yield metric


def _claim(kind: KindReport, system: SystemReport, metric: str, quoted: Quoted) -> Claim:
    figure = quoted.oov[kind.kind] if metric in _OOV else quoted.entropy
    number = system.numbers[metric]
    verdict, reason = _verdict(number, figure)
    return Claim(
        system=system.system,
        kind=kind.kind,
        metric=metric,
        value=number.value,
        low=number.low,
        high=number.high,
        words=kind.words_from if METRICS[metric].on_words else "",
        quoted_system=quoted.system,
        quoted=figure,
        verdict=verdict,
        reason=reason,
    )


def _verdict(number: Number, figure: float) -> tuple[str, str]:
    if number.value is None:
        return "not measured", number.interval.removeprefix("none: ")
    if number.low is None or number.high is None:
        return "undecided", "no interval: " + number.interval.removeprefix("none: ")
    if number.high < figure:
        return "below", ""
    if number.low > figure:
        return "above", ""
    return "undecided", "the interval holds the quoted figure"


def summary(found: tuple[Claim, ...]) -> list[str]:
    """One sentence per system and definition: where it lies below the figure, and where not."""
    sentences = []
    for system, metric in dict.fromkeys((claim.system, claim.metric) for claim in found):
        rows = [claim for claim in found if (claim.system, claim.metric) == (system, metric)]
        parts = [
            f"{words} {', '.join(kinds)}"
            for verdict, words in (
                ("below", "below the quoted figure for"),
                ("above", "above it for"),
                ("undecided", "undecided for"),
                ("not measured", "not measured for"),
            )
            if (kinds := [claim.kind for claim in rows if claim.verdict == verdict])
        ]
        sentences.append(f"{system}, {metric}: {'; '.join(parts)}")
    return sentences


def quoted_json(report: Report) -> dict[str, JsonValue]:
    """Give the quoted rows and all claims against the hybrid, as plain data."""
    return {
        "source": SOURCE,
        "rows": [asdict(row) for row in QUOTED],
        "claims": [asdict(claim) for claim in claims(report)],
    }
