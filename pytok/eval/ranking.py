"""Systems in order of a metric, with a sign between neighbours that differ surely."""

from __future__ import annotations

from itertools import pairwise

from pytok.eval.definitions import METRICS
from pytok.eval.report import KindReport

__all__ = ["RANKED", "SIGNS", "rankings"]

RANKED = (
    "chars_per_token",
    "oov_char",
    "oov_word",
    "fragmentation_entropy_word",
    "fertility",
    "boundary_f1",
)
SIGNS = (
    "a > b: a is better than b, its neighbour (paired approximate randomisation over documents, "
    "p < 0.05 after Holm's correction over kinds); a ≈ b: the difference may be chance; "
    "a = b: no difference. --json has every pair and metric"
)


def rankings(kind: KindReport) -> list[str]:
    """One line per metric of `RANKED` that was tested, the best system first.

    A line of a kind looks like ``"chars/token: zh-64k > zh-32k ≈ other"``.
    """
    found = {
        (comparison.metric, pair): comparison
        for comparison in kind.comparisons
        if comparison.p is not None
        for pair in ((comparison.a, comparison.b), (comparison.b, comparison.a))
    }
    lines = []
    for name in RANKED:
        metric = METRICS[name]
        values = {
            system: value
            for comparison in kind.comparisons
            if comparison.metric == name and comparison.p is not None
            for system, value in (
                (comparison.a, comparison.a_value),
                (comparison.b, comparison.b_value),
            )
        }
        ordered = sorted(values, key=values.__getitem__, reverse=metric.better == "high")
        if len(ordered) < 2:
            continue
        line = ordered[0]
        for left, right in pairwise(ordered):
            sure = found[name, (left, right)].better == left
            alike = values[left] == values[right]
            line += f" {'>' if sure else '=' if alike else '≈'} {right}"
        lines.append(f"{metric.label}: {line}")
    return lines
