"""The word segmenter: every boundary is jieba's, without its hidden Markov model."""

from __future__ import annotations

import logging
from itertools import accumulate
from pathlib import Path

import jieba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok._pytok import WordSegmenter
from pytok._segmenter import jieba_dictionary

from .corpus import documents
from .strategies import FIXED_TEXTS, examples, random_texts, texts

KINDS = ("news", "train", "gold", "code", "classical", "dialect", "parallel")


class Both:
    """jieba and ours with the same dictionary."""

    def __init__(self, dictionary: str, folder: Path) -> None:
        jieba.setLogLevel(logging.WARNING)
        file = folder / "dictionary.txt"
        file.write_bytes(dictionary.encode())
        self.theirs = jieba.Tokenizer(str(file))
        self.theirs.tmp_dir = str(folder)
        self.ours = WordSegmenter.from_dictionary(dictionary)

    def agree(self, text: str, source: str = "text") -> None:
        ends = list(accumulate(map(len, self.theirs.lcut(text, HMM=False))))
        found = self.ours.boundaries(text)
        if found != ends[:-1]:
            place = min(set(found) ^ set(ends[:-1]))
            near = text[max(place - 20, 0) : place + 20]
            pytest.fail(f"{source}: character {place} is a boundary of one only: {near!r}")


@pytest.fixture(scope="module")
def simplified(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(jieba_dictionary(traditional=False), tmp_path_factory.mktemp("simplified"))


@pytest.fixture(scope="module")
def both_scripts(tmp_path_factory: pytest.TempPathFactory) -> Both:
    return Both(jieba_dictionary(), tmp_path_factory.mktemp("both"))


@pytest.mark.needs_shared
@pytest.mark.parametrize("dictionary", ["simplified", "both_scripts"])
@pytest.mark.parametrize("kind", KINDS)
def test_real_text(
    kind: str, dictionary: str, shared: Path, request: pytest.FixtureRequest
) -> None:
    both: Both = request.getfixturevalue(dictionary)
    for document in documents(shared, kind):
        both.agree(document.text, document.source)


def test_hostile_texts(both_scripts: Both) -> None:
    for text in (*FIXED_TEXTS, *random_texts(1_000)):
        both_scripts.agree(text)


@examples()
@given(texts())
def test_any_text(both_scripts: Both, text: str) -> None:
    both_scripts.agree(text)


WORDS = jieba_dictionary().split("\n")[:-1]
PIECES = st.one_of(
    st.sampled_from(WORDS).map(lambda line: line.split(" ")[0]),
    st.sampled_from(WORDS).map(lambda line: line[0]),
    st.text("aZ09+#&._%-", min_size=1, max_size=4),
    st.sampled_from(("，", "。", "！", " ", "\r\n", "\r", "\n", "\t", "\u3000", "\u9fd5", "\u9fd6", "㐀", "𠀀")),
)  # fmt: skip


@examples(400)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_mixes_of_words_letters_and_marks(both_scripts: Both, text: str) -> None:
    both_scripts.agree(text)


@examples(40, 400)
@given(
    st.lists(
        st.tuples(st.text("甲乙丙a1-", min_size=1, max_size=4), st.integers(0, 4)),
        min_size=1,
        max_size=12,
    ).filter(lambda entries: any(frequency for _, frequency in entries)),
    st.lists(st.text("甲乙丙丁a1-，", max_size=20), min_size=5, max_size=5),
)
def test_tiny_dictionaries_in_which_paths_are_often_equally_likely(
    tmp_path_factory: pytest.TempPathFactory, entries: list[tuple[str, int]], lines: list[str]
) -> None:
    dictionary = "".join(f"{word} {frequency}\n" for word, frequency in entries)
    both = Both(dictionary, tmp_path_factory.mktemp("tiny"))
    for line in lines:
        both.agree(line, repr(dictionary))


def test_the_dictionary_of_both_scripts_gives_jiebas_words_in_simplified_text(
    simplified: Both, both_scripts: Both
) -> None:
    text = "我们在北京大学的图书馆里用电脑学习软件工程"
    assert simplified.ours.boundaries(text) == both_scripts.ours.boundaries(text)
