"""What extending changed: reports, and how the texts of both tokenizers are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pytok._pytok import Encoding
from pytok._train_archives import PARQUET, plain_suffix
from pytok._train_inputs import Inputs, Sources, open_sources
from pytok.tokenizer import Tokenizer

__all__ = ["ExtendReport", "TextChange", "TextDifference", "batches", "text_change", "units"]

# Texts are compared in batches of about this many characters.
BATCH_CHARACTERS = 1 << 22
# Of a difference, so many characters are shown.
SHOWN_CHARACTERS = 60


@dataclass(frozen=True)
class TextDifference:
    """A text that is encoded in another way than before.

    Parameters
    ----------
    text
        The text from where it differs first, at most 60 characters.
    before, after
        The tokens from there on with either tokenizer, as far as they lie in
        these characters.

    """

    text: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class TextChange:
    """What extending changes for some texts.

    Parameters
    ----------
    texts
        Their number: documents of .jsonl and .parquet files and of iterables,
        lines of other files.
    changed
        How many of them are encoded in another way than before.
    tokens_before, tokens_after
        Their tokens with either tokenizer, without special tokens.
    differences
        The first of the changed texts, at most 20; only for `check`.

    """

    texts: int
    changed: int
    tokens_before: int
    tokens_after: int
    differences: tuple[TextDifference, ...] = ()

    @property
    def share(self) -> float:
        """The share of texts that changed, 0 to 1; 0 when there are none."""
        return self.changed / self.texts if self.texts else 0.0


@dataclass(frozen=True)
class ExtendReport:
    r"""What happened when a tokenizer was extended.

    Parameters
    ----------
    added
        Number of new pieces.
    first_id
        The id of the first; the others follow.
    pieces
        The first 50 as text, in the order of their ids; bytes that are no text
        as ``\\xNN``.
    least_count
        The lowest count of a new piece when it was chosen.
    text
        What changes for the new text.
    check
        What changes for the texts of `check`.

    """

    added: int
    first_id: int
    pieces: tuple[str, ...]
    least_count: int
    text: TextChange
    check: TextChange | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        record = asdict(self)
        for name in ("text", "check"):
            change: TextChange | None = getattr(self, name)
            if change is not None:
                record[name]["share"] = change.share
        return record


def text_change(
    before: Tokenizer,
    after: Tokenizer,
    texts: Inputs,
    *,
    shown: int,
    threads: int | None,
    tell: Callable[[int, int | None], None],
) -> TextChange:
    """Encode texts with both tokenizers and count what differs; `shown` texts are kept."""
    sources = open_sources(texts)
    return _compare(
        before,
        after,
        batches(units(sources)),
        shown=shown,
        threads=threads,
        tell=lambda: tell(sources.read_bytes, sources.total_bytes),
    )


def units(sources: Sources) -> Iterator[str]:
    """Yield what is compared: documents, and lines of text files."""
    for path, texts in sources.parts():
        if path is None or plain_suffix(path) in {".jsonl", PARQUET}:
            yield from texts
            continue
        for text in texts:
            yield from (line for line in text.split("\n") if line)


def batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield lists of texts that are quick to encode together; the last may be empty."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    yield batch


def _compare(
    before: Tokenizer,
    after: Tokenizer,
    batches: Iterable[list[str]],
    *,
    shown: int,
    threads: int | None,
    tell: Callable[[], None],
) -> TextChange:
    options = ("text", False, False, False)
    texts = changed = 0
    tokens = [0, 0]
    differences: list[TextDifference] = []
    for batch in batches:
        (old, old_bounds), (new, new_bounds) = (
            tokenizer._core.encode_batch_ids(batch, options, threads)
            for tokenizer in (before, after)
        )
        texts += len(batch)
        tokens[0] += len(old)
        tokens[1] += len(new)
        for number, text in enumerate(batch):
            ids = old[old_bounds[number] : old_bounds[number + 1]]
            if np.array_equal(ids, new[new_bounds[number] : new_bounds[number + 1]]):
                continue
            changed += 1
            if len(differences) < shown:
                differences.append(_difference(before, after, text))
        tell()
    return TextChange(texts, changed, tokens[0], tokens[1], tuple(differences))


def _difference(before: Tokenizer, after: Tokenizer, text: str) -> TextDifference:
    """Show a text from where it differs first."""
    old, new = (
        tokenizer.encode(text, special="text", add_special_tokens=False)
        for tokenizer in (before, after)
    )
    both = zip(old.ids, new.ids, strict=False)
    first = next((place for place, (a, b) in enumerate(both) if a != b), len(new.ids) - 1)
    start = min(old.offsets[first][0], new.offsets[first][0])
    end = start + SHOWN_CHARACTERS

    def tokens(tokenizer: Tokenizer, encoding: Encoding) -> tuple[str, ...]:
        found = zip(encoding.ids[first:], encoding.offsets[first:], strict=True)
        pieces = (tokenizer.token_bytes(token) for token, span in found if span[1] <= end)
        return tuple(piece.decode("utf-8", "backslashreplace") for piece in pieces)

    return TextDifference(text[start:end], tokens(before, old), tokens(after, new))
