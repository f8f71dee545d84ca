"""The result of an evaluation, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from pytok.eval.cells import Cell
from pytok.eval.comparisons import Comparison
from pytok.eval.differences import Difference
from pytok.eval.examples import Context
from pytok.eval.gold_check import GoldCheck
from pytok.eval.json_text import JsonValue
from pytok.eval.kept import KeptSums
from pytok.eval.number import Number, SourceFile
from pytok.eval.provenance import Provenance
from pytok.eval.speed import SystemSpeed

if TYPE_CHECKING:
    from pytok.eval.perturb.losses import PerturbedReport

__all__ = [
    "SCHEMA",
    "JsonValue",
    "KindReport",
    "Number",
    "ParallelReport",
    "Report",
    "SourceFile",
    "SystemReport",
]

SCHEMA = "pytok.eval/1"


def _cells(cells: tuple[Cell, ...]) -> list[JsonValue]:
    """Text and number of tokens of each cell."""
    return [[cell.text, cell.tokens] for cell in cells]


def _context(found: Context) -> dict[str, JsonValue]:
    return {
        "item": found.item,
        "count": found.count,
        "cells": _cells(found.cells),
        "start": found.start,
        "end": found.end,
    }


@dataclass(frozen=True)
class SystemReport:
    """One row: a system on a kind.

    Parameters
    ----------
    system
        Name of the system.
    sha256
        SHA-256 of its definition, or None.
    vocab_size
        Number of ids, or None.
    numbers
        The numbers, by metric.
    worst_characters
        Characters that no single token covers, most frequent first.
    failure
        Why there are no numbers, or None.
    character_contexts
        The worst characters again, each with one place in the text.
    worst_words
        Words that are `oov_word`, most frequent first, each with one place.
    rank_frequency
        Ranks and counts of the ids, see `pytok.eval.rank_frequency`; empty for
        a word segmenter.
    piece_lengths
        Pieces by script, of 1 to 15 characters and of 16 or more.
    text_sums, word_sums
        Sums per document of the text, and of the text whose words are known;
        None where there are none.

    """

    system: str
    sha256: str | None
    vocab_size: int | None
    numbers: dict[str, Number]
    worst_characters: tuple[tuple[str, int], ...]
    failure: str | None
    character_contexts: tuple[Context, ...] = ()
    worst_words: tuple[Context, ...] = ()
    rank_frequency: tuple[tuple[int, int], ...] = ()
    piece_lengths: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    text_sums: KeptSums | None = None
    word_sums: KeptSums | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """Plain data for JSON."""
        return {
            "system": self.system,
            "sha256": self.sha256,
            "vocab_size": self.vocab_size,
            "failure": self.failure,
            "numbers": {name: number.to_json() for name, number in self.numbers.items()},
            "worst_characters": [
                {"character": character, "code_point": f"U+{ord(character):04X}", "count": count}
                for character, count in self.worst_characters
            ],
            "character_contexts": list(map(_context, self.character_contexts)),
            "worst_words": list(map(_context, self.worst_words)),
            "rank_frequency": [list(pair) for pair in self.rank_frequency],
            "piece_lengths": {name: list(found) for name, found in self.piece_lengths.items()},
            "text_sums": None if self.text_sums is None else self.text_sums.to_json(),
            "word_sums": None if self.word_sums is None else self.word_sums.to_json(),
        }


@dataclass(frozen=True)
class KindReport:
    """One kind of text.

    Parameters
    ----------
    kind
        Name of the kind.
    files, gold
        Files with text and files with gold words.
    documents, characters, bytes
        Size of the text.
    words_from
        Where words come from: gold files or a segmenter; empty when nowhere.
    words_are_gold
        Whether `words_from` names gold files.
    words, word_documents, word_characters
        Size of the text whose words are known.
    systems
        One row per system.
    gold_checks
        How the gold files fit the text, where there is text beside them.
    skipped
        Files left out because they could not be read, with the reason.
    differences
        Sentences that two systems cut most differently, pair by pair.
    perturbed
        What the systems lose under each perturbation that was asked for.
    comparisons
        Every two systems, metric by metric.

    """

    kind: str
    files: tuple[SourceFile, ...]
    gold: tuple[SourceFile, ...]
    documents: int
    characters: int
    bytes: int
    words_from: str
    words_are_gold: bool
    words: int
    word_documents: int
    word_characters: int
    systems: tuple[SystemReport, ...]
    skipped: tuple[str, ...]
    gold_checks: tuple[GoldCheck, ...] = ()
    differences: tuple[Difference, ...] = ()
    perturbed: tuple[PerturbedReport, ...] = ()
    comparisons: tuple[Comparison, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """Plain data for JSON."""
        return {
            "kind": self.kind,
            "files": [asdict(file) for file in self.files],
            "gold": [asdict(file) for file in self.gold],
            "documents": self.documents,
            "characters": self.characters,
            "bytes": self.bytes,
            "words_from": self.words_from,
            "words_are_gold": self.words_are_gold,
            "words": self.words,
            "word_documents": self.word_documents,
            "word_characters": self.word_characters,
            "skipped": list(self.skipped),
            "gold_checks": list(map(asdict, self.gold_checks)),
            "systems": [system.to_json() for system in self.systems],
            "differences": [
                {
                    "first": found.first,
                    "second": found.second,
                    "share": found.share,
                    "first_cells": _cells(found.first_cells),
                    "second_cells": _cells(found.second_cells),
                }
                for found in self.differences
            ],
            "perturbed": [report.to_json() for report in self.perturbed],
            "comparisons": [comparison.to_json() for comparison in self.comparisons],
        }


@dataclass(frozen=True)
class ParallelReport:
    """One set of parallel texts.

    Parameters
    ----------
    name
        Name of the set.
    files
        Files of its sides.
    sides
        Names of the sides.
    lines
        Lines of every side.
    systems
        One row per tokenizer, with the metrics `parity_SIDE_BASE`.
    problem
        Why there are no rows, or empty.
    dropped
        Sides that were left out, and why.

    """

    name: str
    files: tuple[SourceFile, ...]
    sides: tuple[str, ...]
    lines: int
    systems: tuple[SystemReport, ...]
    problem: str = ""
    dropped: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """Plain data for JSON."""
        return {
            "name": self.name,
            "files": [asdict(file) for file in self.files],
            "sides": list(self.sides),
            "lines": self.lines,
            "systems": [system.to_json() for system in self.systems],
            "problem": self.problem,
            "dropped": list(self.dropped),
        }


@dataclass(frozen=True)
class Report:
    """All kinds of a folder.

    Parameters
    ----------
    root
        The folder or file.
    version
        Version of pytok.
    seed, resamples
        Of the bootstrap and of the paired tests.
    reference
        System whose token counts `nsl` divides by; None when there is none.
    kinds
        One report per kind.
    parallel
        One report per set of parallel texts.
    spans
        Files with terms, by the name of their list.
    speed
        Speed of the systems by kind, if it was asked for.
    provenance
        Versions, machine, time and command; None in a report put together by hand.

    """

    root: str
    version: str
    seed: int
    resamples: int
    reference: str | None
    kinds: tuple[KindReport, ...]
    parallel: tuple[ParallelReport, ...] = ()
    provenance: Provenance | None = None
    spans: Mapping[str, tuple[SourceFile, ...]] = field(default_factory=dict)
    speed: Mapping[str, tuple[SystemSpeed, ...]] = field(default_factory=dict)

    def to_json(self) -> dict[str, JsonValue]:
        """Plain data for JSON."""
        return {
            "schema": SCHEMA,
            "root": self.root,
            "pytok": self.version,
            "seed": self.seed,
            "resamples": self.resamples,
            "reference": self.reference,
            "provenance": None if self.provenance is None else self.provenance.to_json(),
            "kinds": [kind.to_json() for kind in self.kinds],
            "spans": {name: list(map(asdict, files)) for name, files in self.spans.items()},
            "speed": {kind: list(map(asdict, found)) for kind, found in self.speed.items()},
            "parallel": [parallel.to_json() for parallel in self.parallel],
        }
