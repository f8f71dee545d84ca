import hashlib
import json
import math

import numpy as np
import pytest
from fake_tokenizer import FakeTokenizer

from pytok.errors import ConfigError, EncodeError
from pytok.eval import EvalConfig, Segmenter, TokenizerSystem, evaluate, open_system, systems
from pytok.eval.boundaries import boundaries
from pytok.eval.compression import bits_per_bit, compression, nsl
from pytok.eval.consistency import consistency_entropy
from pytok.eval.definitions import METRICS
from pytok.eval.distribution import renyi_efficiency, utilisation
from pytok.eval.fertility import fertility
from pytok.eval.fragmentation import fragmentation_entropy
from pytok.eval.layout import Segmentation
from pytok.eval.oov import oov_char, oov_lex, oov_word
from pytok.eval.systems import Pieces, tile
from pytok.eval.text_batch import TextBatch
from pytok.eval.units import clause_units, sentence_units
from pytok.eval.words import Words

GOLD = ["北京 的 龘 天气 很 好 。", "我们 学习 中文 ， 他们 也 学习 。", "天气 好 ！ 学习"] * 15
FAST = EvalConfig(resamples=200)
PIECES = [
    "北京",
    "天气",
    "学",
    "习",
    "中文",
    "我们",
    "他",
    "们",
    "也学习",
    "。",
    "，",
    "好！",
    "很",
    "好",
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "news").mkdir()
    (tmp_path / "gold").mkdir()
    text = "\n\n".join(line.replace(" ", "") for line in GOLD)
    (tmp_path / "news" / "a.txt").write_text(text, encoding="utf-8")
    (tmp_path / "gold" / "news.seg.txt").write_text("\n".join(GOLD) + "\n", encoding="utf-8")
    return tmp_path


def row(report, kind, name):
    found = next(k for k in report.kinds if k.kind == kind)
    return next(s for s in found.systems if s.system.split()[0] == name)


def encode(tokenizer, texts):
    ids, spans, bounds = tokenizer.encode_batch_spans(texts)
    return Segmentation.of_spans(
        TextBatch.of(texts), spans, bounds, ids=ids, unk_id=tokenizer.unk_id
    )


