"""How the generator of the table of variants chooses, on small sources of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "rust/pytok-core/tables/chinese"


@pytest.fixture(scope="module")
def modules():
    """The modules of the generator."""
    sys.path.insert(0, str(FOLDER))
    try:
        import sources
        import variants

        yield sources, variants
    finally:
        sys.path.remove(str(FOLDER))
        for name in ("sources", "variants"):
            sys.modules.pop(name, None)


def choose(modules, *, tables=(), yitizi=(), forbidden=(), **unihan):
    """The rows of small tables: `tables` has (variant, other, source)."""
    sources, variants = modules
    known = sources.Unihan(prc=set("甲乙丙丁简"), taiwan=set("甲乙丙"))
    known.prc_all = known.prc | set("名")
    for character in "甲乙丙丁简戊己庚名":
        known.reading[character] = "a"
        known.readings[character].add("a")
    for name, value in unihan.items():
        setattr(known, name, value)
    pairs: dict[tuple[str, str], set[str]] = {}
    for variant, other, source in tables:
        pairs.setdefault((variant, other), set()).add(source)
    collected: dict[str, set[str]] = {}
    for one, other in yitizi:
        collected.setdefault(one, set()).add(other)
        collected.setdefault(other, set()).add(one)
    never = {one: set(other) for one, other in forbidden}
    chooser = variants.Chooser(known, pairs, collected, never, set())
    return {row.variant: row.standard for row in chooser.rows() if row.script == "any"}


def test_a_variant_becomes_the_standard_character_and_never_the_other_way(modules) -> None:
    both = [("戊", "甲", "joyo"), ("甲", "戊", "joyo")]
    assert choose(modules, tables=both) == {"戊": "甲"}


def test_standard_characters_stay_although_a_table_folds_them(modules) -> None:
    assert choose(modules, tables=[("乙", "甲", "prc-1955")]) == {}


def test_there_are_no_chains(modules) -> None:
    chain = [("己", "戊", "joyo"), ("戊", "甲", "joyo")]
    assert choose(modules, tables=chain) == {"戊": "甲"}


def test_more_sources_go_before_fewer(modules) -> None:
    tables = [("戊", "甲", "joyo"), ("戊", "乙", "joyo"), ("戊", "乙", "taiwan")]
    assert choose(modules, tables=tables) == {"戊": "乙"}


def test_standard_in_both_scripts_goes_before_standard_in_one(modules) -> None:
    tables = [("戊", "丁", "joyo"), ("戊", "甲", "joyo")]
    assert choose(modules, tables=tables) == {"戊": "甲"}


def test_equal_candidates_leave_the_character_alone(modules) -> None:
    tables = [("戊", "甲", "joyo"), ("戊", "乙", "joyo")]
    assert choose(modules, tables=tables) == {}


def test_a_pair_that_must_never_merge_is_left_out(modules) -> None:
    tables = [("戊", "甲", "prc-1955")]
    assert choose(modules, tables=tables, forbidden=[("戊", "甲")]) == {}


def test_simplified_and_traditional_forms_are_not_variants(modules) -> None:
    tables = [("戊", "甲", "joyo")]
    for pair in (("戊", "甲"), ("甲", "戊")):
        assert choose(modules, tables=tables, simplified={pair}) == {}


def test_a_simplified_form_is_not_put_where_the_traditional_one_can(modules) -> None:
    tables = [("戊", "甲", "joyo"), ("戊", "简", "joyo"), ("戊", "简", "taiwan")]
    assert choose(modules, tables=tables, simplified={("甲", "简")}) == {"戊": "甲"}


def test_characters_with_no_reading_in_common_are_not_variants(modules) -> None:
    other = {key: {"b"} for key in "甲乙"}
    assert choose(modules, tables=[("戊", "甲", "prc-1955")], readings={**other, "戊": {"a"}}) == {}
    assert choose(modules, tables=[("戊", "甲", "joyo")], readings={**other, "戊": {"a"}}) != {}


def test_a_collection_alone_folds_where_it_knows_one_standard_form(modules) -> None:
    assert choose(modules, yitizi=[("戊", "甲")]) == {"戊": "甲"}
    assert choose(modules, yitizi=[("戊", "甲"), ("戊", "乙")]) == {}
    assert choose(modules, yitizi=[("名", "甲")]) == {}
    assert choose(modules, tables=[("名", "甲", "prc-1955")]) == {"名": "甲"}


@pytest.mark.parametrize(
    ("flags", "expected"), [("T;", {"戊": "甲"}), ("Z;", {"戊": "甲"}), ("", {}), ("T;B;", {})]
)
def test_semantic_variants_need_a_flag(modules, flags: str, expected: dict[str, str]) -> None:
    assert choose(modules, semantic={frozenset("戊甲"): flags}) == expected
