import json

import pytest
from fake_tokenizer import FakeTokenizer

from pytok.eval import EvalConfig, Segmenter, TokenizerSystem, evaluate
from pytok.eval.peak_memory import peak_memory
from pytok.eval.speed import SIZES, measure_speed, texts_of_size

TEXT = "北京天气很好。" * 400


class Unpicklable(FakeTokenizer):
    def __reduce__(self):
        raise TypeError("no")


class Uneven(FakeTokenizer):
    def encode_batch_ids(self, texts, *, threads=None, **options):
        ids, bounds = super().encode_batch_ids(texts, threads=threads, **options)
        return (ids[:-1], bounds) if threads and threads > 1 else (ids, bounds)


def measure(*systems, **options):
    return measure_speed([TEXT], systems, **{"seconds": 0.01, "threads": 2, **options})


def test_texts_of_a_size_tile_the_front():
    assert "".join(texts_of_size(TEXT, 100)) == TEXT
    assert texts_of_size("ab" * 500, 100, most=250) == ["ab" * 50] * 2
    assert texts_of_size("ab", 3, most=1) == []
    assert texts_of_size("abc", 3, most=1) == ["abc"], "one text may be longer than the rest"


def test_every_size_that_fits_is_measured_for_every_system():
    fake, letters = measure(
        TokenizerSystem(FakeTokenizer(["北京"])), Segmenter("letters", cut=list)
    )
    for found in (fake, letters):
        assert [size.characters for size in found.sizes] == [100, 1000]
        assert [size.texts for size in found.sizes] == [28, 2]
        assert [size.bytes for size in found.sizes] == [8400, 6000]
        assert found.failure is None
    size = fake.sizes[0]
    assert 0 < size.p50 < 10
    spread = size.megabytes_per_second
    assert 0 < spread.low <= spread.median <= spread.high
    assert spread.median == pytest.approx(size.bytes / 1e6 / (size.p50 * size.texts), rel=0.9)
    tokens = len(FakeTokenizer(["北京"]).encode_batch_ids(texts_of_size(TEXT, 100))[0])
    rate = size.tokens_per_second.median / spread.median
    assert rate == pytest.approx(tokens / (size.bytes / 1e6))
    assert size.threads.rounds == spread.rounds >= 1
    assert size.cold > 0
    assert (letters.sizes[0].threads, letters.sizes[0].cold) == (None, None)


def test_the_99th_percentile_needs_100_measurements():
    (few,) = measure(Segmenter("letters", cut=list), seconds=0)
    assert [size.p99 for size in few.sizes] == [None, None]
    (many,) = measure(Segmenter("letters", cut=list), seconds=60)
    first, second = many.sizes
    assert first.p99 >= first.p50
    assert first.megabytes_per_second.rounds == 7
    assert second.p99 is None


def test_one_thread_and_several_are_asked_for():
    fake = Unpicklable(["北京"])
    (found,) = measure(TokenizerSystem(fake), seconds=0)
    assert set(fake.calls) == {"ids special=text threads=1", "ids special=text threads=2"}
    assert found.sizes[0].cold is None, "no copy, nothing cold"
    assert found.n_threads == 2


def test_a_system_that_fails_says_why_and_the_others_go_on():
    bad = TokenizerSystem(FakeTokenizer(name="bad", fails_on="气"))
    uneven = TokenizerSystem(Uneven(name="uneven"))
    failed, other, sound = measure(bad, uneven, Segmenter("letters", cut=list))
    assert (failed.failure, failed.sizes) == ("RuntimeError: cannot encode '气'", ())
    assert other.failure.startswith("EncodeError: ")
    assert len(sound.sizes) == 2


def test_text_too_short_has_no_sizes():
    (found,) = measure_speed(["天气"], [Segmenter("letters", cut=list)])
    assert (found.sizes, found.peak_memory, found.failure) == ((), None, None)
    assert min(SIZES) > 2


def test_peak_memory_sees_what_was_given_back():
    before = peak_memory(lambda: None)
    if before is None:
        pytest.skip("this system does not tell")
    held = peak_memory(lambda: len(bytes(100_000_000).replace(b"\0", b"a")))
    assert before + 50_000_000 < held < before + 1_000_000_000
    assert peak_memory(lambda: None) < held


def test_a_report_has_speed_only_when_asked(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    fake = TokenizerSystem(FakeTokenizer(["北京"]))
    assert evaluate(tmp_path / "a.txt", [fake], config=EvalConfig(resamples=100)).speed == {}
    report = evaluate(tmp_path / "a.txt", [fake], config=EvalConfig(resamples=100, speed=True))
    jieba, found = report.speed["a"]
    assert (jieba.system.split()[0], found.system) == ("jieba", "fake")
    data = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert data["speed"]["a"][1]["sizes"][0]["megabytes_per_second"]["median"] > 0
