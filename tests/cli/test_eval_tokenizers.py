"""`pytok eval` with tokenizer files of all sorts, run as a user runs it."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import pytok


def word_level(vocab: dict[str, int]) -> dict[str, Any]:
    return {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Split",
            "pattern": {"Regex": "."},
            "behavior": "Isolated",
            "invert": False,
        },
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": vocab, "unk_token": "u"},
    }


@pytest.fixture
def text(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus" / "news"
    folder.mkdir(parents=True)
    (folder / "a.txt").write_text("人民人民。\n\n民人。\n", encoding="utf-8")
    return folder.parent


def evaluate(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", "eval", "--json"]
    return subprocess.run(
        [*command, *map(str, arguments)],
        capture_output=True,
        check=False,
        cwd=Path(__file__).parent,
    )


def test_a_vocabulary_with_holes_is_measured(tmp_path: Path, text: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(word_level({"u": 0, "人": 5000, "民": 7})), encoding="utf-8")
    result = evaluate(text, "-t", path)
    system = json.loads(result.stdout)["kinds"][0]["systems"][1]
    assert (result.returncode, system["failure"]) == (0, None)
    assert system["numbers"]["oov_unk"]["value"] == pytest.approx(4 / 10)


def test_tokenizers_of_one_name_are_called_by_their_paths(tmp_path: Path, text: Path) -> None:
    paths = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        paths.append(tmp_path / name / "tokenizer.json")
        content = word_level({"u": 0, "人": 1, name: 2})
        paths[-1].write_text(json.dumps(content), encoding="utf-8")
    result = evaluate(text, "-t", paths[0], "-t", paths[1])
    systems = json.loads(result.stdout)["kinds"][0]["systems"]
    assert [system["system"] for system in systems[1:]] == [str(path) for path in paths]


def test_a_rank_file_is_measured_under_a_given_encoding(tmp_path: Path, text: Path) -> None:
    path = tmp_path / "ranks"
    lines = (base64.b64encode(bytes([byte])).decode() + f" {byte}\n" for byte in range(256))
    path.write_text("".join(lines), encoding="ascii")
    assert evaluate(text, "-t", path).returncode == 2
    result = evaluate(text, "-t", path, "--encoding", "cl100k")
    assert result.returncode == 0
    system = json.loads(result.stdout)["kinds"][0]["systems"][1]
    assert system["numbers"]["oov_char"]["value"] == pytest.approx(8 / 11)


def test_folders_may_be_links(tmp_path: Path, text: Path) -> None:
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "press").symlink_to(text / "news", target_is_directory=True)
    (text / "news" / "loop").symlink_to(text, target_is_directory=True)
    report = json.loads(evaluate(linked).stdout)
    assert [kind["kind"] for kind in report["kinds"]] == ["press"]


def test_a_folder_is_saved_in_place(tmp_path: Path, tokenizer: pytok.Tokenizer) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real, target_is_directory=True)
    tokenizer.save(tmp_path / "link")
    names = sorted(path.name for path in real.iterdir())
    assert names == ["pytok.json", "tokenizer.json", "tokenizer_config.json"]


def test_an_archive_that_unpacks_to_anything_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytok._files._LARGEST_UNPACKED", 1 << 20)
    path = tmp_path / "tokenizer.json.gz"
    path.write_bytes(gzip.compress(b" " * (2 << 20)))
    with pytest.raises(pytok.FormatError, match="unpacks to more than 1 MiB"):
        pytok.Tokenizer.from_file(path)
