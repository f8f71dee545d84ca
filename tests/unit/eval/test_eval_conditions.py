from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok.errors import ConfigError
from pytok.eval.conditions import Condition
from pytok.eval.report import KindReport, Number, ParallelReport, Report, SystemReport


def system(name, vocab_size=100, failure=None, **values):
    numbers = {
        metric: Number(
            metric, value, *(interval or (None, None)), "none: why", "", 1, 1, name, None
        )
        for metric, (value, interval) in values.items()
    }
    return SystemReport(name, None, vocab_size, numbers, (), failure)


def kind(name, *systems):
    return KindReport(name, (), (), 1, 1, 1, "", False, 0, 0, 0, systems, ())


REPORT = Report(
    "folder",
    "0",
    1,
    1,
    None,
    (
        kind(
            "news",
            system("jieba 0.42.1", None, oov_char=(0.0, None)),
            system("zh-32k", oov_char=(0.01, (0.005, 0.02)), fertility=(None, None)),
            system("broken one", failure="RuntimeError: no"),
        ),
        kind("a.b", system("zh-32k", oov_char=(0.002, None))),
    ),
    (ParallelReport("ntrex", (), ("en", "zh"), 3, (system("zh-32k", parity_zh_en=(1.4, None)),)),),
)


def failures(text):
    return Condition.parse(text).failures(REPORT)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("zh-32k:news.oov_char > 0.01", []),
        ("zh-32k:news.oov_char >= 0.01", ["has 0.01 (95 % interval 0.005 to 0.02)"]),
        ("zh-32k : news.oov_char<0.02", ["has 0.01 (95 % interval 0.005 to 0.02)"]),
        ("zh-32k:news.oov_char <= 9e-3", []),
        ("jieba:news.oov_char <= 0", ["has 0"]),
        ("zh-32k:news.fertility > 1", ["cannot be checked: why"]),
        ("zh-32k:news.oov_lex > 1", ["cannot be checked: no such number"]),
        ("broken one:news.oov_char > 1", ["failed: RuntimeError: no"]),
        ("a.b.oov_char > 0", ["has 0.002"]),
        ("ntrex.parity_zh_en > 1.3", ["has 1.4"]),
    ],
)
def test_a_condition_is_checked_with_the_exact_value(text, found):
    reasons = failures(text)
    assert [reason.split(" on ")[1].split(" ", 1)[1] for reason in reasons] == found
    assert all(reason.startswith(text + ": ") for reason in reasons)


def test_without_a_system_every_tokenizer_counts_and_no_segmenter():
    found = failures("news.oov_char >= 0")
    assert [reason.split(": ", 1)[1].split(" on ")[0] for reason in found] == [
        "zh-32k",
        "broken one",
    ]
    only = Report("", "0", 1, 1, None, (kind("news", REPORT.kinds[0].systems[0]),))
    assert len(Condition.parse("news.oov_char >= 0").failures(only)) == 1


def test_a_star_is_every_kind_that_has_the_metric():
    found = failures("zh-32k:*.oov_char > 0")
    assert [reason.split(" on ")[1].split()[0] for reason in found] == ["news", "a.b"]
    with pytest.raises(ConfigError, match="no kind has 'oov_lex'"):
        failures("zh-32k:*.oov_lex > 0")


@pytest.mark.parametrize(
    ("text", "error", "hint"),
    [
        ("news.oov_char", "cannot read the condition 'news.oov_char'", "KIND.METRIC OPERATOR"),
        ("oov_char > 0.1", "cannot read", "KIND.METRIC"),
        ("news.oov_char == 0", "cannot read", "KIND.METRIC"),
        ("news.oov_char > 0.1 and news.fertility > 2", "cannot read", "KIND.METRIC"),
        ("", "cannot read", "KIND.METRIC"),
        (" : news.oov_char > 0.1", "cannot read", "KIND.METRIC"),
        ("news.oov_char > 1_0", "'1_0' is not a finite number", "0.001"),
        ("news.oov_char > ٣", "'٣' is not a finite number", "0.001"),
        ("news.idiom > 0.1", "unknown metric: 'idiom'", "integrity_LIST"),
        ("news.en_zh > 0.1", "unknown metric: 'en_zh'", "parity_SIDE_BASE"),
        ("news.oov_chars > 0.1", "unknown metric: 'oov_chars'", "metrics are oov_char"),
        ("news.oov_char > 1%", "'1%' is not a finite number", "0.001 for 0.1 %"),
        ("news.oov_char > nan", "'nan' is not a finite number", "0 to 1"),
        ("new.oov_char > 1", "unknown kind: 'new'", "kinds are news, a.b, ntrex"),
        ("x:news.oov_char > 1", "unknown system: 'x'", "systems are broken one, jieba 0.42.1"),
    ],
)
def test_what_is_wrong_with_a_condition_is_explained(text, error, hint):
    with pytest.raises(ConfigError, match="condition") as caught:
        failures(text)
    assert error in str(caught.value)
    assert hint in (caught.value.hint or "")


@given(st.text(alphabet="ab.:* <>=0x", max_size=60))
def test_any_text_is_read_or_refused_in_time(text):
    with suppress(ConfigError):
        Condition.parse(text)
