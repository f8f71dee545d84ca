"""Counting within a memory budget, and again where a run broke off."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import pytok
from pytok import _counting, _train_inputs

NEWS = sorted((Path(__file__).resolve().parents[2] / "corpora" / "news").glob("*.txt"))
SMALL = pytok.TrainConfig(memory="64K")


def many_words(seed: int = 1, words: int = 60_000) -> list[str]:
    """Texts of words that are mostly different, some megabytes in a table."""
    choose = random.Random(seed)
    alphabet = "学而时习之不亦说乎abcdefg"
    text = ["".join(choose.choices(alphabet, k=choose.randint(1, 12))) for _ in range(words)]
    return [" ".join(text[start : start + 100]) for start in range(0, words, 100)]


TEXTS = many_words()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def file_of(counts: pytok.WordCounts, folder: Path) -> bytes:
    return counts.save(folder / "saved.counts").read_bytes()


def run(code: str, *arguments: str | Path, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    folder = Path(__file__).parent
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


# ----------------------------------------------------------------------- memory budget


def test_a_budget_does_not_change_counts_files_or_tokenizers(
    tmp_path: Path, temporary: Path
) -> None:
    whole = pytok.count_words(TEXTS)
    file = file_of(whole, tmp_path)
    for threads in (1, 3):
        config = pytok.TrainConfig(memory="64K", threads=threads)
        counts = pytok.count_words(TEXTS, config)
        assert counts == whole
        assert (len(counts), counts.texts) == (len(whole), whole.texts)
        assert counts.items() == whole.items()
        assert file_of(counts, tmp_path) == file
    trained = [
        pytok.train(
            TEXTS, pytok.TrainConfig(algorithm="bpe", vocab_size=400, tau_c=50, tau=tau, memory=m)
        )
        for tau in (1, 10)
        for m in (None, 1 << 16)
    ]
    assert len({result.tokenizer._core.pytok_json() for result in trained}) == 1
    assert len({result.report.unique_words for result in trained}) == 1
    assert list(temporary.iterdir()) == []


def test_saved_counts_are_read_and_merged_within_a_budget(tmp_path: Path, temporary: Path) -> None:
    parts = [many_words(seed, 20_000) for seed in range(4)]
    paths = [
        pytok.count_words(part, SMALL if number % 2 else None).save(tmp_path / f"{number}.counts")
        for number, part in enumerate(parts)
    ]
    whole = pytok.count_words([text for part in parts for text in part])
    read = [pytok.WordCounts.read(path, memory="64K") for path in paths]
    assert read[0] == pytok.WordCounts.read(paths[0])
    assert read[0].merge(*read[1:]) == whole
    assert pytok.WordCounts.read(paths[0]).merge(*read[1:]) == whole
    assert file_of(read[0].merge(*read[1:]), tmp_path) == file_of(whole, tmp_path)
    config = pytok.TrainConfig(algorithm="bpe", vocab_size=500, memory="64K")
    result = pytok.train(config=config, counts=iter(read))
    plain = pytok.train(config=pytok.TrainConfig(algorithm="bpe", vocab_size=500), counts=whole)
    assert result.tokenizer._core.pytok_json() == plain.tokenizer._core.pytok_json()
    damaged = bytearray(paths[0].read_bytes())
    damaged[len(damaged) // 2] ^= 1
    paths[0].write_bytes(damaged)
    with pytest.raises(pytok.FormatError, match=r"0\.counts: "):
        pytok.WordCounts.read(paths[0], memory="64K")


def test_counts_above_32_bits_pass_through_files_merging_and_training(
    tmp_path: Path, temporary: Path
) -> None:
    path = pytok.count_words(["ab ab ab"]).save(tmp_path / "ab")
    for memory in (None, "64K"):
        counts = pytok.WordCounts.read(path, memory=memory)
        for _ in range(32):
            counts = counts.merge(counts)
        assert counts.items() == [(b" ab", 2 << 32), (b"ab", 1 << 32)]
        again = pytok.WordCounts.read(counts.save(tmp_path / "wide"), memory=memory)
        assert again == counts
        config = pytok.TrainConfig(algorithm="bpe", vocab_size=257, memory=memory)
        result = pytok.train(config=config, counts=again)
        assert result.report.least_count == 3 << 32


@pytest.mark.parametrize(
    "memory", ["", "2", "2 X", "-1", "1e9", "G", 0, 65535, "63K", True, 1.5, "99999999T"]
)
def test_bad_amounts_of_memory_are_named(memory: object) -> None:
    with pytest.raises(pytok.ConfigError, match="memory: "):
        pytok.TrainConfig(memory=memory)  # type: ignore[arg-type]


def test_amounts_of_memory_have_units() -> None:
    for memory in (65536, "65536", "64K", "64 KiB", "0.5M", "2GB", "1T"):
        assert pytok.TrainConfig(memory=memory).memory == memory


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_the_budget_is_kept() -> None:
    # The peak in KiB of a process that counts some 50 MB of words.
    code = """
        import sys, pytok
        memory = sys.argv[1] or None
        def texts():
            for number in range(1000):
                yield " ".join(f"{number * 1000 + n:x}abcdefghijklm" for n in range(1000))
        config = pytok.TrainConfig(memory=memory, threads=1, pretokenizer=r"\\S+|\\s+")
        counts = pytok.count_words(texts(), config)
        assert len(counts) == 1_000_001, len(counts)
        status = open("/proc/self/status").read()
        print(status.split("VmHWM:")[1].split()[0])
    """
    peaks = {}
    for memory in ("", "4M"):
        process = run(code, memory)
        output, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        peaks[memory] = int(output)
    saved = peaks[""] - peaks["4M"]
    assert saved > 25_000, peaks


def test_there_may_be_more_runs_than_open_files(tmp_path: Path) -> None:
    # The table takes some 4 MB: more than 60 runs.
    code = """
        import resource, sys, tempfile, pytok
        sys.path.append(".")
        from test_counting import TEXTS, SMALL
        tempfile.tempdir = sys.argv[1]
        whole = pytok.count_words(TEXTS)
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
        assert pytok.count_words(TEXTS, SMALL) == whole
    """
    process = run(code, tmp_path)
    assert process.communicate(timeout=120) == ("", "")
    assert process.returncode == 0


# ------------------------------------------------------------------------ broken places


def test_a_temporary_folder_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "missing"
    monkeypatch.setattr("tempfile.tempdir", str(missing))
    with pytest.raises(pytok.CorpusError) as info:
        pytok.count_words(TEXTS, SMALL)
    assert str(info.value).startswith(f"{missing}: words cannot be kept there: ")
    assert "TMPDIR" in str(info.value.hint)


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    code = """
        import resource, signal, sys, tempfile, pytok
        sys.path.append(".")
        from test_counting import TEXTS, SMALL
        tempfile.tempdir = sys.argv[1]
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
        try:
            pytok.count_words(TEXTS, SMALL)
        except pytok.CorpusError as error:
            print(error)
    """
    process = run(code, tmp_path)
    output, errors = process.communicate(timeout=120)
    assert output.startswith(f"{tmp_path}: words cannot be kept there: File too large"), errors
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_killed_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    code = """
        import signal, sys, tempfile, pytok
        # A shell's background jobs ignore it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.path.append(".")
        from test_counting import TEXTS, SMALL
        tempfile.tempdir = sys.argv[1]
        def texts():
            for turn in range(10_000):
                yield from TEXTS
                print(turn, flush=True)
        pytok.count_words(texts(), SMALL).save(sys.argv[1] + "/counts")
    """
    process = run(code, tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == -number or process.returncode == 1
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------------- resume


class StopError(Exception):
    pass


def stop_after(files: int):  # type: ignore[no-untyped-def]
    seen = 0

    def stop(event: pytok.TrainProgress) -> None:
        nonlocal seen
        seen += 1
        if seen == files:
            raise StopError

    return stop


def test_a_run_goes_on_where_it_broke_off(tmp_path: Path) -> None:
    work = tmp_path / "new" / "work"
    whole = file_of(pytok.count_words(NEWS), tmp_path)
    with pytest.raises(StopError):
        pytok.count_words(NEWS, work=work, on_progress=stop_after(3))
    kept = {path.name: path.stat().st_mtime_ns for path in work.iterdir()}
    assert len(kept) == 3
    for memory in (None, "128K"):
        events: list[pytok.TrainProgress] = []
        config = pytok.TrainConfig(memory=memory)
        counts = pytok.count_words(NEWS, config, work=work, on_progress=events.append)
        assert file_of(counts, tmp_path) == whole
        assert events[-1].done == events[-1].total
    times = {path.name: path.stat().st_mtime_ns for path in work.iterdir()}
    assert times | kept == times  # those were not counted again
    assert len(times) == len(NEWS)
    options = {"algorithm": "bpe", "vocab_size": 500}
    config = pytok.TrainConfig.from_mapping(options)
    resumed, plain = pytok.train(NEWS, config, work=work), pytok.train(NEWS, config)
    assert resumed.tokenizer._core.pytok_json() == plain.tokenizer._core.pytok_json()


def test_kept_counts_that_do_not_fit_are_not_used(tmp_path: Path) -> None:
    work, path = tmp_path / "work", tmp_path / "text.txt"

    def check(config: pytok.TrainConfig | None = None) -> None:
        counts = pytok.count_words(path, config, work=work)
        assert file_of(counts, tmp_path) == file_of(pytok.count_words(path, config), tmp_path)

    path.write_text("学而时习之 a b", encoding="utf-8")
    check()
    (kept,) = work.iterdir()
    good = kept.read_bytes()
    # Damaged, cut, of other words, of nothing.
    other = pytok.count_words(["x"], pytok.TrainConfig(pretokenizer="iso")).save(tmp_path / "o")
    for content in (good[:-9], good[:40] + b"\0" + good[41:], other.read_bytes(), b""):
        kept.write_bytes(content)
        check()
        assert kept.read_bytes() == good
    # The same file made into other words, and another file of the same name and size.
    check(pytok.TrainConfig(pretokenizer="han"))
    check(pytok.TrainConfig(normalizer={"type": "NFKC"}))
    time.sleep(0.01)
    path.write_text("学而时习之 c d", encoding="utf-8")
    check()
    assert len(list(work.iterdir())) == 4


def test_a_file_that_changes_while_it_is_read_is_not_kept(tmp_path: Path) -> None:
    work, path = tmp_path / "work", tmp_path / "text.jsonl"
    path.write_text('"a"\n' * 400_000, encoding="utf-8")
    changed = False

    def change(event: pytok.TrainProgress) -> None:
        nonlocal changed
        if not changed:
            changed = True
            os.utime(path, ns=(1, 1))

    config = pytok.TrainConfig(memory="64K")
    pytok.count_words(path, config, work=work, on_progress=change)
    assert changed
    assert list(work.iterdir()) == []


def test_a_run_that_was_killed_goes_on(tmp_path: Path) -> None:
    code = """
        import sys, pytok
        sys.path.append(".")
        from test_counting import NEWS
        def tell(event):
            print(event, flush=True)
            sys.stdin.readline()
        pytok.count_words(NEWS, work=sys.argv[1], on_progress=tell)
    """
    process = run(code, tmp_path / "work", stdin=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    process.kill()
    process.communicate(timeout=60)
    assert len(list((tmp_path / "work").iterdir())) == 1
    counts = pytok.count_words(NEWS, work=tmp_path / "work")
    assert counts == pytok.count_words(NEWS)


def test_a_work_folder_that_cannot_be_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    with pytest.raises(pytok.ExportError, match="file: cannot be written"):
        pytok.count_words(NEWS, work=file)
    with pytest.raises(pytok.CorpusError, match="no such file"):
        pytok.count_words(tmp_path / "missing", work=tmp_path / "work")


# ---------------------------------------------------------------------------------- cap


@pytest.mark.parametrize(
    ("threads", "memory", "sizes"),
    [
        (1, None, [2] * 12),
        (2, None, [4] * 6),
        (4, None, [8] * 3),
        (5, None, [10, 10, 4]),
        # No more than 2^22 characters at once.
        (16, None, [16, 8]),
        (4, (1 << 25, "."), [2] * 12),
    ],
)
def test_a_batch_has_two_texts_for_each_thread(
    threads: int, memory: tuple[int, str] | None, sizes: list[int]
) -> None:
    batches: list[int] = []

    class Counter:
        def add(self, texts: list[str]) -> None:
            batches.append(len(texts))

        def finish(self) -> None:
            pass

    texts = ["a" * (1 << 18)] * 24
    sources = _train_inputs.open_sources(texts)
    _counting.count(sources, Counter, threads=threads, memory=memory)  # type: ignore[arg-type]
    assert [size for size in batches if size] == sizes


def test_a_cap_counts_repeated_long_words_so_often() -> None:
    from pytok import _pytok

    def counted(cap: tuple[int, int] | None, threads: int) -> _pytok.WordCounts:
        counter = _pytok.WordCounter("qwen", None, None, threads, cap)
        counter.add(["版权所有，\n" * 50, "版权所有"] * 10)
        return counter.finish()

    found = dict(counted((3, 20_000), 1).items())
    assert found["版权所有".encode()] == 10 * (3 + 1)
    assert found["，\n".encode()] == 500  # two characters
    assert counted((3, 20_000), 3).same_counts(counted((3, 20_000), 1))
    # 19 bytes each with its mark and line: so many begin in each 190.
    assert dict(counted((3, 160), 1).items())["版权所有".encode()] == 10 * (5 * 3 + 1)
    plain = counted(None, 1)
    assert dict(plain.items())["版权所有".encode()] == 510
    with pytest.raises(pytok.ConfigError, match="counts: made with different"):
        plain.merge([counted((3, 20_000), 1)])
    with pytest.raises(pytok.ConfigError, match="cap: 0"):
        counted((0, 1), 1)
