"""Steps that fold variants: known answers, what must stay apart, and the table itself."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from pytok import zh
from pytok.zh._tables import rows

Z = zh.Pipeline(["z-variants"])
BOTH = zh.Pipeline(["z-variants", "semantic-variants"])
TRADITIONAL = zh.Pipeline(
    [zh.Step("z-variants", {"script": "traditional"}), zh.Step("semantic-variants")]
)
TABLE = rows("variants.tsv")
STANDARD = {replacement for _, replacement, *_ in TABLE}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("吳大澂", "吳大澄"),
        ("幷呑", "并吞"),
        ("爲眞卽旣敎靑", "為真即既教青"),
        ("衆裏峯羣牀", "眾裡峰群床"),
        ("說説絶", "說說絕"),
        ("㑹㣲矦𨵿", "會微侯關"),
        ("囘扵宻髙", "回於密高"),
    ],
)
def test_variants_become_standard(text: str, expected: str) -> None:
    assert Z.text(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "巳已己母毋戊戌戍未末",
        "于於脩修閒間鍾鐘它他后後",
        "强強说說学學内內将將国國",
        "王翦李暠錢鏐盧仝陳寔交阯于窴",
        "发发现干净里面台湾历史",
        "髮發乾淨裡面臺灣歷史",
    ],
)
def test_standard_and_distinct_characters_stay(text: str) -> None:
    assert BOTH.text(text) == text


def test_semantic_variants_are_a_step_of_their_own() -> None:
    assert Z.text("飡髠") == "飡髠"
    assert BOTH.text("飡髠") == "餐髡"


def test_kept_characters_are_neither_changed_nor_put_anywhere() -> None:
    step = zh.Step("z-variants", {"keep": "澂為"})
    assert zh.normalize("澂幷爲", steps=[step]).text == "澂并爲"


def test_traditional_text_may_fold_what_only_simplified_text_has() -> None:
    assert TRADITIONAL.text("内虚静爲于后里") == "內虛靜為于后里"
    assert Z.text("内虚静") == "内虚静"


def test_reasons_name_the_sources() -> None:
    (edit,) = Z.normalize("澂").edits
    assert edit.reason == "z-variant: prc-1955, yitizi"


@pytest.mark.parametrize("pipeline", [Z, BOTH, TRADITIONAL], ids=["z", "both", "traditional"])
def test_what_must_never_merge_stays_apart(pipeline: zh.Pipeline) -> None:
    listed = rows("never-merge.tsv")
    assert len(listed) > 90
    for characters, reason in listed:
        assert reason
        for one, other in itertools.combinations(characters, 2):
            assert pipeline.text(one) != pipeline.text(other), (one, other)


def test_the_table_has_no_chains_and_no_cycles() -> None:
    variants = [row[0] for row in TABLE]
    assert len(variants) == len(set(variants))
    by_script = {"any": set(), "traditional": set()}
    for variant, replacement, step, script, sources in TABLE:
        assert len(variant) == len(replacement) == 1
        assert step in ("z-variants", "semantic-variants")
        assert sources
        by_script[script].add(variant)
    assert not by_script["any"] & STANDARD
    traditional = {row[1] for row in TABLE if row[3] == "traditional"}
    assert not by_script["traditional"] & traditional
    for row in TABLE:
        assert TRADITIONAL.text(row[1]) == TRADITIONAL.text(TRADITIONAL.text(row[0]))


def test_compatibility_and_variants_meet() -> None:
    assert zh.normalize("\uf9dc⾭", preset="classical").text == "隆青"


@pytest.mark.needs_shared
def test_differences_that_are_textual_stay_in_the_editions(shared: Path) -> None:
    path = shared / "data" / "variants" / "kanripo-witness-pairs.tsv"
    seen = {tuple(line.split("\t")[:2]) for line in path.read_text(encoding="utf-8").splitlines()}
    for pair in (("巳", "已"), ("母", "毋"), ("王", "玉"), ("楊", "揚"), ("二", "三")):
        assert pair in seen or pair[::-1] in seen
        assert BOTH.text(pair[0]) != BOTH.text(pair[1])
    graphic = [("爲", "為"), ("灋", "法"), ("旣", "既"), ("敎", "教"), ("歲", "嵗"), ("歳", "嵗")]
    for one, other in graphic:
        assert (one, other) in seen
        assert Z.text(one) == Z.text(other)
