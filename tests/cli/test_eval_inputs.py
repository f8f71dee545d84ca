"""What may be in a folder beside good texts, and systems that do not work."""

import json
import os
import sys
from pathlib import Path

import pytest

import pytok.cli
from pytok.eval import Encoder, Segmenter, TokenizerSystem, register

sys.path.append(str(Path(__file__).parents[1] / "unit" / "eval"))

from fake_tokenizer import FakeTokenizer

SMALL = ["--resamples", 100]


def _raise():
    raise RuntimeError("no model")


class _Unreachable(FakeTokenizer):
    """Works on text, and fails when its vocabulary is looked through."""

    def encode_batch_ids(self, texts, *, special="text", add_special_tokens=False, threads=None):
        if special == "special":
            raise RuntimeError("no special tokens")
        return super().encode_batch_ids(texts, threads=threads)


@pytest.fixture(autouse=True)
def fake_systems():
    register("fake", lambda: TokenizerSystem(FakeTokenizer(["北京", "天气"])))
    register("raises", _raise)
    register("unreachable", lambda: TokenizerSystem(_Unreachable(["北京"], name="unreachable")))
    register(
        "holes",
        lambda: TokenizerSystem(
            Encoder(
                "holes",
                lambda text: list(text.encode()),
                300,
                lambda i: bytes([i]) if i < 256 else None,
            )
        ),
    )
    register(
        "outside",
        lambda: TokenizerSystem(Encoder("outside", lambda text: [9] * len(text), 5)),
    )
    register("text", lambda: TokenizerSystem(Encoder("text", lambda _: [0], 5, lambda _: "a")))


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "corpus" / "news" / "a.txt"
    path.parent.mkdir(parents=True)
    path.write_text("北京天气很好。\n\n" * 3, encoding="utf-8")
    return tmp_path / "corpus"


@pytest.fixture
def run(capsys, monkeypatch):
    def run(*arguments):
        monkeypatch.setenv("COLUMNS", "120")
        monkeypatch.setattr(sys, "argv", ["pytok", *map(str, arguments)])
        try:
            pytok.cli.main()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return run


def rows(out, kind=0):
    return {row["system"].split()[0]: row for row in json.loads(out)["kinds"][kind]["systems"]}


@pytest.mark.parametrize("sort", ["link", "pipe"])
@pytest.mark.parametrize("declared", [False, True])
def test_what_is_no_file_is_left_out_by_name_and_the_rest_goes_on(run, folder, sort, declared):
    path = folder / "news" / "b.txt"
    if sort == "link":
        path.symlink_to("nowhere")
        reason = "a link to what is not there"
    else:
        os.mkfifo(path)
        reason = "a pipe or a device, expected a file"
    if declared:
        (folder / "sources.toml").write_text('[[kind]]\nname = "news"\nfiles = "news/*.txt"\n')
    code, out, err = run("eval", folder, "-t", "fake", "--json", *SMALL)
    assert (code, err) == (1, f"warning: left out: cannot read {path}: {reason}\n")
    assert rows(out)["fake"]["numbers"]["tokens"]["value"] > 0
    assert run("eval", folder, "-t", "fake", "--json", "--skip-bad", *SMALL)[0] == 0


def test_a_pipe_among_parallel_texts_and_terms_is_not_read(run, folder):
    for side in ("en", "zh"):
        path = folder / "parallel" / "talks" / f"{side}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)
    code, _, err = run("eval", folder, "-t", "fake", "--json", *SMALL)
    assert code == 1
    assert err.startswith("warning: talks not measured: cannot read ")
    os.mkfifo(folder / "terms")
    code, out, err = run("eval", folder, "-t", "fake", "--spans", f"term={folder / 'terms'}")
    assert (code, out) == (2, "")
    assert "a pipe or a device, expected a file" in err


