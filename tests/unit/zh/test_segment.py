"""The step ``segment``: what is divided, its options, and wrong files."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import pytest
from oracles.clauses import BreakModel

from pytok import zh
from pytok.errors import ConfigError


@pytest.fixture
def by_length(tmp_path: Path) -> Path:
    """A model that knows nothing but that clauses of three characters are likely."""
    path = tmp_path / "breaks.bin"
    path.write_bytes(BreakModel([(0, 0)], -2, [-9, -9, 5, -9]).file())
    return path


def breaks(text: str, model: Path, **options: object) -> tuple[int, ...]:
    normalized = zh.normalize(text, steps=[zh.Step("segment", {"model": model, **options})])
    assert (normalized.text, normalized.edits) == (text, ())
    return normalized.breaks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("天地玄黃宇宙洪荒日", (3, 6)),
        ("天地玄黃宇宙\n日月盈昃辰宿", (3, 10)),
        ("天地玄a黃宇宙洪荒日", (7,)),
        ("天地玄，黃宇宙洪荒日", ()),
        ("天地玄黃宇宙，\n日月盈昃辰宿", (11,)),
        ("hello", ()),
        ("", ()),
    ],
)
def test_runs_of_lines_without_marks_are_divided(
    by_length: Path, text: str, expected: tuple[int, ...]
) -> None:
    assert breaks(text, by_length) == expected


def test_more_bias_gives_more_breaks(by_length: Path) -> None:
    text = "天地玄黃宇宙洪荒日月盈昃辰宿列張"
    counts = [len(breaks(text, by_length, bias=bias)) for bias in (-50, -3, 0, 3, 50)]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, len(text) - 1)


SHIPPED = [
    ("陳勝者陽城人也字涉吳廣者陽夏人也字叔", (7, 12, 16)),
    ("陈胜者阳城人也字涉吴广者阳夏人也字叔", (7, 12, 16)),
    ("天下之水莫大於海萬川歸之不知何時止而不盈", (4, 8, 12)),
    ("師者所以傳道受業解惑也人非生而知之者孰能無惑", (2, 6, 11, 18)),
    ("學", ()),
]


@pytest.mark.parametrize(("text", "expected"), SHIPPED)
def test_the_model_that_ships_divides_classics_of_either_script(
    text: str, expected: tuple[int, ...]
) -> None:
    normalized = zh.normalize(text, steps=["segment"])
    assert (normalized.text, normalized.edits, normalized.breaks) == (text, (), expected)
    size = len(text)
    assert normalized.alignment.blocks() == []
    assert normalized.alignment.to_original((0, size)) == (0, size)


def test_breaks_follow_the_text_through_later_steps() -> None:
    (text, expected), *_ = SHIPPED
    normalized = zh.normalize("Ａ\n" + text, steps=["segment", "t2s", "width"])
    assert normalized.text == "A\n陈胜者阳城人也字涉吴广者阳夏人也字叔"
    assert normalized.breaks == tuple(place + 2 for place in expected)
    assert normalized.denormalize() == "Ａ\n" + text


def test_the_card_is_of_the_model_that_ships() -> None:
    data = Path(zh.__file__).parent / "data"
    digest = hashlib.sha256((data / "breaks.bin").read_bytes()).hexdigest()
    assert digest in (data / "breaks.md").read_text(encoding="utf-8")


HEAD = b"pytokbrk" + struct.pack("<IIfi", 1, 256, 0.5, 0)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "magic"),
        (b"pytokbrk", "version: the file ends"),
        (b"pytokbrk" + struct.pack("<I", 2), "version: 2, expected 1"),
        (b"pytokbrk" + struct.pack("<II", 1, 0), "slots: 0, expected 1 to 16777216"),
        (b"pytokbrk" + struct.pack("<IIf", 1, 256, float("nan")), "unit: NaN"),
        (HEAD + struct.pack("<I", 0), "lengths: 0, expected 1 to 256"),
        (HEAD + struct.pack("<IiI", 1, 0, 9), "folds: the file ends"),
        (HEAD + struct.pack("<IiI", 1, 0, 0) + bytes(511), "weights: 511 bytes, expected 512"),
    ],
)
def test_a_wrong_file_is_named_with_its_field(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "wrong.bin"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=message):
        zh.Pipeline([zh.Step("segment", {"model": path})])


@pytest.mark.parametrize(
    "options", [{"model": "/nowhere/model.bin"}, {"bias": float("inf")}, {"bias": True}]
)
def test_wrong_options_are_named(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match=f"segment: {next(iter(options))}: "):
        zh.Pipeline([zh.Step("segment", options)])
