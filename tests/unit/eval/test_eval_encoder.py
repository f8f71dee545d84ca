import hashlib
import json
from pathlib import Path

import pytest
from fake_tokenizer import FakeTokenizer

from pytok.errors import EncodeError, VocabError
from pytok.eval import Encoder, EvalConfig, TokenizerSystem, evaluate, open_system
from pytok.eval.definitions import METRICS
from pytok.eval.numbers import NO_OFFSETS

PIECES = ["北京", "天气", "很"]
OF_IDS = {
    "characters", "tokens", "chars_per_token", "bytes_per_token", "tokens_per_char", "oov_unk",
    "fertility", "broken_char_share", "bits_per_bit", "nsl", "renyi_efficiency", "ids_used",
    "rare_ids", "unreachable_ids", "straddling_tokens", "megabytes_per_second",
}  # fmt: skip


class WithoutOffsets(FakeTokenizer):
    def encode_batch_spans(self, texts, **_):
        raise NotImplementedError


class WithoutTheMethod(FakeTokenizer):
    encode_batch_spans = None


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "news").mkdir()
    (tmp_path / "news" / "a.txt").write_text("北京天气很好，共12%。\n\n天气龘。\n\n好。", "utf-8")
    (tmp_path / "gold").mkdir()
    gold = "北京 天气 很 好 ， 共 12% 。\n天气 龘 。\n好 。\n" * 20
    (tmp_path / "gold" / "news.seg.txt").write_text(gold, "utf-8")
    return tmp_path


def encoder(fake, **options):
    def encode(text):
        return fake.encode_batch_ids([text])[0].tolist()

    return Encoder(fake.name, encode, fake.vocab_size, unk_id=fake.unk_id, **options)


def values(report, name):
    (kind,) = report.kinds
    (row,) = [system for system in kind.systems if system.system == name]
    assert row.failure is None
    return {metric: number.value for metric, number in row.numbers.items()}, row


def same(one, other):
    assert set(one) == set(other)
    for name in set(one) - {"megabytes_per_second"}:
        assert one[name] == pytest.approx(other[name]), name


@pytest.mark.parametrize("kind", [WithoutOffsets, WithoutTheMethod])
def test_without_offsets_the_metrics_of_ids_are_those_with_offsets(folder, kind):
    systems = [
        TokenizerSystem(FakeTokenizer(PIECES)),
        TokenizerSystem(kind(PIECES, name="bare")),
    ]
    report = evaluate(folder, systems, config=EvalConfig(resamples=100))
    full, _ = values(report, "fake")
    bare, row = values(report, "bare")
    assert {name for name, value in bare.items() if value is not None} == OF_IDS
    for name in OF_IDS - {"megabytes_per_second"}:
        assert bare[name] == full[name], name
    for name in set(METRICS) - OF_IDS:
        if not name.startswith("oov_lex"):
            assert row.numbers[name].interval == NO_OFFSETS, name
    assert row.numbers["chars_per_token"].low is not None
    assert (row.worst_characters, row.worst_words) == ((), ())
    assert sum(map(sum, row.piece_lengths.values())) == 0
    (found,) = report.kinds
    compared = {pair.metric for pair in found.comparisons if "bare" in (pair.a, pair.b)}
    assert compared
    assert compared <= OF_IDS
    assert all("bare" not in (pair.first, pair.second) for pair in found.differences)
    json.dumps(report.to_json(), allow_nan=False)


def test_an_encoder_gives_the_numbers_of_the_tokenizer_it_wraps(folder):
    fake = FakeTokenizer(PIECES)
    wrapped = encoder(fake, token=fake.token_bytes)
    one, _ = values(
        evaluate(folder, [TokenizerSystem(fake)], config=EvalConfig(resamples=100)), "fake"
    )
    other, row = values(
        evaluate(folder, [TokenizerSystem(wrapped)], config=EvalConfig(resamples=100)), "fake"
    )
    same(one, other)
    tokens = [fake.token_bytes(number) for number in range(fake.vocab_size)]
    expected = b"".join(len(token).to_bytes(8, "little") + token for token in tokens)
    assert row.sha256 == hashlib.sha256(expected).hexdigest()


