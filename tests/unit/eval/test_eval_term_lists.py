import re
from importlib.resources import files

import pytest

from pytok.errors import ConfigError
from pytok.eval import EvalConfig, Segmenter, evaluate
from pytok.eval.term_lists import KNOWN, known_list, term_lists


@pytest.mark.parametrize("name", ["legal", "finance"])
def test_a_list_of_the_package_has_200_different_terms_in_order(name):
    text = files("pytok.eval").joinpath("terms").joinpath(f"{name}.txt").read_text("utf-8")
    first, *terms = text.splitlines()
    assert first.startswith("# ") and text.endswith("\n")
    assert len(terms) >= 200 and terms == sorted(set(terms))
    assert all(re.fullmatch(r"[\u4e00-\u9fff]{2,}\d{0,3}", term) for term in terms)
    found = known_list(name)
    assert set(terms) <= set(found.terms) and found.sources[0].documents == len(terms)


def test_known_lists_have_both_scripts():
    assert {"诉讼时效", "訴訟時效"} <= set(known_list("legal").terms)
    assert {"资产负债表", "資產負債表"} <= set(known_list("finance").terms)
    assert {"画蛇添足", "畫蛇添足"} <= set(known_list("idioms").terms)


def test_idioms_are_those_of_four_characters_in_the_installed_jieba():
    found = known_list("idioms")
    assert {len(term) for term in found.terms} == {4}
    assert found.sources[0].documents > 20_000 and "jieba" in found.sources[0].path
    assert "人民日报" not in found.terms


def test_a_name_is_taken_once(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("天气\n", "utf-8")
    for found, given, known, said in [
        ({"legal": (path,)}, {}, ["legal"], "a list of the folder"),
        ({}, {"legal": (path,)}, ["legal"], "a file and"),
        ({}, {"url": (path,)}, [], "a pattern"),
        ({"url": (path,)}, {}, [], "a pattern"),
        ({}, {}, ["slang"], "no list is called 'slang'"),
    ]:
        with pytest.raises(ConfigError, match=said):
            term_lists(found, given, known)


def test_known_lists_are_measured(tmp_path):
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.txt").write_text("他画蛇添足，诉讼时效已过，看资产负债表。", "utf-8")
    whole = Segmenter("whole", cut=lambda text: [text])
    report = evaluate(tmp_path, [whole], config=EvalConfig(resamples=100, known_spans=KNOWN))
    numbers = report.kinds[0].systems[1].numbers
    for name in KNOWN:
        assert numbers[f"integrity_{name}"].value == 0
        assert numbers[f"integrity_{name}"].corpus == f"news, 1 spans: {name}"
    assert [part.path for part in report.spans["finance"]] == ["finance.txt of pytok"]
