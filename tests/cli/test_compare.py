import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

import pytok.cli
from pytok.eval import TokenizerSystem, register

sys.path.append(str(Path(__file__).parents[1] / "unit" / "eval"))

from fake_tokenizer import FakeTokenizer

TEXT = "北京天气很好。\n\n"


@pytest.fixture
def run(capsys, monkeypatch):
    def run(*arguments):
        monkeypatch.setenv("COLUMNS", "140")
        monkeypatch.setattr(sys, "argv", ["pytok", *map(str, arguments)])
        try:
            pytok.cli.main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def report(run, tmp_path):
    """A report on two kinds of text, for a tokenizer with some pieces."""

    def report(file, pieces, *, name="fake", text=TEXT * 30, other=TEXT * 30, **options):
        register("tested", lambda: TokenizerSystem(FakeTokenizer(pieces, name=name, **options)))
        folder = tmp_path / "corpus"
        for kind, content in (("news", text), ("web", other)):
            (folder / kind).mkdir(parents=True, exist_ok=True)
            (folder / kind / "a.txt").write_text(content, encoding="utf-8")
        _, out, _ = run("eval", folder, "-t", "tested", "--json", "--resamples", 300)
        (tmp_path / file).write_text(out, encoding="utf-8")
        return tmp_path / file

    return report


def changes(run, *arguments):
    code, out, err = run("compare", *arguments, "--json")
    data = json.loads(out)
    assert (code, err, data["schema"]) == (0, "", "pytok.compare/1")
    return {(c["system"].split()[0], c["kind"], c["metric"]): c for c in data["changes"]}, data[
        "notes"
    ]


def test_a_report_is_the_same_as_itself(run, report):
    old = report("old.json", ["北京"])
    found, notes = changes(run, old, old)
    assert {change["verdict"] for change in found.values()} == {"same"}
    assert notes == []
    _, out, _ = run("compare", old, old)
    assert out.count("numbers are the same") == 2


def test_the_same_documents_are_tested_as_pairs(run, report):
    old, new = report("old.json", ["北京"]), report("new.json", ["北京", "天气"])
    found, _ = changes(run, old, new)
    change = found["fake", "news", "chars_per_token"]
    assert change["new"] > change["old"]
    assert change["verdict"] == "better"
    assert change["how"].startswith("paired approximate randomisation over 30 documents, 300 exc")
    assert change["p"] == pytest.approx(1 / 301)
    difference = change["new"] - change["old"]
    # All documents are alike, so every resample has the same difference.
    assert (change["low"], change["high"]) == pytest.approx((difference, difference))
    assert change["p_holm"] == pytest.approx(2 / 301), "Holm's correction over two kinds"
    back, _ = changes(run, new, old)
    assert back["fake", "news", "chars_per_token"]["verdict"] == "worse"
    assert back["fake", "news", "oov_char"]["verdict"] == "worse"
    assert found["fake", "news", "tokens"]["verdict"] == "changed"
    assert found["jieba", "news", "chars_per_token"]["verdict"] == "same"


def test_a_difference_on_few_documents_is_unclear(run, report):
    texts = {"text": TEXT * 4, "other": TEXT * 4}
    old, new = report("old.json", [], **texts), report("new.json", ["北京", "天气"], **texts)
    change = changes(run, old, new)[0]["fake", "news", "chars_per_token"]
    assert (change["verdict"], change["p"]) == ("unclear", 2 / 16)
    assert change["how"].endswith("over 4 documents, all 16 exchanges")


def test_a_difference_in_one_document_is_not_tested(run, report):
    texts = {"text": TEXT, "other": TEXT}
    old, new = report("old.json", [], **texts), report("new.json", ["北京"], **texts)
    change = changes(run, old, new)[0]["fake", "news", "chars_per_token"]
    assert (change["verdict"], change["p"], change["how"]) == ("unclear", None, "none: no interval")


def test_other_documents_are_compared_by_intervals_and_it_is_said(run, report):
    old = report("old.json", ["北京"])
    new = report("new.json", ["北京", "天气"], text=TEXT * 29 + "北京。")
    found, notes = changes(run, old, new)
    assert notes == ["news: the reports measured other files"]
    change = found["fake", "news", "chars_per_token"]
    assert (change["verdict"], change["p"], change["low"]) == ("better", None, None)
    assert change["how"].startswith("95 % intervals: no sums of the same documents")
    assert found["fake", "web", "chars_per_token"]["p"] is not None
    near = found["jieba", "news", "chars_per_token"]
    assert (near["verdict"], near["old"] != near["new"]) == ("unclear", True)


def test_a_tokenizer_of_another_name_is_compared_if_it_is_the_only_one(run, report):
    old, new = report("old.json", ["北京"]), report("new.json", ["北京", "天气"], name="better")
    found, notes = changes(run, old, new)
    assert notes == ["fake (old) is compared with better (new)"]
    assert found["better", "news", "chars_per_token"]["verdict"] == "better"
    nsl = found["jieba", "news", "nsl"]
    assert (nsl["verdict"], nsl["how"]) == ("unclear", "none: another reference tokenizer")