def test_every_number_is_that_of_the_pure_functions_on_the_whole_text(folder):
    tokenizer = FakeTokenizer(PIECES)
    other = FakeTokenizer(["北京"], name="other")
    report = evaluate(folder, [TokenizerSystem(tokenizer), TokenizerSystem(other)], config=FAST)
    value = {n: m.value for n, m in row(report, "news", "fake").numbers.items()}
    assert set(value) >= set(METRICS)

    path = folder / "news" / "a.txt"
    blocks = path.read_text("utf-8").split("\n\n")
    texts = [block + "\n\n" for block in blocks[:-1]] + blocks[-1:]
    pieces = encode(tokenizer, texts)
    sizes = compression(texts, pieces.n_pieces)
    counts = np.bincount(pieces.ids, minlength=tokenizer.vocab_size)
    sentence = fragmentation_entropy(pieces, sentence_units(pieces.batch))
    clause = fragmentation_entropy(pieces, clause_units(pieces.batch))
    expected = {
        "characters": sizes.characters,
        "tokens": pieces.n_pieces,
        "chars_per_token": sizes.chars_per_token,
        "bytes_per_token": sizes.bytes_per_token,
        "tokens_per_char": sizes.tokens_per_char,
        "oov_char": oov_char(pieces).share,
        "oov_unk": 0,
        "fragmentation_entropy_sentence": sentence.entropy,
        "fe_norm_sentence": sentence.normalised,
        "fragmentation_entropy_clause": clause.entropy,
        "fe_norm_clause": clause.normalised,
        "bits_per_bit": bits_per_bit(sizes.bytes, pieces.n_pieces, tokenizer.vocab_size),
        "nsl": 1.0,
        "renyi_efficiency": renyi_efficiency(counts, tokenizer.vocab_size),
        "ids_used": utilisation(counts, tokenizer.vocab_size).used,
        "rare_ids": utilisation(counts, tokenizer.vocab_size).rare,
        "unreachable_ids": 0,
        "straddling_tokens": 0,
    }
    words = [line.split(" ") for line in GOLD]
    gold = encode(tokenizer, ["".join(line) for line in words])
    laid = Words.of(gold.batch, words)
    word = oov_word(gold, laid)
    edges, multi = boundaries(gold, laid), boundaries(gold, laid, multi_only=True)
    fragments = fragmentation_entropy(gold, laid.units, shortest=2)
    expected |= {
        "oov_word": word.share,
        "oov_word_type": word.type_share,
        "fragmentation_entropy_word": fragments.entropy,
        "fe_norm_word": fragments.normalised,
        "consistency_entropy": consistency_entropy(gold, laid).entropy,
        "fertility": fertility(gold, laid).tokens_per_word,
        "continued_word_share": fertility(gold, laid).continued_word_share,
        "boundary_precision": edges.precision,
        "boundary_recall": edges.recall,
        "boundary_f1": edges.f1,
        "boundary_precision_multi": multi.precision,
        "boundary_recall_multi": multi.recall,
        "boundary_f1_multi": multi.f1,
    }
    for name, wanted in expected.items():
        assert value[name] == pytest.approx(wanted, abs=1e-9), name
    assert value["broken_char_share"] > 0
    assert value["megabytes_per_second"] > 0
    assert value["oov_lex"] is None
    compared = row(report, "news", "other").numbers["nsl"].value
    assert compared == pytest.approx(nsl(encode(other, texts).n_pieces, pieces.n_pieces))


