"""Extending: more pieces for a tokenizer that exists."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from pytok import _pytok
from pytok._counting import count
from pytok._extend_report import ExtendReport, TextChange, text_change
from pytok._memory import memory_of
from pytok._train import OnProgress, TrainProgress
from pytok._train_checks import LARGEST_COUNT, LARGEST_SIZE, check_number, check_text
from pytok._train_inputs import Inputs, open_sources
from pytok.errors import ConfigError
from pytok.tokenizer import Tokenizer

__all__ = ["ExtendResult", "extend"]

# Of the new pieces and of the differences, the report holds so many.
SHOWN_PIECES = 50
SHOWN_DIFFERENCES = 20


@dataclass(frozen=True)
class ExtendResult:
    """An extended tokenizer, and how it came about."""

    tokenizer: Tokenizer
    report: ExtendReport


def extend(
    tokenizer: Tokenizer,
    inputs: Inputs,
    *,
    add: int,
    min_frequency: int = 2,
    max_token_bytes: int = 48,
    max_chars: int | None = None,
    char_align: bool = True,
    only: str | None = None,
    check: Inputs | None = None,
    threads: int | None = None,
    memory: str | int | None = None,
    on_progress: OnProgress | None = None,
) -> ExtendResult:
    r"""Add pieces for a new text to a tokenizer that exists.

    Old pieces and special tokens keep their ids; new ids follow the highest id
    in use. Old merges and scores stay as they are, so a text that contains no
    new piece is encoded as before. The same text and options give the same
    tokenizer, whatever the number of threads.

    Pieces of a BPE tokenizer are the most frequent pairs of neighbours, again
    and again, as if its training went on with the new text. Pieces of a Unigram
    tokenizer are found in this way, too; each gets the score ``ln(c / N) + d``
    for c uses among N tokens, with d the mean difference between old scores and
    logarithms of shares in the new text, but at least so much that it is the
    best segmentation of its own text.

    Can be extended: a tokenizer.json with BPE or Unigram, a tiktoken rank file,
    a tekken.json, a SentencePiece model of type BPE or unigram. What is saved are
    files of the same kind.

    Pieces of a SentencePiece model are such as its own trainer makes: what the
    file says about their length, scripts, spaces and digits holds, and none goes
    across the end of a line. With BPE a character that has no piece becomes one
    when that saves more tokens than any pair.

    Parameters
    ----------
    tokenizer
        The tokenizer; it is not changed.
    inputs
        The new text, as in `train`. It is read twice: an iterator is kept in
        memory.
    add
        Number of new pieces, 1 or more.
    min_frequency
        The least count of a new piece in the new text, 1 or more.
    max_token_bytes
        The most bytes of a new piece, 4 or more.
    max_chars
        The most characters of a new piece; None for no limit.
    char_align
        New pieces are whole characters, or a part of one.
    only
        A regular expression (syntax of the library `tokenizers`) that new pieces
        match from end to end, such as ``r"\p{Han}+"``; None for any. Of a
        tokenizer over bytes, the first bytes of a character may be a piece when
        a character that begins so matches. A SentencePiece piece that begins
        with a space mark begins with a space here.
    check
        Other texts, as `inputs`, whose changes are reported with examples.
    threads
        Threads that count words and compare texts; None for one per core.
    memory
        Memory for different words while they are counted, as in `TrainConfig`.
    on_progress
        Called with a `TrainProgress` often; what it raises ends the run.

    Returns
    -------
    ExtendResult
        The tokenizer, and a report.

    Raises
    ------
    ConfigError
        When an option is out of its range, the text has fewer candidates than
        `add`, or the tokenizer is of another kind.
    CorpusError
        When a file cannot be read.

    Examples
    --------
    >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
    >>> result = extend(tokenizer, ["螺蛳粉配螺蛳汤"] * 9, add=2)
    >>> result.report.pieces
    ('螺蛳', '粉配')
    >>> result.tokenizer.encode_ids("吃螺蛳")[-1] == tokenizer.vocab_size
    True

    """
    if not isinstance(tokenizer, Tokenizer):
        raise ConfigError(f"tokenizer: {type(tokenizer).__name__}, expected a pytok.Tokenizer")
    check_number("add", add, LARGEST_SIZE)
    check_number("min_frequency", min_frequency, LARGEST_COUNT)
    check_number("max_token_bytes", max_token_bytes, LARGEST_SIZE, least=4)
    check_number("max_chars", max_chars, LARGEST_SIZE, optional=True)
    check_number("threads", threads, 1 << 16, optional=True)
    if not isinstance(char_align, bool):
        raise ConfigError(f"char_align: {char_align!r}, expected True or False")
    if only is not None:
        check_text("only", only)
    inputs, check = _repeatable(inputs), None if check is None else _repeatable(check)
    if check is not None:
        open_sources(check)  # what is missing is said before the work
    sources = open_sources(inputs)
    workers = threads or os.cpu_count() or 1

    def tell(stage: str, done: int, total: int | None) -> None:
        if on_progress:
            on_progress(TrainProgress(stage, done, total))

    room = memory_of(memory)
    counts = count(
        sources,
        lambda: _pytok.WordCounter.of_tokenizer(tokenizer._core, workers, room),
        threads=workers,
        memory=room,
        tell=lambda: tell("count", sources.read_bytes, sources.total_bytes),
    )
    options: dict[str, object] = {
        "add": add,
        "min_frequency": min_frequency,
        "max_token_bytes": max_token_bytes,
        "max_chars": max_chars,
        "char_align": char_align,
        "only": only,
    }
    core, pieces, first_id, least_count = _pytok.extend(tokenizer._core, counts, options, tell)
    extended = Tokenizer._of(core, f"{tokenizer.name}+{add}")

    def changes(texts: Inputs, shown: int) -> TextChange:
        return text_change(
            tokenizer,
            extended,
            texts,
            shown=shown,
            threads=threads,
            tell=lambda done, total: tell("compare", done, total),
        )

    report = ExtendReport(
        added=len(pieces),
        first_id=first_id,
        pieces=tuple(p.decode("utf-8", "backslashreplace") for p in pieces[:SHOWN_PIECES]),
        least_count=least_count,
        text=changes(inputs, 0),
        check=None if check is None else changes(check, SHOWN_DIFFERENCES),
    )
    return ExtendResult(extended, report)


def _repeatable(inputs: Inputs) -> Inputs:
    """Return inputs that can be read twice."""
    return list(inputs) if isinstance(inputs, Iterator) else inputs
