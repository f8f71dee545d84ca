import gzip
import json
import lzma

import pytest

from pytok.errors import CorpusError
from pytok.eval import text_files
from pytok.eval.corpora import LONGEST, document_rule, documents
from pytok.eval.gold import match_gold, words_of_line
from pytok.eval.kinds import Kind, discover


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def read(path):
    rule = document_rule(path)
    return rule, list(documents(path, rule))


def test_blocks_between_blank_lines_keep_the_blank_lines_after_them(tmp_path):
    path = write(tmp_path / "a.txt", "\n甲\n乙\n\n \n丙\n")
    assert read(path) == ("blank-line blocks", ["\n甲\n乙\n\n \n", "丙\n"])


def test_line_files_come_in_blocks_of_20_lines(tmp_path):
    path = write(tmp_path / "a.txt", "".join(f"{n}\n" for n in range(45)) + "\n")
    rule, found = read(path)
    assert rule == "20-line blocks"
    assert [text.count("\n") for text in found] == [20, 20, 6]
    assert "".join(found) == path.read_text("utf-8")


def test_marked_parts_win_over_blank_lines_and_the_marks_are_not_text(tmp_path):
    path = write(tmp_path / "a.txt", "===== FILE a.py =====\nx\n\ny\n===== FILE b.py =====\nz\n")
    assert read(path) == ("parts", ["x\n\ny\n", "z\n"])


def test_records(tmp_path):
    lines = ['{"text": "甲\\n乙"}', "", '{"content": "丙"}', '"丁"', '{"text": ""}']
    path = write(tmp_path / "a.jsonl", "\n".join(lines))
    assert read(path) == ("records", ["甲\n乙", "丙", "丁"])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"title": "x"}', "a.jsonl:2: the record has no text"),
        ('{"text": 3}', "no text"),
        ("{", "not JSON"),
        ('{"text": "\\ud800"}', "lone surrogate"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_bad_records_are_named_by_line(tmp_path, line, reason):
    path = write(tmp_path / "a.jsonl", '{"text": "x"}\n' + line)
    with pytest.raises(CorpusError, match=reason):
        read(path)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_packed_files_give_the_same_documents(tmp_path, pack):
    text = "甲乙。\n\n丙\n" * 50
    plain = write(tmp_path / "a.txt", text)
    suffix = ".gz" if pack is gzip.compress else ".xz"
    packed = tmp_path / f"b.txt{suffix}"
    packed.write_bytes(pack(text.encode()))
    assert read(packed) == read(plain)


@pytest.mark.parametrize("suffix", [".gz", ".xz"])
def test_a_truncated_packed_file_is_named(tmp_path, suffix):
    pack = gzip.compress if suffix == ".gz" else lzma.compress
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pack("文字".encode() * 1000)[:-9])
    with pytest.raises(CorpusError, match=f"a.txt{suffix}"):
        read(path)


@pytest.mark.parametrize("before", [0, 5, (1 << 20) - 1, (1 << 20) + 7])
def test_the_first_byte_that_is_not_utf_8_is_named(tmp_path, before):
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * before + b"\xff\n")
    with pytest.raises(CorpusError, match=rf"byte {before}$"):
        read(path)


def test_a_character_cut_off_at_the_end_of_the_file_is_named(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("中国".encode()[:-1])
    with pytest.raises(CorpusError, match=r"byte 3$"):
        read(path)


def test_a_byte_order_mark_is_not_text(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeff甲".encode())
    assert read(path)[1] == ["甲"]


@pytest.mark.parametrize("unit", ["中", "中国，人民。", "字 "])
def test_a_long_line_is_cut_at_safe_points_and_nothing_is_lost(tmp_path, unit):
    text = unit * (3 * LONGEST // len(unit)) + "\n尾\n"
    _, found = read(write(tmp_path / "a.txt", text))
    assert "".join(found) == text
    assert max(map(len, found)) <= LONGEST
    assert len(found) <= 5
    if unit[-1] in "。 ":
        assert all(part[-1] == unit[-1] for part in found[:-2])


def test_where_a_long_line_is_cut_does_not_depend_on_how_it_is_read(tmp_path, monkeypatch):
    path = write(tmp_path / "a.txt", "中国人民，" * LONGEST)
    whole = read(path)
    monkeypatch.setattr(text_files, "PART", 10_007)
    assert read(path) == whole


def test_a_long_record_is_cut_too(tmp_path):
    text = "中国。" * LONGEST
    _, found = read(write(tmp_path / "a.jsonl", json.dumps({"text": text})))
    assert "".join(found) == text
    assert max(map(len, found)) <= LONGEST


def names(kinds):
    return [
        (kind.name, [path.name for path in kind.files], [path.name for path in kind.gold])
        for kind in kinds
    ]


def test_folders_are_kinds(tmp_path):
    for name in ["news/a.txt", "news/deep/b.md", "code/x.py", "law/c.jsonl.xz", "law/d.txt.gz",
                 "README.md", "news/README.md", "news/photo.png", ".git/x.txt", "sources.toml",
                 "gold/news.seg.txt", "gold/extra.seg.txt.xz"]:  # fmt: skip
        write(tmp_path / name, "x")
    assert names(discover(tmp_path)) == [
        ("code", ["x.py"], []),
        ("extra", [], ["extra.seg.txt.xz"]),
        ("law", ["c.jsonl.xz", "d.txt.gz"], []),
        ("news", ["a.txt", "b.md"], ["news.seg.txt"]),
    ]
    assert names(discover(tmp_path / "law")) == [("law", ["c.jsonl.xz", "d.txt.gz"], [])]


def test_a_single_file_is_a_kind(tmp_path):
    path = write(tmp_path / "README.md", "x")
    assert names(discover(path)) == [("README", ["README.md"], [])]
    path = write(tmp_path / "pku.seg.txt", "x")
    assert names(discover(path)) == [("pku", [], ["pku.seg.txt"])]


def test_no_folder_and_no_text_are_errors_with_a_hint(tmp_path):
    with pytest.raises(CorpusError, match="no such folder") as caught:
        discover(tmp_path / "nothing")
    assert caught.value.hint
    with pytest.raises(CorpusError, match="no text in") as caught:
        discover(tmp_path)
    assert caught.value.hint


def test_gold_words_keep_spaces_inside_words():
    assert words_of_line("New\u00a0York  的 人\n") == ["New York", "的", "人"]


def test_gold_that_stands_alone_goes_to_the_kind_with_its_text(tmp_path):
    write(tmp_path / "law/a.txt", "前言。" + "".join(f"第{n}条有效。" for n in range(30)))
    gold = "".join(f"第 {n} 条 有效 。\n" for n in range(30))
    kinds = discover(write(tmp_path / "gold/pku.seg.txt", gold).parents[1])
    assert names(match_gold(kinds)) == [("law", ["a.txt"], ["pku.seg.txt"])]
    write(
        tmp_path / "gold/pku.seg.txt",
        gold + "别 的 。\n" * 1 + "".join(f"{n} 他 。\n" for n in range(9)),
    )
    assert [name for name, _, _ in names(match_gold(discover(tmp_path)))] == ["law", "pku"]


def test_kinds_without_stray_gold_are_left_alone():
    kinds = [Kind("a", (), ()), Kind("b", (), ())]
    assert match_gold(kinds) == kinds
