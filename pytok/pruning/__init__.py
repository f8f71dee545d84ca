"""Vocabulary pruning: ahead of time, while a model runs, and at the logits."""

from pytok.pruning.draft import DraftVocabulary, accept_draft
from pytok.pruning.dynamic import DynamicOptions, DynamicVocab, Event, Snapshot, Statistics
from pytok.pruning.head import slice_head
from pytok.pruning.logits import LogitsReport, prune_vocabulary
from pytok.pruning.plan import KindChange, PrunePlan, PrunePoint, PruneReport
from pytok.pruning.static import PruneResult, prune

__all__ = [
    "DraftVocabulary",
    "DynamicOptions",
    "DynamicVocab",
    "Event",
    "KindChange",
    "LogitsReport",
    "PrunePlan",
    "PrunePoint",
    "PruneReport",
    "PruneResult",
    "Snapshot",
    "Statistics",
    "accept_draft",
    "prune",
    "prune_vocabulary",
    "slice_head",
]
