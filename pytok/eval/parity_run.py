"""Measure parity: every side of every set with every tokenizer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from pytok.errors import CorpusError
from pytok.eval.bootstrap import DocumentSums
from pytok.eval.corpora import LINES_PER_BLOCK
from pytok.eval.numbers import Resampled
from pytok.eval.parallel import ParallelFiles, Side, pairs_of, sides_of
from pytok.eval.parity import blocks_of, token_counts
from pytok.eval.ratio import ratio
from pytok.eval.report import Number, ParallelReport, SourceFile, SystemReport
from pytok.eval.scan import Progress
from pytok.eval.systems import System
from pytok.eval.text_batch import FloatArray
from pytok.eval.text_files import file_sha256

__all__ = ["measure_parallel"]

_BATCH_LINES = 4096
_COLUMNS = ("tokens", "base_tokens", "lines")


@dataclass
class _Counts:
    """Tokens per line of every side, of one tokenizer; or why there are none."""

    system: System
    by_side: dict[str, list[FloatArray]] = field(default_factory=dict)
    failure: str | None = None

    def add(self, side: str, lines: list[str]) -> None:
        """Count the tokens of some lines; a failure ends the row."""
        if self.failure is not None or self.system.tokenizer is None:
            return
        try:
            found = token_counts(self.system.tokenizer, lines)
            self.by_side.setdefault(side, []).append(found)
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:
            # Also what a native extension throws past `Exception`.
            self.failure = f"{type(error).__name__}: {error}"

    def of(self, side: str) -> FloatArray:
        """Tokens of each line of a side, shape (n_lines,)."""
        return np.concatenate([np.zeros(0), *self.by_side.get(side, [])])


def measure_parallel(
    sets: Sequence[ParallelFiles],
    systems: Sequence[System],
    *,
    resamples: int,
    seed: int,
    progress: Progress,
) -> tuple[ParallelReport, ...]:
    """Measure sets of parallel texts with the tokenizers among `systems`.

    A set that cannot be read has a report that says why; the others go on.

    Parameters
    ----------
    sets
        The sets.
    systems
        The systems; word segmenters are left out.
    resamples, seed
        Of the bootstrap over blocks of 20 lines.
    progress
        Called with a label, the characters done and the characters in all.

    """
    tokenizers = [system for system in systems if system.tokenizer is not None]
    reports = []
    for files in sets:
        try:
            reports.append(
                _measure(
                    files,
                    tokenizers,
                    lambda sums: Resampled(sums, resamples=resamples, seed=seed),
                    progress,
                )
            )
        except CorpusError as error:
            reports.append(ParallelReport(files.name, (), (), 0, (), problem=str(error)))
    return tuple(reports)


def _measure(
    files: ParallelFiles,
    systems: Sequence[System],
    resample: Callable[[list[DocumentSums]], Resampled],
    progress: Progress,
) -> ParallelReport:
    sides, lines, characters, dropped = _survey(sides_of(files), files.base)
    counts = _counted(files.name, sides, systems, sum(characters.values()), progress)
    pairs = pairs_of(list(characters), files.base)
    sums = {id(row): [_sums(row, pair) for pair in pairs] for row in counts if row.failure is None}
    drawn = resample([part for parts in sums.values() for part in parts])
    blocks = -(-lines // LINES_PER_BLOCK)
    return ParallelReport(
        name=files.name,
        files=tuple(
            SourceFile(str(path), file_sha256(path), blocks, f"{LINES_PER_BLOCK}-line blocks")
            for path in dict.fromkeys(side.path for side in sides)
        ),
        sides=tuple(characters),
        lines=lines,
        systems=tuple(
            _row(
                row,
                [
                    _number(
                        row.system, f"{files.name}: {over} / {under}", part, drawn, characters[over]
                    )
                    for (over, under), part in zip(pairs, sums[id(row)], strict=True)
                ]
                if id(row) in sums
                else [],
            )
            for row in counts
        ),
        dropped=dropped,
    )


def _counted(
    name: str, sides: Sequence[Side], systems: Sequence[System], characters: int, progress: Progress
) -> list[_Counts]:
    """Count the tokens of every line with every system."""
    counts = [_Counts(system) for system in systems]
    total, done = characters * len(systems), 0
    for side in sides:
        stream = side.lines()
        while batch := list(islice(stream, _BATCH_LINES)):
            for row in counts:
                row.add(side.name, batch)
                done += sum(map(len, batch))
                progress(f"{name} {side.name}: {row.system.name}", done, total)
    return counts


def _survey(
    sides: Sequence[Side], base: str | None
) -> tuple[list[Side], int, dict[str, int], tuple[str, ...]]:
    """Sides with as many lines as most, their lines, characters by side, and what was dropped."""
    lines: dict[str, int] = {}
    characters: dict[str, int] = {}
    bad: dict[str, str] = {}
    for side in sides:
        try:
            lines[side.name], characters[side.name] = _size(side)
        except CorpusError as error:
            # A table that cannot be read has no sound side.
            if side.column is not None or side.name == base:
                raise
            bad[side.name] = str(error)
    expected = _expected_lines({side.name: side for side in sides}, lines)
    for side in sides:
        if side.name in lines and lines[side.name] != expected:
            bad[side.name] = (
                f"{side.path} ends after line {lines[side.name]}, but the other sides have "
                f"{expected} lines"
            )
    kept = [side for side in sides if side.name not in bad]
    if len(kept) < 2 or base in bad:
        raise CorpusError(bad[base] if base in bad else next(iter(bad.values())))
    if not expected:
        raise CorpusError(f"{sides[0].path}: no lines")
    return kept, expected, {side.name: characters[side.name] for side in kept}, tuple(bad.values())


def _size(side: Side) -> tuple[int, int]:
    """Lines and characters of a side."""
    number = size = 0
    for line in side.lines():
        number += 1
        size += len(line)
    return number, size


def _expected_lines(sides: Mapping[str, Side], lines: Mapping[str, int]) -> int:
    """Lines that most sides have; where no number is that of most, none can be trusted."""
    if not lines:
        return 0
    expected, count = Counter(lines.values()).most_common(1)[0]
    if count > len(lines) / 2:
        return expected
    shortest, longest = min(lines, key=lines.__getitem__), max(lines, key=lines.__getitem__)
    raise CorpusError(
        f"{sides[shortest].path} ends after line {lines[shortest]}, "
        f"but {sides[longest].path} has {lines[longest]} lines",
        hint="line i of every side must say the same",
    )


def _sums(row: _Counts, pair: tuple[str, str]) -> DocumentSums:
    blocks = blocks_of(row.of(pair[0]), row.of(pair[1]), lines=LINES_PER_BLOCK)
    sums = DocumentSums(list(_COLUMNS))
    sums.add({name: blocks[:, at] for at, name in enumerate(_COLUMNS)})
    return sums


def _number(
    system: System,
    corpus: str,
    sums: DocumentSums,
    drawn: Resampled,
    characters: int,
) -> Number:
    total = sums.total()
    found = drawn.interval((sums, "tokens"), (sums, "base_tokens"))
    value = ratio(total["tokens"], total["base_tokens"]) if total["base_tokens"] else None
    return Number(
        metric=re.sub(r"\W", "_", "parity_" + corpus.partition(": ")[2].replace(" / ", "_")),
        value=value,
        low=None if found is None or value is None else found[0],
        high=None if found is None or value is None else found[1],
        interval=drawn.note.replace("documents", f"blocks of {LINES_PER_BLOCK} lines"),
        corpus=corpus,
        documents=sums.documents,
        characters=characters,
        tokenizer=system.name,
        sha256=system.sha256,
    )


def _row(row: _Counts, numbers: Sequence[Number]) -> SystemReport:
    tokenizer = row.system.tokenizer
    return SystemReport(
        system=row.system.name,
        sha256=row.system.sha256,
        vocab_size=None if tokenizer is None else tokenizer.vocab_size,
        numbers={number.metric: number for number in numbers},
        worst_characters=(),
        failure=row.failure,
    )
