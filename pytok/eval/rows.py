"""What is kept of one system on one kind: counts, never texts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from pytok.errors import EncodeError
from pytok.eval.bootstrap import DocumentSums
from pytok.eval.consistency import count_patterns, pattern_numbers
from pytok.eval.examples import Context, Places
from pytok.eval.group_counts import GroupCounts
from pytok.eval.integrity import integrity_columns, integrity_sums
from pytok.eval.layout import Segmentation
from pytok.eval.oov import characters_by_count, missing_characters, missing_words
from pytok.eval.parts import Units
from pytok.eval.piece_lengths import LONGEST_PIECE, SCRIPTS, piece_lengths
from pytok.eval.spans import Spans
from pytok.eval.systems import System, TokenizerSystem
from pytok.eval.tally import TEXT_COLUMNS, WORD_COLUMNS, ids_only, text_sums, word_sums
from pytok.eval.text_batch import BoolArray, FloatArray, IdArray, IntArray, TextBatch
from pytok.eval.units import clause_units, sentence_units
from pytok.eval.words import TypeFlags, WordCuts, Words, WordTypes, cut_words

__all__ = ["KnownWords", "Row", "TextUnits"]

_HAN = re.compile("[〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")


@dataclass(frozen=True)
class TextUnits:
    """Sentences and clauses of a batch, found once for all systems."""

    sentences: Units
    clauses: Units

    @classmethod
    def of(cls, batch: TextBatch) -> TextUnits:
        """Find the units of a batch."""
        return cls(sentence_units(batch), clause_units(batch))


@dataclass
class KnownWords:
    """Word types of a kind, shared by all systems."""

    types: WordTypes = field(default_factory=WordTypes)
    han: TypeFlags = field(default_factory=lambda: TypeFlags(lambda w: bool(_HAN.fullmatch(w))))


def _added(totals: IntArray | FloatArray, counts: IntArray | FloatArray) -> FloatArray:
    """Sum of two count vectors of different lengths."""
    longer, shorter = (totals, counts) if len(totals) >= len(counts) else (counts, totals)
    summed = longer.astype(np.float64)
    summed[: len(shorter)] += shorter
    return summed


class Row:
    """Running counts of one system on one kind.

    Parameters
    ----------
    system
        The system.

    """

    def __init__(self, system: System) -> None:
        self.system = system
        self.failure: str | None = None
        self.has_offsets = True
        self.text = DocumentSums(TEXT_COLUMNS)
        self.word = DocumentSums(WORD_COLUMNS)
        self.spans: DocumentSums | None = None
        self.speed = DocumentSums(["megabytes", "seconds"])
        self.worst: Counter[str] = Counter()
        self.id_counts: FloatArray = np.zeros(0)
        self.type_counts: FloatArray = np.zeros(0)
        self.type_missing: FloatArray = np.zeros(0)
        self.patterns: Counter[tuple[int, int]] = Counter()
        self.grouped_ids, self.grouped_types = GroupCounts(), GroupCounts()
        self.grouped_patterns = GroupCounts()
        self._pattern_keys: dict[int, int] = {}
        self.lengths: IntArray = np.zeros((len(SCRIPTS), LONGEST_PIECE), dtype=np.int64)
        self.character_places = Places()
        self.word_places = Places()
        tokenizer = system.tokenizer
        self._unk_id = None if tokenizer is None else tokenizer.unk_id
        self._vocab_size = None if tokenizer is None else tokenizer.vocab_size
        knows = system.knows
        self._absent = None if knows is None else TypeFlags(lambda word: not knows(word))

    def cut(self, batch: TextBatch, *, timed: bool) -> Segmentation:
        """Cut a batch; with `timed` its wall time counts."""
        found = self.system.pieces(list(batch.texts))
        self._check_ids(found.ids)
        if timed:
            size = np.array([batch.byte_starts[-1] / 1e6])
            self.speed.add({"megabytes": size, "seconds": np.array([found.seconds])})
        spans = found.spans
        if spans is None:
            self.has_offsets = False
            # Pieces that touch no character: they still count as tokens.
            spans = np.zeros((int(found.bounds[-1]), 2), dtype=np.int64)
        return Segmentation.of_spans(batch, spans, found.bounds, ids=found.ids, unk_id=self._unk_id)

    def _check_ids(self, ids: IdArray | None) -> None:
        if ids is None or not len(ids) or not isinstance(self.system, TokenizerSystem):
            return
        limit, largest = len(self.system.vocabulary), int(ids.max())
        if largest >= limit or int(ids.min()) < 0:
            wrong = largest if largest >= limit else int(ids.min())
            raise EncodeError(
                f"{self.system.name}: id {wrong}, expected 0 to {limit - 1}, its largest id"
            )

    def add_text(self, pieces: Segmentation, units: TextUnits) -> None:
        """Count what needs no words."""
        broken = self.system.broken_ids if isinstance(self.system, TokenizerSystem) else None
        sums = text_sums(pieces, units.sentences, units.clauses, broken, self._vocab_size)
        self.text.add(sums if self.has_offsets else ids_only(sums))
        if pieces.ids is not None:
            self.id_counts = _added(self.id_counts, np.bincount(pieces.ids))
            self.grouped_ids.add(
                pieces.batch.n_documents, pieces.piece_documents, pieces.ids.astype(np.int64)
            )
        if not self.has_offsets:
            return
        self.lengths = self.lengths + piece_lengths(pieces)
        missing = missing_characters(pieces)
        self.worst += characters_by_count(pieces, missing)
        at = np.flatnonzero(missing)
        codes = pieces.batch.code_points[at].astype(np.int64)
        self.character_places.add(pieces, codes, at, np.ones_like(at))

    def add_spans(self, pieces: Segmentation, found: dict[str, Spans]) -> None:
        """Count which spans stay whole."""
        if not self.has_offsets:
            self.spans = None
            return
        if self.spans is None:
            self.spans = DocumentSums(integrity_columns(tuple(found)))
        self.spans.add(integrity_sums(pieces, found))

    def add_words(self, pieces: Segmentation, words: Words, known: KnownWords) -> None:
        """Count what needs words."""
        cuts = cut_words(pieces, words)
        absent = None if self._absent is None else self._absent.of(known.types)
        sums = word_sums(pieces, words, cuts, known.han.of(known.types), absent)
        self.word.add(sums if self.has_offsets else ids_only(sums))
        if not self.has_offsets:
            return
        missing = missing_words(pieces, cuts)
        self.type_counts = _added(self.type_counts, np.bincount(cuts.types))
        self.type_missing = _added(self.type_missing, np.bincount(cuts.types, weights=missing))
        self._add_patterns(pieces.batch.n_documents, cuts, missing)
        self.word_places.add(
            pieces, cuts.types[missing], cuts.starts[missing], cuts.lengths[missing]
        )

    def _add_patterns(self, n_documents: int, cuts: WordCuts, missing: BoolArray) -> None:
        """Count the cuts of words, all together and per group of documents."""
        patterns = pattern_numbers(cuts)
        self.patterns.update(count_patterns(patterns, cuts))
        distinct, at = np.unique(patterns, return_inverse=True)
        known = self._pattern_keys
        keys = [known.setdefault(number, len(known)) for number in distinct.tolist()]
        self.grouped_patterns.add(
            n_documents, cuts.documents, np.array(keys, dtype=np.int64)[at.reshape(-1)]
        )
        self.grouped_types.add(n_documents, cuts.documents, cuts.types, missing.astype(np.float64))

    def worst_characters(self, most: int) -> tuple[Context, ...]:
        """Characters that no token covers, the most frequent first, at most `most`."""
        worst = sorted(self.worst.items(), key=lambda item: (-item[1], item[0]))[:most]
        return self.character_places.contexts(
            (ord(character), character, count) for character, count in worst
        )

    def worst_words(self, types: WordTypes, most: int) -> tuple[Context, ...]:
        """Words out of vocabulary, the most frequent first, at most `most`."""
        order = np.argsort(-self.type_missing, kind="stable")[:most].tolist()
        words = types.words if order else []
        counts = self.type_missing.tolist()
        return self.word_places.contexts(
            (number, words[number], round(counts[number])) for number in order if counts[number]
        )
