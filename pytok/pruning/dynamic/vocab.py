"""`DynamicVocab`: a tokenizer whose pieces in use follow the text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pytok._call import SpecialPolicy, check_threads
from pytok._pytok import Encoding
from pytok.errors import ConfigError
from pytok.pruning.dynamic.engine import Core, Engine
from pytok.pruning.dynamic.options import DynamicOptions
from pytok.pruning.dynamic.records import Event, Statistics
from pytok.pruning.dynamic.snapshots import Snapshot
from pytok.tokenizer import Tokenizer

__all__ = ["DynamicVocab"]


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
        self._engine = Engine(tokenizer, chosen, [int(token_id) for token_id in protect])
        self._engine.begin(counts)
        self._core: Core
        self._engine.lead(self)

    # ---------------------------------------------------------------- encoding

    def encode_ids(
        self,
        text: str,
        *,
        snapshot: int | None = None,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
    ) -> list[int]:
        """Encode a text to ids.

        Parameters
        ----------
        text
            The text.
        snapshot
            A version to replay; the text is then not learnt from.
        special, add_special_tokens, bos, eos
            As in `Tokenizer.encode_ids`.

        Raises
        ------
        ConfigError
            When the version is unknown or forgotten.
        EncodeError
            As in `Tokenizer.encode_ids`.

        """
        if snapshot is not None:
            tokenizer = self.snapshot(snapshot).tokenizer
            return tokenizer._core.encode_ids(text, special, add_special_tokens, bos, eos)
        # A short text takes a microsecond: nothing more is done here.
        return self._core.encode_ids(text, special, add_special_tokens, bos, eos)

    def encode(
        self,
        text: Any,
        pair: Any = None,
        *,
        snapshot: int | None = None,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
        **options: Any,
    ) -> Encoding:
        """Encode a text with everything that is known about each token.

        Parameters
        ----------
        text, pair, special, add_special_tokens, bos, eos, options
            As in `Tokenizer.encode`. Pairs, words and what is cut or padded count, but
            are never probed.
        snapshot
            As in `encode_ids`.

        """
        flags = (special, add_special_tokens, bos, eos)
        chosen = self.snapshot(snapshot)
        present = chosen.encoder if snapshot is None else chosen.tokenizer
        encoding = present.encode(
            text,
            pair,
            special=special,
            add_special_tokens=add_special_tokens,
            bos=bos,
            eos=eos,
            **options,
        )
        if snapshot is None and self.learning:
            is_whole = pair is None and not options
            self._engine.counts.observe(text if is_whole else None, encoding, flags)
        return encoding

    def encode_batch_ids(
        self,
        texts: Iterable[str],
        *,
        snapshot: int | None = None,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
        threads: int | None = None,
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        """Encode texts to ids and bounds, as `Tokenizer.encode_batch_ids` does."""
        options = (special, add_special_tokens, bos, eos)
        if snapshot is not None:
            core = self.snapshot(snapshot).tokenizer._core
            return core.encode_batch_ids(texts, options, check_threads(threads))
        return self._core.encode_batch_ids(texts, options, check_threads(threads))

    def decode(self, ids: Any, *, skip_special_tokens: bool = False) -> str:
        """Decode ids, in use or not."""
        return self._engine.whole.decode(ids, skip_special_tokens=skip_special_tokens)

    def decode_bytes(self, ids: Any, *, skip_special_tokens: bool = False) -> bytes:
        """Decode ids to bytes, in use or not."""
        return self._engine.whole.decode_bytes(ids, skip_special_tokens=skip_special_tokens)

    # ---------------------------------------------------------------- learning

    @property
    def learning(self) -> bool:
        """Whether encoding counts what it sees; off, the vocabulary stays as it is."""
        return self._engine.counts.learning

    @learning.setter
    def learning(self, wanted: bool) -> None:
        self._engine.learn(bool(wanted))

    # ----------------------------------------------------------------- control

    def set_cap(self, cap: int | None) -> None:
        """Change the cap; the least useful pieces go at once until it holds.

        Raises
        ------
        ConfigError
            When it is below `floor` or the number of pieces that must stay.

        """
        self._engine.set_cap(cap)

    def set_max_span(self, limit: int | None, unit: str = "chars") -> None:
        """Use no piece above a length from now on, as `Tokenizer.with_max_span` says."""
        self._engine.set_max_span(limit, unit)

    # ----------------------------------------------------------------- reading

    @property
    def version(self) -> int:
        """Version of the present snapshot."""
        return self._engine.present.version

    def snapshot(self, version: int | None = None) -> Snapshot:
        """Return the present snapshot, or an earlier one.

        Raises
        ------
        ConfigError
            When the version is unknown, or older than `versions`.

        """
        return self._engine.present if version is None else self._engine.snapshot(version)

    def active_ids(self, version: int | None = None) -> npt.NDArray[np.int64]:
        """Ids in use, ascending, int64; the span does not count."""
        return self._engine.active_ids(version)

    def events(self, since: int = -1) -> Iterator[Event]:
        """Yield the changes of the versions after `since`, oldest first.

        The last million is kept.
        """
        return iter(self._engine.events(since))

    def statistics(self) -> Statistics:
        """Return where the vocabulary stands."""
        return self._engine.statistics()

    # ------------------------------------------------------------------ saving

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write all of it to one file, whole or not at all; `load` goes on from there.

        What was seen since the last decision is not written.

        Raises
        ------
        ExportError
            When the file cannot be written.

        """
        return self._engine.save(Path(path))

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
        vocab = object.__new__(cls)
        vocab._engine = Engine.load(Path(path))
        vocab._engine.lead(vocab)
        return vocab

    def __repr__(self) -> str:
        found = self.statistics()
        name = self._engine.whole.name
        return f"DynamicVocab({name!r}, version={found.version}, active={found.active})"
