"""Memory budget and work folder of `pytok train` and `pytok count-words`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

NEWS = Path(__file__).resolve().parents[2] / "corpora" / "news"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", cwd=Path(__file__).parent
    )


def check(result: subprocess.CompletedProcess[str]) -> None:
    assert result.returncode == 0, result.stderr


def test_memory_and_work_change_nothing_but_the_memory(tmp_path: Path) -> None:
    small = ["--memory", "64K", "--work", tmp_path / "work"]
    counts = [tmp_path / "plain.counts", tmp_path / "small.counts"]
    check(run("count-words", NEWS, "-o", counts[0]))
    check(run("count-words", NEWS, "-o", counts[1], *small))
    assert counts[0].read_bytes() == counts[1].read_bytes()
    assert len(list((tmp_path / "work").iterdir())) == len(list(NEWS.glob("*.txt")))
    options = ["--algorithm", "bpe", "--vocab-size", "600"]
    check(run("train", NEWS, "-o", tmp_path / "plain", *options))
    check(run("train", NEWS, "-o", tmp_path / "small", *options, *small))
    check(run("train", "--counts", counts[1], "-o", tmp_path / "counted", *options, *small[:2]))
    names = ("plain", "small", "counted")
    files = [(tmp_path / name / "pytok.json").read_bytes() for name in names]
    assert files[0] == files[1] == files[2]


def test_a_bad_amount_of_memory_is_an_error(tmp_path: Path) -> None:
    for amount, message in (("lots", "memory: 'lots'"), ("1K", "memory: 1024 bytes")):
        result = run("count-words", NEWS, "-o", tmp_path / "out", "--memory", amount)
        assert result.returncode == 2
        assert message in result.stderr
    assert list(tmp_path.iterdir()) == []
