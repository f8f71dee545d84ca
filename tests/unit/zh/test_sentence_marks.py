"""The steps ``sentence-marks`` and ``sentence-breaks``."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from pytok import zh
from pytok.errors import ConfigError


def run(step: str, text: str, **options: object) -> zh.Normalized:
    normalized = zh.normalize(text, steps=[zh.Step(step, options)])
    assert normalized.denormalize() == text
    return normalized


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("學而時習之○不亦說乎○", "學而時習之。不亦說乎。"),
        ("子曰◯學而時習之◦不亦說乎◦", "子曰。學而時習之。不亦說乎。"),
        ("子曰．學而時習之．不亦說乎．", "子曰。學而時習之。不亦說乎。"),
        ("子曰、學而時習之○", "子曰、學而時習之。"),
        ("「子曰」○『學』○", "「子曰」。『學』。"),
        ("子曰｡學﹑而﹐時︒1", "子曰。學、而，時。1"),
        ("子曰。\ufe01學，\ufe00", "子曰。學，"),
    ],
)
def test_old_marks_become_the_usual_ones(text: str, expected: str) -> None:
    normalized = run("sentence-marks", text)
    assert normalized.text == expected
    assert {edit.status for edit in normalized.edits} == {"sure"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("二○○五年", "beside another such mark: characters left out or lost"),
        ("一九○年", "in a number"),
        ("王○○先生", "beside another such mark: characters left out or lost"),
        ("甲○乙○丙。", "in a line that has full stops of its own"),
        ("甲○乙○丙｡", "in a line that has full stops of its own"),
        ("《聖經．馬太》《詩．關雎》", "between the parts of a title or a name"),
        ("卡爾．馬克思", "the only such mark of its line, which has no other full stop"),
        ("a○b", "not between Chinese characters"),
        ("No．5", "not between Chinese characters"),
        ("ｱ｡", "not behind a Chinese character"),
        ("甲﹅乙", "dot of emphasis or reading mark"),
    ],
)
def test_what_may_be_something_else_stays_and_is_reported(text: str, reason: str) -> None:
    normalized = run("sentence-marks", text)
    assert normalized.text.replace("。", "｡") == text.replace("。", "｡")
    kept = [edit for edit in normalized.edits if edit.status == "kept"]
    assert {edit.reason for edit in kept} == {reason}
    assert all(edit.candidates[0] == edit.before for edit in kept)


def test_the_only_circle_of_a_line_is_ambiguous() -> None:
    normalized = run("sentence-marks", "大學之道○在明明德")
    assert normalized.text == "大學之道。在明明德"
    assert [(e.status, e.candidates) for e in normalized.edits] == [("ambiguous", ("。", "○"))]


def test_reading_marks_become_commas_only_when_asked_and_only_where_there_is_none() -> None:
    assert run("sentence-marks", "子曰、學而。").text == "子曰、學而。"
    normalized = run("sentence-marks", "子曰、學﹑而。\n甲，乙、丙。", reading_mark="，")
    assert normalized.text == "子曰，學，而。\n甲，乙、丙。"
    assert {edit.status for edit in normalized.edits} == {"ambiguous"}


@pytest.mark.parametrize(
    ("text", "options", "breaks"),
    [
        ("甲。乙！丙？丁", {}, (2, 4, 6)),
        ("「來！」他說。", {}, (4, 7)),
        ("「好！」，他說。", {}, (8,)),
        ("『「甲。」』乙", {}, (6,)),
        ("《甲？》乙）。", {}, (4, 7)),
        ("真的？！走。。", {}, (4, 7)),
        ('他說"好。"走。', {}, (6, 8)),
        ('好。"他說"', {}, (2,)),
        ("a!=b 甲?b=1 what? 好!", {}, (16, 19)),
        ("我……不去", {}, ()),
        ("「我……」他說", {}, (5,)),
        ("我……\n乙", {}, (3,)),
        ("我……不去", {"ellipsis": "always"}, (3,)),
        ("「我……」", {"ellipsis": "never"}, ()),
        ("我……。他", {"ellipsis": "never"}, (4,)),
        ("甲。\n乙\n\n 丙", {}, (2,)),
        ("甲。\n乙\n\n 丙", {"newline": True}, (2, 4, 8)),
        ("甲；乙。", {"ends": "；"}, (2,)),
        ("", {"newline": True}, ()),
    ],
)
def test_sentences_end_behind_marks_and_closers(
    text: str, options: dict[str, object], breaks: tuple[int, ...]
) -> None:
    normalized = run("sentence-breaks", text, **options)
    assert (normalized.text, normalized.breaks, normalized.edits) == (text, breaks, ())


def test_breaks_move_with_the_text_of_later_steps() -> None:
    steps = [zh.Step("sentence-breaks"), zh.Step("name-marks")]
    assert zh.normalize("＿孔子＿曰。善。", steps=steps).breaks == (4, 6)


@pytest.mark.parametrize(
    ("step", "options"),
    [
        ("sentence-marks", {"reading_mark": "x"}),
        ("sentence-breaks", {"ends": ""}),
        ("sentence-breaks", {"ellipsis": "maybe"}),
        ("sentence-breaks", {"newline": 0}),
    ],
)
def test_wrong_options_are_named(step: str, options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=f"{step}: {next(iter(options))}: .*expected"):
        zh.Pipeline([zh.Step(step, options)])


def ends(text: str, steps: list[str | zh.Step]) -> set[int]:
    """The number of Chinese characters before each end of a sentence."""
    normalized = zh.normalize(text, steps=steps)
    return {
        sum("\u3400" <= mark <= "\u9fff" for mark in normalized.text[:place])
        for place in normalized.breaks
    }


@pytest.mark.needs_shared
def test_sentences_of_vertical_text_end_where_those_of_the_edition_do(shared: Path) -> None:
    folder = shared / "data/classical"
    vertical = (folder / "derived-shiji-vertical.txt").read_text(encoding="utf-8").splitlines()
    with lzma.open(folder / "shiji-punctuated.txt.xz") as file:
        edition = file.read().decode("utf-8").splitlines()
    quotes = zh.Step("quotes", {"within": "text"})
    for ours, theirs in zip(vertical[:40], edition, strict=False):
        found = ends(ours, ["sentence-marks", quotes, "sentence-breaks"])
        assert len(found) > 5
        assert found == ends(theirs, ["sentence-breaks"])
