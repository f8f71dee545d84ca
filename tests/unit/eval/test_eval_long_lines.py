"""Word segmenters on lines without a mark, whose own code grows with their square."""

import logging
from importlib.util import find_spec

import jieba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok.eval import jieba_words as module
from pytok.eval import open_system, thulac_parts
from pytok.eval.jieba_words import jieba_words

jieba.setLogLevel(logging.WARNING)
TOKENIZER = jieba.Tokenizer()
TOKENIZER.initialize()

TEXTS = st.one_of(
    st.text("学而时习之不亦说乎中国人民银行龘，。 \n", max_size=200),
    st.text("一二三aB1.-+#&_%中文", max_size=200),
    st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FD5), max_size=200),
    st.text(max_size=100),
)


@given(TEXTS)
def test_long_blocks_are_cut_as_jieba_cuts_them(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LONG", 0)
        assert list(jieba_words(TOKENIZER, text)) == list(TOKENIZER.cut(text))


@pytest.mark.parametrize(
    "text", ["学而时习之" * 1200, "".join(map(chr, range(0x4E00, 0x4E00 + 6000))), "a1" * 3000]
)
def test_a_block_of_thousands_of_characters_has_the_words_of_jieba(text):
    assert list(jieba_words(TOKENIZER, text)) == list(TOKENIZER.cut(text))


def test_words_forced_apart_stay_apart_in_long_blocks(monkeypatch):
    monkeypatch.setattr(module, "_LONG", 0)
    word = next(word for word in jieba_words(TOKENIZER, "学而时习之") if len(word) > 1)
    monkeypatch.setattr(jieba.finalseg, "Force_Split_Words", {word})
    assert word not in list(jieba_words(TOKENIZER, "学而时习之"))
    assert list(jieba_words(TOKENIZER, "学而时习之")) == list(TOKENIZER.cut("学而时习之"))


def test_the_quadratic_model_of_jieba_sees_short_runs_only(monkeypatch):
    lengths = []
    viterbi = jieba.finalseg.viterbi

    def counted(run, *tables):
        lengths.append(len(run))
        return viterbi(run, *tables)

    monkeypatch.setattr(jieba.finalseg, "viterbi", counted)
    pieces = open_system("jieba").pieces(["学而时习之" * 20_000, "学而时习之"])
    assert len(pieces.spans) > 50_000
    assert max(lengths) == 5


@given(st.text("天气好。？;!\n", max_size=80), st.integers(3, 12))
def test_parts_are_shorter_than_the_limit_and_make_up_the_text(text, limit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thulac_parts, "_LIMIT", limit)
        parts = list(thulac_parts.thulac_parts(text))
    assert "".join(parts) == text
    lines = [line for part in parts for line in part.split("\n")]
    assert max(map(len, lines)) < limit
    if max(map(len, text.split("\n"))) < limit:
        assert parts == [text]


def test_parts_end_after_as_many_whole_sentences_as_fit(monkeypatch):
    monkeypatch.setattr(thulac_parts, "_LIMIT", 10)
    text = "天气好。我去？天好\n天气好。我去？，天好\n一二三四五六七八九十，一二。天"
    whole, cut = ["天气好。我去？天好\n"], ["天气好。我去？", "，天好\n"]
    expected = [*whole, *cut, "一二三四五六七八九", "十，一二。天"]
    assert list(thulac_parts.thulac_parts(text)) == expected


@pytest.mark.skipif(find_spec("thulac") is None, reason="thulac is not installed")
def test_thulac_gives_for_the_parts_what_it_gives_for_the_text(monkeypatch):
    thulac = pytest.importorskip("thulac").thulac(seg_only=True, max_length=40)
    monkeypatch.setattr(thulac_parts, "_LIMIT", 40)
    text = "学而时习之，不亦说乎？有朋自远方来，不亦乐乎！人不知而不愠，不亦君子乎。\n子曰。" * 9
    parts = thulac_parts.thulac_parts(text.replace("\n", ""))
    words = [word for part in parts for word, _ in thulac.cut(part)]
    assert words == [word for word, _ in thulac.cut(text.replace("\n", ""))]
