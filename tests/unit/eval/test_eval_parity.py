import json
import lzma
import math

import numpy as np
import pytest
from fake_tokenizer import FakeTokenizer
from hypothesis import given
from hypothesis import strategies as st

from pytok.errors import CorpusError
from pytok.eval import EvalConfig, Segmenter, TokenizerSystem, evaluate
from pytok.eval.folder import read_folder
from pytok.eval.parallel import ParallelFiles, find_parallel, pairs_of, sides_of
from pytok.eval.parity import blocks_of, parity, token_counts

FAST = EvalConfig(resamples=100)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(lzma.compress(data) if path.suffix == ".xz" else data)
    return path


def fake():
    return TokenizerSystem(FakeTokenizer(["天气", "好", "weather"]))


def measure(root, *systems):
    return evaluate(root, systems or [fake()], config=FAST)


@pytest.mark.parametrize(
    ("names", "pairs"),
    [
        (["classical", "modern"], [("classical", "modern")]),
        (["simplified", "traditional"], [("traditional", "simplified")]),
        (["yue", "cmn"], [("yue", "cmn")]),
        (["cmn", "nan"], [("nan", "cmn")]),
        (["en", "zh", "th"], [("zh", "en"), ("th", "en")]),
        (["eng", "zho-CN", "yue"], [("zho-CN", "eng"), ("yue", "eng"), ("yue", "zho-CN")]),
        (["zh-Hans", "zh_Hant"], [("zh_Hant", "zh-Hans")]),
        (["yue-HK", "zho-CN", "zho-TW"], [("zho-TW", "zho-CN"), ("yue-HK", "zho-TW")]),
        (["fr", "de"], [("fr", "de")]),
    ],
)
def test_sides_are_paired_by_language_script_dialect_and_style(names, pairs):
    assert pairs_of(names) == pairs


def test_a_base_is_compared_with_everything_else():
    assert pairs_of(["en", "yue", "cmn"], "cmn") == [("en", "cmn"), ("yue", "cmn")]


def test_lines_empty_on_one_side_are_in_no_pair():
    assert parity([2, 0, 4], [1, 5, 0]).ratio == 2.0
    assert math.isnan(parity([0], [3]).ratio)
    assert parity([], []).lines == 0


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=60),
    st.integers(1, 25),
)
def test_blocks_add_up_to_the_lines(lines, size):
    side = np.array([a for a, _ in lines], float)
    base = np.array([b for _, b in lines], float)
    blocks = blocks_of(side, base, lines=size)
    common = [(a, b) for a, b in lines if a and b]
    assert len(blocks) == math.ceil(len(lines) / size)
    assert blocks.sum(axis=0).tolist() == [
        sum(a for a, _ in common),
        sum(b for _, b in common),
        len(common),
    ]


def test_counts_of_batches_are_those_of_single_lines():
    tokenizer = FakeTokenizer(["天气", "好"])
    lines = ["天气好", "", "  ", "天气" * 5, "x"] * 2000
    counts = token_counts(tokenizer, iter(lines))
    assert counts[:5].tolist() == [2, 0, 0, 5, 1]
    assert (counts.reshape(-1, 5) == counts[:5]).all()


def test_a_folder_of_line_files_and_a_table(tmp_path):
    write(tmp_path / "parallel" / "talks" / "en.txt", "weather\nx\n" * 30)
    write(tmp_path / "parallel" / "talks" / "zh.txt.xz", "天气好\n天\n" * 30)
    write(tmp_path / "parallel" / "old.tsv", "id\tbook\tclassical\tmodern\n1\tx\t好\t天气好\n")
    write(tmp_path / "news" / "a.txt", "天气好。")
    report = measure(tmp_path, fake(), Segmenter("letters", cut=list))
    assert [kind.kind for kind in report.kinds] == ["news"]
    old, talks = report.parallel
    number = talks.systems[0].numbers["parity_zh_en"]
    # 天气好 is 2 tokens and 天 is 3 bytes; weather and x are one each.
    assert (number.value, number.low, number.high) == (2.5, 2.5, 2.5)
    assert number.corpus == "talks: zh / en"
    assert number.interval.startswith("95 %, percentile bootstrap over 3 blocks of 20 lines")
    assert (number.documents, number.characters) == (3, 30 * 4)
    assert [row.system for row in talks.systems] == ["fake"], "segmenters have no token counts"
    single = old.systems[0].numbers["parity_classical_modern"]
    assert (single.value, single.low) == (0.5, None)
    assert "fewer than two" in single.interval
    data = json.loads(json.dumps(report.to_json(), allow_nan=False))
    found = data["parallel"][1]["systems"][0]["numbers"]["parity_zh_en"]
    assert "tokens of the first side" in found["definition"]
    assert len(data["parallel"][1]["files"][0]["sha256"]) == 64


