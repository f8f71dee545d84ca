from itertools import pairwise

import numpy as np
import pytest
from fake_tokenizer import FakeTokenizer
from hypothesis import given
from hypothesis import strategies as st

from pytok.eval import EvalConfig, Segmenter, TokenizerSystem, evaluate
from pytok.eval.cells import cells_of, cut_states, text_between
from pytok.eval.differences import Differences
from pytok.eval.examples import Places
from pytok.eval.layout import Segmentation
from pytok.eval.text_batch import TextBatch
from pytok.eval.units import sentence_units

FAST = EvalConfig(resamples=100)


def spans(texts, *cuts):
    """A segmentation by byte offsets, one list per text."""
    edges = [list(pairwise(cut)) for cut in cuts]
    flat = np.array([edge for cut in edges for edge in cut], dtype=np.int64).reshape(-1, 2)
    return Segmentation.of_spans(TextBatch.of(texts), flat, np.cumsum([0, *map(len, edges)]))


def shown(cells):
    return [(cell.text, cell.tokens) for cell in cells]


def test_cells_count_the_tokens_of_characters_that_are_cut_inside():
    text = "a龘中国b"  # bytes: a 1, 龘 3, 中 3, 国 3, b 1
    pieces = spans([text], [0, 1, 2, 4, 5, 10, 11])
    assert shown(cells_of(text, cut_states(pieces))) == [("a", 1), ("龘", 2), ("中国", 2), ("b", 1)]


def test_white_space_that_no_token_covers_has_no_tokens():
    batch = TextBatch.of(["a b"])
    pieces = Segmentation.of_spans(batch, np.array([[0, 1], [2, 3]]), np.array([0, 2]))
    assert shown(cells_of("a b", cut_states(pieces))) == [("a", 1), (" ", 0), ("b", 1)]


@given(st.lists(st.text("a龘é𠮷 ", min_size=1, max_size=8), min_size=1, max_size=4), st.data())
def test_cells_tile_the_text_and_hold_every_token(texts, data):
    cuts = []
    for text in texts:
        size = len(text.encode())
        inner = data.draw(st.sets(st.integers(1, size - 1))) if size > 1 else set()
        cuts.append([0, *sorted(inner), size])
    pieces = spans(texts, *cuts)
    states = cut_states(pieces)
    for number, cut in enumerate(cuts):
        start, end = pieces.batch.text_starts[number : number + 2].tolist()
        text = text_between(pieces.batch, start, end)
        cells = cells_of(text, states[start:end])
        assert text == texts[number] == "".join(cell.text for cell in cells)
        assert sum(cell.tokens for cell in cells) == len(cut) - 1
        edges = {0} | {len(text.encode()[:at].decode("utf-8", "ignore")) for at in cut
                       if text.encode()[:at].decode("utf-8", "replace").encode()
                       == text.encode()[:at]}  # fmt: skip
        assert np.cumsum([0, *(len(cell.text) for cell in cells)]).tolist() == sorted(edges)


def test_a_place_ends_at_the_line_and_the_text_and_marks_the_item():
    texts = ["上一行。\n左边的" * 1 + "龘右边\n下一行", "别的"]
    pieces = Segmentation.of_words(texts, [list(texts[0]), list(texts[1])])
    at = texts[0].index("龘")
    places = Places()
    places.add(pieces, np.array([7]), np.array([at]), np.array([1]))
    context = places.context(7, "龘", 3)
    text = "".join(cell.text for cell in context.cells)
    assert (text, text[context.start : context.end]) == ("左边的龘右边", "龘")
    assert places.context(8, "齉", 1).cells == ()


def test_a_place_is_the_first_and_memory_is_bounded():
    characters = [chr(0x4E00 + n) for n in range(50)]
    text = "".join(characters) + characters[-1] * 3 + "完"
    pieces = Segmentation.of_words([text], [list(text)])
    codes = pieces.batch.code_points.astype(np.int64)[:-1]
    at = np.arange(len(codes))
    places = Places(limit=10)
    for _ in range(3):
        places.add(pieces, codes, at, np.ones_like(at))
    kept = [character for character in characters if places.context(ord(character), "", 1).cells]
    assert len(kept) <= 10
    last = places.context(ord(characters[-1]), characters[-1], 12)
    assert last.cells[last.start].text == characters[-1]
    assert last.cells[0].text == characters[49 - 14]


