"""Words of dialects: where they are replaced, and tables of one's own."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from pytok import zh
from pytok.errors import ConfigError
from pytok.zh.dialect import REGIONS, DialectEntry, read_contexts, read_table, table


@pytest.mark.parametrize(
    ("region", "text", "normalized"),
    [
        ("cantonese", "佢哋聽日唔返嚟食飯，點解呀？", "他們明天不回來吃飯，為什麼呀？"),
        ("cantonese", "這個關係很重要，我們等一下走。", "這個關係很重要，我們等一下走。"),
        ("hokkien", "恁欲去佗位？", "你們要去哪裡？"),
        ("hokkien", "甲方同意，恁請佇七日內通知。", "甲方同意，您請在七日內通知。"),
        ("hokkien", "若造成損害，恁著愛負賠償責任。", "若造成損害，您著愛負賠償責任。"),
        ("hokkien", "恁好", "恁好"),
        ("wu", "阿拉明朝去，侬呢", "我们明天去，你呢"),
        ("wu", "帕侬荣和他侬·吉滴卡宗", "帕侬荣和他侬·吉滴卡宗"),
        ("wu", "阿拉楚阿县，托克阿拉", "阿拉楚阿县，托克阿拉"),
        ("sichuanese", "灰面鵟鷹", "灰面鵟鷹"),
        ("sichuanese", "称两斤灰面。", "称两斤面粉。"),
    ],
)
def test_words_are_replaced_in_their_context(region: str, text: str, normalized: str) -> None:
    result = zh.normalize(text, steps=[region])
    assert result.text == normalized
    assert result.denormalize() == text


@pytest.mark.parametrize("region", REGIONS)
def test_every_row_applies_in_its_own_example(region: str) -> None:
    checked, every = zh.Pipeline([region]), zh.Pipeline([zh.Step(region, {"unchecked": True})])

    def applies(entry: DialectEntry, pipeline: zh.Pipeline) -> bool:
        edits = pipeline.normalize(entry.example).edits
        made = [(edit.before, edit.after) for edit in edits if edit.status != "kept"]
        return any((entry.token, form) in made for form in entry.standard)

    idle = [
        (entry.token, entry.example)
        for entry in table(region)
        for pipeline in ([every] if entry.source == "unchecked" else [checked, every])
        if not applies(entry, pipeline)
    ]
    assert idle == []


CASUAL = [
    "恁食飽未？恁兩个欲去佗位？新聞：兩家公司今仔日簽約。",
    "恁阿母的合約我看過矣。",
    "伊違反規定，恁兩个莫笑。",
    "恁老師講的責任我攏知。",
    "恁攏是甲方的人，逐家來食飯。",
    "甲方講恁應該來，乙方嘛按呢講。",
    "恁若有閒，來阮兜𨑨迌，莫講合約的代誌。",
    "恁著愛負責任喔。",
    "恁兜的協議書囥佇桌頂。",
    "伊共恁講，契約第一條看無。",
    "是恁違約，毋是阮。",
]


@pytest.mark.parametrize("text", CASUAL)
def test_nobody_is_addressed_formally_among_friends(text: str) -> None:
    assert "您" not in zh.normalize(text, preset="hokkien").text


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("甲方應佇三日內通知恁。", "甲方應在三日內通知您。"),
        ("本契約第三條：恁不得轉租。", "本契約第三條：您不得轉租。"),
        ("恁應承擔前項損害之賠償責任。", "您應承擔前項損害之賠償責任。"),
        ("甲方同意，恁不得轉租。恁欲去佗位？", "甲方同意，您不得轉租。你們要去哪裡？"),
    ],
)
def test_a_party_is_addressed_formally_in_its_sentence(text: str, normalized: str) -> None:
    result = zh.normalize(text, preset="hokkien")
    assert result.text == normalized
    address = next(edit for edit in result.edits if edit.after == "您")
    assert (address.status, address.candidates) == ("ambiguous", ("您", "你們"))
    assert "scope honorific, context " in address.reason


def test_own_rows_that_both_apply_are_ambiguous() -> None:
    contexts = {"before-tea": {"next": ["茶"]}, "tea": {"sentence": ["茶"]}}
    rows = [
        {"token": "嘆", "standard": "品", "context": "before-tea"},
        {"token": "嘆", "standard": "喝", "context": "tea"},
    ]
    step = zh.Step("cantonese", {"entries": rows, "contexts": contexts})
    edit, *_ = zh.normalize("嘆茶", steps=[step]).edits
    assert (edit.after, edit.status, edit.candidates) == ("品", "ambiguous", ("品", "喝"))


def test_a_table_may_begin_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("\ufefftoken\tstandard\n甲\t乙\n", "utf-8")
    assert read_table(path) == (DialectEntry("甲", ("乙",)),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[a]\nnexxt = ['x']\n", "a: 'nexxt', expected some of sentence"),
        ("[a]\nnext = 'x'\n", "a: next: 'x', expected a list"),
        ("[a]\nwhy = 'x'\n", "a: holds everywhere"),
        ("a = 1\n", "a: 1, expected lists by name"),
        ("[a\n", "mine.toml: "),
    ],
)
def test_a_context_that_is_none_is_named(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=message):
        read_contexts(path)


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
        ("token\ttoken\tstandard\n", "line 1: the header"),
        ("token\tstandard\tregion\nx\ty\tnanjing\n", "line 2: the region 'nanjing'"),
        ("token\tstandard\n丙丙\t丙|丙\n", "line 2: '丙丙': the standard forms"),
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
    assert "two standard forms in one context" in two
    circle = refusal({"token": "甲", "standard": "乙"}, {"token": "乙", "standard": "甲"})
    assert "in a circle" in circle
    assert "no context is called" in refusal(
        {"token": "甲", "standard": "乙", "context": "court", "scope": "honorific"}
    )