def test_of_a_table_with_words_the_spaces_are_no_text(tmp_path):
    path = write(
        tmp_path / "a.tsv", "cmn\tcmn_ckip_seg\tnan_hanji_seg\n天 气\t天气\t天 气\u00a0好\n"
    )
    cmn, nan = sides_of(ParallelFiles("a", (path,)))
    assert (cmn.name, list(cmn.lines())) == ("cmn", ["天 气"])
    assert (nan.name, list(nan.lines())) == ("nan", ["天气 好"])


def test_a_set_that_cannot_be_read_says_why_and_the_others_go_on(tmp_path):
    folder = tmp_path / "parallel"
    write(folder / "a" / "en.txt", "x\ny\n")
    write(folder / "a" / "zh.txt", "好\n")
    write(folder / "b.tsv", "en\tzh\nx\t好\nx\n")
    write(folder / "c.tsv", "en\tbook\nx\t好\n")
    write(folder / "d.tsv", "en\tzh\nx\t好\n")
    (folder / "e").mkdir()
    (folder / "e" / "en.txt").write_bytes(b"\xff")
    write(folder / "e" / "zh.txt", "好\n")
    a, b, c, d, e = measure(tmp_path).parallel
    assert a.problem == (
        f"{folder / 'a' / 'zh.txt'} ends after line 1, but {folder / 'a' / 'en.txt'} has 2 lines"
    )
    assert b.problem == f"{folder / 'b.tsv'}:3: 1 fields, but the header has 2"
    assert c.problem == "c: parallel text needs two sides, found en"
    assert "not UTF-8: byte 0" in e.problem
    assert (d.problem, d.systems[0].numbers["parity_zh_en"].value) == ("", 1.0)


def test_a_tokenizer_that_fails_loses_its_own_row(tmp_path):
    write(tmp_path / "parallel" / "d.tsv", "en\tzh\nx\t好\n")
    bad = TokenizerSystem(FakeTokenizer(["好"], name="bad", fails_on="好"))
    failed, sound = measure(tmp_path, bad, fake()).parallel[0].systems
    assert (failed.failure, failed.numbers) == ("RuntimeError: cannot encode '好'", {})
    assert sound.numbers["parity_zh_en"].value == 1.0


def test_a_declaration_names_kinds_parallel_texts_and_spans(tmp_path):
    write(tmp_path / "x" / "a.txt", "天气")
    write(tmp_path / "x" / "b.txt", "天")
    write(tmp_path / "x" / "a.seg.txt", "天气")
    write(tmp_path / "t" / "laws.en.txt", "x")
    write(tmp_path / "t" / "laws.zh.txt", "好")
    write(tmp_path / "l" / "idioms.txt", "天气")
    write(
        tmp_path / "sources.toml",
        '[[source]]\nname = "any"\n'
        '[[kind]]\nname = "news"\nfiles = ["x/a.txt", "x/b*.txt"]\ngold = "x/a.seg.txt"\n'
        '[[parallel]]\nname = "laws"\nfiles = "t/laws.*.txt"\nbase = "zh"\n'
        '[[spans]]\nname = "idiom"\nfiles = "l/*.txt"\n',
    )
    folder = read_folder(tmp_path)
    (kind,) = folder.kinds
    assert (kind.name, [path.name for path in kind.files]) == ("news", ["a.txt", "b.txt"])
    assert [path.name for path in kind.gold] == ["a.seg.txt"]
    assert folder.spans == {"idiom": (tmp_path / "l" / "idioms.txt",)}
    (laws,) = measure(tmp_path).parallel
    assert list(laws.systems[0].numbers) == ["parity_en_zh"]


def test_a_declared_list_without_files_is_one_that_is_known(tmp_path):
    write(tmp_path / "x" / "a.txt", "诉讼时效已过。")
    write(tmp_path / "spans" / "left.txt", "已过")
    write(tmp_path / "l.txt", "已过")
    write(
        tmp_path / "sources.toml",
        '[[spans]]\nname = "legal"\n[[spans]]\nname = "own"\nfiles = "l.txt"\n',
    )
    folder = read_folder(tmp_path)
    assert (list(folder.spans), folder.known_spans) == (["own"], ("legal",))
    config = EvalConfig(resamples=100, known_spans=("finance", "legal"))
    report = evaluate(tmp_path, [Segmenter("all", cut=lambda text: [text])], config=config)
    assert list(report.spans) == ["own", "legal", "finance"], "in both places: once"
    assert report.spans["legal"][0].path == "legal.txt of pytok"
    assert report.kinds[-1].systems[1].numbers["integrity_legal"].value == 0


