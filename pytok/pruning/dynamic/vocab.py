"""`DynamicVocab`: a tokenizer whose pieces in use follow the text."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok._pytok import Encoding
from pytok.errors import ConfigError, VocabError
from pytok.pruning.dynamic.learner import Counts
from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.policy import Change, State, decide, shrink
from pytok.pruning.dynamic.records import Event, Statistics
from pytok.pruning.dynamic.saved import Saved, read_state, write_state
from pytok.tokenizer import Tokenizer

__all__ = ["DynamicVocab", "Snapshot"]

_MOST_EVENTS = 1_000_000
_COMPILED = 8
_CHUNK = 1024
Span = tuple[int | None, str]


@dataclass(frozen=True)
class Snapshot:
    """A state of the vocabulary that never changes.

    Parameters
    ----------
    version
        Its number, from 0 on.
    tokenizer
        What encodes with the pieces in use. Its ids are those of the whole
        vocabulary, and what `Tokenizer.save` writes gives the same ids in other
        libraries.

    """

    version: int
    tokenizer: Tokenizer


class DynamicVocab:
    """A tokenizer of which the pieces in use follow the text, under a cap.

    Ids never change their meaning: decoding is that of the whole vocabulary, and a
    text whose ids are all in use is encoded as the whole vocabulary encodes it.
    While `learning` is on, `encode` and its kin count what they see; a share of the
    texts is encoded with all pieces as well. Every `epoch` tokens, the call that
    reaches that number decides which pieces go and which come back, and puts a new
    snapshot in the place of the old one. Encoding in other threads goes on
    meanwhile. Counts fade with a half-life; two thresholds with a factor of two
    between them, and a pause after each change, keep pieces from going back and
    forth.

    Protected are special and other added tokens, the unknown token, the 256 bytes,
    and what `protect` names.

    Parameters
    ----------
    tokenizer
        BPE, Unigram, ranks or SentencePiece; it is not changed.
    options
        A `DynamicOptions`; or give its fields by name.
    counts
        Uses of each id in a text like that to come, shape (largest id + 1,), to
        begin with; by default small ids are held to be frequent.
    protect
        Ids that are always in use.

    Raises
    ------
    ConfigError
        When an option is out of its range, the cap is below the number of protected
        pieces, or the tokenizer is of another kind.

    Examples
    --------
    >>> from pytok import Tokenizer
    >>> whole = Tokenizer.from_pretrained("zh-32k")
    >>> vocab = DynamicVocab(whole, cap=15_000, epoch=1_000)
    >>> vocab.statistics().active
    15000
    >>> ids = vocab.encode_ids("学而时习之，不亦说乎？")
    >>> vocab.decode(ids)
    '学而时习之，不亦说乎？'
    >>> vocab.encode_ids("不亦说乎", snapshot=0) == vocab.encode_ids("不亦说乎")
    True

    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        options: DynamicOptions | None = None,
        *,
        counts: npt.ArrayLike | None = None,
        protect: Iterable[int] = (),
        **fields: Any,
    ) -> None:
        if options is not None and fields:
            raise ConfigError(f"options: given, and {', '.join(fields)} by name")
        try:
            chosen = DynamicOptions(**fields) if options is None else options
        except TypeError as error:
            raise ConfigError(f"options: {error}") from error
        self._prepare(tokenizer, chosen, [int(token_id) for token_id in protect])
        prior = _prior(self._size) if counts is None else _checked(counts, self._size)
        self._state.used = prior
        self._publish(self._fitted())
        if counts is None:
            self._state.used = np.zeros(self._size)
        else:
            self._state.tokens = float(prior.sum())

    def _prepare(self, tokenizer: Tokenizer, options: DynamicOptions, protect: list[int]) -> None:
        self._whole = tokenizer
        self._protect = protect
        self._options = options
        self._pruner = _pytok.Pruner(tokenizer._core, protect, "stable")
        ids = self._pruner.ids()
        self._size = int(ids[-1]) + 1
        active = np.zeros(self._size, np.bool_)
        active[ids] = True
        removable = active.copy()
        removable[self._pruner.protected()] = False
        self._state = State(
            active,
            removable,
            np.zeros(self._size),
            np.zeros(self._size),
            np.zeros(self._size, np.int64),
            np.full(self._size, -1, np.int64),
        )
        self._counts = Counts(self._size, options.probe, options.seed)
        self._deciding = threading.RLock()
        self._learning = True
        self._span: Span = (None, "chars")
        self._events: deque[Event] = deque(maxlen=_MOST_EVENTS)
        # Of each version that can be replayed: ids that are out of use, and the span.
        self._history: OrderedDict[int, tuple[tuple[int, ...], Span]] = OrderedDict()
        self._compiled: OrderedDict[int, Snapshot] = OrderedDict()
        self._seen = self._probed_tokens = self._probed_full = 0
        self._inflation: float | None = None
        # Nobody sees this one: version 0 keeps to the cap.
        self._present = Snapshot(-1, tokenizer)

    # ---------------------------------------------------------------- encoding

    def encode_ids(self, text: str, *, snapshot: int | None = None, **options: Any) -> list[int]:
        """Encode a text to ids; options as in `Tokenizer.encode_ids`.

        Parameters
        ----------
        text
            The text.
        snapshot
            A version to replay; the text is then not learnt from.
        options
            As in `Tokenizer.encode_ids`.

        Raises
        ------
        ConfigError
            When the version is unknown or forgotten.
        EncodeError
            As in `Tokenizer.encode_ids`.

        """
        if snapshot is not None or not self._learning:
            return self.snapshot(snapshot).tokenizer.encode_ids(text, **options)
        ids, _ = self.encode_batch_ids([text], threads=1, **options)
        found: list[int] = ids.tolist()
        return found

    def encode(self, text: str, *, snapshot: int | None = None, **options: Any) -> Encoding:
        """Encode a text with everything that is known about each token."""
        present = self.snapshot(snapshot)
        encoding = present.tokenizer.encode(text, **options)
        if snapshot is None and self._learning:
            ids = np.array(encoding.ids, dtype=np.uint32)
            self._learn([text], ids, np.array([0, len(ids)]))
        return encoding

    def encode_batch_ids(
        self, texts: list[str], *, snapshot: int | None = None, **options: Any
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        """Encode texts to ids and bounds, as `Tokenizer.encode_batch_ids` does."""
        present = self.snapshot(snapshot)
        ids, bounds = present.tokenizer.encode_batch_ids(texts, **options)
        if snapshot is None and self._learning:
            self._learn(texts, ids, bounds)
        return ids, bounds

    def decode(self, ids: Any, *, skip_special_tokens: bool = False) -> str:
        """Decode ids, in use or not."""
        return self._whole.decode(ids, skip_special_tokens=skip_special_tokens)

    def decode_bytes(self, ids: Any, *, skip_special_tokens: bool = False) -> bytes:
        """Decode ids to bytes, in use or not."""
        return self._whole.decode_bytes(ids, skip_special_tokens=skip_special_tokens)

    # ---------------------------------------------------------------- learning

    @property
    def learning(self) -> bool:
        """Whether encoding counts what it sees; off, the vocabulary stays as it is."""
        return self._learning

    @learning.setter
    def learning(self, wanted: bool) -> None:
        self._learning = bool(wanted)

    def _learn(self, texts: list[str], ids: Any, bounds: Any) -> None:
        counts = self._counts
        chosen = [
            (first, end)
            for first, end in _chunks(bounds)
            # Its first and last text stand for a chunk.
            if counts.is_probed(texts[first] if end - first == 1 else texts[first] + texts[end - 1])
        ]
        probes = []
        if chosen:
            full, ends = self._whole.encode_batch_ids(
                [text for first, end in chosen for text in texts[first:end]],
                special="text",
                add_special_tokens=False,
                threads=1,
            )
            at = 0
            for first, end in chosen:
                part = full[ends[at] : ends[at + end - first]]
                probes.append((int(bounds[end] - bounds[first]), part))
                at += end - first
        if counts.add(ids, probes) >= self._options.epoch:
            self._decide()

    def _decide(self) -> None:
        # Whoever comes while a decision is made goes on with the old snapshot.
        if not self._deciding.acquire(blocking=False):
            return
        try:
            if self._counts.tokens < self._options.epoch:
                return
            seen = self._counts.take()
            state = self._state
            fade = 0.5 ** (seen.tokens / self._options.half_life)
            state.used = state.used * fade + seen.used
            state.wanted = state.wanted * fade + seen.wanted
            state.tokens = state.tokens * fade + seen.tokens
            state.probed = state.probed * fade + seen.probed_full
            self._seen += seen.tokens
            self._probed_tokens += seen.probed_tokens
            self._probed_full += seen.probed_full
            self._inflation = (
                seen.probed_tokens / seen.probed_full - 1 if seen.probed_full else None
            )
            changes = decide(state, self._pruner, self._options)
            if changes:
                self._publish(changes)
        finally:
            self._deciding.release()

    def _publish(self, changes: list[Change]) -> None:
        """Put a new snapshot in place; readers see the old one or the new one."""
        removed = tuple(self._state.removed())
        version = self._present.version + 1
        made = Snapshot(version, self._made(removed, self._span))
        self._history[version] = (removed, self._span)
        while len(self._history) > self._options.versions:
            self._history.popitem(last=False)
        self._events.extend(
            Event(
                version,
                self._state.epoch,
                change.token_id,
                change.active,
                change.reason,
                change.utility * 1e6,
            )
            for change in changes
        )
        self._present = made

    def _made(self, removed: tuple[int, ...], span: Span) -> Tokenizer:
        tokenizer = self._whole
        if removed:
            core, _, _ = self._pruner.apply(list(removed), [], "stable")
            tokenizer = Tokenizer._of(core, tokenizer.name)
        limit, unit = span
        return tokenizer if limit is None else tokenizer.with_max_span(limit, unit)  # type: ignore[arg-type]

    # ----------------------------------------------------------------- control

    def set_cap(self, cap: int | None) -> None:
        """Change the cap; the least useful pieces go at once until it holds.

        Raises
        ------
        ConfigError
            When it is below `floor` or the number of pieces that must stay.

        """
        with self._deciding:
            before = self._options
            self._options = replace(before, cap=cap)
            try:
                changes = self._fitted()
            except ConfigError:
                self._options = before
                raise
            if changes:
                self._publish(changes)

    def _fitted(self) -> list[Change]:
        """Take out what the cap has no room for."""
        cap, state = self._options.cap, self._state
        if cap is None:
            return []
        active = state.active.copy()
        changes = shrink(state, self._pruner, cap)
        if int(state.active.sum()) > cap:
            least = int(state.active.sum())
            state.active = active
            raise ConfigError(
                f"cap: {cap}, expected at least {least}",
                hint="protected pieces stay, and those that others are made of",
            )
        return changes

    def set_max_span(self, limit: int | None, unit: str = "chars") -> None:
        """Use no piece above a length from now on, as `Tokenizer.with_max_span` says."""
        with self._deciding:
            before, self._span = self._span, (limit, unit)
            try:
                self._publish([])
            except ConfigError:
                self._span = before
                raise

    # ----------------------------------------------------------------- reading

    @property
    def version(self) -> int:
        """Version of the present snapshot."""
        return self._present.version

    def snapshot(self, version: int | None = None) -> Snapshot:
        """Return the present snapshot, or an earlier one.

        Raises
        ------
        ConfigError
            When the version is unknown, or older than `versions`.

        """
        present = self._present
        if version is None or version == present.version:
            return present
        with self._deciding:
            if version not in self._history:
                kept = f"{next(iter(self._history))} to {next(reversed(self._history))}"
                raise ConfigError(f"snapshot: {version!r}, expected a version from {kept}")
            if version not in self._compiled:
                self._compiled[version] = Snapshot(version, self._made(*self._history[version]))
                while len(self._compiled) > _COMPILED:
                    self._compiled.popitem(last=False)
            return self._compiled[version]

    def active_ids(self, version: int | None = None) -> npt.NDArray[np.int64]:
        """Ids in use, ascending, int64; the span does not count."""
        number = self._present.version if version is None else version
        with self._deciding:
            if number not in self._history:
                raise ConfigError(f"snapshot: {version!r}, which is not known any more")
            removed = self._history[number][0]
        every = self._pruner.ids().astype(np.int64)
        return every[~np.isin(every, np.array(removed, dtype=np.int64))]

    def events(self, since: int = -1) -> Iterator[Event]:
        """Yield the changes of the versions after `since`, oldest first.

        The last million is kept.
        """
        with self._deciding:
            found = [event for event in self._events if event.version > since]
        return iter(found)

    def statistics(self) -> Statistics:
        """Return where the vocabulary stands."""
        with self._deciding:
            active = int(self._state.active.sum())
            return Statistics(
                version=self._present.version,
                epoch=self._state.epoch,
                active=active,
                inactive=len(self._pruner.ids()) - active,
                protected=len(self._pruner.protected()),
                tokens=self._seen + self._counts.tokens,
                probed_tokens=self._probed_tokens + self._counts.probed_tokens,
                probed_full=self._probed_full + self._counts.probed_full,
                inflation=self._inflation,
                pending=self._counts.tokens,
            )

    # ------------------------------------------------------------------ saving

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write all of it to one file, whole or not at all; `load` goes on from there.

        What was seen since the last decision is not written.

        Raises
        ------
        ExportError
            When the file cannot be written.

        """
        with self._deciding:
            saved = Saved(
                tokenizer=self._whole._core.pytok_json(),
                name=self._whole.name,
                protect=tuple(self._protect),
                options=self._options,
                span=self._span,
                version=self._present.version,
                state=self._state,
                history=dict(self._history),
                events=tuple(self._events),
                totals=(self._seen, self._probed_tokens, self._probed_full),
                inflation=self._inflation,
            )
            return write_state(Path(path), saved)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> DynamicVocab:
        """Read what `save` wrote.

        Raises
        ------
        TokenizerNotFoundError
            When there is no such file.
        FormatError
            When it is not such a file.

        """
        saved = read_state(Path(path))
        vocab = object.__new__(cls)
        vocab._prepare(saved.restored(), saved.options, list(saved.protect))
        if saved.state.active.shape != vocab._state.active.shape:
            raise VocabError(f"{path}: the state is of another vocabulary")
        vocab._state = saved.state
        vocab._span = saved.span
        vocab._history = OrderedDict(saved.history)
        vocab._events.extend(saved.events)
        vocab._seen, vocab._probed_tokens, vocab._probed_full = saved.totals
        vocab._inflation = saved.inflation
        present = vocab._made(tuple(saved.state.removed()), saved.span)
        vocab._present = Snapshot(saved.version, present)
        return vocab

    def __repr__(self) -> str:
        found = self.statistics()
        name = self._whole.name
        return f"DynamicVocab({name!r}, version={found.version}, active={found.active})"


def _chunks(bounds: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Group the texts of a call: a text each, or some short ones with `_CHUNK` tokens together.

    Asking for every line of a batch whether it is probed costs as much as a third
    of encoding it.
    """
    if len(bounds) == 2:
        return [(0, 1)]
    edges = np.searchsorted(bounds, np.arange(0, bounds[-1], _CHUNK))
    edges = np.unique(np.append(np.minimum(edges, len(bounds) - 1), (0, len(bounds) - 1)))
    return list(pairwise(edges.tolist()))


def _prior(size: int) -> npt.NDArray[np.float64]:
    """Guess uses before anything was seen: trainers give frequent pieces small ids."""
    guess: npt.NDArray[np.float64] = np.divide(1e6, np.arange(size) + 10.0, dtype=np.float64)
    return guess


def _checked(counts: npt.ArrayLike, size: int) -> npt.NDArray[np.float64]:
    found = np.asarray(counts, dtype=np.float64)
    if found.ndim != 1 or len(found) > size or not (np.isfinite(found) & (found >= 0)).all():
        raise VocabError(
            f"counts: shape {found.shape}, expected one number of 0 or more for each of {size} ids"
        )
    whole = np.zeros(size)
    whole[: len(found)] = found
    return whole
