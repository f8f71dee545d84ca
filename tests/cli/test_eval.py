import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

import pytok.cli
from pytok.eval import TokenizerSystem, evaluate, register
from pytok.eval.config import EvalConfig
from pytok.eval.table import print_report

sys.path.append(str(Path(__file__).parents[1] / "unit" / "eval"))

from fake_tokenizer import FakeTokenizer

PIECES = ["北京", "天气", "很", "好", "。", "def", "return"]


@pytest.fixture(autouse=True)
def fake_systems():
    register("fake", lambda: TokenizerSystem(FakeTokenizer(PIECES)))
    register("bad", lambda: TokenizerSystem(FakeTokenizer(PIECES, name="bad", fails_on="龘")))


@pytest.fixture
def folder(tmp_path):
    for name, text in {
        "news/a.txt": "北京天气很好。\n\n天气龘。\n\n好。",
        "code/a.py": "def f():\n    return 1\n\n\nx = f()  # 天气\n",
        "gold/news.seg.txt": "北京 天气 很 好 。\n天气 龘 。\n" * 30,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(capsys, monkeypatch):
    def run(*arguments, columns=160):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "argv", ["pytok", *map(str, arguments)])
        try:
            pytok.cli.main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_a_table_per_kind_with_jieba_first_and_definitions_below(run, folder):
    code, out, err = run("eval", folder, "-t", "fake", "--resamples", 100)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [
        line for line in lines if line and not line.startswith((" ", "─")) and " " not in line
    ] == [
        "code",
        "news",
        "definitions",
    ]
    rows = [line.split()[0] for line in lines if line.startswith(("jieba", "fake"))]
    assert rows[:2] == ["jieba", "fake"]
    for heading in ["characters", "tokens", "chars/token", "bytes/token", "oov_char", "oov_word*",
                    "FE sentence", "FE word*", "fertility*", "boundary F1*", "broken_char", "MB/s"]:  # fmt: skip
        assert heading in out
        assert f"  {heading}: " in out, "its definition"
    assert "fake, characters without a token: 龘 1" in out
    assert "gold words of news.seg.txt: 240 words" in out
    assert "words cut by jieba" in out
    assert f"fake: sha256 {FakeTokenizer(PIECES).sha256}" in out


def test_json_holds_every_number_with_its_source(run, folder):
    code, out, err = run("eval", folder, "-t", "fake", "--json", "--resamples", 100, "--seed", 3)
    data = json.loads(out)
    assert (code, err, data["seed"], data["resamples"]) == (0, "", 3, 100)
    assert [kind["kind"] for kind in data["kinds"]] == ["code", "news"]
    numbers = data["kinds"][1]["systems"][1]["numbers"]
    assert numbers["chars_per_token"]["value"] == pytest.approx(17 / 16)
    for number in numbers.values():
        assert {"corpus", "documents", "characters", "tokenizer", "sha256", "definition", "unit",
                "low", "high", "interval"} <= set(number)  # fmt: skip


def test_a_failed_row_says_why_and_the_others_stand(run, folder):
    code, out, err = run("eval", folder, "-t", "bad", "-t", "fake", "--resamples", 100)
    assert code == 1
    assert err == "warning: bad failed on news: RuntimeError: cannot encode '龘'\n"
    assert "bad failed: RuntimeError: cannot encode '龘'" in out
    assert any(line.startswith("fake ") for line in out.splitlines())


def test_when_all_that_was_asked_for_fails_the_command_does(run, folder):
    for systems in (["bad"], ["bad", "jieba"], ["jieba", "bad"]):
        options = [part for name in systems for part in ("-t", name)]
        assert run("eval", folder / "news", *options, "--resamples", 100)[0] == 1


def test_tokenizers_are_a_list_when_the_corpus_has_been_named(run, folder):
    rest = ["--json", "--resamples", 100]
    names = []
    for line in (
        [folder, "-t", "bad", "fake", *rest],
        [*rest, folder, "--tokenizer", "bad", "fake"],
        ["-t", "bad", folder, "-t", "fake", *rest],
        ["-t", "bad", "-t", "fake", folder, *rest],
    ):
        code, out, err = run("eval", *line)
        assert (code, err.count("\n")) == (1, 1), "one system fails, and it is named"
        names.append([row["system"] for row in json.loads(out)["kinds"][0]["systems"]])
    assert names == [[names[0][0], "bad", "fake"]] * 4


@pytest.mark.parametrize("width", [80, 100, 160])
def test_nothing_is_wider_than_the_terminal_and_no_cell_is_cut(folder, width):
    systems = [TokenizerSystem(FakeTokenizer(PIECES, name=f"tokenizer-{n}")) for n in range(3)]
    report = evaluate(folder, systems, config=EvalConfig(resamples=100))
    out = io.StringIO()
    print_report(report, Console(file=out, width=width, highlight=False))
    assert max(map(len, out.getvalue().splitlines())) <= width
    assert "…" not in out.getvalue()
    shown = f"{report.kinds[1].systems[1].numbers['chars_per_token'].value:.2f}"
    assert f" {shown} " in out.getvalue()