def test_what_is_in_one_report_only_is_named(run, report):
    old, new = report("old.json", ["北京"]), report("new.json", ["北京"])
    data = json.loads(new.read_text("utf-8"))
    data["kinds"][0]["kind"] = "blog"
    data["kinds"][1]["systems"][1]["numbers"]["oov_char"]["definition"] = "something else"
    new.write_text(json.dumps(data), encoding="utf-8")
    found, notes = changes(run, old, new)
    assert notes == [
        "blog: in the new report only",
        "news: in the old report only",
        "oov_char has another definition in the new report",
    ]
    assert found["fake", "web", "oov_char"]["how"] == "none: the definition changed"


def test_a_system_that_failed_in_one_report_is_named(run, report):
    old = report("old.json", ["北京"])
    new = report("new.json", ["北京"], fails_on="龘", text=TEXT * 29 + "龘。")
    _, notes = changes(run, old, new)
    assert "news: fake failed in the new report" in notes


def test_the_table_shows_what_differs_and_how_it_was_decided(run, report):
    old, new = report("old.json", ["北京"]), report("new.json", ["北京", "天气"])
    code, out, err = run("compare", old, new)
    assert (code, err) == (0, "")
    row = next(line for line in out.splitlines() if "news" in line and "chars_per_token" in line)
    assert row.split()[-1] == "better"
    assert "decided by paired approximate randomisation over 30 documents" in out
    assert "not: none: no interval" in out


def test_worse_numbers_can_fail_the_command(run, report):
    old, new = report("old.json", ["北京", "天气"]), report("new.json", ["北京"])
    code, _, err = run("compare", old, new, "--fail-if-worse")
    assert code == 1
    assert "failed: fake on news: chars_per_token is worse\n" in err
    assert run("compare", old, old, "--fail-if-worse")[0] == 0


def test_a_file_that_is_no_report_is_an_error(run, report, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    code, out, err = run("compare", report("old.json", []), tmp_path / "x.json")
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {tmp_path}/x.json: schema: expected 'pytok.eval/1'")
    assert "\nhint: give a file that `pytok eval --json` wrote\n" in err


def _edited(path, edit):
    data = json.loads(path.read_text("utf-8"))
    edit(data)
    edited = path.with_name("edited.json")
    edited.write_text(json.dumps(data), encoding="utf-8")
    return edited


def test_sums_of_another_length_are_named(run, report):
    old = report("old.json", ["北京"])

    def cut(data):
        data["kinds"][0]["systems"][0]["text_sums"]["columns"]["tokens"].pop()

    code, out, err = run("compare", old, _edited(old, cut))
    assert (code, out) == (2, "")
    assert err.startswith(
        f"error: {old.with_name('edited.json')}: sums: columns.tokens has 29 values, expected 30"
    )


def _fail(data):
    data["kinds"][1]["systems"][1] |= {"failure": "broken", "numbers": {}}


def _remove(data):
    del data["kinds"][1]["systems"][1]


def _lose(data):
    data["kinds"][1]["systems"][1]["numbers"]["oov_char"]["value"] = None


def _omit(data):
    del data["kinds"][1]["systems"][1]["numbers"]["oov_char"]


def _drop(data):
    del data["kinds"][1]


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (_fail, "fake on web failed in the new report: broken"),
        (_remove, "fake on web is not in the new report"),
        (_lose, "fake on web has no oov_char in the new report"),
        (_omit, "fake on web has no oov_char in the new report"),
        (_drop, "web is not in the new report"),
    ],
)
def test_what_is_lost_fails_the_command_as_what_is_worse_does(run, report, edit, reason):
    old = report("old.json", ["北京"])
    new = _edited(old, edit)
    code, out, err = run("compare", old, new, "--fail-if-worse")
    assert (code, err) == (1, f"failed: {reason}\n")
    assert f"lost: {reason}" in out
    assert run("compare", old, new)[0] == 0
    assert json.loads(run("compare", old, new, "--json")[1])["lost"] == [reason]
    assert run("compare", new, new, "--fail-if-worse")[0] == 0, "it was lost before"


@pytest.mark.parametrize("sort", ["kind", "system"])
def test_two_of_one_name_are_refused(run, report, sort):
    old = report("old.json", ["北京"])

    def double(data):
        parts = data["kinds"] if sort == "kind" else data["kinds"][0]["systems"]
        parts.append(parts[0])

    code, _, err = run("compare", old, _edited(old, double), "--fail-if-worse")
    assert code == 2
    assert "is there 2 times, expected once" in err


def test_names_cannot_command_the_terminal(run, report):
    old = report("old.json", ["北京"], name="a\x1b[31m")
    new = report("new.json", ["北京", "天气"], name="a\x1b[31m")
    for arguments in ([old, new], [new, old, "--fail-if-worse"]):
        _, out, err = run("compare", *arguments)
        assert "\x1b" not in out + err
        assert "a⟨U+001B⟩[31m" in out


@pytest.mark.parametrize("width", [50, 80, 140])
def test_no_name_and_no_figure_is_cut(run, report, monkeypatch, width):
    name = "a-tokenizer-with-a-name-that-is-much-longer-than-any-column-of-a-table"
    old, new = report("old.json", ["北京"], name=name), report("new.json", ["天气"], name=name)
    monkeypatch.setattr("pytok.cli.compare.Console", lambda **_: Console(width=width))
    out = run("compare", old, new)[1]
    assert "…" not in out
    assert name in out.replace("\n", "").replace(" ", "")
