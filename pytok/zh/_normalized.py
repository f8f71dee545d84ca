"""A normalised text, what was done to it, and the way back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, cast

from pytok._pytok import Alignment, Edits

__all__ = ["Edit", "Normalized", "Report", "StepReport"]

Span = tuple[int, int]
Status = Literal["sure", "ambiguous", "kept"]


@dataclass(frozen=True)
class Edit:
    """A part of a text of which a step said something.

    Parameters
    ----------
    step
        The name of the step.
    original
        The part of the original text behind it: start and end in characters.
    normalized
        The part of the normalised text that stands for it, in characters.
    before, after
        What the step found there and what it left there. After steps before it,
        `before` need not be what the original has.
    status
        ``"sure"``: changed, nothing else was possible. ``"ambiguous"``: the best
        of several candidates stands there. ``"kept"``: left as it was, although
        the step is about such parts.
    candidates
        All that could stand there, the best first; empty when nothing else could.
    reason
        The rule that changed it, or why it was left.

    """

    step: str
    original: Span
    normalized: Span
    before: str
    after: str
    status: Status
    candidates: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class StepReport:
    """What a step did: how many parts it changed, and why.

    Parameters
    ----------
    step
        The name of the step.
    sure, ambiguous, kept
        The number of edits of each status.
    reasons
        The number of edits by reason, the most frequent first.

    """

    step: str
    sure: int
    ambiguous: int
    kept: int
    reasons: dict[str, int]


@dataclass(frozen=True)
class Report:
    """What a pipeline did to a text, by step, in the order of the steps."""

    steps: tuple[StepReport, ...]

    @property
    def changed(self) -> int:
        """The number of parts that were changed."""
        return sum(step.sure + step.ambiguous for step in self.steps)


@dataclass(frozen=True)
class Normalized:
    """A normalised text and the way back to the original.

    Parameters
    ----------
    text
        The normalised text.
    alignment
        Maps spans in characters: ``alignment.to_original((start, end))`` and
        ``alignment.to_normalized((start, end))``.
    breaks
        Places of the text, in characters, at which a sentence ends; ascending.
        Nothing stands there.

    Examples
    --------
    >>> from pytok import zh
    >>> normalized = zh.normalize("Ａ股", steps=["width"])
    >>> normalized.text, normalized.denormalize()
    ('A股', 'Ａ股')

    """

    text: str
    alignment: Alignment
    breaks: tuple[int, ...]
    # The name of each step.
    _steps: tuple[str, ...] = field(repr=False)
    _edits: Edits = field(repr=False)
    # What the original has in the place of the blocks of the alignment, one behind
    # the other.
    _replaced: str = field(repr=False)

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        """What the steps said, by step and place; made when first asked for."""
        return tuple(
            Edit(
                self._steps[step],
                original,
                normalized,
                before,
                after,
                cast(Status, status),
                tuple(candidates),
                reason,
            )
            for (
                step,
                original,
                normalized,
                before,
                after,
                status,
                candidates,
                reason,
            ) in self._edits.tuples()
        )

    def denormalize(self) -> str:
        """Return the original text, from this one and what was replaced in it."""
        parts: list[str] = []
        done = used = 0
        for original_start, original_end, start, end in self.alignment.blocks():
            size = original_end - original_start
            parts += [self.text[done:start], self._replaced[used : used + size]]
            done, used = end, used + size
        return "".join([*parts, self.text[done:]])

    @cached_property
    def report(self) -> Report:
        """The edits, counted."""
        return Report(tuple(map(self._report_of, dict.fromkeys(self._steps))))

    def _report_of(self, step: str) -> StepReport:
        edits = [edit for edit in self.edits if edit.step == step]
        statuses = Counter(edit.status for edit in edits)
        reasons = Counter(edit.reason for edit in edits)
        ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        return StepReport(
            step, statuses["sure"], statuses["ambiguous"], statuses["kept"], dict(ordered)
        )
