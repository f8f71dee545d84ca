"""What goes on behind a `DynamicVocab`: decisions, snapshots, and the file of it all."""

from __future__ import annotations

import threading
import warnings
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok.errors import ConfigError, PytokError, VocabError
from pytok.pruning.dynamic.learning import Learning, checked_counts, first_guess
from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.policy import Change
from pytok.pruning.dynamic.records import Event, Statistics
from pytok.pruning.dynamic.saved import Saved, read_state, write_state
from pytok.pruning.dynamic.snapshots import Snapshot, Snapshots, Span
from pytok.tokenizer import Tokenizer

__all__ = ["Core", "Engine"]

Core = _pytok.Learner | _pytok.Tokenizer


class Encoding(Protocol):
    """Who asks the core itself: a short text takes less than a microsecond."""

    _core: Core


class Engine:
    """The present snapshot, and how it is replaced.

    Readers take `present`, which is immutable, once a call. All that changes is done
    by whoever holds the lock.

    Parameters
    ----------
    whole
        The whole vocabulary.
    options
        The options.
    protect
        Ids that are always in use.

    """

    def __init__(self, whole: Tokenizer, options: DynamicOptions, protect: list[int]) -> None:
        self.whole = whole
        self._protect = protect
        self._pruner = _pytok.Pruner(whole._core, protect, "stable")
        self._snapshots = Snapshots(whole, self._pruner, options.versions)
        self._learned = Learning(whole, self._pruner, options)
        self.counts = self._learned.counts
        self.counts.set_engine(self)
        self._lock = threading.RLock()
        self._span: Span = (None, "chars")
        # Nobody sees this one: version 0 keeps to the cap.
        self.present = Snapshot(-1, whole, lambda: whole)
        self.core: Core = self.counts
        self._follower: weakref.ref[Encoding] | None = None

    def begin(self, counts: npt.ArrayLike | None) -> None:
        """Make version 0, by uses that are given or guessed."""
        state = self._learned.state
        size = len(state.used)
        state.used = first_guess(size) if counts is None else checked_counts(counts, size)
        if counts is not None:
            state.tokens = float(state.used.sum())
        self._publish(self._learned.fitted(), 0)
        if counts is None:
            state.used = np.zeros(size)
        self.counts.set_due(self._learned.options.due(0))

    def decide(self) -> None:
        """Decide if an epoch has passed, and nobody is at it."""
        # Whoever comes while a decision is made goes on with the old snapshot.
        if not self._lock.acquire(blocking=False):
            return
        try:
            state, options = self._learned.state, self._learned.options
            if self.counts.pending()[0] < options.due(state.epoch):
                return
            before = state.active.copy()
            changes = self._learned.decided()
            self.counts.set_due(options.due(state.epoch))
            if not changes:
                return
            try:
                self._publish(changes, state.epoch)
            except PytokError as error:
                # Whoever encodes has nothing to do with it, and has been served.
                state.active = before
                warnings.warn(f"the vocabulary stays as it is: {error}", stacklevel=3)
        finally:
            self._lock.release()

    def _publish(self, changes: list[Change], epoch: int) -> None:
        """Put a new snapshot in place; readers see the old one or the new one."""
        removed = self._learned.state.removed()
        version = self.present.version + 1
        self._show(self._snapshots.publish(version, removed, self._span, changes, epoch))

    def _show(self, snapshot: Snapshot) -> None:
        self.present = snapshot
        self.counts.set_present(snapshot.encoder._core)
        self._aim()

    def _aim(self) -> None:
        """Give who encodes what counts as well, or what does not."""
        self.core = self.counts if self.counts.learning else self.present.encoder._core
        follower = self._follower() if self._follower else None
        if follower is not None:
            follower._core = self.core

    def lead(self, follower: Encoding) -> None:
        """Keep the core of `follower` what encodes at present."""
        with self._lock:
            self._follower = weakref.ref(follower)
            self._aim()

    def learn(self, wanted: bool) -> None:
        """Begin to count, or stop."""
        with self._lock:
            self.counts.learning = wanted
            self._aim()

    def set_cap(self, cap: int | None) -> None:
        """Change the cap; as it was when pieces that must stay are more."""
        with self._lock:
            before = self._learned.options
            self._learned.options = replace(before, cap=cap)
            try:
                changes = self._learned.fitted()
            except ConfigError:
                self._learned.options = before
                raise
            if changes:
                self._publish(changes, 0)

    def set_max_span(self, limit: int | None, unit: str) -> None:
        """Change the longest piece; as it was when that cannot be."""
        with self._lock:
            before, self._span = self._span, (limit, unit)
            try:
                self._publish([], 0)
            except ConfigError:
                self._span = before
                raise

    def snapshot(self, version: int) -> Snapshot:
        """Return an earlier version, or the present one."""
        present = self.present
        if version == present.version:
            return present
        with self._lock:
            return self._snapshots.get(version)

    def active_ids(self, version: int | None) -> npt.NDArray[np.int64]:
        """Ids in use, ascending."""
        with self._lock:
            number = self.present.version if version is None else version
            removed = self._snapshots.removed(number)
        return np.setdiff1d(self._pruner.ids(), removed, assume_unique=True).astype(np.int64)

    def events(self, since: int) -> list[Event]:
        """Return the changes of later versions."""
        with self._lock:
            return [Event(*event) for event in self._snapshots.events if event[0] > since]

    def statistics(self) -> Statistics:
        """Return where the vocabulary stands."""
        with self._lock:
            state = self._learned.state
            active = int(state.active.sum())
            tokens, probed_tokens, probed_full, pending = self._learned.seen()
            return Statistics(
                version=self.present.version,
                epoch=state.epoch,
                active=active,
                inactive=len(self._pruner.ids()) - active,
                protected=len(self._pruner.protected()),
                tokens=tokens,
                probed_tokens=probed_tokens,
                probed_full=probed_full,
                inflation=self._learned.inflation,
                pending=pending,
            )

    def save(self, path: Path) -> Path:
        """Write all of it to a file."""
        with self._lock:
            saved = Saved(
                tokenizer=self.whole._core.pytok_json(),
                name=self.whole.name,
                protect=tuple(self._protect),
                options=self._learned.options,
                span=self._span,
                version=self.present.version,
                state=self._learned.state,
                history=self._snapshots.to_arrays(),
                events=tuple(self._snapshots.events),
                totals=self._learned.totals,
                inflation=self._learned.inflation,
            )
            return write_state(path, saved)

    @classmethod
    def load(cls, path: Path) -> Engine:
        """Read what `save` wrote."""
        saved = read_state(path)
        engine = cls(saved.restored(), saved.options, list(saved.protect))
        learned, snapshots = engine._learned, engine._snapshots
        if saved.state.active.shape != learned.state.active.shape:
            raise VocabError(f"{path}: the state is of another vocabulary")
        learned.state, learned.totals = saved.state, saved.totals
        learned.inflation = saved.inflation
        snapshots.restore(*saved.history)
        snapshots.events.extend(saved.events)
        engine._span = saved.span
        engine.counts.set_due(saved.options.due(saved.state.epoch))
        engine._show(snapshots.made(saved.version, saved.state.removed(), saved.span))
        return engine
