"""Command lines with options that take lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok.cli._lists import spread

OPTIONS = {"--counts": 1, "--unsegmented-counts": 1, "-o": 1, "--json": 0, "--span-bytes": 2}
LISTS = {"--counts", "--unsegmented-counts"}


def written(line: str, places: int = 0) -> str:
    return " ".join(spread(line.split(), OPTIONS, LISTS, places))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ""),
        ("--counts a b c -o out", "--counts a --counts b --counts c -o out"),
        ("text --counts a b", "text --counts a --counts b"),
        ("--counts a --counts b -o out text", "--counts a --counts b -o out text"),
        ("--counts a b --json text", "--counts a --counts b --json text"),
        ("--counts a b -- text -x", "--counts a --counts b -- text -x"),
        ("-- --counts a b", "-- --counts a b"),
        ("--counts=a text", "--counts=a text"),
        ("--counts - -", "--counts - --counts -"),
        ("--counts -odd a", "--counts -odd --counts a"),
        ("-o --counts a b", "-o --counts a b"),
        ("-oout --counts a b", "-oout --counts a --counts b"),
        ("--span-bytes 1 8 text --counts a b", "--span-bytes 1 8 text --counts a --counts b"),
        (
            "--counts a b --unsegmented-counts c d",
            "--counts a --counts b --unsegmented-counts c --unsegmented-counts d",
        ),
        ("--counts", "--counts"),
        ("--counts --json", "--counts --json"),
    ],
)
def test_a_list_ends_at_the_next_option(line: str, expected: str) -> None:
    assert written(line) == expected
    assert written(expected) == expected


def test_positional_arguments_come_first_where_their_number_is_fixed() -> None:
    assert written("--counts a place", places=1) == "--counts a place"
    assert written("place --counts a b", places=1) == "place --counts a --counts b"
    assert written("-o out --counts a b", places=1) == "-o out --counts a b"


@given(
    st.lists(
        st.sampled_from(["a", "b", "-", "--", "--json", "-o", "--counts", "--counts=a", "-x"])
        | st.text(max_size=3)
    ),
    st.integers(0, 2),
)
def test_nothing_is_lost_and_twice_is_once(arguments: list[str], places: int) -> None:
    once = spread(arguments, OPTIONS, LISTS, places)
    rest = iter(once)
    assert all(argument in rest for argument in arguments)  # in this order
    assert spread(once, OPTIONS, LISTS, places) == once
    assert spread(arguments, OPTIONS, (), places) == arguments
