"""`pytok prune --model`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import pytok

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
ROWS = 32_000


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", "prune"]
    return subprocess.run(
        [*command, *map(str, arguments)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        cwd=Path(__file__).parent,
    )


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A checkpoint of the size of zh-32k, with that tokenizer."""
    folder = tmp_path / "model"
    pytok.Tokenizer.from_pretrained("zh-32k").save(folder)
    rows = np.arange(ROWS * 4.0, dtype=np.float32).reshape(ROWS, 4)
    save_file({"wte.weight": rows, "b": np.ones(3)}, folder / "model.safetensors")
    (folder / "config.json").write_text('{"vocab_size": 32000, "eos_token_id": 3}')
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_tokenizer_and_the_rows_of_a_model_are_pruned(tmp_path: Path, model: Path) -> None:
    before = contents(model)
    arguments = ["--corpus", CORPORA / "news", "--target-size", "9000", "--model", model]
    result = run(*arguments, "-o", tmp_path / "new", "--json")
    assert result.returncode == 0, result.stderr
    assert contents(model) == before
    record = json.loads(result.stdout)["model"]
    assert (record["rows_before"], record["ids"], record["rows_after"]) == (ROWS, 9000, 9024)

    small = pytok.Tokenizer.from_pretrained(tmp_path / "new")
    large = pytok.Tokenizer.from_pretrained("zh-32k")
    kept, places = np.load(tmp_path / "new" / "id_map.npy").T
    assert places.tolist() == list(range(9000))
    new = load_file(tmp_path / "new" / "model.safetensors")
    old = load_file(model / "model.safetensors")
    assert new["wte.weight"][:9000].tobytes() == old["wte.weight"][kept].tobytes()
    assert new["b"].tolist() == [1, 1, 1]
    for new_id, old_id in enumerate(kept.tolist()):
        assert small.token_bytes(new_id) == large.token_bytes(old_id)
    config = json.loads((tmp_path / "new" / "config.json").read_text())
    assert config == {"vocab_size": 9024, "eos_token_id": small.control_tokens["<|im_end|>"]}

    shown = run("zh-32k", *arguments, "-o", tmp_path / "again", "--pad-to-multiple-of", "1")
    assert "32,000 to 9,000 (0 pad)" in shown.stdout
    assert "config.json: vocab_size" in shown.stdout


def test_what_cannot_be_is_said_before_the_work(tmp_path: Path, model: Path) -> None:
    arguments = ["--corpus", CORPORA / "news", "--target-size", "9000"]
    (model / "config.json").write_text('{"vocab_size": 31000}')
    for more, message in (
        (["-o", tmp_path / "new"], "TOKENIZER: missing"),
        (
            ["--model", model, "-o", tmp_path / "new", "--stable"],
            "--stable: ids stay, and so does the model",
        ),
        (["--model", model, "-o", model], "is in the folder of the model"),
        (["--model", model, "--dry-run"], "vocab_size is 31000"),
        (["--model", model, "-o", tmp_path / "new", "--pad-to-multiple-of", "0"], "multiple"),
    ):
        result = run(*arguments, *more)
        assert (result.returncode, message in result.stderr) == (2, True), result.stderr
    assert not (tmp_path / "new").exists()
