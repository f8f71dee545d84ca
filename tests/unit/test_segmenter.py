"""The dictionary of the word segmenter, and the segmenter as Python sees it."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from opencc import OpenCC

from pytok import _segmenter
from pytok._pytok import WordSegmenter
from pytok._segmenter import jieba_dictionary, jieba_segmenter
from pytok.errors import ConfigError, EncodeError


def frequencies(text: str) -> dict[str, int]:
    """Words and frequencies; of a repeated word the last."""
    lines = (line.split(" ") for line in text.splitlines())
    return {word: int(frequency) for word, frequency, *_ in lines}


@pytest.fixture(scope="module")
def simplified() -> str:
    return jieba_dictionary(traditional=False)


@pytest.fixture(scope="module")
def both() -> str:
    return jieba_dictionary()


def test_without_traditional_forms_it_is_the_file_of_jieba(simplified):
    file = Path(find_spec("jieba").origin).with_name("dict.txt")
    assert simplified.encode() == file.read_bytes()


def test_traditional_forms_have_the_frequencies_of_their_words(simplified, both):
    known, all_words = frequencies(simplified), frequencies(both)
    for word, form in [("电脑", "電腦"), ("图书馆", "圖書館"), ("软件", "軟件"), ("学习", "學習")]:
        assert form not in known
        assert all_words[form] == known[word]
    # Two words with one form: the more frequent one's.
    assert (known["一干二净"], known["一乾二净"]) == (115, 2)
    assert all_words["一乾二淨"] == 115
    # A form that jieba lists itself, and rarer than its word: jieba's frequency.
    assert known["國"] != known["国"]
    assert all_words["國"] == known["國"]


def test_jiebas_lines_come_first_and_unchanged_and_the_text_is_always_the_same(simplified, both):
    assert both.startswith(simplified)
    assert jieba_dictionary() == both
    forms = [line.split(" ")[0] for line in both.removeprefix(simplified).splitlines()]
    assert len(forms) > 200_000
    assert len(set(forms)) == len(forms)
    assert not set(forms) & set(frequencies(simplified))


def test_words_converted_in_one_call_are_what_they_are_alone(simplified):
    words = list(frequencies(simplified))[::7]
    converter = OpenCC("s2t")
    assert _segmenter._traditional(words) == [converter.convert(word) for word in words]


def test_nothing_is_read_before_it_is_asked_for():
    code = (
        "import sys, pytok, pytok._segmenter\n"
        "assert not {'jieba', 'opencc'} & set(sys.modules)\n"
        "pytok._segmenter.jieba_dictionary(False)\n"
        "assert not {'jieba', 'opencc'} & set(sys.modules)\n"
    )
    # Outside the checkout, whose folder is not the built package.
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)


@pytest.mark.parametrize("package", ["jieba", "opencc"])
def test_a_missing_package_is_named(package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    if package == "jieba":
        monkeypatch.setattr(_segmenter, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=f"not installed: {package}") as caught:
        jieba_dictionary()
    assert caught.value.hint == f"pip install {package}"


def test_the_segmenter_is_that_of_the_dictionary(both):
    ours, expected = jieba_segmenter(), WordSegmenter.from_dictionary(both)
    # A text of words in both scripts, twice: in lines, and without a space between.
    words = list(frequencies(both))
    for text in ("\n".join(words[::3]), "".join(words[1::3])):
        assert ours.boundaries(text) == expected.boundaries(text)


def test_what_gives_other_forms_may_fail():
    def forms(lines):
        raise KeyError(lines)

    with pytest.raises(KeyError, match="学"):
        WordSegmenter.from_dictionary("学 3\n", forms)
    with pytest.raises(ConfigError, match="dictionary: 2 other forms of 1 words"):
        WordSegmenter.from_dictionary("学 3\n", lambda lines: lines + "\n")
    with pytest.raises(TypeError):
        WordSegmenter.from_dictionary("学 3\n", lambda lines: 3)


def test_boundaries_are_characters():
    segmenter = WordSegmenter.from_dictionary("北京 34488 ns\n大学 20025 n\n")
    assert segmenter.boundaries("é北京大学😀abc") == [1, 3, 5, 6]
    assert segmenter.boundaries("") == []


def test_a_dictionary_or_a_text_that_is_none_is_refused():
    with pytest.raises(ConfigError, match=r"dictionary: line 2: no frequency in '?\"?而"):
        WordSegmenter.from_dictionary("学 3\n而\n")
    with pytest.raises(ConfigError, match="no word with a frequency"):
        WordSegmenter.from_dictionary("")
    with pytest.raises(EncodeError, match="text: unpaired surrogate at index 1"):
        WordSegmenter.from_dictionary("学 3").boundaries("学\ud800")
    with pytest.raises(TypeError, match="dictionary: expected str"):
        WordSegmenter.from_dictionary(b"x 1")