def test_the_worst_characters_are_named(folder):
    report = evaluate(folder, [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
    worst = dict(row(report, "news", "fake").worst_characters)
    assert worst["龘"] == 15
    assert "京" not in worst


def test_the_dictionary_of_jieba_gives_oov_lex(folder):
    report = evaluate(folder, [], config=FAST)
    jieba = open_system("jieba")
    words = [word for line in GOLD for word in line.split(" ")]
    expected = oov_lex(words, jieba.knows)
    number = row(report, "news", "jieba").numbers["oov_lex"]
    assert number.value == pytest.approx(expected.share)
    assert 0 < expected.share < 1
    assert number.sha256 == jieba.sha256
    assert len(jieba.sha256) == 64


def test_numbers_carry_what_is_needed_to_make_them_again(folder):
    tokenizer = FakeTokenizer(PIECES)
    report = evaluate(
        folder, [TokenizerSystem(tokenizer)], config=EvalConfig(resamples=100, seed=5)
    )
    data = json.loads(json.dumps(report.to_json(), allow_nan=False))
    kind = data["kinds"][0]
    content = (folder / "news" / "a.txt").read_bytes()
    assert kind["files"] == [
        {
            "path": str(folder / "news" / "a.txt"),
            "sha256": hashlib.sha256(content).hexdigest(),
            "documents": 45,
            "rule": "blank-line blocks",
        }
    ]
    number = kind["systems"][1]["numbers"]["chars_per_token"]
    assert number["tokenizer"] == "fake"
    assert number["sha256"] == tokenizer.sha256
    assert (number["documents"], number["characters"]) == (45, len(content.decode()))
    assert number["low"] < number["value"] < number["high"]
    assert "45 documents, 100 resamples, seed 5" in number["interval"]
    assert number["definition"] and number["unit"]
    gold = kind["systems"][1]["numbers"]["boundary_f1"]
    assert (gold["corpus"], gold["documents"]) == ("news, words: news.seg.txt", 3)


def test_the_same_run_gives_the_same_numbers(folder):
    def numbers():
        report = evaluate(folder, [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
        return {
            (s.system, n.metric): (n.value, n.low, n.high)
            for k in report.kinds
            for s in k.systems
            for n in s.numbers.values()
            if n.metric != "megabytes_per_second"
        }

    assert numbers() == numbers()


def test_without_gold_the_words_are_those_of_jieba(folder):
    (folder / "gold" / "news.seg.txt").unlink()
    report = evaluate(folder, [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
    kind = report.kinds[0]
    assert (kind.words_from.split()[0], kind.words_are_gold) == ("jieba", False)
    fake, jieba = kind.systems[1].numbers, kind.systems[0].numbers
    assert fake["fertility"].value > 1
    assert fake["boundary_f1"].value is None
    assert "no gold" in fake["boundary_f1"].interval
    assert jieba["fertility"].value is None
    assert "own" in jieba["fertility"].interval
    texts = list(map(str.strip, (folder / "news" / "a.txt").read_text("utf-8").split("\n\n")))
    words = [list(systems.open_system("jieba").cut(text)) for text in texts]
    assert kind.words == sum(map(len, words))


def test_gold_alone_is_a_kind_with_all_metrics(folder):
    report = evaluate(
        folder / "gold" / "news.seg.txt", [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST
    )
    numbers = row(report, "news", "fake").numbers
    assert numbers["boundary_f1"].value > 0
    assert numbers["characters"].value == sum(len(line.replace(" ", "")) for line in GOLD)
    assert report.kinds[0].documents == 3


def test_a_system_that_fails_loses_only_its_own_row(folder):
    bad = TokenizerSystem(FakeTokenizer(PIECES, name="bad", fails_on="龘"))
    report = evaluate(folder, [bad, TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
    failed = row(report, "news", "bad")
    assert failed.failure == "RuntimeError: cannot encode '龘'"
    assert not failed.numbers
    alone = evaluate(folder, [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
    for name in ("fertility", "oov_char"):
        one, other = (row(r, "news", "fake").numbers[name] for r in (report, alone))
        assert (one.value, one.low, one.high) == (other.value, other.low, other.high)


def test_without_jieba_its_row_says_why_and_there_are_no_words(folder, monkeypatch):
    def missing():
        raise ConfigError("jieba is not installed")

    monkeypatch.setitem(systems._FACTORIES, "jieba", missing)
    (folder / "gold" / "news.seg.txt").unlink()
    report = evaluate(folder, [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
    assert "not installed" in row(report, "news", "jieba").failure
    numbers = row(report, "news", "fake").numbers
    assert numbers["chars_per_token"].value > 0
    assert numbers["fertility"].value is None


def test_the_clock_runs_before_the_text_was_seen_and_with_one_thread(folder):
    tokenizer = FakeTokenizer(PIECES)
    evaluate(folder, [TokenizerSystem(tokenizer)], config=FAST)
    assert tokenizer.calls[:2] == ["ids special=text threads=1", "spans"]


def test_one_document_has_no_interval(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("北京天气", encoding="utf-8")
    report = evaluate(path, [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
    number = row(report, "a", "fake").numbers["chars_per_token"]
    assert (number.value, number.low) == (2.0, None)
    assert "fewer than two documents" in number.interval


def test_of_an_empty_text_there_are_no_numbers(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("", encoding="utf-8")
    report = evaluate(path, [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
    (kind,) = report.kinds
    assert (kind.documents, kind.characters) == (0, 0)
    assert kind.systems[1].numbers["oov_char"].value is None
    json.dumps(report.to_json(), allow_nan=False)


def test_a_file_without_words_has_no_numbers_and_no_failure(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("\n\n \n", encoding="utf-8")
    report = evaluate(path, [TokenizerSystem(FakeTokenizer(PIECES))], config=FAST)
    found = row(report, "a", "fake")
    assert found.failure is None
    assert found.numbers["fertility"].value is None
    json.dumps(report.to_json(), allow_nan=False)


def test_bad_files_are_reported_and_the_rest_goes_on(folder):
    bad = folder / "news" / "b.txt"
    bad.write_bytes("北京".encode("gb18030"))
    (folder / "lost").mkdir()
    (folder / "lost" / "a.jsonl").write_text("{}\n")
    report = evaluate(folder, [], config=FAST)
    lost, news = report.kinds
    assert news.skipped == (f"{bad} is not UTF-8: byte 0",)
    assert len(news.files) == 1
    alone = evaluate(folder / "news" / "a.txt", [], config=FAST).kinds[0]
    assert news.characters == alone.characters
    assert (lost.kind, lost.characters, lost.systems) == ("lost", 0, ())
    assert "a.jsonl:1: the record has no text" in lost.skipped[0]
    (only,) = evaluate(bad, [], config=FAST).kinds
    assert (only.skipped, only.systems) == (news.skipped, ())


def test_spans_and_ids_that_disagree_are_a_failure(folder):
    class Disagreeing(FakeTokenizer):
        def encode_batch_ids(self, texts, **options):
            ids, bounds = super().encode_batch_ids(texts, **options)
            return ids[:-1], bounds

    report = evaluate(folder, [TokenizerSystem(Disagreeing(PIECES))], config=FAST)
    assert "different ids" in row(report, "news", "fake").failure


def test_progress_ends_at_the_total(folder):
    seen = []
    evaluate(folder, [], config=FAST, on_progress=lambda *step: seen.append(step))
    assert seen[-1][1] == seen[-1][2] > 0
    assert [done for label, done, _ in seen if label != "reading"] == sorted(
        done for label, done, _ in seen if label != "reading"
    )


def test_the_vocabulary_may_have_holes():
    class Holes(FakeTokenizer):
        def token_bytes(self, token_id):
            if token_id == 7:
                raise KeyError(token_id)
            return super().token_bytes(token_id)

    assert TokenizerSystem(Holes([b"\xad\xe5"])).straddling == 1


def test_a_word_that_is_not_in_the_text_is_refused():
    with pytest.raises(EncodeError, match="'X'"):
        tile("中国", ["中", "X"])


def test_a_segmenter_that_drops_spaces_still_tiles():
    found = Segmenter("spaces", cut=str.split).pieces([" 中 国\n", ""])
    assert isinstance(found, Pieces)
    assert found.spans.tolist() == [[0, 1], [1, 4], [4, 5], [5, 8], [8, 9]]
    assert found.bounds.tolist() == [0, 5, 5]


def test_words_that_the_user_added_to_jieba_do_not_move_the_baseline():
    import jieba

    jieba.add_word("龘龘龘龘")
    assert not open_system("jieba").knows("龘龘龘龘")
    assert open_system("jieba").knows("中国")
    assert not open_system("jieba").knows("中华人")  # a prefix only


def test_a_bootstrap_of_nothing_is_refused():
    with pytest.raises(ConfigError, match="resamples"):
        EvalConfig(resamples=0)


def test_not_a_number_never_reaches_json(folder):
    report = evaluate(folder, [TokenizerSystem(FakeTokenizer(["a"]))], config=FAST)
    for kind in report.kinds:
        for system in kind.systems:
            for number in system.numbers.values():
                assert number.value is None or math.isfinite(number.value)


def test_speed_is_megabytes_of_text_over_seconds_and_gold_text_is_not_timed(folder):
    class Clocked(TokenizerSystem):
        def pieces(self, texts):
            found = super().pieces(texts)
            return Pieces(found.spans, found.bounds, found.ids, seconds=0.5)

    report = evaluate(folder, [Clocked(FakeTokenizer(PIECES))], config=FAST)
    size = (folder / "news" / "a.txt").stat().st_size
    speed = row(report, "news", "fake").numbers["megabytes_per_second"].value
    assert speed == pytest.approx(size / 1e6 / 0.5)
