"""Training: merges of the reference trainer, properties of the result, inputs, errors."""

from __future__ import annotations

import gzip
import json
import lzma
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

import pytok
from pytok import _train_inputs

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ROOT / "corpora"
QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SPECIAL = ["<|end|>", "<|pad|>"]
HF = {"algorithm": "bpe", "tie": "hf", "char_align": False, "special_tokens": SPECIAL}


def read(paths: list[Path]) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in paths]


KINDS = {
    "news": sorted((CORPORA / "news").glob("*.txt")),
    "code": sorted((CORPORA / "code").glob("*.*")),
    "classical": sorted((CORPORA / "classical").glob("*.txt")),
}


def lines_of(kind: str) -> list[str]:
    return [line for text in read(KINDS[kind]) for line in text.splitlines(keepends=True)]


def model_of(tokenizer: pytok.Tokenizer) -> dict[str, Any]:
    file = json.loads(tokenizer._core.tokenizer_json())
    model: dict[str, Any] = file["model"]
    return model


def bytes_of(tokenizer: pytok.Tokenizer) -> tuple[bytes, bytes]:
    return tokenizer._core.tokenizer_json(), tokenizer._core.pytok_json()


def reference(texts: list[str], vocab_size: int, min_frequency: int = 0) -> dict[str, Any]:
    """The model that the trainer of `tokenizers` makes."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=SPECIAL,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        min_frequency=min_frequency,
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    model: dict[str, Any] = json.loads(tokenizer.to_str())["model"]
    return model


def assert_same_model(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    merges = [tuple(merge) for merge in theirs["merges"]]
    assert [tuple(merge) for merge in ours["merges"]] == merges
    assert ours["vocab"] == theirs["vocab"]


# ------------------------------------------------------------------ the reference


@pytest.mark.parametrize("kind", KINDS)
def test_merges_are_those_of_the_reference_trainer(kind: str) -> None:
    lines = lines_of(kind)
    result = pytok.train(lines, pytok.TrainConfig(vocab_size=2500, **HF))
    assert_same_model(model_of(result.tokenizer), reference(lines, 2500))


def test_merges_with_a_least_frequency_are_those_of_the_reference_trainer() -> None:
    lines = lines_of("news")
    theirs = reference(lines, 100_000, min_frequency=9)
    size = len(theirs["vocab"])
    ours = pytok.train(lines, pytok.TrainConfig(vocab_size=size, min_frequency=9, **HF))
    assert_same_model(model_of(ours.tokenizer), theirs)


def test_merges_of_random_words_are_those_of_the_reference_trainer() -> None:
    for seed in range(200):
        source = random.Random(seed)
        alphabet = source.choice(["ab", "abc", "ab学", "aabcd", "aé😀"])
        lines = [
            "".join(source.choice(alphabet) for _ in range(source.randint(2, 20))) + "\n"
            for _ in range(source.randint(3, 60))
        ]
        theirs = reference(lines, 258 + source.randint(5, 120))
        ours = pytok.train(lines, pytok.TrainConfig(vocab_size=len(theirs["vocab"]), **HF))
        assert_same_model(model_of(ours.tokenizer), theirs)


@pytest.mark.needs_shared
@pytest.mark.parametrize(
    "name",
    ["code/python.txt.xz", "news/gov-reports.txt.xz", "classical/zuozhuan-punctuated.txt.xz"],
)
def test_merges_of_real_text_are_those_of_the_reference_trainer(shared: Path, name: str) -> None:
    with lzma.open(shared / "data" / name, "rt", encoding="utf-8") as handle:
        lines = handle.read(700_000).splitlines(keepends=True)
    result = pytok.train(lines, pytok.TrainConfig(vocab_size=8000, **HF))
    assert_same_model(model_of(result.tokenizer), reference(lines, 8000))


@pytest.mark.parametrize("scheme", ["qwen", "han", "iso", "wide"])
def test_the_file_gives_the_same_ids_in_the_reference(scheme: str, tmp_path: Path) -> None:
    texts = [text for kind in KINDS for text in read(KINDS[kind])]
    config = pytok.TrainConfig(
        algorithm="bpe", vocab_size=3000, pretokenizer=scheme, special_tokens=SPECIAL
    )
    ours = pytok.train(texts, config).tokenizer
    theirs = Tokenizer.from_file(str(ours.save(tmp_path / "out") / "tokenizer.json"))
    strange = ["", "\ud7ff\U0010ffff", "a\u0000b  \n\n\tc", "㍿１２３ 〇⺀「x」", "é́ 'S 👩‍👩‍👧"]
    for text in [*texts, *strange]:
        assert ours.encode_ids(text, special="special") == theirs.encode(text).ids
        assert ours.decode(ours.encode_ids(text, special="text")) == text
    assert ours.encode_ids("<|pad|>", special="special") == [1]


# --------------------------------------------------------------------- properties


def straddles(piece: bytes) -> bool:
    """Whether a piece has parts of a character and anything else."""
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        inner = [0x80 <= byte < 0xC0 for byte in piece]
        return len(piece) > 3 or not all(inner[1:]) or (not inner[0] and piece[0] < 0xC0)
    return False


def pieces_of(tokenizer: pytok.Tokenizer) -> list[bytes]:
    return [
        tokenizer.token_bytes(number)
        for number in range(tokenizer.vocab_size)
        if tokenizer.id_to_token(number) not in SPECIAL
    ]


def test_pieces_are_complete_aligned_and_exactly_so_many() -> None:
    texts = [text for kind in KINDS for text in read(KINDS[kind])]
    config = pytok.TrainConfig(algorithm="bpe", vocab_size=5000, special_tokens=SPECIAL)
    aligned = pytok.train(texts, config).tokenizer
    pieces = pieces_of(aligned)
    assert aligned.vocab_size == len(aligned.vocab) == 5000
    assert len(set(pieces)) == len(pieces) == 4998
    assert {bytes([byte]) for byte in range(256)} <= set(pieces)
    assert not any(map(straddles, pieces))
    assert max(map(len, pieces)) <= 48
    loose = pytok.train(texts, pytok.TrainConfig(vocab_size=5000, **HF)).tokenizer
    assert any(map(straddles, pieces_of(loose)))


def test_threads_and_the_order_of_texts_change_nothing() -> None:
    texts = [text for kind in KINDS for text in read(KINDS[kind])]
    made = set()
    for threads, order in [(1, 1), (2, -1), (4, 1), (4, -1)]:
        config = pytok.TrainConfig(algorithm="bpe", vocab_size=1500, threads=threads)
        made.add(bytes_of(pytok.train(texts[::order], config).tokenizer))
    assert len(made) == 1


def test_counts_of_parts_are_the_counts_of_the_whole(tmp_path: Path) -> None:
    texts = read(KINDS["news"])
    whole = pytok.count_words(texts)
    parts = [pytok.count_words(texts[start::3]) for start in range(3)]
    assert parts[2].merge(parts[0], parts[1]) == whole
    files = [part.save(tmp_path / f"{number}.counts") for number, part in enumerate(parts)]
    read_back = [pytok.WordCounts.read(file) for file in files]
    assert read_back == parts
    config = pytok.TrainConfig(algorithm="bpe", vocab_size=1000)
    direct = pytok.train(texts, config).tokenizer
    assert bytes_of(pytok.train(config=config, counts=read_back).tokenizer) == bytes_of(direct)
    both = pytok.train(texts[0::3], config, counts=read_back[1:]).tokenizer
    assert bytes_of(both) == bytes_of(direct)
    first = whole.save(tmp_path / "a").read_bytes()
    assert parts[1].merge(parts[2], parts[0]).save(tmp_path / "b").read_bytes() == first


@pytest.mark.parametrize("kind", KINDS)
def test_tau_changes_the_work_and_not_the_result(kind: str) -> None:
    texts = read(KINDS[kind])
    results = {
        tau: pytok.train(texts, pytok.TrainConfig(algorithm="bpe", vocab_size=700, tau=tau))
        for tau in (1, 2, 3, 10, 1000)
    }
    plain = results[1]
    assert plain.report.tau == 1
    assert plain.report.segments == plain.report.unique_words
    for result in results.values():
        assert bytes_of(result.tokenizer) == bytes_of(plain.tokenizer)
        assert result.report.tau <= (result.report.least_count or 0) or result.report.tau == 1
    assert results[1000].report.runs > 1
    if kind != "code":
        assert results[3].report.segment_bytes < plain.report.segment_bytes


def test_thresholds_give_a_fixed_granularity() -> None:
    texts = read(KINDS["news"])
    config = pytok.TrainConfig(
        algorithm="bpe",
        vocab_size=1000,
        tau_c=8,
        tau_w=4,
        max_chars=2,
        span_bytes=(2, 6),
        required_chars="龘",
    )
    tokenizer = pytok.train(texts, config).tokenizer
    joined = "".join(texts)
    vocabulary = set(pieces_of(tokenizer))
    assert "龘".encode() in vocabulary
    for character in set(joined):
        if "\u4e00" <= character <= "\u9fff":
            assert (character.encode() in vocabulary) == (joined.count(character) >= 8)
    for piece in vocabulary:
        text = piece.decode("utf-8", errors="replace")
        if "�" not in text and len(text) > 1:
            assert len(text) == 2
            assert len(piece) <= 6
            assert joined.count(text) >= 4


def test_one_letter_a_million_times_is_no_more_than_a_million_letters() -> None:
    source = random.Random(3)
    start = time.perf_counter()
    pytok.train(
        ["a" * 1_000_000 + "".join(source.choice("bcd") for _ in range(1_000_000))],
        pytok.TrainConfig(algorithm="bpe", vocab_size=300, max_token_bytes=1 << 20, tau=1),
    )
    # A quadratic trainer would take hours; the limit leaves room for slow machines.
    assert time.perf_counter() - start < 120


@pytest.mark.skipif(sys.platform == "win32", reason="the peak is asked of Unix")
def test_memory_stays_within_a_few_times_the_words() -> None:
    # In a process of its own: the peak of this one is that of all tests so far.
    script = """
