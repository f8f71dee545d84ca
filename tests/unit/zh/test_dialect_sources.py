"""The works that rows of the dialect tables name have these rows."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "bench/python/zh_dialect_sources.py"


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("zh_dialect_sources", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_pairs_that_were_read_and_parts_confirm_what_names_them(script):
    counts, wrong = script.check_rows(None)
    assert wrong == []
    assert counts["cantonese, kaifangcidian"] > 300
    assert counts["cantonese, parts"] > 100


@pytest.mark.needs_shared
def test_works_of_the_shared_texts_confirm_what_names_them(script, shared):
    counts, wrong = script.check_rows(shared)
    assert wrong == []
    assert counts["hokkien, itaigi"] > 100
    assert counts["cantonese, ctcpc"] > 300


@pytest.mark.parametrize(
    ("token", "mandarin", "made"),
    [
        ("呢件", "這件", True),
        ("企喺度", "站在這裡", True),
        ("呢件", "那件", False),
        ("件件", "件件", False),
        ("呢", "這", False),
        ("呢件", "這件衣", False),
    ],
)
def test_parts_are_pairs_and_characters_of_both_sides(script, token, mandarin, made):
    pairs = {"呢": {"這"}, "企": {"站"}, "喺度": {"在這裡"}}
    assert script.made_of(token, mandarin, pairs) is made
