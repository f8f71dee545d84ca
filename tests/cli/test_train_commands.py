"""`pytok train` and `pytok count-words`, run as a user runs them."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import pytok

NEWS = Path(__file__).resolve().parents[2] / "corpora" / "news"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", *map(str, arguments)]
    # Not from the checkout, whose source folder would hide the built package.
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", cwd=Path(__file__).parent
    )


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def error_of(result: subprocess.CompletedProcess[str]) -> str:
    assert result.returncode == 2, result.stderr
    assert result.stdout == ""
    first, *rest = result.stderr.splitlines()
    assert first.startswith("error: ")
    assert len(rest) <= 1
    return first


def test_counts_of_parts_train_the_tokenizer_of_the_whole(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        'algorithm = "bpe"\nvocab_size = 900\nspecial_tokens = ["<|end|>"]\n', encoding="utf-8"
    )
    files = sorted(NEWS.glob("*.txt"))
    whole = run("train", *files, "-o", tmp_path / "whole", "--config", config, "--threads", "1")
    assert whole.returncode == 0, whole.stderr
    counts = []
    for number, part in enumerate((files[3:], files[:3])):
        counts += ["--counts", tmp_path / f"{number}.counts"]
        counted = run("count-words", *part, "-o", counts[-1], "--json")
        assert counted.returncode == 0, counted.stderr
        assert json.loads(counted.stdout)["text_bytes"] == sum(f.stat().st_size for f in part)
    merged = run("train", *counts, "-o", tmp_path / "merged", "--config", config, "--json")
    assert merged.returncode == 0, merged.stderr
    assert files_of(tmp_path / "whole") == files_of(tmp_path / "merged")
    record = json.loads(merged.stdout)
    assert record["vocab_size"] == 900
    assert record["options"]["special_tokens"] == ["<|end|>"]
    assert record["report"]["merges"] == 900 - 257
    tokenizer = pytok.Tokenizer.from_pretrained(tmp_path / "merged")
    assert tokenizer.encode_ids("<|end|>", special="special") == [0]


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return the counts of the first three of four news files, and of the rest."""
    folder = tmp_path_factory.mktemp("shards")
    files = sorted(NEWS.glob("*.txt"))[:4]
    counts = [folder / name for name in ("a", "b", "c")]
    for path, part in zip(counts, (files[:2], files[2:3], files[3:]), strict=True):
        counted = run("count-words", *part, "-o", path)
        assert counted.returncode == 0, counted.stderr
    return counts


@pytest.mark.parametrize("algorithm", ["hybrid", "bpe", "unigram"])
def test_counts_are_a_list(tmp_path: Path, shards: list[Path], algorithm: str) -> None:
    options = ["--vocab-size", "800", "--algorithm", algorithm]
    for name, line in (("text", sorted(NEWS.glob("*.txt"))[:4]), ("list", ["--counts", *shards])):
        trained = run("train", *line, "-o", tmp_path / name, *options)
        assert trained.returncode == 0, trained.stderr
    assert files_of(tmp_path / "text") == files_of(tmp_path / "list")


def test_counts_may_be_repeated_and_stand_beside_text(tmp_path: Path, shards: list[Path]) -> None:
    files = sorted(NEWS.glob("*.txt"))[:4]
    a, b, c = shards
    options = ["--vocab-size", "800", "--algorithm", "bpe", "-o", tmp_path / "out"]
    found = []
    for line in (
        ["--counts", a, b, c, *options],
        ["--counts", c, "--counts", a, *options, "--counts", b],
        ["--counts", b, a, *options, "--counts", c],
        [*files[:2], *options, "--counts", b, c],
        [*options, "--counts", b, c, "--", *files[:2]],
        [files[2], "--counts", a, c, *options],
    ):
        trained = run("train", *line)
        assert trained.returncode == 0, trained.stderr
        found.append(files_of(tmp_path / "out"))
    assert all(files == found[0] for files in found)
    swapped = run("train", "--counts", a, files[2], *options)
    assert "not a valid word counts file" in error_of(swapped)
    assert "text comes before --counts" in swapped.stderr


