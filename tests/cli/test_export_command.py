"""`pytok export`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pytok
from pytok.cli import app
from pytok.exporting.to_tiktoken import plan_tiktoken

CORPORA = Path(__file__).resolve().parents[2] / "corpora"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", *map(str, arguments)]
    # Not from the checkout, whose source folder would hide the built package.
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", cwd=Path(__file__).parent
    )


@pytest.fixture(scope="module")
def bpe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = pytok.TrainConfig(algorithm="bpe", vocab_size=1000, special_tokens=["<|end|>"])
    tokenizer = pytok.train(CORPORA / "news", config).tokenizer
    return tokenizer.save(tmp_path_factory.mktemp("bpe"))


def test_a_folder_and_what_was_compared(bpe: Path, tmp_path: Path) -> None:
    arguments = ["export", bpe, "--to", "tiktoken", "-o", tmp_path / "out"]
    result = run(*arguments, "--verify", CORPORA / "code", CORPORA / "classical", "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == "tiktoken: exact\n"
    record = json.loads(result.stdout)
    (check,) = record["checks"]
    assert record["exact"]
    assert check["differing"] == check["differing_probes"] == 0
    assert check["characters"] > 30_000
    text = "学而时习之 <|end|>"
    again = pytok.Tokenizer.from_pretrained(tmp_path / "out")
    original = pytok.Tokenizer.from_pretrained(bpe)
    assert again.encode_ids(text, special="special") == original.encode_ids(text, special="special")


def test_a_refusal_says_why_before_anything_is_written(tmp_path: Path) -> None:
    result = run("export", "zh-32k", "--to", "tiktoken", "-o", tmp_path / "out")
    assert result.returncode == 2
    assert "tiktoken: not exact\n  cannot hold: scores" in result.stderr
    assert "hint: `pytok train --algorithm bpe`" in result.stderr
    assert not (tmp_path / "out").exists()


def test_what_is_allowed_to_differ_is_measured(tmp_path: Path) -> None:
    arguments = ["export", "zh-32k", "--to", "sentencepiece", "-o", tmp_path / "out"]
    result = run(*arguments, "--allow-inexact", "--verify", CORPORA / "news")
    assert result.returncode == 0, result.stderr
    assert "texts differ" in result.stdout
    assert "first difference" in result.stdout
    assert (tmp_path / "out" / "tokenizer.model").exists()


def test_a_difference_is_shown_and_the_exit_code_is_1(
    bpe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(parts: Any) -> Any:
        plan = plan_tiktoken(parts)
        words = [line.split() for line in plan.files["tokenizer.tiktoken"].splitlines()]
        words[400][0], words[401][0] = words[401][0], words[400][0]
        swapped = b"".join(b" ".join(pair) + b"\n" for pair in words)
        return type(plan)(**{**vars(plan), "files": {**plan.files, "tokenizer.tiktoken": swapped}})

    monkeypatch.setattr("pytok.exporting.run.plan_tiktoken", wrong)
    out = tmp_path / "out"
    result = CliRunner().invoke(app, ["export", str(bpe), "--to", "tiktoken", "-o", str(out)])
    assert result.exit_code == 1
    assert "first difference" in result.stdout
    assert "nothing was written" in result.stderr
    assert not out.exists()


def test_ids_that_change_are_announced(bpe: Path, tmp_path: Path) -> None:
    refused = run("export", bpe, "--to", "tekken", "-o", tmp_path)
    assert refused.returncode == 2
    assert "hint: renumber (--renumber)" in refused.stderr
    written = run("export", bpe, "--to", "tekken", "-o", tmp_path, "--renumber")
    assert written.returncode == 0, written.stderr
    assert "all ids change" in written.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"tekken.json", "id_map.json"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", "zh-32k", "-o", "x"], "--to: missing"),
        (["export", "zh-32k", "--to", "hf"], "--output: missing"),
    ],
)
def test_what_is_missing_is_named(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert message in result.stderr
