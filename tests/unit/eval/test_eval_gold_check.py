import json
import time

import pytest
from fake_tokenizer import FakeTokenizer
from hypothesis import given
from hypothesis import strategies as st

from pytok.eval import EvalConfig, TokenizerSystem, evaluate
from pytok.eval.bare import bare, bare_texts, column_of
from pytok.eval.gold_check import GoldMismatch, check_gold
from pytok.eval.kinds import Kind


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def check(tmp_path, text, gold, *, name="a.txt"):
    paths = write(tmp_path / name, text), write(tmp_path / "b.seg.txt", gold)
    (found,) = check_gold(Kind("k", paths[:1], paths[1:]))
    return found


LINES = ["".join(chr(0x4E00 + 16 * n + at) for at in range(16)) for n in range(40)]
GOLD = "".join(" ".join(line) + "\n" for line in LINES)


@pytest.mark.parametrize("between", ["", "\n", "\n\n", " \r\n", "\u3000"])
def test_gold_fits_whatever_the_white_space(tmp_path, between):
    found = check(tmp_path, between.join(LINES), GOLD)
    assert (found.lines, found.found, found.belongs, found.mismatches) == (40, 40, True, ())


@pytest.mark.parametrize(
    ("wrong", "at", "text"),
    [
        (lambda line: line[:6] + "汽" + line[7:], 6, lambda line: "汽" + line[7:]),
        (lambda line: line[:9] + line[10:], 9, lambda line: line[10:]),
        (lambda line: line[:9] + "好" + line[9:], 9, lambda line: "好" + line[9:-1]),
        (lambda line: line[:-1] + "语", 15, lambda _: "语"),
        (lambda line: "语" + line[1:], 0, lambda line: "语" + line[1:]),
    ],
)
def test_the_first_difference_is_named_on_both_sides(tmp_path, wrong, at, text):
    right = LINES[23]
    lines = [wrong(line) if line == right else line for line in LINES]
    found = check(tmp_path, "前言\n\n " + "\n".join(lines), GOLD)
    (mismatch,) = found.mismatches
    assert (found.lines, found.found, found.belongs) == (40, 39, True)
    assert (mismatch.gold_line, mismatch.gold_column) == (24, 2 * at + 1)
    assert mismatch.gold == right[at : at + 12]
    assert (mismatch.path, mismatch.line, mismatch.column) == (
        str(tmp_path / "a.txt"), 26, at + 1
    )  # fmt: skip
    assert mismatch.text.startswith(text(right)[:6])


def test_columns_count_the_spaces_of_both_files(tmp_path):
    text = "今天 天汽\u3000很好，我们都在家。\n" + "\n".join(LINES)
    gold = "今天 天气 很 好 ， 我们 都 在 家 。\n" + GOLD
    (mismatch,) = check(tmp_path, text, gold).mismatches
    assert mismatch == GoldMismatch(
        1, 5, "气很好，我们都在家。", str(tmp_path / "a.txt"), 1, 5, "汽很好，我们都在家。"
    )
    assert mismatch.explained("b.seg.txt") == (
        f"b.seg.txt:1:5: gold has '气很好，我们都在家。', but {tmp_path / 'a.txt'}:1:5 has "
        "'汽很好，我们都在家。'"
    )


def test_a_line_like_nothing_is_said_to_be(tmp_path):
    (mismatch,) = check(tmp_path, "".join(LINES), GOLD + "x y z\n").mismatches
    assert mismatch.explained("g") == "g:41:1: nothing in the text is like 'xyz'"


@pytest.mark.parametrize("fitting", [0, 1, 19])
def test_gold_that_fits_less_than_half_is_a_mistake_too(tmp_path, fitting):
    found = check(tmp_path, "另外的文字" + "".join(LINES[:fitting]), GOLD)
    assert (found.lines, found.found, found.belongs) == (40, fitting, False)
    first = found.mismatches[0]
    assert (first.gold_line, first.gold_column, first.gold) == (
        fitting + 1, 1, LINES[fitting][:12]
    )  # fmt: skip
    assert len(found.mismatches) == 20
    assert "gold words of another text need a kind of their own" in found.summary