import random, resource, pytok
source = random.Random(4)
def texts():
    for _ in range(2000):
        yield " ".join("".join(source.choices("abcdefgh", k=9)) for _ in range(100))
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
pytok.train(texts(), pytok.TrainConfig(algorithm="bpe", vocab_size=600, threads=1, tau=1))
print(peak() - before)
"""
    # Not from the checkout, whose source folder would hide the built package.
    folder = Path(__file__).parent
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, cwd=folder
    )
    unit = 1 if sys.platform == "darwin" else 1024
    # 2 MB of words, all of them different: 200,000 words of 10 bytes.
    assert int(run.stdout) * unit < 60_000_000, run.stdout


# ------------------------------------------------------------------------- inputs


def test_every_kind_of_input_gives_the_same_counts(tmp_path: Path) -> None:
    texts = ["学而时习之\n", "不亦说乎\n", "a b\n"]
    expected = pytok.count_words(texts).items()
    data = "".join(texts).encode()
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf" + data)
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(data))
    (tmp_path / "c.txt.xz").write_bytes(lzma.compress(data))
    lines = [json.dumps({"text": texts[0], "id": 1}), json.dumps("".join(texts[1:]))]
    (tmp_path / "d.jsonl").write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    (folder / ".hidden").write_bytes(b"\xff\xfe")
    files = [tmp_path / name for name in ("a.txt", "b.txt.gz", "c.txt.xz", "d.jsonl")]
    paths: list[Any] = [*files, *([file] for file in files), folder, str(folder / "*.txt")]
    paths += [tmp_path / "fold*" / "?.txt", iter([folder]), (text for text in texts)]
    for inputs in paths:
        assert pytok.count_words(inputs).items() == expected, inputs


def test_blocks_of_a_file_give_the_words_of_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_train_inputs, "BLOCK_BYTES", 97)
    for kind, files in KINDS.items():
        text = "\n\n\n".join(read(files)) + "\n  \n"
        path = tmp_path / f"{kind}.txt"
        path.write_text(text, encoding="utf-8", newline="")
        for scheme in ("qwen", "han", "iso"):
            config = pytok.TrainConfig(pretokenizer=scheme)
            whole = pytok.count_words([text], config)
            cut = pytok.count_words(path, config)
            assert cut.items() == whole.items()
            assert cut.texts > 10
            assert cut.text_bytes == whole.text_bytes


def test_a_line_without_end_is_cut_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_train_inputs, "BLOCK_BYTES", 1000)
    monkeypatch.setattr(_train_inputs, "LONGEST_LINE", 3000)
    path = tmp_path / "line.txt"
    for text in ("学而时习之，不亦说乎？" * 3000, "学" * 30_000):
        path.write_text(text, encoding="utf-8")
        counts = pytok.count_words(path)
        total = sum(len(word) * count for word, count in counts.items())
        assert total == len(text.encode())
    assert counts.items()[0][0].decode() in "学" * 30_000


@pytest.mark.parametrize(
    ("content", "name", "message"),
    [
        (b"\x00\xff\xfe", "a.txt", "byte 1: not UTF-8"),
        ("好".encode() * 400_000 + b"\xe5\xad", "a.txt", "not UTF-8"),
        (b'{"text": 3}\n', "a.jsonl", "line 1: has no text"),
        (b'"x"\n{"text"\n', "a.jsonl", "line 2: is not JSON"),
        (lzma.compress(b"a" * 9999)[:-30], "a.txt.xz", "cannot be read"),
        (b"no archive", "a.txt.gz", "cannot be read"),
    ],
)
def test_bad_files_are_named(content: bytes, name: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(pytok.CorpusError, match=re.escape(message)) as info:
        pytok.count_words(path)
    assert str(info.value).startswith(str(path))


def test_bad_inputs_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("a", encoding="utf-8")
    for inputs, message in [
        ([str(file)], "names a file"),
        ([3], r"inputs\[0\]: int"),
        (3, "inputs: int"),
        ("", "inputs: empty"),
        (["a", b"b"], r"inputs\[1\]: bytes"),
    ]:
        with pytest.raises(pytok.ConfigError, match=message):
            pytok.count_words(inputs)  # type: ignore[arg-type]
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "missing", tmp_path / "*.json", tmp_path / "empty"):
        with pytest.raises(pytok.CorpusError, match=str(path.name).replace("*", r"\*")):
            pytok.count_words(path)


# -------------------------------------------------------------- options and errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "wordpiece"}, "algorithm: 'wordpiece', expected one of 'hybrid'"),
        ({"vocab_size": 255}, "vocab_size: 255"),
        ({"vocab_size": 256, "special_tokens": ["<a>"]}, "vocab_size: 256"),
        ({"vocab_size": True}, "vocab_size: True"),
        ({"vocab_size": 2**40}, "vocab_size: 1099511627776"),
        ({"vocab_size": 1000.0}, "vocab_size: 1000.0"),
        ({"min_frequency": 0}, "min_frequency: 0"),
        ({"tau": -1}, "tau: -1"),
        ({"tau_c": -1}, "tau_c: -1"),
        (
            {"algorithm": "bpe", "tau_w": 2, "char_align": False},
            "tau_w: given with char_align=False",
        ),
        ({"char_align": False}, "char_align: False"),
        ({"tie": "hf"}, "tie: 'hf'"),
        ({"preset": "best"}, "preset: 'best', expected one of None, 'balanced'"),
        ({"algorithm": "bpe", "preset": "align"}, "preset: 'align', expected None"),
        ({"algorithm": "unigram", "preset": "align"}, "preset: 'align', expected None"),
        ({"algorithm": "bpe", "lam": 3}, "lam: 3, expected None"),
        ({"algorithm": "bpe", "refinement": 3}, "refinement: given with"),
        ({"algorithm": "bpe", "tie": "hf", "overshoot": 2}, "overshoot: above 1"),
        ({"lam": -1}, "lam: -1, expected a number from 0 to 1000"),
        ({"lam": float("nan")}, "lam: nan"),
        ({"lam": "3"}, "lam: '3'"),
        ({"lam": 100, "estimate": "soft"}, "lam: 100; expected a number from 0 to 64"),
        ({"boundary_prior": 1001}, "boundary_prior: 1001"),
        ({"segmenter": "thulac"}, "segmenter: 'thulac', expected"),
        ({"segmenter": None, "preset": "align"}, "segmenter: None, but there is"),
        ({"segmenter": "none", "boundary_prior": 3}, "segmenter: None, but there is"),
        ({"lexicon": 3}, "lexicon: 3"),
        ({"lexicon": ["a", 3]}, "lexicon[1]: 3"),
        ({"lexicon": "no/such/file"}, "lexicon: no/such/file: cannot be read"),
        ({"lexicon_prior": -1}, "lexicon_prior: -1"),
        ({"overshoot": 0.5}, "overshoot: 0.5"),
        ({"lexicon_prior": None}, "lexicon_prior: None"),
        ({"lexicon_prior": 5, "lexicon": None}, "lexicon_prior: 5, but there is no lexicon"),
        ({"lexicon_prior": 5, "segmenter": None}, "lexicon_prior: 5, but there is no lexicon"),
        ({"min_chars": 5, "max_chars": 2}, "max_chars: 2, expected at least min_chars, 5"),
        ({"unsegmented": [""]}, "unsegmented[0]: ''"),
        ({"refinement": 101}, "refinement: 101"),
        ({"estimate": "medium"}, "estimate: 'medium'"),
        ({"han_prefixes": 1}, "han_prefixes: 1"),
        ({"seed": -1}, "seed: -1"),
        ({"unsegmented": "classical/*"}, "unsegmented: 'classical/*'"),
        ({"max_chars": 0}, "max_chars: 0"),
        ({"span_bytes": (3, 2)}, "span_bytes"),
        ({"span_bytes": (1, 9)}, "span_bytes: 9"),
        ({"span_bytes": [1]}, "span_bytes"),
        ({"max_token_bytes": 3}, "max_token_bytes: 3"),
        ({"special_tokens": "<a>"}, "special_tokens: '<a>'"),
        ({"special_tokens": ["<a>", "<a>"]}, "special_tokens"),
        ({"special_tokens": [""]}, "special_tokens"),
        ({"special_tokens": ["a"]}, 'special_tokens: "a" is the piece of a byte'),
        ({"special_tokens": ["\ud800"]}, r"special_tokens[0]: unpaired surrogate"),
        ({"required_chars": 3}, "required_chars: 3"),
        ({"pretokenizer": "wide-open"}, 'pretokenizer: "wide-open"'),
        ({"pretokenizer": "("}, ""),
        ({"pretokenizer": {"type": "Nothing"}}, "pre_tokenizer"),
        ({"pretokenizer": 3}, "pretokenizer: 3"),
        ({"normalizer": "nfc"}, "normalizer: 'nfc'"),
        ({"normalizer": {"type": "Nothing"}}, "normalizer"),
        ({"digits": 2}, "digits: 2"),
        ({"digits": 1, "pretokenizer": r"\S+"}, "digits"),
        ({"tie": "random"}, "tie: 'random'"),
        ({"char_align": 1}, "char_align: 1"),
        ({"threads": 0}, "threads: 0"),
        ({"vocabsize": 1000}, "vocabsize: no such option"),
    ],
)
def test_bad_options_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(pytok.ConfigError) as info:
        pytok.TrainConfig.from_mapping(options)
    assert message in str(info.value)


def test_options_come_back_from_their_mapping() -> None:
    config = pytok.TrainConfig(
        vocab_size=300,
        special_tokens=["<a>"],
        span_bytes=[1, 6],
        normalizer={"type": "NFC"},
        segmenter=None,
        lexicon=["学而"],
    )
    assert pytok.TrainConfig.from_mapping(config.to_mapping()) == config
    with pytest.raises(AttributeError):
        config.tau = 3  # type: ignore[misc]


def test_a_normalizer_and_a_section_are_kept_in_the_file() -> None:
    config = pytok.TrainConfig(
        algorithm="bpe",
        vocab_size=257,
        normalizer={"type": "NFKC"},
        pretokenizer={"type": "WhitespaceSplit"},
    )
    tokenizer = pytok.train(["ＡＢ AB"], config).tokenizer
    file = json.loads(tokenizer._core.tokenizer_json())
    assert file["normalizer"] == {"type": "NFKC"}
    kinds = [part["type"] for part in file["pre_tokenizer"]["pretokenizers"]]
    assert kinds == ["WhitespaceSplit", "ByteLevel"]
    assert tokenizer.encode("ＡＢ").tokens == ["AB"]


def test_too_little_text_and_no_text_are_said() -> None:
    with pytest.raises(pytok.ConfigError, match="pairs for 257 pieces"):
        pytok.train(["ab"], pytok.TrainConfig(algorithm="bpe", vocab_size=1000))
    with pytest.raises(pytok.ConfigError, match="inputs: no text at all"):
        pytok.train([], pytok.TrainConfig(algorithm="bpe", vocab_size=257))
    with pytest.raises(pytok.ConfigError, match="nothing to train on"):
        pytok.train()
    assert (
        pytok.train([], pytok.TrainConfig(algorithm="bpe", vocab_size=256)).tokenizer.vocab_size
        == 256
    )


def test_counts_of_another_pre_tokenizer_are_refused() -> None:
    counts = pytok.count_words(["学"], pytok.TrainConfig(pretokenizer="han"))
    with pytest.raises(pytok.ConfigError, match="counts: made with different"):
        pytok.train(config=pytok.TrainConfig(algorithm="bpe", vocab_size=256), counts=counts)


def test_damaged_counts_are_named(tmp_path: Path) -> None:
    path = pytok.count_words(["学而时习之"]).save(tmp_path / "counts")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(pytok.FormatError, match="counts: not a valid word counts file"):
        pytok.WordCounts.read(path)
    with pytest.raises(pytok.CorpusError, match="missing"):
        pytok.WordCounts.read(tmp_path / "missing")
    with pytest.raises(pytok.ExportError, match="cannot write"):
        pytok.count_words([]).save(tmp_path / "no" / "folder")
    assert [entry.name for entry in tmp_path.iterdir()] == ["counts"]


def test_counts_have_the_rights_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    path = pytok.count_words(["学而时习之"]).save(tmp_path / "counts")
    assert path.stat().st_mode == (tmp_path / "plain").stat().st_mode
    path.chmod(0o640)
    pytok.count_words(["不亦说乎"]).save(path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_counts_of_many_threads_do_not_meet(tmp_path: Path) -> None:
    counts = pytok.count_words(["学而时习之"])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: counts.save(tmp_path / "counts"), range(64)))
    assert pytok.WordCounts.read(tmp_path / "counts") == counts
    assert [entry.name for entry in tmp_path.iterdir()] == ["counts"]


# ----------------------------------------------------------------------- progress


def test_progress_goes_forward_and_what_it_raises_ends_the_run() -> None:
    texts = read(KINDS["news"])
    config = pytok.TrainConfig(algorithm="bpe", vocab_size=1200)
    events: list[pytok.TrainProgress] = []
    pytok.train(texts, config, on_progress=events.append)
    stages = [event.stage for event in events]
    assert [stage for stage, after in pairwise([*stages, ""]) if stage != after][:2] == [
        "count",
        "cut",
    ]
    merges = [event for event in events if event.stage == "merges"]
    assert merges[-1].done == merges[-1].total == 1200

    class StopError(Exception):
        pass

    for stage in ("count", "cut", "pairs", "merges"):

        def stop(event: pytok.TrainProgress, at: str = stage) -> None:
            if event.stage == at:
                raise StopError

        with pytest.raises(StopError):
            pytok.train(texts, config, on_progress=stop)


def test_an_interrupt_ends_the_run() -> None:
    import signal
    import threading

    # A shell's background jobs ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupt(event: pytok.TrainProgress) -> None:
        if event.stage == "merges" and threading.current_thread() is threading.main_thread():
            signal.raise_signal(signal.SIGINT)

    try:
        with pytest.raises(KeyboardInterrupt):
            pytok.train(
                read(KINDS["news"]),
                pytok.TrainConfig(algorithm="bpe", vocab_size=1200),
                on_progress=interrupt,
            )
    finally:
        signal.signal(signal.SIGINT, before)


def test_texts_that_fail_half_way_fail_the_run() -> None:
    def texts() -> Iterator[str]:
        yield "a"
        raise RuntimeError("the source broke")

    with pytest.raises(RuntimeError, match="the source broke"):
        pytok.train(texts(), pytok.TrainConfig(algorithm="bpe", vocab_size=256))
