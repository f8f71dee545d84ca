"""Published vocabularies, exported: the target's own library gives their ids."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from llama_model import llama_cpp

import pytok
from pytok.exporting import plan_export
from pytok.exporting.probes import probes

pytestmark = pytest.mark.needs_shared

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
# The format that each file has by itself.
OWN = {
    "chinese-llama-alpaca-chinese_sp.model": "sentencepiece",
    "cl100k_base.tiktoken.xz": "tiktoken",
    "cpm1-chinese_vocab.model": "sentencepiece",
    "deepseek-tokenizer.json.xz": "hf",
    "gpt2.json.xz": "hf",
    "kimi_k2.tiktoken.xz": "tiktoken",
    "mistral01.model": "sentencepiece",
    "qwen.tiktoken.xz": "tiktoken",
    "xlnet_base_cased.model": "sentencepiece",
}
# Other formats that can hold them exactly; a small file stands for those like it.
OTHERS = [
    ("cl100k_base.tiktoken.xz", "hf"),
    ("kimi_k2.tiktoken.xz", "hf"),
    ("gpt2.json.xz", "tiktoken"),
    ("gpt2.json.xz", "tekken"),
    ("mistral01.model", "hf"),
    ("mistral01.model", "gguf"),
]
TEXTS = [
    "学而时习之，不亦说乎？有朋自远方来",
    "臺灣的「繁體字」……㐀𠀀龘〇\r\n\r\n  x",
    "I'm 12345.67, don't\t\tyou   ',' é e\u0301 👩‍👩‍👧",
]


@cache
def load(shared: Path, name: str) -> pytok.Tokenizer:
    return pytok.Tokenizer.from_pretrained(shared / "data" / "vocab" / name)


def test_every_vocabulary_is_here(shared: Path) -> None:
    files = {path.name for path in (shared / "data" / "vocab").iterdir()}
    assert files - {"README.md"} == set(OWN)


@pytest.mark.parametrize("name", OWN)
def test_there_and_back(shared: Path, tmp_path: Path, name: str) -> None:
    tokenizer = load(shared, name)
    plan = plan_export(tokenizer, OWN[name])
    assert plan.exact
    assert plan.id_map is None
    for file, content in plan.files.items():
        (tmp_path / file).write_bytes(content)
    again = pytok.Tokenizer.from_pretrained(tmp_path)
    texts = [*TEXTS, *(path.read_text("utf-8") for path in sorted(CORPORA.glob("*/*.txt")))]
    for text in texts:
        expected = tokenizer.encode_ids(text, special="text")
        assert again.encode_ids(text, special="text") == expected
    assert again.vocab == tokenizer.vocab
    assert again.added_tokens == tokenizer.added_tokens
    # What was exported is exported to the same bytes.
    assert dict(plan_export(again, OWN[name]).files) | {"tiktoken.json": b""} == (
        dict(plan.files) | {"tiktoken.json": b""}
    )


@pytest.mark.parametrize(("name", "to"), OTHERS)
def test_the_library_gives_the_same_ids(shared: Path, tmp_path: Path, name: str, to: str) -> None:
    if to == "hf":
        pytest.importorskip("transformers")
    report = pytok.export(
        load(shared, name),
        tmp_path,
        to=to,  # type: ignore[arg-type]
        verify=CORPORA,
        renumber=True,
    )
    assert report.exact
    assert all(check.characters > 80_000 for check in report.checks)
    assert all(check.same for check in report.checks)


@pytest.mark.parametrize("name", ["qwen.tiktoken.xz", "mistral01.model"])
def test_llama_cpp_gives_the_same_ids(shared: Path, tmp_path: Path, name: str) -> None:
    pytest.importorskip("cyllama")
    tokenizer = load(shared, name)
    (tmp_path / "v.gguf").write_bytes(plan_export(tokenizer, "gguf").files["tokenizer.gguf"])
    encode = llama_cpp(tmp_path / "v.gguf", tmp_path)
    runs = [" " * length + end for length in range(40) for end in ("", "x", "学", "\n x")]
    texts = [path.read_text("utf-8") for path in sorted(CORPORA.glob("*/*.txt"))]
    for text in (*TEXTS, *runs, *texts, *probes(tokenizer)[::3]):
        assert encode(text, False) == tokenizer.encode_ids(text, special="text"), text


def test_runs_of_spaces_with_one_score(shared: Path, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    tokenizer = load(shared, "mistral01.model")
    runs = [" " * length + end for length in range(140) for end in ("", "x", "学", "\n x")]
    report = pytok.export(tokenizer, tmp_path, to="hf", verify=runs)
    assert all(check.texts == len(runs) for check in report.checks)


@pytest.mark.parametrize(
    ("name", "to", "reason"),
    [
        ("deepseek-tokenizer.json.xz", "tiktoken", "3 patterns"),
        ("deepseek-tokenizer.json.xz", "tekken", "3 patterns"),
        ("qwen.tiktoken.xz", "sentencepiece", "the pattern"),
        ("cpm1-chinese_vocab.model", "hf", "single precision"),
        ("kimi_k2.tiktoken.xz", "gguf", "combining marks"),
        ("deepseek-tokenizer.json.xz", "gguf", "~ is a symbol"),
        ("cl100k_base.tiktoken.xz", "gguf", "no pre-type"),
        ("mistral01.model", "tiktoken", "no byte strings"),
    ],
)
def test_what_a_format_cannot_hold_is_named(
    shared: Path, tmp_path: Path, name: str, to: str, reason: str
) -> None:
    with pytest.raises(pytok.ExportError, match=reason):
        pytok.export(load(shared, name), tmp_path / "out", to=to)  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()