def test_no_colour_codes_when_not_on_a_terminal(run, folder, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("eval", folder, "-t", "fake", "--resamples", 100)[1]


def test_progress_goes_to_a_terminal_on_stderr_only(run, folder, monkeypatch):
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    _, out, err = run("eval", folder, "-t", "fake", "--resamples", 100, "--json")
    assert "%" in err
    json.loads(out)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["eval", "{folder}/nothing"], "error: no such folder or file: {folder}/nothing"),
        (["eval", "{folder}/empty"], "error: no text in {folder}/empty"),
    ],
)
def test_errors_are_one_line_and_one_hint(run, tmp_path, arguments, error):
    (tmp_path / "empty").mkdir()
    code, out, err = run(*(part.format(folder=tmp_path) for part in arguments), "-t", "fake")
    lines = err.splitlines()
    assert (code, out, lines[0]) == (2, "", error.format(folder=tmp_path))
    assert len(lines) == 2
    assert lines[1].startswith("hint: ")


def test_an_unknown_tokenizer_is_an_error_before_the_work(run, folder):
    code, out, err = run("eval", folder, "-t", "no-such-tokenizer")
    assert (code, out) == (2, "")
    assert err.startswith("error: ")
    assert "no-such-tokenizer" in err
    assert "\nhint: " in err


def test_bad_files_are_left_out_with_a_warning_and_are_a_failure(run, folder):
    (folder / "news" / "b.txt").write_bytes(b"\xff")
    for code, options in ((1, []), (0, ["--skip-bad"])):
        found, out, err = run("eval", folder, "-t", "fake", "--resamples", 100, *options)
        assert found == code
        assert err == f"warning: left out: {folder}/news/b.txt is not UTF-8: byte 0\n"
        assert "left out: " in out
        assert "fake, characters without a token: 龘 1" in out


def test_which_system_is_better_is_said_only_where_it_is(run, tmp_path):
    register("worse", lambda: TokenizerSystem(FakeTokenizer(["天"], name="worse")))
    path = tmp_path / "a.txt"
    for documents, sign in ((30, ">"), (4, "≈")):
        path.write_text("北京天气很好\n\n" * documents, encoding="utf-8")
        _, out, _ = run("eval", path, "-t", "worse", "-t", "fake", "--resamples", 500)
        assert f"  oov_char: fake {sign} worse\n" in out
        assert "a ≈ b: the difference may be chance" in " ".join(out.split())