def test_gold_that_is_named_like_the_text_belongs_to_it(tmp_path):
    named = check(tmp_path, "另外的文字", GOLD, name="b.txt")
    assert (named.belongs, len(named.mismatches)) == (True, 20)


def test_marker_lines_and_records_keep_their_numbers(tmp_path):
    marked = (
        "===== FILE a =====\n" + "\n".join(LINES) + "\n===== FILE b =====\n今天天汽很好，我们学习\n"
    )
    (mismatch,) = check(tmp_path, marked, GOLD + "今天天气很好，我们学习").mismatches
    assert (mismatch.line, mismatch.column) == (43, 4)
    records = "\n".join(json.dumps({"text": line}) for line in [*LINES, "今天天汽很好，我们学习"])
    found = check(tmp_path, records, GOLD + "今天天气很好，我们学习", name="a.jsonl")
    assert (found.mismatches[0].line, found.mismatches[0].column) == (41, 4)


def test_a_sentence_that_two_parts_share_is_found(tmp_path):
    text = "".join(f"{n:07d}\n" for n in range(30_000))
    gold = "".join(f"{n:07d} {n + 1:07d}\n" for n in range(0, 29_999, 97))
    found = check(tmp_path, text, gold)
    assert found.found == found.lines


def test_repetitive_text_is_given_up_in_time(tmp_path):
    start = time.perf_counter()
    gold = "".join("天" * n + "气\n" for n in range(10, 1500))
    found = check(tmp_path, "天" * 300_000, gold, name="b.txt")
    assert "repeats itself" in found.summary
    assert found.mismatches == ()
    assert time.perf_counter() - start < 60


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("学而时习之" * 60_000, 299_999),
        ("学而时习之" * 60_000, 123_456),
        ("天" * 300_000, 200_000),
        ("".join(chr(0x4E00 + n * n % 19_997) for n in range(300_000)), 250_000),
    ],
    ids=["end", "middle", "letter", "various"],
)
def test_a_long_line_that_differs_is_placed(tmp_path, text, changed):
    gold = text[:changed] + "龘" + text[changed + 1 :]
    (mismatch,) = check(tmp_path, text, "  ".join(gold)).mismatches
    assert (mismatch.line, mismatch.column) == (1, changed + 1)
    assert mismatch.gold_column == 3 * changed + 1
    found = check(tmp_path, text, "  ".join(text))
    assert (found.found, found.mismatches) == (1, ())


@given(st.lists(st.text("天气 \u3000\t", max_size=12), max_size=12))
def test_every_bare_character_has_its_place(tmp_path_factory, lines):
    path = write(tmp_path_factory.mktemp("t") / "a.txt", "\n".join(lines))
    (part,) = list(bare_texts(path)) or [None]
    if part is None:
        assert not bare("".join(lines))
        return
    assert part.text == bare("".join(lines))
    for at, character in enumerate(part.text):
        line, column = part.place(at)
        assert lines[line - 1][column - 1] == character
    assert len({part.place(at) for at in range(len(part.text))}) == len(part.text)


def test_past_the_end_of_a_line_is_after_its_last_character():
    assert column_of("天 气 ", 2) == 5


def test_a_report_says_how_gold_fits(tmp_path):
    write(tmp_path / "news" / "a.txt", "\n".join(LINES).replace(LINES[3][2], "日"))
    write(tmp_path / "news" / "a.seg.txt", GOLD)
    report = evaluate(
        tmp_path, [TokenizerSystem(FakeTokenizer())], config=EvalConfig(resamples=100)
    )
    (kind,) = report.kinds
    (found,) = kind.gold_checks
    assert (found.lines, found.found) == (40, 39)
    data = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert data["kinds"][0]["gold_checks"][0]["mismatches"][0]["text"].startswith(
        "日" + LINES[3][3:8]
    )
    assert kind.systems[1].numbers["boundary_f1"].value is not None, "the rest goes on"
