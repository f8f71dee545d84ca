"""Packed and Parquet files to train on, damaged ones, and texts that are no texts."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import sys
import tracemalloc
from pathlib import Path

import pyarrow
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

import pytok
from pytok import _train_inputs

TEXT = "".join(f"学而时习之 line {n % 700} 不亦说乎\n" for n in range(5000))
PACK = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor().compress,
}
WORDS = pytok.count_words([TEXT]).items()


def words_of(path: Path) -> list[tuple[bytes, int]]:
    return pytok.count_words(path).items()


@pytest.mark.parametrize("suffix", PACK)
def test_packed_files_are_their_content(tmp_path: Path, suffix: str) -> None:
    data = TEXT.encode()
    plain = tmp_path / f"a.txt{suffix}"
    plain.write_bytes(PACK[suffix](data))
    assert words_of(plain) == WORDS
    # Two archives end to end are one.
    half = data.index(b"\n", len(data) // 2) + 1
    plain.write_bytes(PACK[suffix](data[:half]) + PACK[suffix](data[half:]))
    assert words_of(plain) == WORDS
    if suffix == ".zst":  # a frame that says to be skipped, as pzstd writes them
        skipped = bytes.fromhex("502a4d1804000000") + b"skip"
        plain.write_bytes(skipped + PACK[suffix](data) + skipped)
        assert words_of(plain) == WORDS
    if suffix == ".xz":  # padding
        plain.write_bytes(PACK[suffix](data[:half]) + bytes(4) + PACK[suffix](data[half:]))
        assert words_of(plain) == WORDS
    records = tmp_path / f"b.jsonl{suffix}"
    records.write_bytes(PACK[suffix](f"{json.dumps({'text': TEXT})}\n\n".encode()))
    assert words_of(records) == WORDS
    (tmp_path / f"empty.txt{suffix}").write_bytes(PACK[suffix](b""))
    assert words_of(tmp_path / f"empty.txt{suffix}") == []


@pytest.mark.parametrize("suffix", PACK)
def test_archives_that_are_cut_or_damaged_are_named(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.txt{suffix}"
    packed = PACK[suffix](TEXT.encode())
    bad = bytearray(packed)
    bad[len(bad) // 2] ^= 0xFF
    for content in (
        packed[:-1],
        packed[: len(packed) // 2],
        packed[:9],
        bytes(bad),
        b"this is no archive at all",
        packed + b"what follows is none either",
    ):
        path.write_bytes(content)
        with pytest.raises(pytok.CorpusError) as info:
            pytok.count_words(path)
        assert str(info.value).startswith(f"{path}: ")


def test_a_damaged_zst_block_never_passes_for_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt.zst"
    packed = zstandard.ZstdCompressor(write_checksum=True).compress(TEXT.encode())
    for place in range(0, len(packed), 7):
        bad = bytearray(packed)
        bad[place] ^= 0x41
        path.write_bytes(bytes(bad))
        try:
            found = words_of(path)
        except pytok.CorpusError:
            continue
        assert found == WORDS  # the byte did not matter: a window that is larger, say


@pytest.mark.parametrize("suffix", PACK)
def test_a_file_that_unpacks_to_much_more_takes_little_memory(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"bomb.txt{suffix}"
    content = ("a" * 79 + "\n").encode() * 1_000_000
    fast = lzma.compress(content, preset=0) if suffix == ".xz" else PACK[suffix](content)
    path.write_bytes(fast)
    assert path.stat().st_size < 400_000
    tracemalloc.start()
    sources = _train_inputs.open_sources(path)
    total = sum(map(len, sources))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total == 80_000_000
    assert peak < 45_000_000  # the zst block is the largest


def table(path: Path, **columns: object) -> Path:
    parquet.write_table(pyarrow.table(columns), path, row_group_size=100)
    return path


def test_parquet_texts_are_rows_without_nulls(tmp_path: Path) -> None:
    lines = [f"学而 {n}" for n in range(1000)]
    texts = [None if n % 10 == 3 else line for n, line in enumerate(lines)]
    expected = pytok.count_words([text for text in texts if text is not None])
    numbers = list(range(1000))
    large = pyarrow.array(texts, pyarrow.large_string())
    dictionary = pyarrow.array(texts).dictionary_encode()
    for columns in (
        {"id": numbers, "text": texts},
        {"text": large, "title": lines},
        {"content": texts, "id": numbers},
        {"content": dictionary},
        {"text": pyarrow.array(texts, pyarrow.string_view())},
    ):
        assert pytok.count_words(table(tmp_path / "a.parquet", **columns)) == expected
    empty = table(tmp_path / "a.parquet", text=pyarrow.array([], pyarrow.string()))
    assert words_of(empty) == []
    events: list[pytok.TrainProgress] = []
    path = table(tmp_path / "b.parquet", text=texts)
    pytok.count_words([path, path], on_progress=events.append)
    assert events[-1].done == events[-1].total == 2 * path.stat().st_size


def test_parquet_files_without_clear_texts_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    for columns, message in (
        ({"a": ["x"], "b": ["y"]}, "columns of strings: a, b"),
        ({"a": [1]}, "columns of strings: none"),
        ({"text": [1]}, "columns of strings: none"),
    ):
        with pytest.raises(pytok.CorpusError, match=message) as info:
            pytok.count_words(table(path, **columns))
        assert str(path) in str(info.value)
    whole = table(path, text=[TEXT] * 300).read_bytes()
    middle = bytearray(whole)
    middle[10:200] = bytes(190)
    for content in (whole[:-1], whole[: len(whole) // 2], b"", b"no parquet", bytes(middle)):
        path.write_bytes(content)
        with pytest.raises(pytok.CorpusError, match=r"a\.parquet: "):
            pytok.count_words(path)
    packed = tmp_path / "a.parquet.gz"
    packed.write_bytes(gzip.compress(whole))
    with pytest.raises(pytok.CorpusError, match=r"a\.parquet\.gz: a packed Parquet file"):
        pytok.count_words(packed)


@pytest.mark.parametrize(
    ("module", "suffix", "extra"),
    [("zstandard", ".zst", "zst"), ("pyarrow", ".parquet", "parquet")],
)
def test_a_missing_package_is_named_with_its_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, suffix: str, extra: str
) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"x")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(pytok.CorpusError, match=f"needs the package {module}") as info:
        pytok.count_words(path)
    assert info.value.hint == f"pip install 'pytok-tokenizers[{extra}]'"


def test_a_record_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_train_inputs, "LONGEST_RECORD", 100)
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps("x" * 97) + "\n" + json.dumps("y" * 90), encoding="utf-8")
    assert len(words_of(path)) == 2
    path.write_text("\n" + json.dumps("x" * 200) + "\n", encoding="utf-8")
    with pytest.raises(pytok.CorpusError, match=r"a\.jsonl: line 2: more than 100 bytes"):
        pytok.count_words(path)


def test_binary_files_and_endless_lines_have_a_defined_result(tmp_path: Path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(bytes(range(256)) * 100)
    with pytest.raises(pytok.CorpusError, match="binary: byte 128: not UTF-8"):
        pytok.count_words(path)
    for line in ("学" * 10_000_000, "\n" * 10_000_000, " " * 10_000_000, "a，" * 6_000_000):
        path.write_text(line, encoding="utf-8")
        counts = pytok.count_words(path, pytok.TrainConfig(memory="1M"))
        assert sum(len(word) * count for word, count in counts.items()) == len(line.encode())


@pytest.mark.parametrize(
    ("line", "message"),
    [("[" * 200_000, "line 2: is not JSON"), ('{"text": "\\ud800"}', "line 2: unpaired surrogate")],
    ids=["deep", "surrogate"],
)
def test_records_that_are_no_text_are_named(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"text": "a"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(pytok.CorpusError, match=message) as caught:
        pytok.count_words(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("unit", ["a b ", "学而，时习", "x  ,y\t"])
def test_a_line_that_is_cut_has_the_words_of_the_whole(
    unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_train_inputs, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(_train_inputs, "LONGEST_LINE", 3000)
    path = tmp_path / "line.txt"
    path.write_text(unit * 2000, encoding="utf-8")
    assert pytok.count_words(path).items() == pytok.count_words([unit * 2000]).items()


# ------------------------------------------------------------------------- blocks of bytes

SPACES = ["\n", "\r", " ", "\t", "\x1c", "\u3000", "\u00a0", "\u0085", "\u2028"]


def cuts_of(text: str, block: int, longest: int) -> list[str]:
    """Cut a text as its blocks are, on its characters, plainly."""
    data, blocks, held = text.encode(), [], ""
    for end in range(block, len(data) + block, block):
        held = data[:end].decode(errors="ignore")[len("".join(blocks)) :]
        starts = [
            n + 1 for n, c in enumerate(held) if c == "\n" and not held[n + 1 :][:1].isspace()
        ]
        cut = max((start for start in starts if start < len(held)), default=0)
        if not cut and len(held) > longest:
            marks = _train_inputs.STOPS
            cut = max(_train_inputs._last_after_letter(held, mark) for mark in marks) or len(held)
        if cut:
            blocks.append(held[:cut])
            held = held[cut:]
    return blocks + ([held] if held else [])


@settings(max_examples=300)
@given(
    text=st.text(st.sampled_from([*SPACES, "a", "学", "é", "😀", "，"]), max_size=120),
    block=st.integers(3, 40),
    longest=st.integers(8, 60),
)
def test_blocks_of_bytes_are_cut_where_their_text_is(text: str, block: int, longest: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_train_inputs, "BLOCK_BYTES", block)
        patch.setattr(_train_inputs, "LONGEST_LINE", longest)
        blocks = list(_train_inputs._blocks(Path("x.txt"), io.BytesIO(text.encode())))
    assert [block.text() for block in blocks] == cuts_of(text, block, longest)
    assert [block.start for block in blocks] == [
        len("".join(cuts_of(text, block, longest)[:number]).encode())
        for number in range(len(blocks))
    ]


@pytest.mark.parametrize(
    ("at", "bad"), [(0, b"\xff"), (7, b"\xe5\xad"), (100, b"\x80"), (199, b"\xf0")]
)
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_byte_that_is_no_text_is_named_by_its_place_in_the_file(
    at: int, bad: bytes, mark: bytes, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_train_inputs, "BLOCK_BYTES", 16)
    data = mark + b"ab de\n" * 40
    data = data[: len(mark) + at] + bad + data[len(mark) + at :]
    path = tmp_path / "bad.txt"
    path.write_bytes(data)
    config = pytok.TrainConfig(threads=threads)
    with pytest.raises(pytok.CorpusError, match=rf"byte {len(mark) + at}: not UTF-8") as caught:
        pytok.count_words(path, config)
    assert str(path) in str(caught.value)
    with pytest.raises(pytok.CorpusError, match=rf"byte {len(mark) + at}: not UTF-8"):
        list(_train_inputs.open_sources(path))


def test_lines_of_blanks_do_not_make_reading_slow(tmp_path: Path) -> None:
    path = tmp_path / "blanks.txt"
    text = "a" + "\n\u3000" * 1_000_000 + "\n \n"
    path.write_text(text, encoding="utf-8", newline="")
    counts = pytok.count_words(path)
    assert counts.text_bytes == len(text.encode())