def test_one_document_is_said_to_be_too_few(run, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("北京天气很好", encoding="utf-8")
    code, out, _ = run("eval", path, "-t", "fake")
    assert code == 0
    assert "one document: no intervals, and no system can be shown to be better" in out
    assert "≈" not in out


def test_the_report_says_how_it_was_made(run, folder):
    arguments = ["eval", folder, "-t", "fake", "--json", "--resamples", 100]
    provenance = json.loads(run(*arguments)[1])["provenance"]
    assert provenance["command"] == ["pytok", *map(str, arguments)]
    assert provenance["started"].endswith("+00:00")
    assert {"numpy", "jieba"} <= set(provenance["packages"])
    assert provenance["cpus"] > 0


def test_a_file_is_measured_as_a_kind(run, folder):
    code, out, _ = run("eval", folder / "news" / "a.txt", "-t", "fake", "--resamples", 100)
    assert (code, out.splitlines()[0]) == (0, "a")


def test_parallel_texts_are_a_table_of_pairs(run, folder):
    table = folder / "parallel" / "talks.tsv"
    table.parent.mkdir()
    table.write_text("en\tzh\n" + "def\t北京很好\n" * 50, encoding="utf-8")
    code, out, err = run("eval", folder, "-t", "fake", "--resamples", 100)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    at = lines.index("talks (parity)")
    assert lines[at + 1].strip() == "50 parallel lines: en, zh"
    assert lines[at + 4].split() == ["zh", "/", "en", "3.00", "3.00–3.00"]
    assert "  parity: tokens of the first side" in out


def test_parallel_text_alone_is_enough_and_a_bad_set_fails_the_command(run, tmp_path):
    for name, text in {"good.tsv": "en\tzh\nx\t好\n", "bad.tsv": "en\tzh\nx\n"}.items():
        path = tmp_path / "parallel" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    code, out, err = run("eval", tmp_path, "-t", "fake")
    assert (code, out.split()[0]) == (1, "bad")
    assert err == f"warning: bad not measured: {path}:2: 1 fields, but the header has 2\n"
    assert "zh / en" in out
    assert "oov_char:" not in out, "no definitions of what was not measured"


def test_a_condition_that_holds_is_a_failure_and_named(run, folder):
    arguments = ["eval", folder, "-t", "fake", "--resamples", 100, "--json"]
    code, out, err = run(*arguments, "--fail-if", "*.oov_char > 0.99", "--fail-if", "news.tokens<1")
    assert (code, err) == (0, "")
    code, out, err = run(*arguments, "--fail-if", "news.oov_char > 0", "--fail-if", "code.tokens>0")
    assert code == 1
    json.loads(out)
    first, second = err.splitlines()
    assert first.startswith("failed: news.oov_char > 0: fake on news has 0.0588235 (95 % interval ")
    assert second.startswith("failed: code.tokens>0: fake on code has ")


def test_a_condition_that_cannot_be_read_is_an_error_before_the_work(run, tmp_path):
    code, out, err = run("eval", tmp_path / "none", "--fail-if", "news.oov > 0.001")
    assert (code, out) == (2, "")
    assert err.splitlines()[0].endswith("names an unknown metric: 'oov'")
    assert err.splitlines()[1].startswith("hint: metrics are oov_")


def test_a_condition_on_a_kind_that_is_not_there_is_an_error_before_the_work(run, folder):
    code, out, err = run("eval", folder, "-t", "fake", "--fail-if", "x.tokens > 1")
    assert (code, out) == (2, "")
    assert "names an unknown kind: 'x'" in err
    assert "hint: kinds are code, news, or * for all" in err


def test_a_condition_on_a_system_that_is_not_there_is_an_error_before_the_work(run, folder):
    arguments = ["eval", folder, "-t", "fake", "--resamples", 100]
    code, out, err = run(*arguments, "--fail-if", "x:news.tokens > 1")
    assert (code, out) == (2, "")
    assert "names an unknown system: 'x'\nhint: systems are fake, jieba\n" in err
    code, out, err = run(*arguments, "--fail-if", "jieba:news.tokens < 1")
    assert (code, err) == (0, "")


def test_terms_that_should_stay_whole_are_columns(run, folder):
    (folder / "terms.lst").write_text("北京\n天气很\n", encoding="utf-8")
    spans = f"place={folder / 'terms.lst'}"
    code, out, err = run("eval", folder, "-t", "fake", "--spans", spans, "--resamples", 100)
    assert (code, err) == (0, "")
    assert "place one piece" in out
    assert "place edges" in out
    assert f"  place: 2 terms of {folder / 'terms.lst'}" in out
    assert "  number: digits" in out


@pytest.mark.parametrize("spans", ["place", "=a.txt", "a b=c", "place="])
def test_a_wrong_list_of_terms_is_an_error(run, folder, spans):
    code, _, err = run("eval", folder, "-t", "fake", "--spans", spans)
    assert code == 2
    assert err.startswith(
        f"error: --spans: cannot read {spans!r}\nhint: give idioms, legal, finance, or NAME=FILE"
    )


def test_gold_that_does_not_fit_is_named_and_a_failure(run, folder):
    gold = folder / "gold" / "news.seg.txt"
    gold.write_text("北京 天气 很 好 。\n北京 天气 很 坏 。\n" * 2, encoding="utf-8")
    code, out, err = run("eval", folder, "-t", "fake", "--resamples", 100)
    assert code == 1
    text = folder / "news" / "a.txt"
    assert err.splitlines() == [
        f"warning: {gold}:{line}:9: gold has '坏。', but {text}:1:6 has '好。'" for line in (2, 4)
    ]
    assert f"the text has 2 of the 4 lines of {gold}" in " ".join(out.split())


def test_a_page_and_plots_are_written_beside_the_table(run, folder, tmp_path):
    page, plots = tmp_path / "out.html", tmp_path / "plots"
    code, out, err = run(
        "eval", folder / "news", "-t", "fake", "--resamples", 100, "--html", page, "--plots", plots
    )
    assert code == 0
    assert out.startswith("news\n")
    files = sorted(path.suffix for path in plots.iterdir())
    assert err == f"report: {page}\nplots: {len(files)} files in {plots}\n"
    assert files.count(".png") == files.count(".svg") == len(files) / 2 > 10
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("option", "path"), [("--html", ""), ("--html", "none/a.html"), ("--plots", "file")]
)
def test_a_place_that_cannot_be_written_is_an_error_before_the_work(run, tmp_path, option, path):
    (tmp_path / "file").write_text("")
    code, out, err = run("eval", tmp_path / "nothing", option, tmp_path / path)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {option}: ")
    assert "\nhint: " in err


def test_a_missing_package_is_an_error_before_the_work(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, _, err = run("eval", tmp_path / "nothing", "--html", tmp_path / "a.html")
    assert code == 2
    assert err.splitlines() == [
        "error: --html needs the package matplotlib",
        "hint: pip install 'pytok-tokenizers[report]'",
    ]
