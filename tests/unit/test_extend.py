"""Extending: reports, options, errors; the ids are compared elsewhere."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pytok

ROOT = Path(__file__).resolve().parents[2]
NEWS = sorted((ROOT / "corpora" / "news").glob("*.txt"))
CLASSICAL = sorted((ROOT / "corpora" / "classical").glob("*.txt"))


@pytest.fixture(scope="module")
def result(tokenizer: pytok.Tokenizer) -> pytok.ExtendResult:
    return pytok.extend(tokenizer, CLASSICAL, add=100, check=NEWS)


def test_the_report_says_what_changes(
    tokenizer: pytok.Tokenizer, result: pytok.ExtendResult
) -> None:
    report, after = result.report, result.tokenizer
    texts = [line for path in CLASSICAL for line in path.read_text("utf-8").split("\n") if line]
    old = [tokenizer.encode_ids(text, special="text") for text in texts]
    new = [after.encode_ids(text, special="text") for text in texts]
    assert report.text == pytok.TextChange(
        texts=len(texts),
        changed=sum(a != b for a, b in zip(old, new, strict=True)),
        tokens_before=sum(map(len, old)),
        tokens_after=sum(map(len, new)),
    )
    assert report.text.share == report.text.changed / len(texts) > 0
    assert (report.added, len(report.pieces)) == (100, 50)
    assert report.first_id == tokenizer.vocab_size
    assert after.vocab_size == tokenizer.vocab_size + 100
    for number, piece in enumerate(report.pieces):
        assert after.token_bytes(report.first_id + number).decode() == piece
    assert report.least_count >= 2


def test_checked_texts_have_examples(
    tokenizer: pytok.Tokenizer, result: pytok.ExtendResult
) -> None:
    check = result.report.check
    assert check is not None
    assert 0 < check.changed < check.texts
    assert len(check.differences) == min(check.changed, 20)
    for difference in check.differences:
        assert len(difference.text) <= 60
        assert difference.before != difference.after
        for tokens in (difference.before, difference.after):
            # Bytes of a character are shown as escapes.
            shown = "".join(tokens).split("\\x", 1)[0]
            assert difference.text.startswith(shown)


def test_texts_of_any_kind_are_read_twice(tokenizer: pytok.Tokenizer, tmp_path: Path) -> None:
    texts = ["螺蛳粉配螺蛳汤\n"] * 9
    expected = pytok.extend(tokenizer, texts, add=2)
    assert expected.report.pieces == ("螺蛳", "粉配")
    assert expected.report.text.texts == 9
    as_iterator = pytok.extend(tokenizer, iter(texts), add=2, threads=3, memory="1M")
    records = tmp_path / "new.jsonl"
    records.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), "utf-8")
    packed = tmp_path / "new.txt.gz"
    packed.write_bytes(gzip.compress("".join(texts).encode()))
    for again in (
        as_iterator,
        pytok.extend(tokenizer, records, add=2),
        pytok.extend(tokenizer, [packed], add=2),
    ):
        assert again.tokenizer == expected.tokenizer
        # A line of a file is compared without its end.
        assert again.report.pieces == expected.report.pieces
        assert again.report.least_count == expected.report.least_count
        assert again.report.text.changed == expected.report.text.texts == 9


def test_a_report_is_plain_values(result: pytok.ExtendResult) -> None:
    record = json.loads(json.dumps(result.report.to_json()))
    assert record["text"]["share"] == result.report.text.share
    assert record["check"]["differences"][0]["text"]


def test_only_han(tokenizer: pytok.Tokenizer) -> None:
    texts = ["abcabc螺蛳粉 abcabc螺蛳粉 ，，，，，，"] * 3
    found = pytok.extend(tokenizer, texts, add=1, only=r"\p{Han}+", max_chars=2).report.pieces
    assert all("\u4e00" <= c <= "\u9fff" for piece in found for c in piece)
    assert all(len(piece) <= 2 for piece in found)


@given(text=st.text(max_size=40) | st.lists(st.sampled_from("学而时习之不亦说乎")).map("".join))
def test_texts_without_a_new_piece_stay(
    tokenizer: pytok.Tokenizer, result: pytok.ExtendResult, text: str
) -> None:
    old = tokenizer.encode_ids(text, special="text")
    new = result.tokenizer.encode_ids(text, special="text")
    assert (old == new) == (max(new, default=0) < result.report.first_id)
    first = result.report.first_id
    pieces = [result.tokenizer.token_bytes(first + number) for number in range(100)]
    if not any(piece in text.encode() for piece in pieces):
        assert old == new
    assert result.tokenizer.decode(new) == tokenizer.decode(old)


def word_piece(path: Path) -> pytok.Tokenizer:
    model: dict[str, Any] = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {"[UNK]": 0},
    }
    file: dict[str, Any] = {"version": "1.0", "added_tokens": [], "model": model}
    for name in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        file[name] = None
    path.write_text(json.dumps(file), "utf-8")
    return pytok.Tokenizer.from_file(path)


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        ([], {"add": 1}, "inputs: no words"),
        ([""], {"add": 1}, "inputs: no words"),
        (["中"], {"add": 0}, "add: 0, expected an integer from 1"),
        (["中"], {"add": True}, "add: True"),
        (["中"], {"add": 2**30}, "ids below 2\\^31|pieces"),
        (["中文螺蛳"], {"add": 5}, "add: 5; the text gives 0 pieces"),
        (["中"], {"add": 1, "min_frequency": 0}, "min_frequency: 0"),
        (["中"], {"add": 1, "max_token_bytes": 3}, "max_token_bytes: 3"),
        (["中"], {"add": 1, "max_chars": 0}, "max_chars: 0"),
        (["中"], {"add": 1, "only": "("}, "only: "),
        (["中"], {"add": 1, "char_align": 1}, "char_align: 1"),
    ],
)
def test_bad_options_are_named(
    tokenizer: pytok.Tokenizer, texts: list[str], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(pytok.ConfigError, match=message):
        pytok.extend(tokenizer, texts, **options)


def test_other_kinds_of_tokenizers_are_refused(tokenizer: pytok.Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(pytok.ConfigError, match="WordPiece; expected BPE or Unigram"):
        pytok.extend(word_piece(tmp_path / "tokenizer.json"), ["中文"], add=1)
    with pytest.raises(pytok.ConfigError, match="before with_max_span"):
        pytok.extend(tokenizer.with_max_span(6, "bytes"), ["中文"], add=1)


def test_progress_is_told_and_can_stop_the_run(tokenizer: pytok.Tokenizer) -> None:
    stages: list[str] = []
    pytok.extend(tokenizer, CLASSICAL, add=5, on_progress=lambda event: stages.append(event.stage))
    assert list(dict.fromkeys(stages)) == ["count", "pairs", "merges", "compare"]

    def stop(event: pytok.TrainProgress) -> None:
        if event.stage == "merges":
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        pytok.extend(tokenizer, CLASSICAL, add=5, on_progress=stop)