def test_when_every_file_is_bad_each_is_named(run, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_bytes(b"\xff")
    code, out, err = run("eval", tmp_path, "-t", "fake", *SMALL)
    assert code == 1
    assert [line.rpartition("/")[2] for line in err.splitlines()] == [
        "a.txt is not UTF-8: byte 0",
        "b.txt is not UTF-8: byte 0",
    ]
    assert "no text: nothing to measure" in out


def test_kinds_without_text_are_named_and_a_failure(run, folder):
    (folder / "law").mkdir()
    (folder / "prose").mkdir()
    (folder / "prose" / "a.txt").write_text("")
    code, out, err = run("eval", folder, "-t", "fake", *SMALL)
    assert code == 1
    assert err.splitlines() == [
        "warning: law: no text, nothing to measure",
        "warning: prose: no text, nothing to measure",
    ]
    assert out.startswith("law\n")
    (folder / "news" / "a.txt").write_text("")
    assert run("eval", folder, "-t", "fake", *SMALL)[0] == 1, "all are empty"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("raises", "RuntimeError: no model"),
        ("no-such-tokenizer", "no-such-tokenizer"),
        ("unreachable", "RuntimeError: no special tokens"),
        ("outside", "EncodeError: outside: id 9, expected 0 to 4, its vocab_size less one"),
        ("text", "TypeError: text: token(0) is str, expected bytes"),
    ],
)
def test_a_system_that_fails_loses_its_own_row_only(run, folder, name, reason):
    code, out, err = run("eval", folder, "-t", name, "-t", "fake", "--json", *SMALL)
    assert code == 1
    assert err.count("\n") == 1
    assert err.startswith(f"warning: {name} failed on news: ")
    assert reason in err
    found = rows(out)
    assert reason in found[name]["failure"]
    assert found[name]["numbers"] == {}
    assert found["fake"]["failure"] is None
    assert found["fake"]["numbers"]["tokens"]["value"] == 39
    assert found["jieba"]["numbers"]["tokens"]["value"] > 0


def test_a_single_system_that_cannot_be_made_is_an_error_that_says_why(run, folder):
    code, out, err = run("eval", folder, "-t", "raises")
    assert (code, out) == (2, "")
    assert err.startswith("error: cannot open 'raises': RuntimeError: no model\nhint: ")


def test_ids_without_bytes_are_no_failure(run, folder):
    code, out, err = run("eval", folder, "-t", "holes", "--json", *SMALL)
    assert (code, err) == (0, "")
    assert len(rows(out)["holes"]["sha256"]) == 64
    assert rows(out)["holes"]["numbers"]["unreachable_ids"]["value"] == 0


def test_a_system_named_twice_is_an_error(run, folder):
    code, out, err = run("eval", folder, "-t", "fake", "-t", "fake")
    assert (code, out) == (2, "")
    assert err.startswith("error: two systems are called 'fake'\nhint: ")


@pytest.mark.parametrize("name", ["number", "idiom"])
def test_a_list_of_terms_needs_a_name_of_its_own(run, folder, name):
    (folder / "spans").mkdir()
    (folder / "spans" / "idiom.txt").write_text("画蛇添足\n", encoding="utf-8")
    code, out, err = run("eval", folder, "-t", "fake", "--spans", f"{name}={folder}/x")
    assert (code, out) == (2, "")
    assert f"{name!r} is already the name of a " in err


def test_the_baseline_may_fail_unasked_but_is_named(run, folder, monkeypatch):
    monkeypatch.setitem(sys.modules["pytok.eval.systems"]._FACTORIES, "jieba", _raise)
    code, _, err = run("eval", folder, "-t", "fake", *SMALL)
    assert (code, err) == (0, "warning: jieba failed on news: RuntimeError: no model\n")
    assert run("eval", folder, "-t", "fake", "jieba", *SMALL)[0] == 1


def test_names_cannot_command_the_terminal(run, tmp_path):
    kind = tmp_path / "a\x1b[2Jb\u202e"
    kind.mkdir()
    (kind / "a\x1b]0;x\x07.txt").write_text("北京" * 30, encoding="utf-8")
    (kind / "b\x1b[31m.txt").write_bytes(b"\xff")
    evil = "evil\x1b[31m"
    register("evil", lambda: TokenizerSystem(FakeTokenizer(name=evil, fails_on="北")))
    code, out, err = run("eval", tmp_path, "-t", "evil", "fake", "--quoted", *SMALL)
    assert code == 1
    for text in (out, err):
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
        assert "⟨U+001B⟩[31m" in text
    code, _, err = run("eval", tmp_path / "no\x1b[31m", "-t", "fake")
    assert (code, "\x1b" in err) == (2, False)


def test_fewer_than_a_hundred_resamples_are_refused(run, folder):
    code, out, err = run("eval", folder, "-t", "fake", "--resamples", 99)
    assert (code, out) == (2, "")
    assert err.startswith("error: resamples: 99, expected 100 or more\nhint: ")


