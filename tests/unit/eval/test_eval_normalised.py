import math
from collections import Counter, defaultdict

import pytest
from fake_tokenizer import FakeTokenizer
from hypothesis import example, given
from hypothesis import strategies as st

from pytok.errors import EncodeError
from pytok.eval import Encoder, Segmenter, TokenizerSystem
from pytok.eval.normalised import normalisation_gain


def fold(word):
    return word.replace("臺", "台").replace("Ａ", "A")


def test_spellings_that_are_one_word_gain_and_others_do_not():
    system = TokenizerSystem(FakeTokenizer(["台灣", "臺", "灣", "人"]))
    found = normalisation_gain(system, [["台灣", "人"], ["臺灣", "人"]] * 3, fold)
    assert found.without.entropy == pytest.approx(0.5), "one bit for half of the words"
    assert (found.with_normalisation.entropy, found.without.types) == (0, 2)
    assert math.isnan(found.gain), "a ratio to nothing"
    same = normalisation_gain(system, [["人", "灣"]], fold)
    assert same.without == same.with_normalisation


@given(st.lists(st.lists(st.text("臺台ＡA", min_size=1, max_size=3), min_size=1, max_size=4), max_size=6))  # fmt: skip
@example([["AA臺", "A", "AA"], ["AA"]])
def test_entropies_are_those_of_a_plain_count(lines):
    def cut(text):
        return [text[at : at + 2] for at in range(0, len(text), 2)] if "臺" in text else list(text)

    def plain(lines, names):
        patterns = defaultdict(Counter)
        for words, same in zip(lines, names, strict=True):
            edges, at = [], 0
            for piece in cut("".join(words)):
                at += len(piece)
                edges.append(at)
            start = 0
            for word, name in zip(words, same, strict=True):
                inside = tuple(e - start for e in edges if start < e < start + len(word))
                patterns[name][inside] += 1
                start += len(word)
        total = sum(sum(counts.values()) for counts in patterns.values())
        return (
            -sum(
                n * math.log2(n / sum(counts.values()))
                for counts in patterns.values()
                for n in counts.values()
            )
            / total
        )

    found = normalisation_gain(Segmenter("pairs", cut=cut), lines, fold)
    if not lines:
        assert math.isnan(found.without.entropy)
        return
    folded = [[fold(word) for word in line] for line in lines]
    assert found.without.entropy == pytest.approx(plain(lines, folded), abs=1e-9)
    assert found.with_normalisation.entropy == pytest.approx(plain(folded, folded), abs=1e-9)


def test_a_system_without_offsets_is_named():
    system = TokenizerSystem(Encoder("bare", lambda text: [0] * len(text), 1))
    with pytest.raises(EncodeError, match="bare gives no offsets"):
        normalisation_gain(system, [["台灣"]], fold)