def test_unsegmented_counts_and_special_tokens_are_lists(
    tmp_path: Path, shards: list[Path]
) -> None:
    files = sorted(NEWS.glob("*.txt"))[:4]
    options = ["--vocab-size", "800", "--special-token"]
    one = run(
        *("train", "--unsegmented-counts", *shards[:2], "--counts", shards[2]),
        *(*options, "<a>", "--special-token", "<b>", "-o", tmp_path / "one"),
    )
    assert one.returncode == 0, one.stderr
    globs = [part for file in files[:3] for part in ("--unsegmented", file.name)]
    other = run(
        *("train", *globs, *files, "--special-tokens", "<a>", "<b>"),
        *(*options[:2], "-o", tmp_path / "other"),
    )
    assert other.returncode == 0, other.stderr
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


def test_options_of_the_command_line_win(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('algorithm = "bpe"\nvocab_size = 400\ntau = 3\n', encoding="utf-8")
    options = ["--vocab-size", "300", "--no-char-align", "--tie", "hf", "--span-bytes", "1", "6"]
    bad = run("train", NEWS, "-o", tmp_path / "out", "--config", config, *options)
    assert "span_bytes: given with char_align=False" in error_of(bad)
    good = run("train", NEWS, "-o", tmp_path / "out", "--config", config, *options[:-3], "--json")
    assert good.returncode == 0, good.stderr
    record = json.loads(good.stdout)
    assert record["options"] | {"vocab_size": 300, "tau": 3, "tie": "hf"} == record["options"]


def test_errors_come_before_the_work_and_leave_nothing(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x", encoding="utf-8")
    broken = tmp_path / "broken.toml"
    broken.write_text("vocab_size = \n", encoding="utf-8")
    out = tmp_path / "out"
    for arguments, message in [
        (["train", NEWS, "-o", file], "is a file"),
        (["train", NEWS, "-o", file / "below"], "cannot be written"),
        (["train", NEWS], "--output: missing"),
        (["train", "-o", out], "nothing to train on"),
        (["count-words", NEWS], "--output: missing"),
        (["count-words", "-o", out], "nothing to count"),
        (["train", tmp_path / "missing.txt", "-o", out], "no such file"),
        (["train", NEWS, "-o", out, "--algorithm", "magic"], "expected one of 'hybrid'"),
        (["train", NEWS, "-o", out, "--config", broken], "broken.toml: is not TOML"),
        (["train", NEWS, "-o", out, "--config", out], "cannot be read"),
        (["train", "--counts", file, "-o", out], "not a valid word counts file"),
        (["train", NEWS, "-o", out, "--vocab-size", "9999999"], "vocab_size: 9999999"),
    ]:
        assert message in error_of(run(*arguments)), arguments
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.toml", "file"]


@pytest.mark.parametrize("command", ["train", "count-words"])
def test_help_names_every_option(command: str) -> None:
    result = run(command, "--help")
    assert result.returncode == 0
    assert "--pretokenizer" in result.stdout


def test_every_option_of_training_is_one_of_the_command(tmp_path: Path) -> None:
    from pytok.cli.train import train_command

    parameters = set(inspect.signature(train_command).parameters) | {"special_tokens"}
    assert {field.name for field in fields(pytok.TrainConfig)} <= parameters
    done = run(
        *("train", NEWS, NEWS.parent / "classical", "-o", tmp_path / "out", "--json"),
        *("--vocab-size", "1200", "--preset", "align", "--unsegmented", "classical/*"),
        *("--normalizer", '{"type": "NFC"}', "--seed", "3", "--no-han-prefixes"),
        *("--lexicon", "none", "--tau", "2", "--special-token", "<a>"),
    )
    assert done.returncode == 0, done.stderr
    options = json.loads(done.stdout)["options"]
    assert options["unsegmented"] == ["classical/*"]
    assert options["normalizer"] == {"type": "NFC"}
    assert (options["preset"], options["lexicon"], options["seed"]) == ("align", "none", 3)
    bad = run("train", NEWS, "-o", tmp_path / "bad", "--normalizer", "{")
    assert "--normalizer: is not JSON" in error_of(bad)
