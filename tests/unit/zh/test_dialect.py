"""Words of dialects: where they are replaced, and tables of one's own."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from pytok import zh
from pytok.errors import ConfigError
from pytok.zh.dialect import REGIONS, DialectEntry, read_table, table


@pytest.mark.parametrize(
    ("region", "text", "normalized"),
    [
        ("cantonese", "佢哋聽日唔返嚟食飯，點解呀？", "他們明天不回來吃飯，為什麼呀？"),
        ("cantonese", "這個關係很重要，我們等一下走。", "這個關係很重要，我們等一下走。"),
        ("hokkien", "恁欲去佗位？", "你們要去哪裡？"),
        ("hokkien", "甲方同意，恁請佇七日內通知。", "甲方同意，您請在七日內通知。"),
        ("hokkien", "若造成損害，恁著愛負賠償責任。", "若造成損害，您著愛負賠償責任。"),
        ("hokkien", "恁好", "恁好"),
    ],
)
def test_words_are_replaced_in_their_context(region: str, text: str, normalized: str) -> None:
    result = zh.normalize(text, steps=[region])
    assert result.text == normalized
    assert result.denormalize() == text


@pytest.mark.parametrize("region", REGIONS)
def test_every_example_is_changed_where_its_word_is(region: str) -> None:
    pipeline = zh.Pipeline([region])
    unchanged = []
    for entry in table(region):
        edits = pipeline.normalize(entry.example).edits
        if not any(edit.status != "kept" for edit in edits):
            unchanged.append((entry.token, entry.example))
    # jieba joins some words to their neighbours; a word is then left alone.
    assert len(unchanged) <= len(table(region)) // 20, unchanged


def test_own_rows_take_the_place_of_ours() -> None:
    own = DialectEntry("唔該", ("麻煩您",))
    step = zh.Step("cantonese", {"entries": [own]})
    assert zh.normalize("唔該借過", steps=["cantonese"]).text != "麻煩您借過"
    pipeline = zh.Pipeline([step])
    assert pipeline.normalize("唔該借過").text == "麻煩您借過"
    assert pickle.loads(pickle.dumps(pipeline)) == pipeline
    assert zh.Pipeline.from_spec(json.loads(json.dumps(pipeline.spec()))) == pipeline


def test_a_table_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("# mine\ntoken\tstandard\tscope\n咗先\t∅\tany\n", "utf-8")
    assert read_table(path) == (DialectEntry("咗先", ("",)),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("token\tregion\n", "line 1: the header"),
        ("token\tstandard\nx\n", "line 2: 1 columns, expected 2"),
        ("token\tstandard\tscope\nx\ty\tall\n", "line 2: the scope 'all'"),
        ("token\tstandard\nx\t\n", "line 2: 'x' has no standard form"),
    ],
)
def test_a_line_that_is_no_row_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=message):
        read_table(path)


def test_rows_that_contradict_each_other_are_refused() -> None:
    def refusal(*entries: dict[str, object]) -> str:
        with pytest.raises(ConfigError) as caught:
            zh.Pipeline([zh.Step("wu", {"entries": list(entries)})])
        return str(caught.value)

    two = refusal({"token": "甲", "standard": "乙"}, {"token": "甲", "standard": "丙"})
    assert "'wu'" in two.replace('"', "'") and "two standard forms in one context" in two
    circle = refusal({"token": "甲", "standard": "乙"}, {"token": "乙", "standard": "甲"})
    assert "in a circle" in circle
    assert "no context is called" in refusal(
        {"token": "甲", "standard": "乙", "context": "court", "scope": "honorific"}
    )
