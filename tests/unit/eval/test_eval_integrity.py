import json

import numpy as np
import pytest
from fake_tokenizer import FakeTokenizer
from hypothesis import given
from hypothesis import strategies as st

from pytok.errors import CorpusError
from pytok.eval import EvalConfig, Segmenter, TokenizerSystem, evaluate
from pytok.eval.integrity import integrity, integrity_sums, kept
from pytok.eval.layout import Segmentation
from pytok.eval.spans import PATTERNS, SpanFinder, Spans, read_terms
from pytok.eval.term_index import TermIndex
from pytok.eval.text_batch import TextBatch


def found(text, name):
    spans = SpanFinder().find(TextBatch.of([text]))[name]
    return [text[start:end] for start, end in zip(spans.starts, spans.ends, strict=True)]


@pytest.mark.parametrize(
    ("name", "text", "spans"),
    [
        ("number", "共1,234.56元，12.5%，３６％，8，a12b_3，14:30，1.2.", ["1,234.56", "12.5%", "３６％", "14:30", "1.2"]),
        ("number", "见http://a.cn/2024/10，2023年", ["2023"]),
        ("url", "见http://a.cn/x?y=1。www.b.org/，(https://c.io/d).", ["http://a.cn/x?y=1", "www.b.org/", "https://c.io/d"]),
        ("url", "xhttp://a.cn w.www.b.cn", []),
        ("identifier", "max_len 和 getName、_x1、HTTPServer x86_64 Name NASA abc 北京_站", ["max_len", "getName", "_x1", "HTTPServer", "x86_64"]),
        ("identifier", "http://a.cn/my_page", []),
        ("mixed", "买iPhone15手机和华为Mate60，GPT-4o模型，5G网、A股、T恤、卡拉OK、阿Q", ["iPhone15", "Mate60", "GPT-4o", "5G", "A股", "T恤", "卡拉OK", "阿Q"]),
        ("mixed", "跑12km，Mate60, x86 and B2，it股，a_1北", []),
    ],
)  # fmt: skip
def test_patterns_find_their_spans(name, text, spans):
    assert found(text, name) == spans


@pytest.mark.parametrize("unit", ["1", "a1", "1.", "a_", "aA", "a-1", "http://", "www."])
def test_patterns_take_linear_time(unit):
    # Quadratic search would take minutes.
    SpanFinder().find(TextBatch.of([unit * 200_000 + "!"]))


def test_no_span_crosses_two_texts():
    finder = SpanFinder({"idiom": ["画蛇添足"]})
    spans = finder.find(TextBatch.of(["12", "34画蛇", "添足画蛇添足"]))
    assert list(zip(spans["number"].starts, spans["number"].ends, strict=True)) == [(0, 2), (2, 4)]
    assert list(zip(spans["idiom"].starts, spans["idiom"].ends, strict=True)) == [(8, 12)]


@given(
    st.lists(st.text("甲乙aB1 ", min_size=1, max_size=5), max_size=12),
    st.lists(st.text("甲乙aB1 ", max_size=30), min_size=1, max_size=4),
)
def test_terms_are_found_as_a_plain_search_finds_them(terms, texts):
    def plain(text):
        at = 0
        while at < len(text):
            fitting = [
                term
                for term in terms
                if text.startswith(term, at) and stands(text, at) and stands(text, at + len(term))
            ]
            if fitting:
                yield at, at + max(map(len, fitting))
            at += max(map(len, fitting), default=1)

    def stands(text, edge):
        around = text[edge - 1 : edge + 1] if 0 < edge < len(text) else ""
        return not (around.isascii() and around.isalnum())

    expected, start = [], 0
    for text in texts:
        expected += [(start + first, start + end) for first, end in plain(text)]
        start += len(text)
    assert TermIndex(terms).find(TextBatch.of(texts)) == expected


def test_a_long_list_finds_each_of_its_terms():
    terms = [chr(0x4E00 + n) + chr(0x5000 + n * 7 % 9000) for n in range(9000)]
    spans = TermIndex(terms).find(TextBatch.of(["。".join(terms)]))
    assert spans == [(3 * n, 3 * n + 2) for n in range(9000)]


WORDS = ["画蛇添足", "的", "12", "%", "x", " iPhone", "1", "5"]
SPANS = Spans.of([(0, 4), (5, 8), (10, 16)])


@pytest.mark.parametrize(
    ("pieces", "whole", "edges"),
    [
        (["画蛇添足", "的", "12%", "x", " iPhone", "好"], [1, 1, 1], [1, 1, 1]),
        (["画蛇", "添足", "的", "12", "%", "x", " ", "iPhone", "好"], [0, 0, 1], [1, 1, 1]),
        (["画蛇添足的", "12%x", " iPhone好"], [0, 0, 0], [0, 0, 0]),
        (["画蛇添足的12%x iPhone好"], [0, 0, 0], [0, 0, 0]),
        (list("画蛇添足的12%x iPhone好"), [0, 0, 0], [1, 1, 1]),
    ],
)
def test_whole_is_one_piece_and_nothing_else(pieces, whole, edges):
    cut = Segmentation.of_words(["画蛇添足的12%x iPhone好"], [pieces])
    got = kept(cut, SPANS)
    assert (got[0].astype(int).tolist(), got[1].astype(int).tolist()) == (whole, edges)


