import io
import json
import sys

import pytest
from fake_tokenizer import FakeTokenizer
from rich.console import Console

from pytok.eval import EvalConfig, Segmenter, TokenizerSystem, evaluate
from pytok.eval.quoted import HYBRID, QUOTED, Quoted, claims, quoted_json, summary
from pytok.eval.quoted_table import print_quoted
from pytok.eval.schema import check_report

LINES = ["北京 的 天气 很 好 。", "天气 好 ， 天气 好 。", "北京 龘 ！"] * 30


@pytest.fixture
def folder(tmp_path):
    for kind in ("news", "classical", "other"):
        (tmp_path / kind).mkdir()
        gold = tmp_path / kind / f"{kind}.seg.txt"
        gold.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def report(folder):
    systems = [
        TokenizerSystem(FakeTokenizer(["北京", "天气", "的", "很", "好", "。", "，", "！"])),
        Segmenter("half", cut=list, knows=lambda word: word != "天气"),
    ]
    return evaluate(folder, systems, config=EvalConfig(resamples=200))


def found(report, system, metric, kind, quoted=HYBRID):
    (claim,) = (
        c for c in claims(report, quoted) if (c.system, c.metric, c.kind) == (system, metric, kind)
    )
    return claim


def test_the_quoted_rows_are_the_published_ones():
    rows = [(r.system, *(round(100 * s, 1) for s in r.oov.values()), r.entropy) for r in QUOTED]
    assert rows == [
        ("jieba", 8.2, 24.7, 31.5, 4.12),
        ("THULAC", 6.9, 19.3, 28.1, 3.87),
        ("BERT+rules hybrid", 3.1, 7.4, 12.6, 2.35),
    ]


def test_a_claim_needs_an_interval_on_one_side_of_the_figure(report):
    # 龘 is one character in 30 of 510: 5.9 %.
    news = found(report, "fake", "oov_char", "news")
    assert news.value == pytest.approx(30 / 600)
    assert news.verdict == "above" and news.low > news.quoted == 0.031
    assert found(report, "fake", "oov_char", "classical").verdict == "below"
    near = Quoted("near", {"news": news.value, "code": 0.0, "classical": 0.0}, 1.0)
    undecided = found(report, "fake", "oov_char", "news", near)
    assert undecided.verdict == "undecided" and "holds the quoted figure" in undecided.reason
    assert found(report, "fake", "oov_unk", "news").value == 0


def test_only_what_means_something_is_claimed(report):
    metrics = {(c.system, c.metric) for c in claims(report)}
    assert ("fake", "oov_lex") not in metrics and ("half", "oov_lex") in metrics
    assert ("half", "oov_char") not in metrics and ("fake", "oov_char") in metrics
    assert {c.kind for c in claims(report)} == {"news", "classical"}
    assert found(report, "half", "oov_lex", "news").value == pytest.approx(90 / 450)


def test_one_document_decides_nothing(tmp_path):
    (tmp_path / "news.txt").write_text("北京天气好。", encoding="utf-8")
    report = evaluate(tmp_path / "news.txt", [TokenizerSystem(FakeTokenizer(["北京"]))])
    claim = found(report, "fake", "oov_char", "news")
    assert claim.verdict == "undecided" and "fewer than two documents" in claim.reason
    assert found(report, "fake", "oov_word", "news").verdict == "undecided"
    own = next(c for c in claims(report) if c.system.startswith("jieba") and c.metric == "oov_word")
    assert own.verdict == "not measured" and "own" in own.reason


def test_the_table_says_what_is_missing_and_every_verdict(report):
    out = io.StringIO()
    print_quoted(report, Console(file=out, width=200, color_system=None))
    text = out.getvalue()
    assert "no kind named code" in text and "corpus not public" in text
    assert "fake, oov_char: below the quoted figure for classical; above it for news" in text
    assert [line for line in text.splitlines() if line.startswith("fake") and "tokens/char" in line]
    assert set(summary(claims(report))) <= {line.strip() for line in text.splitlines()}


def test_the_command_adds_the_section(folder, capsys, monkeypatch):
    import pytok.cli

    arguments = ["pytok", "eval", str(folder), "--quoted", "--resamples", "100", "-t", "zh-32k"]
    for extra in ([], ["--json"]):
        monkeypatch.setattr(sys, "argv", arguments + extra)
        with pytest.raises(SystemExit) as stop:
            pytok.cli.main()
        assert not stop.value.code
        out = capsys.readouterr().out
        if extra:
            section = json.loads(out)["quoted"]
            check_report(json.loads(out))
            assert section["rows"][0]["system"] == "jieba" and section["claims"]
        else:
            assert "beside the quoted figures" in out


def test_plain_data_has_all_claims(report):
    assert len(quoted_json(report)["claims"]) == len(claims(report))