def test_few_documents_are_said_to_give_narrow_intervals(run, folder):
    out = run("eval", folder, "-t", "fake", *SMALL)[1]
    assert "fewer than 30 documents: the intervals are too narrow" in out
    (folder / "news" / "a.txt").write_text("北京天气很好。\n\n" * 30, encoding="utf-8")
    assert "too narrow" not in run("eval", folder, "-t", "fake", *SMALL)[1]


def test_a_segmenter_that_loses_text_fails(run, folder):
    register("loses", lambda: Segmenter("loses", cut=lambda text: text.split("天")))
    code, out, err = run("eval", folder, "-t", "loses", "-t", "fake", "--json", *SMALL)
    assert code == 1
    assert "the segmenter left out '天' at character 2 of a text" in err
    assert rows(out)["fake"]["failure"] is None
    register("spaces", lambda: Segmenter("spaces", cut=str.split))
    assert run("eval", folder, "-t", "spaces", *SMALL)[0] == 0


def test_a_short_side_is_dropped_and_the_others_are_compared(run, folder):
    lines = {"en": "def\n" * 40, "zh": "北京\n" * 40, "yue": "天气\n" * 39, "th": "天\n" * 40}
    for side, text in lines.items():
        path = folder / "parallel" / "talks" / f"{side}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    path.write_bytes(b"\xff")
    code, out, err = run("eval", folder, "-t", "fake", "--json", *SMALL)
    (talks,) = json.loads(out)["parallel"]
    assert code == 1
    assert (talks["sides"], talks["problem"]) == (["en", "zh"], "")
    assert list(talks["systems"][0]["numbers"]) == ["parity_zh_en"]
    short = f"{path.with_name('yue.txt')} ends after line 39, but the other sides have 40 lines"
    assert err == (
        f"warning: talks: left out: {path} is not UTF-8: byte 0\n"
        f"warning: talks: left out: {short}\n"
    )


def test_plots_are_all_written_or_none(run, folder, tmp_path, monkeypatch):
    plots = tmp_path / "plots"
    (plots / "metric-oov_char.svg").mkdir(parents=True)
    code, out, err = run("eval", folder, "-t", "fake", "--plots", plots, *SMALL)
    assert (code, out) == (2, ""), "files are written before anything is printed"
    assert "metric-oov_char.svg: it is not a regular file" in err
    assert [path.name for path in plots.iterdir()] == ["metric-oov_char.svg"]


def test_names_in_plots_are_shown_as_on_the_page(run, folder, tmp_path):
    register("turned", lambda: TokenizerSystem(FakeTokenizer(name="a\u202eb")))
    (folder / "news").rename(folder / "ne\u202ews")
    plots = tmp_path / "plots"
    assert run("eval", folder, "-t", "turned", "--plots", plots, *SMALL)[0] == 0
    drawn = [path.read_text("utf-8") for path in plots.glob("*.svg")]
    assert not any("\u202e" in text for text in drawn)
    assert any("a⟨U+202E⟩b" in text for text in drawn)
    assert any("ne⟨U+202E⟩ws" in text for text in drawn)


class TestPlacesToWrite:
    def test_a_link_stays_and_its_file_is_replaced(self, run, folder, tmp_path):
        page = tmp_path / "page.html"
        page.write_text("old")
        page.chmod(0o600)
        (tmp_path / "link.html").symlink_to(page)
        (tmp_path / "new.html").symlink_to(tmp_path / "made.html")
        for name in ("link", "new"):
            target = tmp_path / f"{name}.html"
            assert run("eval", folder, "-t", "fake", "--html", target, *SMALL)[0] == 0
            assert target.is_symlink()
        assert page.read_text("utf-8").startswith("<!DOCTYPE html>")
        assert page.stat().st_mode & 0o777 == 0o600
        assert (tmp_path / "made.html").is_file()

    @pytest.mark.parametrize("sort", ["pipe", "device", "circle"])
    def test_what_is_no_file_is_refused_and_stays(self, run, folder, tmp_path, sort):
        path = tmp_path / "page.html"
        if sort == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to({"device": "/dev/null", "circle": path}[sort])
        code, out, err = run("eval", folder, "-t", "fake", "--html", path)
        assert (code, out) == (2, "")
        assert err.startswith(f"error: --html: cannot write {path}: it is not a regular file\n")
        assert path.is_symlink() or path.is_fifo()
        assert Path("/dev/null").is_char_device()
