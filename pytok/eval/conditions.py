"""Conditions under which an evaluation has failed: ``classical.oov_char > 0.001``.

Grammar::

    condition = [ system ":" ] kind "." metric operator number
    operator  = "<" | "<=" | ">" | ">="

`kind` is a kind of text or a set of parallel texts; ``*`` is every kind that
has the metric. Without `system` the condition is about every tokenizer, or,
where there is none, about every system. `system` is a name as the report
prints it; its first word is enough.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from pytok.errors import ConfigError
from pytok.eval.definitions import METRICS, describe
from pytok.eval.report import KindReport, Number, ParallelReport, Report, SystemReport

__all__ = ["Condition"]

_FORM = re.compile(
    r"\s*(?:(?P<system>.+?)\s*:\s*)?(?P<kind>[^:<>=!]+)\.(?P<metric>[^.:\s<>=!]+)\s*"
    r"(?P<operator><=|>=|<|>)\s*(?P<number>[^\s<>=!]+)\s*"
)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAMED = "or integrity_LIST, integrity_edges_LIST, parity_SIDE_BASE"
_OPERATORS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_HINT = 'a condition is "[SYSTEM:]KIND.METRIC OPERATOR NUMBER", e.g. "classical.oov_char > 0.001"'


@dataclass(frozen=True)
class Condition:
    """One condition.

    Parameters
    ----------
    text
        The condition as it was written.
    system
        Name of a system, or "" for every tokenizer.
    kind
        Name of a kind or of a set of parallel texts, or ``"*"``.
    metric
        Name of a metric.
    operator
        ``"<"``, ``"<="``, ``">"`` or ``">="``.
    number
        What the value is compared with, in the metric's unit, finite.

    """

    text: str
    system: str
    kind: str
    metric: str
    operator: str
    number: float

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Read a condition.

        Raises
        ------
        ConfigError
            If the text does not have the form, the metric is unknown or the
            number is not one.

        Examples
        --------
        >>> condition = Condition.parse("zh-32k: news.boundary_f1 < 0.8")
        >>> condition.system, condition.kind, condition.metric, condition.number
        ('zh-32k', 'news', 'boundary_f1', 0.8)

        """
        found = _FORM.fullmatch(text)
        if found is None or (found["system"] is not None and not found["system"].strip()):
            raise ConfigError(f"cannot read the condition {text!r}", hint=_HINT)
        metric = found["metric"]
        try:
            describe(metric)
        except KeyError:
            near = get_close_matches(metric, METRICS, n=3) or sorted(METRICS)
            raise ConfigError(
                f"the condition {text!r} names an unknown metric: {metric!r}",
                hint=f"metrics are {', '.join(near)}; {_NAMED}",
            ) from None
        number = _number(found["number"], text)
        system = found["system"] or ""
        return cls(text.strip(), system, found["kind"].strip(), metric, found["operator"], number)

    def require_kind(self, names: Sequence[str]) -> None:
        """Refuse a condition about a kind that is not among `names`.

        Raises
        ------
        ConfigError
            With the names that there are.

        """
        if self.kind != "*" and self.kind not in names:
            raise ConfigError(
                f"the condition {self.text!r} names an unknown kind: {self.kind!r}",
                hint=f"kinds are {', '.join(names)}, or * for all",
            )

    def require_system(self, names: Collection[str]) -> None:
        """Refuse a condition about a system that is not among `names`.

        Raises
        ------
        ConfigError
            With the names that there are.

        """
        if self.system:
            self._named(names)

    def failures(self, report: Report) -> list[str]:
        """Say where the condition holds, or cannot be checked.

        Returns
        -------
        reasons
            One sentence per system and kind; empty if the condition holds
            nowhere. A number that is not there is a failure.

        Raises
        ------
        ConfigError
            If the report has no such kind or system.

        """
        reasons = []
        checked = False
        for name, system in self._rows(report):
            number = system.numbers.get(self.metric)
            if number is None and self.kind == "*" and system.failure is None:
                continue
            checked = True
            if reason := self._reason(system, number):
                reasons.append(f"{self.text}: {system.system} on {name} {reason}")
        if not checked:
            raise ConfigError(f"the condition {self.text!r}: no kind has {self.metric!r}")
        return reasons

    def _reason(self, system: SystemReport, number: Number | None) -> str:
        if system.failure is not None:
            return f"failed: {system.failure}"
        if number is None or number.value is None:
            why = "no such number" if number is None else number.interval.removeprefix("none: ")
            return f"cannot be checked: {why}"
        if not _OPERATORS[self.operator](number.value, self.number):
            return ""
        shown = f"has {number.value:.6g}"
        if number.low is None or number.high is None:
            return shown
        return f"{shown} (95 % interval {number.low:.6g} to {number.high:.6g})"

    def _rows(self, report: Report) -> Iterator[tuple[str, SystemReport]]:
        # A kind and a set of parallel texts may share a name.
        parts: list[tuple[str, KindReport | ParallelReport]] = [
            *((kind.kind, kind) for kind in report.kinds),
            *((parallel.name, parallel) for parallel in report.parallel),
        ]
        self.require_kind([name for name, _ in parts])
        names = {system.system for _, part in parts for system in part.systems}
        wanted = self._wanted(names, report)
        for name, part in parts:
            if self.kind in (name, "*"):
                yield from ((name, system) for system in part.systems if system.system in wanted)

    def _wanted(self, names: set[str], report: Report) -> set[str]:
        if not self.system:
            parts: tuple[KindReport | ParallelReport, ...] = (*report.kinds, *report.parallel)
            tokenizers = {
                system.system
                for part in parts
                for system in part.systems
                if system.vocab_size is not None
            }
            return tokenizers or names
        return self._named(names)

    def _named(self, names: Collection[str]) -> set[str]:
        """Systems that the condition names."""
        for wanted in (
            {name for name in names if name == self.system},
            {name for name in names if name.split()[:1] == [self.system]},
        ):
            if wanted:
                return wanted
        raise ConfigError(
            f"the condition {self.text!r} names an unknown system: {self.system!r}",
            hint=f"systems are {', '.join(sorted(names))}",
        )


def _number(written: str, text: str) -> float:
    # `float` also reads 1_0 and ٣, which are misprints here.
    number = float(written) if _NUMBER.fullmatch(written) else math.nan
    if not math.isfinite(number):
        raise ConfigError(
            f"the condition {text!r}: {written!r} is not a finite number",
            hint="shares go from 0 to 1: write 0.001 for 0.1 %",
        )
    return number