def test_characters_in_bytes_keep_edges_but_are_not_whole():
    spans = np.array([[0, 1], [1, 3], [3, 6], [6, 9]])
    cut = Segmentation.of_spans(TextBatch.of(["画蛇的"]), spans, np.array([0, 4]))
    assert integrity(cut, Spans.of([(0, 2)])).whole == 0
    assert integrity(cut, Spans.of([(0, 2)])).edges == 1


@given(st.lists(st.lists(st.sampled_from(["画", "蛇添", "足 ", " 1", "23"]), min_size=1, max_size=6), min_size=1, max_size=4), st.data())  # fmt: skip
def test_kept_is_what_a_loop_over_pieces_finds(texts, data):
    cut = Segmentation.of_words(["".join(words) for words in texts], texts)
    total = cut.batch.n_characters
    pairs = []
    for start, end in zip(cut.batch.text_starts[:-1], cut.batch.text_starts[1:], strict=True):
        if end - start > 1:
            first = data.draw(st.integers(int(start), int(end) - 2))
            pairs.append((first, data.draw(st.integers(first + 2, int(end)))))
    joined = "".join(cut.batch.texts)
    pieces = [
        (first + (joined[first] == " " and end - first > 1), end)
        for first, end in zip(cut.first.tolist(), cut.end.tolist(), strict=True)
    ]
    whole, edges = kept(cut, Spans.of(pairs))
    assert total == len(joined)
    assert whole.tolist() == [pair in pieces for pair in pairs]
    assert edges.tolist() == [
        not any(first < edge < end for first, end in pieces for edge in pair) for pair in pairs
    ]


def test_sums_go_to_the_document_of_the_span():
    batch = TextBatch.of(["12", "34 56", "x"], [0, 0, 1])
    cut = Segmentation.of_spans(
        batch, np.array([[0, 2], [0, 2], [2, 5], [0, 1]]), np.array([0, 1, 3, 4])
    )
    sums = integrity_sums(cut, SpanFinder().find(batch))
    assert sums["number spans"].tolist() == [3, 0]
    assert sums["number whole"].tolist() == [3, 0]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.txt").write_text("画蛇添足，共12%。\n\n画蛇添足。版权12%。", "utf-8")
    (tmp_path / "spans").mkdir()
    (tmp_path / "spans" / "idiom.txt").write_text("# 成语\n画蛇添足\t3\n龘\n", "utf-8")
    return tmp_path


def test_a_report_has_two_numbers_per_list_and_pattern_that_occurs(folder):
    law = folder / "spans" / "law.list"
    law.write_text("版权\n合同\n", "utf-8")
    config = EvalConfig(resamples=100, spans={"law": (law,)})
    systems = [
        TokenizerSystem(FakeTokenizer(["画蛇添足", "12"])),
        Segmenter("all", cut=lambda t: [t]),
    ]
    report = evaluate(folder, systems, config=config)
    (kind,) = report.kinds
    _, fake, whole = kind.systems
    value = {
        name: (number.value, whole.numbers[name].value)
        for name, number in fake.numbers.items()
        if name.startswith("integrity")
    }
    assert value == {
        "integrity_number": (0, 0),
        "integrity_edges_number": (1, 0),
        "integrity_idiom": (1, 0),
        "integrity_edges_idiom": (1, 0),
        "integrity_law": (0, 0),
        "integrity_edges_law": (1, 0),
    }
    idiom = fake.numbers["integrity_idiom"]
    assert idiom.corpus == "news, 2 spans: idiom"
    assert (idiom.low, idiom.high, idiom.documents) == (1, 1, 2)
    data = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert data["spans"]["idiom"][0]["documents"] == 1
    assert len(data["spans"]["law"][0]["sha256"]) == 64
    number = data["kinds"][-1]["systems"][1]["numbers"]["integrity_edges_idiom"]
    assert "token edge at either end" in number["definition"]


@pytest.mark.parametrize(
    ("text", "message"),
    [("龘\n# x\n", "no term of two or more"), ("一" * 65, "a.txt:1: a term of 65 characters")],
)
def test_a_list_that_is_none_is_explained(tmp_path, text, message):
    path = tmp_path / "a.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(CorpusError, match=message):
        read_terms([path])


def test_a_list_takes_the_place_of_a_pattern_of_its_name():
    finder = SpanFinder({"number": ["三百"]})
    assert set(finder.names) == set(PATTERNS)
    assert finder.find(TextBatch.of(["三百和300"]))["number"].starts.tolist() == [0]