def test_character_offsets_become_byte_spans():
    wrapped = Encoder("a", lambda _: [3, 4], 9, offsets=lambda _: [(0, 2), (2, 3)])
    ids, spans, bounds = wrapped.encode_batch_spans(["é中a"])
    assert (ids.tolist(), spans.tolist(), bounds.tolist()) == ([3, 4], [[0, 5], [5, 6]], [0, 2])
    assert wrapped.encode_batch_spans([])[1].shape == (0, 2)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([(0, 1)], "a: 1 offsets for 2 ids"),
        ([(0, 1), (1, 9)], "a: an offset lies outside its text"),
        ([(-1, 1), (1, 2)], "a: an offset lies outside its text"),
    ],
)
def test_wrong_offsets_are_an_error_that_names_the_tokenizer(offsets, message):
    wrapped = Encoder("a", lambda _: [3, 4], 9, offsets=lambda _: offsets)
    with pytest.raises(EncodeError, match=message):
        wrapped.encode_batch_spans(["ab"])


def test_tokens_that_do_not_join_to_the_text_give_no_offsets(folder):
    wrapped = Encoder("a", lambda text: [0] * len(text), 1, lambda _: b"?")
    with pytest.raises(NotImplementedError, match="do not join"):
        wrapped.encode_batch_spans(["ab"])
    found, row = values(
        evaluate(folder, [TokenizerSystem(wrapped)], config=EvalConfig(resamples=100)), "a"
    )
    assert found["chars_per_token"] == 1
    assert row.numbers["oov_char"].interval == NO_OFFSETS


def test_nothing_but_a_function_is_enough(folder):
    wrapped = Encoder("a", lambda text: list(map(ord, text)), 1 << 17)
    assert wrapped.sha256 == ""
    with pytest.raises(VocabError, match="a: the bytes of its tokens are not known"):
        wrapped.token_bytes(3)
    found, row = values(
        evaluate(folder, [TokenizerSystem(wrapped)], config=EvalConfig(resamples=100)), "a"
    )
    assert (row.sha256, found["chars_per_token"], found["straddling_tokens"]) == (None, 1, 0)


def test_the_page_makes_systems_in_ten_lines(monkeypatch):
    page = Path(__file__).parents[3].joinpath("docs/your-own-tokenizer.md").read_text("utf-8")
    blocks = [part.split("```")[0] for part in page.split("```python\n")[1:]]
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([byte]): byte for byte in range(256)} | {
        "天".encode()[:2]: 256,
        "天".encode(): 257,
    }
    small = tiktoken.Encoding("small", pat_str=r".", mergeable_ranks=ranks, special_tokens={})
    monkeypatch.setattr(tiktoken, "get_encoding", lambda _: small)
    for block in blocks:
        assert len(block.strip().splitlines()) <= 11
        exec(block, {})
    found = open_system("cl100k").pieces(["天气"])
    assert found.spans.tolist() == [[0, 3], [3, 4], [4, 5], [5, 6]]
    assert found.ids.tolist() == [257, *"气".encode()]
    mine = open_system("mine")
    assert mine.knows("天气")
    assert mine.pieces(["天气 很"]).spans.tolist() == [[0, 6], [6, 7], [7, 10]]


def test_every_missing_number_has_its_own_reason(tmp_path):
    (tmp_path / "a.txt").write_text("天气很好。\n\n" * 3, encoding="utf-8")
    one = Encoder("one", lambda text: [0] * len(text), 1, lambda _: b"a")
    without = Encoder("without", lambda text: list(text.encode()), 256)
    report = evaluate(
        tmp_path, [TokenizerSystem(one), TokenizerSystem(without)], config=EvalConfig(resamples=100)
    )
    notes = {
        row.system.split()[0]: {name: number.interval for name, number in row.numbers.items()}
        for row in report.kinds[0].systems
    }
    for name in ("renyi_efficiency", "bits_per_bit", "ids_used", "unreachable_ids"):
        assert notes["jieba"][name] == "none: a word segmenter has no ids"
    for name in ("renyi_efficiency", "bits_per_bit"):
        assert notes["one"][name].startswith("none: a vocabulary of one id")
    assert "gives no offsets" in notes["without"]["oov_char"]
    assert "gives no offsets" in notes["without"]["consistency_entropy"]
    assert notes["without"]["oov_lex"] == "none: no gold words"
