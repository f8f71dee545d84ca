"""What a normalisation does for consistency: words cut alike that are one word.

Words that a normalisation makes equal are one type, without it and with it.
Without it their spellings may be cut differently, with it they are the same
text; the ratio of the two entropies is the consistency gain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pytok.errors import EncodeError
from pytok.eval.consistency import (
    Consistency,
    consistency_gain,
    entropy_of_patterns,
    pattern_counts,
)
from pytok.eval.layout import Segmentation
from pytok.eval.systems import System
from pytok.eval.text_batch import TextBatch
from pytok.eval.units import word_units
from pytok.eval.words import Words, WordTypes, cut_words

__all__ = ["NormalisationGain", "normalisation_gain"]

_BATCH_CHARACTERS = 1 << 18


@dataclass(frozen=True)
class NormalisationGain:
    """Consistency of a text without and with a normalisation."""

    without: Consistency
    with_normalisation: Consistency

    @property
    def gain(self) -> float:
        """Entropy without over entropy with; above 1 the normalisation helps."""
        return consistency_gain(self.without, self.with_normalisation)


def normalisation_gain(
    system: System, lines: Iterable[Sequence[str]], normalize: Callable[[str], str]
) -> NormalisationGain:
    """Measure H(cuts inside the word | normalised word), in bits, on both texts.

    Parameters
    ----------
    system
        Any system that gives offsets.
    lines
        The words of each sentence, in order, nothing left out.
    normalize
        Normalises one word.

    Raises
    ------
    EncodeError
        If the system gives no offsets.

    Examples
    --------
    >>> from pytok.eval import Segmenter
    >>> cut = Segmenter("a", cut=lambda text: ["台灣"] if text == "台灣" else list(text))
    >>> found = normalisation_gain(cut, [["台灣"], ["臺灣"]], lambda word: word.replace("臺", "台"))
    >>> found.without.entropy, found.with_normalisation.entropy
    (1.0, 0.0)

    """
    types = WordTypes()
    before: Counter[tuple[int, int]] = Counter()
    after: Counter[tuple[int, int]] = Counter()
    for batch in _batches(lines):
        changed = [[normalize(word) for word in words] for words in batch]
        before.update(_patterns(system, batch, changed, types))
        after.update(_patterns(system, changed, changed, types))
    return NormalisationGain(entropy_of_patterns(before), entropy_of_patterns(after))


def _batches(lines: Iterable[Sequence[str]]) -> Iterator[list[list[str]]]:
    held: list[list[str]] = []
    size = 0
    for line in lines:
        held.append([word for word in line if word])
        size += sum(map(len, line))
        if size >= _BATCH_CHARACTERS:
            yield held
            held, size = [], 0
    if held:
        yield held


def _patterns(
    system: System, words: list[list[str]], names: list[list[str]], types: WordTypes
) -> Counter[tuple[int, int]]:
    """Count the cuts inside words, by the type that `names` gives each of them."""
    flat = [
        (word, name)
        for line, same in zip(words, names, strict=True)
        for word, name in zip(line, same, strict=True)
        if word
    ]
    if not flat:
        return Counter()
    batch = TextBatch.of(["".join(line) for line in words])
    found = system.pieces(list(batch.texts))
    if found.spans is None:
        raise EncodeError(f"{system.name} gives no offsets, which consistency needs")
    pieces = Segmentation.of_spans(batch, found.spans, found.bounds, ids=found.ids)
    units = word_units(batch, [len(word) for word, _ in flat])
    laid = Words(units, types.number([name for _, name in flat]))
    return pattern_counts(cut_words(pieces, laid))
