"""A second pass over a kind with its text perturbed, and what the systems lose."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pytok.errors import EncodeError
from pytok.eval.numbers import Resampled, no_words
from pytok.eval.perturb.losses import (
    Loss,
    PerturbedReport,
    SystemLosses,
    losses_of,
    measured_metrics,
)
from pytok.eval.perturb.perturbation import Perturbation, changed_characters
from pytok.eval.rows import Row
from pytok.eval.run import Batch, KindRun
from pytok.eval.text_batch import TextBatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytok.eval.kinds import Kind
    from pytok.eval.run import Steps
    from pytok.eval.scan import Source
    from pytok.eval.systems import System

__all__ = ["PerturbedRun", "perturbed_report"]

_JACKKNIFED = "; of numbers that are no ratio of sums: jackknife over groups of these documents"
_NO_WORDS = (
    "metrics of words (their edges do not fit a text whose characters were taken out) and of "
    "sentences and clauses (the marks that end them were taken out)"
)


class PerturbedRun(KindRun):
    """A run that changes every text before it is cut.

    Words stay those of the clean text, gold or the baseline's, laid over the
    changed text by their lengths.

    Parameters
    ----------
    perturbation
        What is done to the texts.
    seed
        Seed of its random choices.

    """

    def __init__(
        self,
        kind: Kind,
        rows: list[Row],
        sources: Mapping[Path, Source],
        steps: Steps,
        *,
        perturbation: Perturbation,
        seed: int,
    ) -> None:
        super().__init__(kind, rows, dict(sources), steps)
        self._perturbation = perturbation
        self._seed = seed
        self.characters = 0
        self.changed = 0

    def one(self, batch: Batch, *, text: bool, words: bool) -> None:
        """Perturb a batch, then measure it."""
        words = words and self._perturbation.keeps_length
        if not (text or words):
            self._pass_over(sum(map(len, batch.texts)))
            return
        if not words:
            batch = replace(batch, words=None)
        elif batch.words is None:
            batch = replace(batch, words=self._clean_words(batch))
        texts = [self._perturbation.of(item, seed=self._seed) for item in batch.texts]
        if self._perturbation.keeps_length:
            _check_lengths(batch.texts, texts, self._perturbation.name)
        if text:
            self.characters += sum(map(len, batch.texts))
            self.changed += sum(map(changed_characters, batch.texts, texts))
        changed = None if batch.words is None else list(map(_again, texts, batch.words))
        super().one(replace(batch, texts=texts, words=changed), text=text, words=words)
        self._pass_over(sum(map(len, batch.texts)) - sum(map(len, texts)))

    def _pass_over(self, characters: int) -> None:
        """Report characters as done that no system has to cut."""
        for row in self.rows:
            self._steps.advance(f"{self._kind.name}: {row.system.name}", characters)

    def _clean_words(self, batch: Batch) -> list[list[str]] | None:
        if self._baseline.failure is not None:
            return None
        layout = TextBatch.of(batch.texts, batch.documents)
        pieces = self._baseline.cut(layout, timed=False)
        words: list[list[str]] = [[] for _ in batch.texts]
        joined = "".join(batch.texts)
        owners = layout.text_starts.searchsorted(pieces.first, side="right") - 1
        for owner, first, end in zip(
            owners.tolist(), pieces.first.tolist(), pieces.end.tolist(), strict=True
        ):
            words[owner].append(joined[first:end])
        return words


def _check_lengths(before: Sequence[str], after: Sequence[str], name: str) -> None:
    for old, new in zip(before, after, strict=True):
        if len(old) != len(new):
            raise EncodeError(
                f"perturb: {name}: {len(old)} characters became {len(new)}, expected as many"
            )


def _again(text: str, words: Sequence[str]) -> list[str]:
    """Cut a changed text where its words were cut."""
    again, at = [], 0
    for word in words:
        again.append(text[at : at + len(word)])
        at += len(word)
    return again


def perturbed_report(
    run: PerturbedRun,
    perturbation: Perturbation,
    clean: list[Row],
    *,
    reference: System | None,
    resamples: int,
    seed: int,
) -> PerturbedReport:
    """Measure the perturbed text and compare with the clean rows."""
    words = run.measure()
    pairs = list(zip(clean, run.rows, strict=True))
    sound = [pair for pair in pairs if all(row.failure is None for row in pair)]
    texts = [row.text for pair in sound for row in pair]
    text_draws = Resampled(texts, resamples=resamples, seed=seed)
    on_words = [row.word for pair in sound for row in pair]
    known = perturbation.keeps_length and bool(words.label)
    word_draws = Resampled(on_words if known else [], resamples=resamples, seed=seed)
    marks = next((pair for pair in sound if pair[0].system is reference), None)
    systems = []
    for before, after in pairs:
        metrics = [
            metric
            for metric in measured_metrics(perturbation)
            if not metric.on_words or (known and not no_words(metric, after, words))
        ]
        losses: dict[str, Loss] = {}
        for draws, chosen in ((text_draws, False), (word_draws, True)):
            if (before, after) in sound:
                losses |= losses_of(
                    before,
                    after,
                    [metric for metric in metrics if metric.on_words is chosen],
                    draws,
                    {} if marks is None else {before: marks[0], after: marks[1]},
                )
        systems.append(SystemLosses(before.system.name, losses, before.failure or after.failure))
    return PerturbedReport(
        perturbation=perturbation.name,
        definition=perturbation.definition,
        rate=perturbation.rate,
        seed=seed,
        characters=run.characters,
        changed=run.changed,
        unmeasured="" if perturbation.keeps_length else _NO_WORDS,
        interval=text_draws.note + ("" if text_draws.note.startswith("none") else _JACKKNIFED),
        systems=tuple(systems),
    )
