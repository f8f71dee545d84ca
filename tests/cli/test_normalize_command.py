"""`pytok normalize`, run as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

from test_text_commands import error_of, run

from pytok import zh

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


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    assert "expected --preset or --steps" in error_of(run("normalize", stdin=b"x"))[0]
    assert "no step 'nope'" in error_of(run("normalize", "--steps", "nope", stdin=b"x"))[0]
    both = run("normalize", "--steps", "width", "--preset", "modern", stdin=b"x")
    assert "together with preset" in error_of(both)[0]
    missing = run("normalize", "--steps", "width", tmp_path / "none.txt")
    assert "none.txt" in error_of(missing)[0]
