"""Tokenizers in the formats of other libraries, checked with those libraries."""

from pytok.exporting.plan import Plan
from pytok.exporting.run import ExportReport, carry_out, export, plan_export
from pytok.exporting.verify import Check, Difference

__all__ = [
    "Check",
    "Difference",
    "ExportReport",
    "Plan",
    "carry_out",
    "export",
    "plan_export",
]