def test_only_known_lists_declared_leave_no_room_for_the_folder(tmp_path):
    write(tmp_path / "x" / "a.txt", "天气")
    write(tmp_path / "spans" / "left.txt", "天气")
    write(tmp_path / "sources.toml", '[[spans]]\nname = "idioms"\n')
    folder = read_folder(tmp_path)
    assert (folder.spans, folder.known_spans) == ({}, ("idioms",))


def test_text_files_beside_other_sets_make_sets_too(tmp_path):
    for name in ("laws.en", "laws.zh", "en", "zh", "alone.en", "own/fr"):
        write(tmp_path / f"{name}.txt", "x\n")
    write(tmp_path / "own" / "table.tsv", "en\tzh\nx\t好\n")
    sets = {files.name: files for files in find_parallel(tmp_path)}
    assert set(sets) == {"alone", "laws", "own", tmp_path.name, "table"}
    assert [side.name for side in sides_of(sets["laws"])] == ["en", "zh"]
    assert [side.name for side in sides_of(sets[tmp_path.name])] == ["en", "zh"]
    assert [side.name for side in sides_of(sets["table"])] == ["en", "zh"]
    for name, side in (("alone", "en"), ("own", "fr")):
        with pytest.raises(CorpusError, match=f"needs two sides, found {side}"):
            sides_of(sets[name])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[kind", "cannot read"),
        ('[[spans]]\nname = "slang"', "spans 1: no files"),
        ('[[spans]]\nname = "legal"\nfiles = []', "spans 1: no files"),
        ('[[kind]]\nname = "legal"', "kind 1: no files"),
        ("kind = 3", "unknown 'kind'"),
        ("[[kinds]]", "unknown 'kinds'"),
        ('[[kind]]\nname = "a"\nfile = "x"', "kind 1: unknown field 'file'"),
        ('[[kind]]\nfiles = "a.txt"', "kind 1: name must be of letters"),
        ('[[kind]]\nname = "a b"\nfiles = "a.txt"', "kind 1: name must be of letters"),
        ('[[kind]]\nname = "a"', "kind 1: no files"),
        ('[[kind]]\nname = "a"\nfiles = 3', "files must be a string or a list of strings"),
        ('[[kind]]\nname = "a"\nfiles = "b*.txt"', "files: no file matches 'b\\*.txt'"),
        ('[[kind]]\nname = "a"\nfiles = "../a.txt"', "files leaves the folder"),
        ('[[spans]]\nname = "a"\nfiles = "a.txt"\n' * 2, "two tables \\[\\[spans\\]\\] are called"),
        ('[[parallel]]\nname = "a"\nfiles = "a.txt"\nbase = 3', "base must be a string"),
    ],
)
def test_a_wrong_declaration_is_explained(tmp_path, text, message):
    write(tmp_path / "a.txt", "天气")
    write(tmp_path / "sources.toml", text)
    with pytest.raises(CorpusError, match=message):
        read_folder(tmp_path)


def test_a_base_or_column_that_is_not_there_is_named(tmp_path):
    path = write(tmp_path / "a.tsv", "en\tzh\nx\t好\n")
    with pytest.raises(CorpusError, match="no side 'fr' among en, zh"):
        sides_of(ParallelFiles("a", (path,), base="fr"))
    with pytest.raises(CorpusError, match="no column 'fr'"):
        sides_of(ParallelFiles("a", (path,), columns=("en", "fr")))
    with pytest.raises(CorpusError, match="two sides are called 'zh-TW'"):
        sides_of(ParallelFiles("a", (tmp_path / "zh-TW.txt", tmp_path / "zh_TW.txt")))


@pytest.mark.needs_shared
def test_the_parallel_corpora_are_read(shared):
    sets = {files.name: sides_of(files) for files in find_parallel(shared / "data/parallel")}
    assert [side.name for side in sets["ud-hk-yue-cmn"]] == ["yue", "cmn"]
    assert [side.name for side in sets["icorpus-nan-cmn"]] == ["cmn", "nan"]
    assert [side.name for side in sets["niutrans-classical-modern"]] == ["classical", "modern"]
    assert len(sets["ntrex"]) == 13
    assert {sum(1 for _ in side.lines()) for side in sets["ntrex"]} == {1162}
