"""`pytok extend`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
from safetensors.numpy import load_file, save_file

import pytok

CORPORA = Path(__file__).resolve().parents[2] / "corpora"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", *map(str, arguments)]
    # Not from the checkout, whose source folder would hide the built package.
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", cwd=Path(__file__).parent
    )


def test_a_folder_with_more_pieces_and_a_report(tmp_path: Path) -> None:
    arguments = ["extend", "zh-32k", "--text", CORPORA / "classical", "--add", "40"]
    result = run(*arguments, "-o", tmp_path / "new", "--check", CORPORA / "news", "--json")
    assert result.returncode == 0, result.stderr
    record = json.loads(result.stdout)
    before = pytok.Tokenizer.from_pretrained("zh-32k")
    after = pytok.Tokenizer.from_pretrained(tmp_path / "new")
    assert record["vocab_size"] == after.vocab_size == before.vocab_size + 40
    same = pytok.extend(before, CORPORA / "classical", add=40, check=CORPORA / "news")
    assert record["report"] == json.loads(json.dumps(same.report.to_json()))
    assert same.tokenizer == after

    shown = run(*arguments, "-o", tmp_path / "again", "--only", r"\p{Han}+")
    assert shown.returncode == 0, shown.stderr
    assert "40" in shown.stdout
    assert "new text" in shown.stdout


@pytest.mark.parametrize("model_type", ["bpe", "unigram"])
def test_a_sentencepiece_model_stays_one(tmp_path: Path, model_type: str) -> None:
    text = CORPORA / "news"
    lines = [line for path in sorted(text.glob("*.txt")) for line in path.open(encoding="utf-8")]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_prefix=str(tmp_path / "old"),
        vocab_size=2_000,
        model_type=model_type,
        minloglevel=2,
    )
    arguments = ["extend", tmp_path / "old.model", "--text", CORPORA / "classical"]
    result = run(*arguments, "--add", "50", "-o", tmp_path / "new", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["report"]["first_id"] == 2_000
    library = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "new/tokenizer.model"))
    after = pytok.Tokenizer.from_pretrained(tmp_path / "new")
    assert after == pytok.Tokenizer.from_file(tmp_path / "new" / "tokenizer.model")
    poem = "关关雎鸠，在河之洲。 学而时习之"
    assert after.encode_ids(poem) == library.encode(poem)
    # Said before the work: nothing was counted.
    stale = tmp_path / "stale"
    stale.mkdir()
    (stale / "tokenizer.json").write_text("{}")
    refused = run(*arguments, "--add", "0", "-o", stale)
    assert refused.returncode != 0
    assert "holds the tokenizer.json of another tokenizer" in refused.stderr
    refused = run(*arguments, "--add", "999999", "-o", tmp_path / "more")
    assert refused.returncode == 2
    assert "add: 999999; the text gives" in refused.stderr


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    text = tmp_path / "new.txt"
    text.write_text("中文\n", "utf-8")
    folder = tmp_path / "out"
    for arguments, message in [
        (["--add", "1", "-o", folder], "--text: missing"),
        (["--text", text, "-o", folder], "--add: missing"),
        (["--text", text, "--add", "1"], "--output: missing"),
        (["--text", text, "--add", "9", "-o", folder], "add: 9; the text gives 0 pieces"),
        (["--text", text / "x", "--add", "9", "-o", folder], "no such file"),
    ]:
        result = run("extend", "zh-32k", *arguments)
        assert result.returncode == 2
        assert result.stdout == ""
        assert message in result.stderr.splitlines()[0]
    assert not folder.exists()


def test_a_model_grows_with_its_tokenizer(tmp_path: Path) -> None:
    before = pytok.Tokenizer.from_pretrained("zh-32k")
    rows = np.arange(32_000 * 4.0, dtype=np.float32).reshape(32_000, 4)
    (tmp_path / "model").mkdir()
    save_file({"wte.weight": rows}, tmp_path / "model" / "model.safetensors")
    (tmp_path / "model" / "config.json").write_text('{"vocab_size": 32000, "eos_token_id": 3}')
    arguments = ["extend", "zh-32k", "--text", CORPORA / "classical", "--add", "40"]
    arguments += ["--model", tmp_path / "model"]
    result = run(*arguments, "-o", tmp_path / "new", "--json", "--pad-to-multiple-of", "1")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["model"]["rows_after"] == 32_040
    after = pytok.Tokenizer.from_pretrained(tmp_path / "new")
    grown = load_file(tmp_path / "new" / "model.safetensors")["wte.weight"]
    assert (grown[:32_000] == rows).all()
    last = before.encode_bytes(after.token_bytes(32_039), add_special_tokens=False)
    assert grown[32_039].tolist() == rows[last].astype(float).mean(axis=0).astype("f4").tolist()
    config = json.loads((tmp_path / "new" / "config.json").read_text())
    assert config == {"vocab_size": 32_040, "eos_token_id": 3}

    shown = run(*arguments, "-o", tmp_path / "shown")
    assert "32,000 to 32,064 (24 pad)" in shown.stdout
    again = run(*arguments, "-o", tmp_path / "shown")
    assert again.returncode == 2
    assert "is there already" in again.stderr


def test_texts_are_a_list_when_the_tokenizer_has_been_named(tmp_path: Path) -> None:
    files = sorted((CORPORA / "classical").glob("*.txt"))[:3]
    rest = ["--add", "20", "-o", tmp_path / "out", "--json"]
    records = []
    for line in (
        ["zh-32k", "--text", *files, *rest, "--check", *files[:2]],
        ["--text", files[0], "zh-32k", "--text", *files[1:], *rest, "--check", *files[:2]],
        [
            *(part for file in files for part in ("--text", file)),
            *("--check", files[0], "--check", files[1], "zh-32k", *rest),
        ],
    ):
        result = run("extend", *line)
        assert result.returncode == 0, result.stderr
        records.append(json.loads(result.stdout))
    assert records[0] == records[1] == records[2]
