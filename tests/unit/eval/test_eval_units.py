import pytest

from pytok.eval.text_batch import TextBatch
from pytok.eval.units import clause_units, sentence_units


def units(function, *texts):
    batch = TextBatch.of(texts)
    found = function(batch)
    joined = "".join(texts)
    assert "".join(joined[a:b] for a, b in zip(found.starts, found.ends, strict=True)) == joined
    return [
        joined[a:b]
        for a, b, counts in zip(found.starts, found.ends, found.counts, strict=True)
        if counts
    ]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("来了。走了！好", ["来了。", "走了！", "好"]),
        ("“来！”他说。", ["“来！”", "他说。"]),
        ("真的？！？是", ["真的？！？", "是"]),
        ("（见上。）又", ["（见上。）", "又"]),
        ("“好”，他说", ["“好”，他说"]),
        ("标题\n\n正文。", ["标题", "正文。"]),
        ("  \n。\n", ["。"]),
        ("", []),
    ],
)
def test_sentences(text, sentences):
    assert units(sentence_units, text) == sentences


def test_sentences_do_not_join_over_texts():
    assert units(sentence_units, "来。", "”走", "", "好") == ["来。", "”走", "好"]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("学而时习之，不亦说乎？", ["学而时习之，", "不亦说乎？"]),
        ("他说：“好。”走", ["他说：“", "好。”", "走"]),
        ("a.b\nc", ["a.", "b", "c"]),
        ("价格$5+1", ["价格$5+1"]),
    ],
)
def test_clauses_end_after_runs_of_punctuation(text, clauses):
    assert units(clause_units, text) == clauses
