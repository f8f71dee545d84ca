"""The step ``quotes``: pairs, levels, and marks that have no partner."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from pytok import zh
from pytok.errors import ConfigError

AROUND_SINGLE = "around a mark without its partner of the kind that this one would be"


def folded(text: str, **options: object) -> zh.Normalized:
    normalized = zh.normalize(text, steps=[zh.Step("quotes", options)])
    assert normalized.denormalize() == text
    return normalized


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        ("他說：“好。”", {}, "他說：「好。」"),
        ("“讀‘論語’”", {}, "「讀『論語』」"),
        ("「讀『論語』」", {"to": "curly"}, "“讀‘論語’”"),
        ("﹁讀﹃論語﹄﹂", {}, "「讀『論語』」"),
        ("「讀『論語』」", {"to": "vertical"}, "﹁讀﹃論語﹄﹂"),
        ("〝甲〞〝乙〟｢丙｣", {}, "「甲」「乙」「丙」"),
        # A pair inside a pair of another kind gets the other level, and so on inside.
        ("「甲“乙”」", {}, "「甲『乙』」"),
        ("「甲“乙‘丙’”」", {}, "「甲『乙「丙」』」"),
        ("『甲“乙”』", {}, "『甲「乙」』"),
        # Marks keep their level; by depth they do not.
        ("‘甲“乙”’", {}, "『甲「乙」』"),
        ("‘甲“乙”’", {"levels": "depth"}, "「甲『乙』」"),
        ("“甲“乙”丙”", {}, "「甲「乙」丙」"),
        ("“甲“乙”丙”", {"levels": "depth"}, "「甲『乙』丙」"),
        # Apostrophes and aspirates of Latin words are no marks.
        ("‘don’t T‘ang’", {}, "『don’t T‘ang』"),
        ("“甲\n乙”", {}, "“甲\n乙”"),
        ("“甲\n乙”", {"within": "text"}, "「甲\n乙」"),
        ('他說"好"', {}, '他說"好"'),
        ("他說\"好'呀'\" don't", {"straight": True}, "他說「好『呀』」 don't"),
        ("＂甲＂", {"straight": True}, "「甲」"),
    ],
)
def test_marks_are_folded(text: str, options: dict[str, object], expected: str) -> None:
    assert folded(text, **options).text == expected


@pytest.mark.parametrize(
    ("text", "kept", "expected"),
    [
        ("“甲", [(0, 1, "opening mark without its closing mark")], "“甲"),
        ("甲”", [(1, 2, "closing mark without its opening mark")], "甲”"),
        # The mark that was opened in between has no partner, the pair around it has.
        ("“甲‘乙”", [(2, 3, "opening mark without its closing mark")], "「甲‘乙」"),
        ("“甲‘乙”丙’", [(2, 3, "opening mark without its closing mark"),
                    (6, 7, "closing mark without its opening mark")], "「甲‘乙」丙’"),
        ("“一\n“二”", [(0, 1, "opening mark without its closing mark")], "“一\n「二」"),
        # Who could tell which 「 was the partner?
        ("“甲「乙”丙", [(0, 1, AROUND_SINGLE), (2, 3, "opening mark without its closing mark"),
                     (4, 5, AROUND_SINGLE)], "“甲「乙”丙"),
        ("“甲『乙”丙", [(2, 3, "opening mark without its closing mark")], "「甲『乙」丙"),
        ("the dogs’ “甲”", [(8, 9, "closing mark without its opening mark")], "the dogs’ 「甲」"),
    ],
)  # fmt: skip
def test_marks_without_a_partner_stay_and_are_reported(
    text: str, kept: list[tuple[int, int, str]], expected: str
) -> None:
    normalized = folded(text)
    assert normalized.text == expected
    found = [edit for edit in normalized.edits if edit.status == "kept"]
    assert [(*edit.original, edit.reason) for edit in found] == kept
    assert all(edit.before == edit.after for edit in found)


def test_no_mark_becomes_an_apostrophe() -> None:
    normalized = folded("say『hello』now 『ok』", to="curly")
    assert normalized.text == "say『hello』now ‘ok’"
    assert {edit.reason for edit in normalized.edits if edit.status == "kept"} == {
        "between letters, where it would be an apostrophe"
    }
    assert folded("say「hello」now", to="curly").text == "say“hello”now"


def test_of_an_odd_number_of_straight_marks_none_is_changed() -> None:
    normalized = folded('5"屏，"好"', straight=True)
    assert normalized.text == '5"屏，"好"'
    assert [edit.status for edit in normalized.edits] == ["kept"] * 3


def test_what_is_right_already_is_not_reported() -> None:
    assert folded("「讀『論語』」").edits == ()


@pytest.mark.parametrize(
    "options", [{"to": "german"}, {"straight": 1}, {"levels": "kind"}, {"within": "page"}]
)
def test_wrong_options_are_named(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=f"quotes: {next(iter(options))}: .*expected one of"):
        zh.Pipeline([zh.Step("quotes", options)])


def edition(shared: Path) -> str:
    with lzma.open(shared / "data/classical/shiji-punctuated.txt.xz") as file:
        return file.read().decode("utf-8")


@pytest.mark.needs_shared
def test_marks_of_an_edition_are_folded_there_and_back(shared: Path) -> None:
    text = edition(shared)
    curly = folded(text, to="curly", within="text")
    assert curly.text.count("“") > 800
    assert not set(curly.text) & set("「」『』")
    assert folded(curly.text, within="text").text == text


@pytest.mark.needs_shared
def test_vertical_marks_of_quotations_become_those_of_the_edition(shared: Path) -> None:
    path = shared / "data/classical/derived-shiji-vertical.txt"
    vertical = path.read_text(encoding="utf-8")
    restored = folded(vertical, within="text")
    wanted = [mark for mark in edition(shared) if mark in "「」『』"]
    found = [mark for mark in restored.text if mark in "「」『』"]
    assert len(found) > 500
    assert found == wanted[: len(found)]
    assert not set(restored.text) & set("﹁﹂﹃﹄")
