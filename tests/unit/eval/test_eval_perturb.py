import json
import sys
import unicodedata

import pytest
from fake_tokenizer import FakeTokenizer
from hypothesis import given
from hypothesis import strategies as st

from pytok.errors import ConfigError
from pytok.eval import EvalConfig, Segmenter, TokenizerSystem, evaluate
from pytok.eval.definitions import METRICS
from pytok.eval.perturb import PERTURBATIONS, Perturbation, chosen
from pytok.eval.perturb.losses import measured_metrics
from pytok.eval.schema import check_report

PIECES = ["北京", "天气", "很", "好", "。", "末", "来", "未来", "A", "4"]
GOLD = ["北京 的 未来 很 好 。", "天气 好 ， A4 纸 未 到 。", "未来 ， 北京 再 来 ！"] * 10
KNOWN = {
    ("fullwidth", 1.0, "A4 纸!"): "Ａ４　纸！",
    ("traditional", 1.0, "汉语发展，头发。"): "漢語發展，頭髮。",
    ("nopunct", 1.0, "“A-b”，（好）。"): "Ab好",
    ("ocr", 1.0, "未来天"): "末来夫",
    ("variants", 1.0, "為是 A"): "爲昰 A",
    ("typo", 1.0, "在 ab猫狗，猫"): "再 ba狗猫，猫",
}


@pytest.mark.parametrize(("name", "rate", "text"), KNOWN)
def test_known_changes(name, rate, text):
    perturbation = chosen(f"{name}={rate}")[0]
    assert perturbation.of(text, seed=3) == KNOWN[name, rate, text]


@pytest.mark.parametrize("name", PERTURBATIONS)
@given(
    text=st.text("未來天在再的北京為發后。，！“”A4 b-\n𠮷é\u0301", max_size=60),
    seed=st.integers(0, 9),
)
def test_changes_are_repeated_and_keep_what_they_say(name, text, seed):
    perturbation = PERTURBATIONS[name]
    changed = perturbation.of(text, seed=seed)
    assert changed == perturbation.of(text, seed=seed)
    if perturbation.keeps_length:
        assert len(changed) == len(text)
    else:
        left = [c for c in text if not unicodedata.category(c).startswith("P")]
        assert list(changed) == left


def test_the_rate_is_the_share_of_places():
    text = "未" * 10_000
    for rate in (0.05, 0.5):
        changed = chosen(f"ocr={rate}")[0].of(text, seed=1)
        assert changed.count("末") / len(text) == pytest.approx(rate, rel=0.15)
    first, second = (PERTURBATIONS["ocr"].of(text, seed=seed) for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("ocr,noise", "no perturbation 'noise'"),
        ("ocr,ocr=0.5", "ocr is given twice"),
        ("typo=much", "rate 'much'"),
        ("typo=0", "rate 0, expected a number above 0"),
        ("typo=nan", "rate nan, expected a number above 0"),
        ("traditional=0.5", "expected 1"),
        (" , ", "no name"),
    ],
)
def test_names_and_rates_are_checked(names, message):
    with pytest.raises(ConfigError, match=message):
        chosen(names)


