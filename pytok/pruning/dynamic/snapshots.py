"""The versions of a dynamic vocabulary: what is out of use in each, and why."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok.errors import ConfigError
from pytok.pruning.dynamic.policy import Change
from pytok.pruning.dynamic.records import EventFields
from pytok.pruning.dynamic.state import IdArray
from pytok.tokenizer import Tokenizer

__all__ = ["Snapshot", "Snapshots", "Span"]

_MOST_EVENTS = 1_000_000
_COMPILED = 8
Span = tuple[int | None, str]


class Snapshot:
    """A state of the vocabulary that never changes.

    Parameters
    ----------
    version
        Its number, from 0 on.
    encoder
        What encodes with the pieces in use; a tokenizer, but nothing else about it
        need be that of the snapshot.
    make
        Makes the tokenizer.

    """

    def __init__(self, version: int, encoder: Tokenizer, make: Callable[[], Tokenizer]) -> None:
        self.version = version
        self.encoder = encoder
        self._make = make

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """The snapshot as a tokenizer, made when it is first asked for.

        It encodes with the pieces in use. Its ids are those of the whole vocabulary,
        and what `Tokenizer.save` writes gives the same ids in other libraries.
        """
        return self._make()

    def __repr__(self) -> str:
        return f"Snapshot(version={self.version})"


class Snapshots:
    """Makes snapshots, and makes those of earlier versions again.

    Its caller sees to it that one thread at a time is here.

    Parameters
    ----------
    whole
        The whole vocabulary.
    pruner
        The same, seen as pieces that others can stand for.
    versions
        How many can be made again.

    """

    def __init__(self, whole: Tokenizer, pruner: _pytok.Pruner, versions: int) -> None:
        self._whole = whole
        self._pruner = pruner
        self._versions = versions
        self._compiled: OrderedDict[int, Snapshot] = OrderedDict()
        # Of each version: ids that are out of use, ascending, and the span.
        self.history: OrderedDict[int, tuple[IdArray, Span]] = OrderedDict()
        self.events: deque[EventFields] = deque(maxlen=_MOST_EVENTS)

    def publish(
        self, version: int, removed: IdArray, span: Span, changes: list[Change], epoch: int
    ) -> Snapshot:
        """Make the next version, and note what it changes."""
        made = self.made(version, removed, span)
        self.history[version] = (removed, span)
        while len(self.history) > self._versions:
            self.history.popitem(last=False)
        self.events.extend(
            (version, epoch, change.token_id, change.active, change.reason, change.utility * 1e6)
            for change in changes
        )
        return made

    def made(self, version: int, removed: IdArray, span: Span) -> Snapshot:
        """Make a snapshot, as much of it as encoding needs."""
        core = self._pruner.encoder(removed) if span[0] is None else None
        if core is not None:
            encoder = Tokenizer._of(core, self._whole.name)
            return Snapshot(version, encoder, lambda: self.tokenizer(removed, span))
        whole = self.tokenizer(removed, span)
        return Snapshot(version, whole, lambda: whole)

    def tokenizer(self, removed: IdArray, span: Span) -> Tokenizer:
        """Compile the vocabulary without pieces, and without those above a length."""
        tokenizer = self._whole
        if len(removed):
            core, _, _ = self._pruner.apply(removed, [], "stable")
            tokenizer = Tokenizer._of(core, tokenizer.name)
        limit, unit = span
        return tokenizer if limit is None else tokenizer.with_max_span(limit, unit)  # type: ignore[arg-type]

    def removed(self, version: int) -> IdArray:
        """Ids that are out of use in a version.

        Raises
        ------
        ConfigError
            When the version is unknown or forgotten.

        """
        if version not in self.history:
            kept = f"{next(iter(self.history))} to {next(reversed(self.history))}"
            raise ConfigError(f"snapshot: {version!r}, expected a version from {kept}")
        return self.history[version][0]

    def get(self, version: int) -> Snapshot:
        """Make a version again; the last few are kept."""
        removed = self.removed(version)
        if version not in self._compiled:
            self._compiled[version] = self.made(version, removed, self.history[version][1])
            while len(self._compiled) > _COMPILED:
                self._compiled.popitem(last=False)
        self._compiled.move_to_end(version)
        return self._compiled[version]

    def to_arrays(self) -> tuple[list[Any], npt.NDArray[np.uint32]]:
        """Return number, length and span of each version, and the ids that are out of use."""
        rows = [[version, len(removed), span] for version, (removed, span) in self.history.items()]
        parts = [removed for removed, _ in self.history.values()]
        return rows, np.concatenate(parts) if parts else np.zeros(0, np.uint32)

    def restore(self, rows: list[Any], flat: npt.NDArray[np.uint32]) -> None:
        """Take over what `to_arrays` returned."""
        start = 0
        for version, length, span in rows:
            self.history[int(version)] = (flat[start : start + length], (span[0], span[1]))
            start += length
