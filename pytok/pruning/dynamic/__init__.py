"""Pruning while a model runs: the pieces in use follow the text."""

from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.records import Event, Statistics
from pytok.pruning.dynamic.snapshots import Snapshot
from pytok.pruning.dynamic.vocab import DynamicVocab

__all__ = ["DynamicOptions", "DynamicVocab", "Event", "Snapshot", "Statistics"]
