"""`pytok encode`, `decode`, `count` and `inspect`, run as a user runs them."""

from __future__ import annotations

import json
import lzma
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pytok
from pytok import zh

TEXT = "学而时习之，不亦说乎？\n\n  def f(x):\treturn x\n𠀀齾 <|endoftext|>\n"


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", *map(str, arguments)]
    # Not from the checkout, whose source folder would hide the built package.
    folder = Path(__file__).parent
    return subprocess.run(command, input=stdin, capture_output=True, check=False, cwd=folder)


def error_of(result: subprocess.CompletedProcess[bytes]) -> list[str]:
    assert result.returncode == 2, result.stderr.decode()
    assert result.stdout == b""
    return result.stderr.decode("utf-8").splitlines()


def test_decoding_what_was_encoded_gives_the_text_back() -> None:
    encoded = run("encode", "--special", "text", stdin=TEXT.encode("utf-8"))
    assert encoded.returncode == 0, encoded.stderr.decode()
    decoded = run("decode", stdin=encoded.stdout)
    assert decoded.stdout.decode("utf-8") == TEXT


def test_encode_prints_the_ids_of_the_library(tmp_path: Path) -> None:
    path = tmp_path / "text.txt.xz"
    path.write_bytes(lzma.compress(TEXT.encode("utf-8")))
    printed = run("encode", "--special", "text", path).stdout.decode().splitlines()
    tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
    lines = TEXT.removesuffix("\n").split("\n")
    assert [[int(i) for i in line.split()] for line in printed] == [
        tokenizer.encode_ids(line, special="text") for line in lines
    ]


def test_encode_samples_with_a_seed() -> None:
    tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
    printed = run("encode", "--sample", "7", stdin="学而时习之\n不亦说乎".encode())
    expected = [tokenizer.sample_ids(text, seed=7) for text in ("学而时习之", "不亦说乎")]
    lines = printed.stdout.decode().splitlines()
    assert [list(map(int, line.split())) for line in lines] == expected
    option = "--dropout" if "BPE" in tokenizer.model_type else "--alpha"
    foreign = {"--dropout": "--alpha", "--alpha": "--dropout"}[option]
    assert run("encode", "--sample", "7", option, "0.5", stdin=b"a").returncode == 0
    assert "the model is" in error_of(run("encode", "--sample", "7", foreign, "0.5", stdin=b"a"))[0]
    assert "--sample" in error_of(run("encode", option, "0.5", stdin=b"a"))[0]
    assert "--json" in error_of(run("encode", "--json", "--sample", "7", stdin=b"a"))[0]


def test_encode_json_has_offsets_that_slice_the_text() -> None:
    text = "𠀀是CJK擴展B的字"
    record = json.loads(run("encode", "--json", stdin=text.encode("utf-8")).stdout)
    assert len(record["ids"]) == len(record["tokens"]) == len(record["offsets"])
    assert record["offsets"][0][0] == 0
    assert record["offsets"][-1][1] == len(text)


def test_a_control_token_in_the_text_is_refused_by_default() -> None:
    lines = error_of(run("encode", stdin=b"a <|endoftext|>"))
    assert lines[0].startswith("error: ")
    assert "<|endoftext|>" in lines[0]


def test_count_agrees_with_the_library(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8", newline="")
    result = json.loads(run("count", "--json", path).stdout)
    tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
    assert result["files"] == [
        {
            "name": str(path),
            "tokens": tokenizer.count(TEXT, special="text"),
            "characters": len(TEXT),
            "bytes": len(TEXT.encode("utf-8")),
        }
    ]


def test_inspect_shows_the_chinese_steps(tmp_path: Path) -> None:
    step = zh.Step("s2t", {"keep": ["后浪"]})
    tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
    with pytest.warns(UserWarning, match="tokenizer.json is not written"):
        folder = tokenizer.with_normalizer(zh.Pipeline(["width", step])).save(tmp_path / "own")
    shown = run("inspect", folder).stdout.decode()
    assert re.search(r'Chinese steps +width, s2t \(keep=\["后浪"\]\)', shown)
    spec = json.loads(run("inspect", folder, "--json").stdout)["chinese"]
    assert [made["name"] for made in spec["steps"]] == ["width", "s2t"]
    assert json.loads(run("inspect", "--json").stdout)["chinese"] is None


def test_inspect_names_model_and_specials() -> None:
    description = json.loads(run("inspect", "zh-32k", "--json").stdout)
    assert description["model"] == "Unigram"
    assert description["vocab_size"] == 32_000
    assert [token["content"] for token in description["added_tokens"]] == [
        "<|endoftext|>",
        "<|pad|>",
        "<|im_start|>",
        "<|im_end|>",
    ]
    assert description["scripts"]["HAN"] > 10_000
    assert run("inspect").returncode == 0


@pytest.mark.parametrize("command", ["encode", "decode", "count"])
def test_bad_input_is_one_line_that_names_the_file(command: str, tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"12 13\n\xff\xfe\n")
    truncated = tmp_path / "cut.xz"
    truncated.write_bytes(lzma.compress(b"12 13\n" * 1000)[:-30])
    for path in (missing, broken, truncated, tmp_path):
        result = run(command, path)
        assert result.returncode == 2
        lines = result.stderr.decode("utf-8").splitlines()
        assert len(lines) == 2
        assert lines[0].startswith("error: ")
        assert path.name in lines[0]
        assert lines[1].startswith("hint: ")


@pytest.mark.parametrize("line", ["eins zwei", "[1, 2", "{}", "1 2.5", "99999999", "-1"])
def test_decode_refuses_what_is_not_ids(line: str) -> None:
    lines = error_of(run("decode", stdin=line.encode("utf-8")))
    assert lines[0].startswith("error: ")
    assert lines[1].startswith("hint: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line() -> None:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", "encode"]
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            command,
            input=b"a\n",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            cwd=Path(__file__).parent,
        )
    assert result.returncode == 2
    assert result.stderr.decode().startswith("error: standard output: ")
    assert len(result.stderr.splitlines()) == 2


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
@pytest.mark.parametrize("arguments", [("count", "/dev/zero"), ("inspect", "/dev/zero")])
def test_an_endless_device_is_refused(arguments: tuple[str, str]) -> None:
    lines = error_of(run(*arguments))
    assert "/dev/zero" in lines[0]
    assert lines[1].startswith("hint: ")


def test_an_unknown_tokenizer_is_refused() -> None:
    lines = error_of(run("encode", "-t", "no-such-tokenizer", stdin=b"a"))
    assert "no-such-tokenizer" in lines[0]
    assert lines[1].startswith("hint: ")


def test_version() -> None:
    assert run("--version").stdout.decode().strip() == f"pytok {pytok.__version__}"
