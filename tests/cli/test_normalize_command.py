"""`pytok normalize`, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

from test_text_commands import error_of, run

from pytok import zh
from pytok.cli._explained import diff_lines

TEXT = "Ａ４纸。\n\n学而时习之\nＢ超"


def test_the_text_is_printed_as_the_library_gives_it(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, "utf-8")
    printed = run("normalize", "--steps", "width", path)
    assert printed.stdout.decode() == zh.normalize(TEXT, steps=["width"]).text
    printed = run("normalize", "--preset", "modern", "--by-line", stdin=TEXT.encode())
    assert printed.stdout.decode() == "A4纸。\n\n学而时习之\nB超\n"


def test_diff_shows_old_and_new_lines_and_why() -> None:
    printed = run("normalize", "--steps", "width", "--diff", stdin=TEXT.encode())
    assert printed.stdout.decode().splitlines() == [
        "standard input:1",
        "- Ａ４纸。",
        "+ A4纸。",
        "    Ａ → A  width: full-width",
        "    ４ → 4  width: full-width",
        "standard input:4",
        "- Ｂ超",
        "+ B超",
        "    Ｂ → B  width: full-width",
    ]


def test_report_counts_by_step_and_reason() -> None:
    printed = run("normalize", "--steps", "width", "--report", stdin=TEXT.encode())
    assert printed.stdout.decode().split() == (
        ["step", "status", "reason", "parts", "width", "sure", "full-width", "3"]
    )


def test_json_has_all_that_the_library_says() -> None:
    printed = run("normalize", "--steps", "width", "--json", "--by-line", stdin=TEXT.encode())
    records = [json.loads(line) for line in printed.stdout.splitlines()]
    assert [record["line"] for record in records] == [1, 2, 3, 4]
    assert records[3]["text"] == "B超"
    assert records[3]["edits"][0]["original"] == [0, 1]


def test_every_step_and_preset_is_listed() -> None:
    printed = run("normalize", "--list").stdout.decode()
    assert all(name in printed for name in [*zh.STEPS, *zh.PRESETS])


def test_what_a_terminal_would_obey_is_escaped_and_marked_rightly() -> None:
    text = "甲\x1b[31m乙Ａ\r丙"
    printed = run("normalize", "--steps", "width", "--diff", stdin=text.encode())
    assert printed.stdout.decode().splitlines()[1:] == [
        r"- 甲\x1b[31m乙Ａ\r丙",
        r"+ 甲\x1b[31m乙A\r丙",
        "    Ａ → A  width: full-width",
    ]
    lines = diff_lines("x", 1, text, zh.normalize(text, steps=["width"]))
    old = list(lines)[1]
    marked = [old.plain[span.start : span.end] for span in old.spans]
    assert marked == ["Ａ"]


def test_a_dialect_change_says_why() -> None:
    printed = run("normalize", "--steps", "hokkien", "--diff", stdin="恁欲去佗位？".encode())
    lines = printed.stdout.decode().splitlines()
    assert lines[3] == "    恁 → 你們  hokkien: scope dialect, source moe-700"


def test_nothing_is_cut_where_there_is_no_terminal() -> None:
    text = "佢哋係人，我哋啱啱返嚟"
    printed = run("normalize", "--steps", "cantonese", "--report", stdin=text.encode())
    edits = zh.normalize(text, steps=["cantonese"]).edits
    assert all(edit.reason in printed.stdout.decode() for edit in edits)


def test_own_rows_and_contexts_come_from_files(tmp_path: Path) -> None:
    rows, contexts = tmp_path / "mine.tsv", tmp_path / "mine.toml"
    rows.write_text("\ufefftoken\tstandard\tcontext\n嘆\t品\tbefore-tea\n", "utf-8")
    contexts.write_text('[before-tea]\nnext = ["茶"]\n', "utf-8")
    own = ("--entries", rows, "--contexts", contexts)
    printed = run("normalize", "--preset", "cantonese", *own, stdin="嘆茶，嘆氣".encode())
    assert printed.stdout.decode() == "品茶，嘆氣"
    wrong = run("normalize", "--preset", "modern", *own, stdin=b"x")
    assert "--entries: no step is one of a dialect" in error_of(wrong)[0]
    rows.write_text("token\tstandard\tregion\n嘆\t品\twu\n", "utf-8")
    wrong = run("normalize", "--preset", "cantonese", "--entries", rows, stdin=b"x")
    assert "is of the region 'wu', which is no step here" in error_of(wrong)[0]


def test_the_list_says_what_each_step_does() -> None:
    listed = json.loads(run("normalize", "--list", "--json").stdout)
    assert list(listed["steps"]) == list(zh.STEPS)
    assert listed["presets"]["modern"] == [step.name for step in zh.PRESETS["modern"]]
    said = listed["steps"].values()
    assert len(set(said)) == len(zh.STEPS)
    assert all(what.endswith(".") and "partial" not in what for what in said)


def test_standard_input_is_read_once() -> None:
    for command in (("normalize", "--steps", "width"), ("count",)):
        twice = run(*command, "-", "-", stdin=b"x")
        assert twice.returncode == 2
        assert twice.stderr.startswith(b"error: standard input: named twice; expected once\n")


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    for names in ("", " ", ",,"):
        none = run("normalize", "--steps", names, stdin=b"x")
        assert "names no step" in error_of(none)[0]
    for other in ("--diff", "--report"):
        both = run("normalize", "--steps", "width", "--json", other, stdin=b"x")
        assert "expected no --diff or --report" in error_of(both)[0]
    folder = run("normalize", "--steps", "width", tmp_path)
    assert error_of(folder)[1] == "hint: name the files in it"
    assert "expected --preset or --steps" in error_of(run("normalize", stdin=b"x"))[0]
    assert "no step 'nope'" in error_of(run("normalize", "--steps", "nope", stdin=b"x"))[0]
    both = run("normalize", "--steps", "width", "--preset", "modern", stdin=b"x")
    assert "together with preset" in error_of(both)[0]
    missing = run("normalize", "--steps", "width", tmp_path / "none.txt")
    assert "none.txt" in error_of(missing)[0]
