"""The pure parts of the race: slopes, ratios, verdicts, slices, turns, the table."""

import itertools
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "python"))

from racing import corpus, figures, libraries, report, timing, worst_inputs
from racing.rows import Row, Target, against_rival

SIZES = [1_000, 10_000, 100_000, 1_000_000]


@pytest.mark.parametrize("power", [0.9, 1.0, 1.5, 2.0])
def test_the_slope_is_the_power_of_the_size(power):
    seconds = [3e-9 * size**power for size in SIZES]
    assert figures.slope(SIZES, seconds) == pytest.approx(power)


def test_a_slope_needs_two_sizes():
    with pytest.raises(ValueError, match="two sizes"):
        figures.slope([10, 10], [1.0, 2.0])
    with pytest.raises(ValueError, match="one time for each"):
        figures.slope([10, 20], [1.0])


def test_a_ratio_above_one_is_better_for_speeds_and_for_times():
    assert figures.ratio(30, 10) == 3
    assert figures.ratio(2, 10, smaller_is_better=True) == 5
    with pytest.raises(ValueError, match="positive"):
        figures.ratio(0, 1)


@pytest.mark.parametrize(
    ("value", "smaller", "expected"),
    [
        (1.99, False, "missed"),
        (2.0, False, "met"),
        (3.49, False, "met"),
        (3.5, False, "aim"),
        (3.6, True, "missed"),
        (3.5, True, "missed"),
        (2.0, True, "met"),
        (1.0, True, "met"),
    ],
)
def test_verdicts_at_their_borders(value, smaller, expected):
    aim = None if smaller else 3.5
    assert figures.verdict(value, 2.0, aim, smaller_is_better=smaller) == expected


def test_what_was_not_promised_has_no_verdict():
    assert figures.verdict(0.1, None, None) == "beside"


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=40), st.floats(0, 1))
def test_a_quantile_is_numpys(values, share):
    assert figures.quantile(values, share) == pytest.approx(float(np.quantile(values, share)))


def test_the_rival_is_the_fastest_with_equal_ids():
    row = Row("bpe", "ids", "qwen", "modern", "MB/s", {"pytok": 60, "wrong": 90, "a": 30, "b": 20})
    row = against_rival(row, Target(2, 3.5), inexact=["wrong"])
    assert (row.rival, row.value, row.verdict) == ("a", 2, "met")
    assert "other ids: wrong" in row.note


def test_without_a_rival_nothing_is_claimed():
    row = Row("bpe", "ids", "qwen", "modern", "MB/s", {"pytok": 60})
    assert against_rival(row, Target(2, 3)).verdict == "not measured"


@given(st.lists(st.binary(min_size=1, max_size=50), max_size=60), st.integers(1, 300))
def test_slices_are_disjoint_in_order_and_large_enough(documents, size):
    slices = list(corpus.slices(documents, size))
    flat = list(itertools.chain(*slices))
    assert flat == documents[: len(flat)]
    assert all(sum(map(len, one)) >= size for one in slices)
    # No more than the last document goes over the size.
    assert all(sum(map(len, one[:-1])) < size for one in slices)


def test_shuffling_keeps_blocks_together_and_loses_nothing():
    documents = [str(i).encode() for i in range(100)]
    found = corpus.shuffled(documents, seed=8, block=corpus.DOCUMENT * 10)
    assert sorted(found) == sorted(documents) and found != documents
    starts = [int(found[i]) for i in range(0, 100, 10)]
    assert [int(d) for d in found[:10]] == list(range(starts[0], starts[0] + 10))


def test_long_lines_are_seen_once_and_short_ones_stay():
    seen: set[str] = set()
    lines = ["    }", "春" * 12, "    }", "春" * 12]
    assert list(corpus.unseen(lines, seen)) == ["    }", "春" * 12, "    }"]
    assert list(corpus.unseen(["春" * 12], seen)) == []


def test_documents_hold_whole_lines():
    assert list(corpus.in_documents(["ab", "cd", "ef"], size=6)) == [b"ab\ncd"]


def test_each_library_begins_equally_often():
    names = [libraries.Entrant(name) for name in "abc"]
    firsts = [timing.turns(names, number)[0].name for number in range(6)]
    assert firsts == list("abcabc")
    assert {entrant.name for entrant in timing.turns(names, 4)} == set("abc")


@pytest.mark.parametrize(
    "result",
    [
        (np.array([1, 2, 3], np.uint32), np.array([0, 1, 3])),
        (np.array([1, 2, 3], "<u4").tobytes(), b""),
        [[1], [], [2, 3]],
        [np.array([1, 2]), np.array([3])],
        [([1], [(0, 1)]), ([2, 3], [(0, 1), (1, 2)])],
    ],
)
def test_every_form_of_a_result_gives_the_same_ids(result):
    assert libraries.ids_of(result).tolist() == [1, 2, 3]


def entrant(name, ids, log):
    def flat(texts):
        log.append((name, tuple(texts)))
        return [list(ids) for _ in texts]

    return libraries.Entrant(name, {"flat": flat})


def test_a_race_never_gives_a_text_twice_to_a_library():
    log: list = []
    runners = [entrant("pytok", [1], log), entrant("rival", [1], log)]
    supply = iter([[str(i).encode()] for i in range(9)])
    times = timing.race(runners, "flat", supply, 4, where="here")
    assert [len(speeds) for speeds in times.speeds.values()] == [4, 4]
    assert len(set(log)) == len(log) == 12 and times.inexact == []


def test_a_rival_with_other_ids_is_named_and_pytok_with_other_ids_stops_the_race():
    supply = [[str(i).encode()] for i in range(9)]
    runners = [entrant("pytok", [1], []), entrant("wrong", [2], []), entrant("right", [1], [])]
    assert timing.race(runners, "flat", iter(supply), 3, where="here").inexact == ["wrong"]
    runners = [entrant("pytok", [2], []), entrant("right", [1], [])]
    with pytest.raises(timing.DifferentIdsError, match="here"):
        timing.race(runners, "flat", iter(supply), 3, where="here")


@pytest.mark.parametrize("family", worst_inputs.FAMILIES)
def test_worst_inputs_have_their_size_and_can_be_made_again(family):
    text = worst_inputs.make(family, 30_000, seed=1)
    assert 0.5 < len(text.encode()) / 30_000 < 1.5
    assert text == worst_inputs.make(family, 30_000, seed=1)
    assert text != worst_inputs.make(family, 30_000, seed=2)


def test_the_table_says_what_was_missed_and_by_how_much():
    row = Row("bpe", "ids, flat", "qwen", "modern", "MB/s", {"pytok": 45, "fastokens": 30})
    row = against_rival(row, Target(2, 3.5))
    peak = Row("memory", "peak", "qwen", "", "MB", {"pytok": 300}, smaller_is_better=True)
    peak.value, peak.least, peak.aim, peak.verdict = 300, 150, 100, "missed"
    text = report.summary([row, peak])
    assert "ids, flat, qwen, modern: 1.5 x fastokens, at least 2" in text
    assert "peak, qwen: 300 MB, at most 150" in text
    assert math.isclose(report.closeness(peak), 0.5)
    assert "| qwen, modern | MB/s | 45 | 30 |" in report.table([row])
