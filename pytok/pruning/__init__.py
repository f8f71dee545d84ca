"""Vocabulary pruning: ahead of time, while a model runs, and at the logits."""

from pytok.pruning.draft import DraftVocabulary, accept_draft
from pytok.pruning.head import slice_head
from pytok.pruning.logits import LogitsReport, prune_vocabulary

__all__ = [
    "DraftVocabulary",
    "LogitsReport",
    "accept_draft",
    "prune_vocabulary",
    "slice_head",
]
