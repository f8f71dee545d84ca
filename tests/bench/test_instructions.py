"""What the instruction counts say beside a baseline."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "python"))

import instructions


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        (1000, None, "new"),
        (1009, 1000, ""),
        (991, 1000, ""),
        (1100, 1000, "+10.0%"),
        (800, 1000, "-20.0%"),
    ],
)
def test_changes_below_one_percent_are_none(new, old, expected):
    assert instructions.difference(new, old) == expected


def test_the_count_is_read_from_what_callgrind_says():
    said = "==7== Events    : Ir\n==7== Collected : 9043\n==7== I   refs:      9,043\n"
    assert instructions.collected(said) == 9043


@pytest.mark.parametrize("said", ["", "Collected : 0", "valgrind: no such file"])
def test_counting_nothing_is_an_error(said):
    with pytest.raises(RuntimeError, match="counted nothing"):
        instructions.collected(said)