@pytest.fixture
def folder(tmp_path):
    def write(name, lines):
        root = tmp_path / name
        (root / "news").mkdir(parents=True)
        text = "\n\n".join(line.replace(" ", "") for line in lines)
        (root / "news" / "a.txt").write_text(text, encoding="utf-8")
        (root / "news" / "news.seg.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return root

    return write


def _swapped(old, new):
    return Perturbation("swap", "", lambda text, _, __: text.replace(old, new), 1.0)


def test_losses_are_the_differences_of_two_evaluations(folder):
    before, after = folder("before", GOLD), folder("after", [g.replace("未", "末") for g in GOLD])
    systems = [
        TokenizerSystem(FakeTokenizer(PIECES)),
        TokenizerSystem(FakeTokenizer(["北京"], name="other")),
        Segmenter("letters", cut=list, knows=lambda word: word != "末来"),
    ]
    config = EvalConfig(resamples=100, perturb=(_swapped("未", "末"),))
    report = evaluate(before, systems, config=config).kinds[0]
    expected = evaluate(after, systems, config=EvalConfig(resamples=100)).kinds[0]
    (perturbed,) = report.perturbed
    assert perturbed.changed == 30
    for losses, old, new in zip(perturbed.systems, report.systems, expected.systems, strict=True):
        assert losses.losses
        for name, loss in losses.losses.items():
            assert loss.clean == pytest.approx(old.numbers[name].value, abs=1e-12)
            assert loss.perturbed == pytest.approx(new.numbers[name].value, abs=1e-12)
            sign = 1 if METRICS[name].better == "low" else -1
            assert loss.loss == pytest.approx(sign * (loss.perturbed - loss.clean), abs=1e-12)
            if loss.low is not None:
                assert loss.low <= loss.loss + 1e-9 and loss.loss <= loss.high + 1e-9
    fake, letters = perturbed.systems[1].losses, perturbed.systems[3].losses
    assert fake["oov_word"].loss > 0 and fake["boundary_f1"].low is not None
    assert letters["oov_lex"].loss == pytest.approx(20 / 200)
    assert letters["tokens_per_char"].loss == 0 and "nsl" in letters


def test_a_change_of_nothing_loses_nothing_and_intervals_are_paired(folder):
    config = EvalConfig(resamples=100, perturb=(_swapped("龘", "龍"),))
    report = evaluate(folder("a", GOLD), [TokenizerSystem(FakeTokenizer(PIECES))], config=config)
    for system in report.kinds[0].perturbed[0].systems:
        for loss in system.losses.values():
            assert (loss.loss, loss.low or 0, loss.high or 0) == (0, 0, 0)


def test_words_without_gold_are_those_of_the_clean_text(folder):
    root = folder("plain", GOLD)
    (root / "news" / "news.seg.txt").unlink()
    config = EvalConfig(resamples=100, perturb=(_swapped("京", "亰"),))
    report = evaluate(root, [TokenizerSystem(FakeTokenizer(PIECES))], config=config).kinds[0]
    baseline, fake = report.perturbed[0].systems
    assert not any(METRICS[name].on_words for name in baseline.losses)
    # 北京 is a word of the clean text alone, and falls to bytes.
    assert fake.losses["oov_word"].loss == pytest.approx(20 / report.words)


def test_text_without_its_marks_has_no_word_or_sentence_metrics(folder):
    root = folder("marks", GOLD)
    (root / "news" / "a.txt").write_text("。。！\n\n好。\n\n，", encoding="utf-8")
    config = EvalConfig(resamples=100, perturb=chosen("nopunct"))
    report = evaluate(root, [TokenizerSystem(FakeTokenizer(PIECES))], config=config).kinds[0]
    (perturbed,) = report.perturbed
    assert (perturbed.characters, perturbed.changed) == (10, 5)
    assert "metrics of words" in perturbed.unmeasured
    names = set(perturbed.systems[1].losses)
    assert names and names <= {m.name for m in measured_metrics(PERTURBATIONS["nopunct"])}
    assert not any(METRICS[n].on_words or n.endswith(("_sentence", "_clause")) for n in names)


def test_a_system_that_fails_on_changed_text_says_so(folder):
    systems = [
        TokenizerSystem(FakeTokenizer(PIECES, name="bad", fails_on="亰")),
        TokenizerSystem(FakeTokenizer(PIECES)),
    ]
    config = EvalConfig(resamples=100, perturb=(_swapped("京", "亰"),))
    report = evaluate(folder("a", GOLD), systems, config=config).kinds[0]
    assert all(system.failure is None for system in report.systems)
    bad, good = report.perturbed[0].systems[1:]
    assert "cannot encode '亰'" in bad.failure and not bad.losses
    assert good.failure is None and good.losses


def test_a_baseline_that_fails_leaves_the_losses_on_text(folder):
    def fail(_text):
        raise RuntimeError("no dictionary")

    root = folder("a", GOLD)
    (root / "news" / "news.seg.txt").unlink()
    systems = [Segmenter("jieba", cut=fail), TokenizerSystem(FakeTokenizer(PIECES))]
    config = EvalConfig(resamples=100, perturb=(_swapped("京", "亰"),))
    baseline, fake = evaluate(root, systems, config=config).kinds[0].perturbed[0].systems
    assert "no dictionary" in baseline.failure
    assert fake.losses["oov_char"].loss > 0 and "oov_word" not in fake.losses


def test_the_progress_ends_at_its_total(folder):
    calls = []
    evaluate(
        folder("a", GOLD),
        [TokenizerSystem(FakeTokenizer(PIECES))],
        config=EvalConfig(resamples=100, perturb=chosen("nopunct,fullwidth")),
        on_progress=lambda _label, done, total: calls.append((done, total)),
    )
    assert calls[-1][0] == calls[-1][1]
    done = [done for done, total in calls if total == calls[-1][1]]
    assert len(done) > 6 and done == sorted(done)


def test_the_command_prints_and_writes_losses(folder, capsys, monkeypatch):
    import pytok.cli

    arguments = ["pytok", "eval", str(folder("a", GOLD)), "-t", "zh-32k", "--resamples", "100"]
    for extra in ([], ["--json"]):
        monkeypatch.setattr(sys, "argv", [*arguments, "--perturb", "fullwidth,ocr=1", *extra])
        with pytest.raises(SystemExit) as stop:
            pytok.cli.main()
        assert not stop.value.code
        out = capsys.readouterr().out
        if not extra:
            assert "perturbed: fullwidth (rate 1)" in out
            assert "loss: the change for the worse" in out
        else:
            check_report(json.loads(out))
            reports = json.loads(out)["kinds"][0]["perturbed"]
            assert [report["perturbation"] for report in reports] == ["fullwidth", "ocr"]
            assert reports[0]["systems"][1]["losses"]["tokens_per_char"]["loss"] > 0


def test_losses_that_are_no_ratio_of_sums_have_the_interval_of_the_jackknife(tmp_path):
    (tmp_path / "news").mkdir()
    blocks = [f"未来{'未' * (n % 3)}很好。" for n in range(40)]
    (tmp_path / "news" / "a.txt").write_text("\n\n".join(blocks), "utf-8")
    tokenizer = TokenizerSystem(FakeTokenizer(["未来", "很好"], name="fake"))
    config = EvalConfig(resamples=200, perturb=chosen("ocr=0.5"))
    (report,) = evaluate(tmp_path, [tokenizer], config=config).kinds
    (perturbed,) = report.perturbed
    losses = perturbed.systems[1].losses
    names = {"renyi_efficiency", "oov_word_type", "consistency_entropy"}
    assert names <= set(losses)
    for name in names:
        loss = losses[name]
        assert loss.low <= loss.loss <= loss.high
        assert loss.high - loss.low == pytest.approx(2 * (loss.high - loss.loss))
    assert losses["renyi_efficiency"].low < losses["renyi_efficiency"].high
    assert "jackknife" in perturbed.interval


def test_a_loss_of_nothing_has_an_interval_of_nothing_by_the_jackknife_too(tmp_path):
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.txt").write_text("\n\n".join(["你好很好。"] * 30 + ["你"] * 9), "utf-8")
    tokenizer = TokenizerSystem(FakeTokenizer(["很好"], name="fake"))
    config = EvalConfig(resamples=200, perturb=chosen("fullwidth"))
    (report,) = evaluate(tmp_path, [tokenizer], config=config).kinds
    for system in report.perturbed[0].systems:
        for name, loss in system.losses.items():
            assert (loss.loss, loss.low, loss.high) == (0, 0, 0), name
