"""The page on shrinking a vocabulary, command by command, on Qwen's and a model of its height."""

import doctest
import json
import lzma
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

import pytok

PAGE = Path(__file__).parents[2] / "docs" / "shrink-a-vocabulary.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROWS, WIDTH = 151_936, 8


@pytest.fixture
def place(tmp_path, shared, monkeypatch):
    """A folder with what the page begins with: a model, texts of a domain, and text apart."""
    model = tmp_path / "qwen3"
    ranks = shared / "data" / "vocab" / "qwen.tiktoken.xz"
    pytok.Tokenizer.from_file(ranks, encoding="qwen").save(model)
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(ROWS, WIDTH)).astype(np.float32)
    tensors = {"model.embed_tokens.weight": rows, "model.norm.weight": np.ones(WIDTH, np.float32)}
    save_file(tensors, model / "model.safetensors", {"format": "pt"})
    ids = {"bos_token_id": 151_643, "eos_token_id": 151_645}
    settings = {"architectures": ["Qwen3ForCausalLM"], "vocab_size": ROWS, **ids}
    (model / "config.json").write_text(json.dumps({**settings, "tie_word_embeddings": True}))
    (model / "generation_config.json").write_text(json.dumps(ids))

    books = shared / "data" / "classical" / "kanripo-zibu-medicine.txt.xz"
    lines = lzma.decompress(books.read_bytes()).decode().splitlines(keepends=True)
    apart = len(lines) * 9 // 10
    (tmp_path / "medicine").mkdir()
    (tmp_path / "medicine" / "books.txt").write_text("".join(lines[:apart]), encoding="utf-8")
    (tmp_path / "held-out.txt").write_text("".join(lines[apart:]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(line):
    command = [sys.executable, "-P", "-c", "from pytok.cli import main; main()"]
    done = subprocess.run(
        [*command, *shlex.split(line)[1:]], capture_output=True, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.needs_shared
def test_the_page_is_true(place):
    names = {}
    printed = []
    commands = 0
    for language, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if language == "sh":
            for line in text.splitlines():
                if line.startswith("pytok "):
                    printed = run(line).split()
                    commands += 1
        elif language == "text":
            for word in text.split():
                assert word in printed or word == "…", word
        elif ">>>" in text:
            test = doctest.DocTestParser().get_doctest(text, names, PAGE.name, str(PAGE), 0)
            assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
            names = test.globs
    assert commands == 2
    assert json.loads(Path("qwen3-medicine/config.json").read_text())["vocab_size"] == 10_048