def difference(one, other):
    """Share of characters cut differently, the slow way."""
    marks = []
    for cut in (one, other):
        edges = np.cumsum([0, *map(len, cut)])[:-1]
        marks.append([at in edges for at in range(sum(map(len, cut)))])
    return sum(a != b for a, b in zip(*marks, strict=True)) / len(marks[0])


@given(st.lists(st.text("甲乙丙丁", min_size=12, max_size=20), min_size=1, max_size=9), st.data())
def test_the_most_different_sentences_are_found(lines, data):
    lines = [line[:-1] + "。" for line in lines]
    cuts = []
    for _ in range(2):
        cuts.append([])
        for line in lines:
            inner = sorted(data.draw(st.sets(st.integers(1, len(line) - 1), max_size=5)))
            edges = [0, *inner, len(line)]
            cuts[-1].append([line[a:b] for a, b in pairwise(edges)])
    differences = Differences(["a", "b"])
    for number, line in enumerate(lines):  # one batch for each sentence
        pieces = [Segmentation.of_words([line], [cut[number]]) for cut in cuts]
        batch = pieces[0].batch
        differences.add(batch, sentence_units(batch), list(map(cut_states, pieces)))
    shares = [difference(*pair) for pair in zip(*cuts, strict=True)]
    found = differences.found()
    assert [pair.share for pair in found] == sorted((pair.share for pair in found), reverse=True)
    texts = ["".join(cell.text for cell in pair.first_cells) for pair in found]
    assert len(set(texts)) == len(texts) <= 3
    highest = {}
    for line, share in zip(lines, shares, strict=True):
        highest[line] = max(share, highest.get(line, 0))
    expected = sorted((share for share in highest.values() if share), reverse=True)[:3]
    assert [pair.share for pair in found] == pytest.approx(expected)
    assert all(
        pair.share == pytest.approx(highest[text]) for pair, text in zip(found, texts, strict=True)
    )


def test_only_sentences_of_a_readable_length_compete():
    texts = ["一二三。", "一" * 61 + "。", "一二三四五六七八九十一二。"]
    batch = TextBatch.of(texts)
    whole = Segmentation.of_words(texts, [[text] for text in texts])
    apart = Segmentation.of_words(texts, [list(text) for text in texts])
    differences = Differences(["a", "b"])
    differences.add(batch, sentence_units(batch), [cut_states(whole), cut_states(apart)])
    differences.add(batch, sentence_units(batch), [cut_states(whole), None])
    (found,) = differences.found()
    assert shown(found.first_cells) == [(texts[2], 1)]
    assert shown(found.second_cells) == [(mark, 1) for mark in texts[2]]
    assert found.share == 12 / 13


def test_a_run_keeps_contexts_and_differences_and_json_has_them(tmp_path):
    (tmp_path / "news").mkdir()
    text = "北京的天气很好很好很好龘。\n\n今天学习中文，明天也学习。"
    (tmp_path / "news" / "a.txt").write_text(text, encoding="utf-8")
    (tmp_path / "news" / "news.seg.txt").write_text("北京 的 龘 龘 天气\n", encoding="utf-8")
    systems = [
        TokenizerSystem(FakeTokenizer(["北京", "天气", "很好", "的"])),
        TokenizerSystem(FakeTokenizer(["北京"], name="bad", fails_on="龘")),
        Segmenter("characters", cut=list),
    ]
    report = evaluate(tmp_path, systems, config=FAST)
    kind = report.kinds[0]
    fake = next(system for system in kind.systems if system.system == "fake")
    counts = [(context.item, context.count) for context in fake.character_contexts]
    assert counts == list(fake.worst_characters)
    place = next(context for context in fake.character_contexts if context.item == "龘")
    assert ("龘", 3) in shown(place.cells)
    assert (fake.worst_words[0].item, fake.worst_words[0].count) == ("龘", 2)
    joined = "".join(cell.text for cell in fake.worst_words[0].cells)
    assert (joined, fake.worst_words[0].start) == ("北京的龘龘天气", 3)
    pairs = {(found.first.split()[0], found.second) for found in kind.differences}
    assert pairs == {("jieba", "fake"), ("jieba", "characters"), ("fake", "characters")}
    data = report.to_json()["kinds"][0]
    row = next(system for system in data["systems"] if system["system"] == "fake")
    assert row["worst_words"][0]["cells"] == [["北京", 1], ["的", 1], ["龘", 3], ["龘", 3],
                                              ["天气", 1]]  # fmt: skip
    assert len(data["differences"]) == len(kind.differences)
    assert evaluate(tmp_path, systems, config=FAST).kinds[0].differences == kind.differences
