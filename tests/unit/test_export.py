"""`pytok.export`: what is written is what the target's own library loads."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tiktoken
import tokenizers
from hypothesis import given
from hypothesis import strategies as st
from llama_model import llama_cpp

import pytok
from pytok import zh
from pytok.exporting import plan_export
from pytok.exporting.parts import BYTE_CHARACTERS, Parts
from pytok.exporting.patterns import GPT2, for_tiktoken, for_tokenizers
from pytok.exporting.pre_types import patterns_of
from pytok.exporting.probes import probes
from pytok.exporting.ranks import merges_of, order_doubt
from pytok.exporting.to_tiktoken import plan_tiktoken

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
TEXT = "学而时习之，不亦说乎？It's 12345 <|end|> wow\n\n  x"


@pytest.fixture(scope="module")
def bpe() -> pytok.Tokenizer:
    """A byte-level BPE of our own, with two special tokens."""
    config = pytok.TrainConfig(
        algorithm="bpe", vocab_size=1500, special_tokens=["<|end|>", "<|pad|>"]
    )
    return pytok.train(CORPORA / "news", config).tokenizer


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory, bpe: pytok.Tokenizer) -> pytok.Tokenizer:
    """The same pieces as tiktoken has them."""
    folder = tmp_path_factory.mktemp("ranks")
    pytok.export(bpe, folder, to="tiktoken")
    return pytok.Tokenizer.from_pretrained(folder)


def llama(merges: list[tuple[str, str]]) -> pytok.Tokenizer:
    """A BPE over characters with byte fallback, as the tokenizer.json of Llama 2."""
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    pieces += [left + right for left, right in merges] + list("▁学而时习之不亦说乎abc")
    added = [
        {
            "id": number,
            "content": pieces[number],
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for number in range(3)
    ]
    content: dict[str, Any] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ],
        },
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": "<unk>",
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": True,
            "byte_fallback": True,
            "ignore_merges": False,
            "vocab": {piece: number for number, piece in enumerate(pieces)},
            "merges": [list(pair) for pair in merges],
        },
    }
    core = pytok._pytok.Tokenizer.load(json.dumps(content).encode())
    return pytok.Tokenizer._of(core, "llama")


MERGES = [("▁", "学"), ("时", "习"), ("时习", "之"), ("a", "b"), ("▁", "ab")]


class TestTiktoken:
    def test_the_library_gives_the_same_ids(self, bpe: pytok.Tokenizer, tmp_path: Path) -> None:
        report = pytok.export(bpe, tmp_path, to="tiktoken", verify=CORPORA)
        assert report.exact
        assert not report.losses
        assert [check.differing for check in report.checks] == [0]
        assert report.checks[0].characters > 80_000
        settings = json.loads((tmp_path / "tiktoken.json").read_text("utf-8"))
        lines = (tmp_path / "tokenizer.tiktoken").read_bytes().splitlines()
        pieces = {base64.b64decode(a): int(b) for a, b in map(bytes.split, lines)}
        library = tiktoken.Encoding(
            "x",
            pat_str=settings["pat_str"],
            mergeable_ranks=pieces,
            special_tokens=settings["special_tokens"],
        )
        expected = bpe.encode_ids(TEXT, special="special")
        assert library.encode(TEXT, allowed_special="all") == expected
        assert library.encode_ordinary(TEXT) == bpe.encode_ids(TEXT, special="text")

    def test_pytok_loads_it_without_being_told_the_pattern(
        self, bpe: pytok.Tokenizer, ranks: pytok.Tokenizer
    ) -> None:
        assert ranks.library == "tiktoken"
        assert ranks.control_tokens == bpe.control_tokens
        for text in (TEXT, *(path.read_text("utf-8") for path in CORPORA.glob("*/*.txt"))):
            assert ranks.encode_ids(text, special="text") == bpe.encode_ids(text, special="text")

    def test_a_damaged_neighbour_is_refused(self, bpe: pytok.Tokenizer, tmp_path: Path) -> None:
        pytok.export(bpe, tmp_path, to="tiktoken")
        (tmp_path / "tiktoken.json").write_text('{"pat_str": 1, "special_tokens": {}}')
        with pytest.raises(pytok.FormatError, match=r"tiktoken\.json: expected pat_str"):
            pytok.Tokenizer.from_pretrained(tmp_path)

    def test_a_unigram_model_is_refused_and_the_fallback_named(
        self, tokenizer: pytok.Tokenizer, tmp_path: Path
    ) -> None:
        with pytest.raises(pytok.ExportError, match="scores") as caught:
            pytok.export(tokenizer, tmp_path / "out", to="tiktoken")
        assert "--algorithm bpe" in str(caught.value.hint)
        assert not (tmp_path / "out").exists()

    def test_what_differs_is_measured_when_it_is_allowed(
        self, tokenizer: pytok.Tokenizer, tmp_path: Path
    ) -> None:
        report = pytok.export(
            tokenizer, tmp_path, to="tiktoken", verify=CORPORA, allow_inexact=True
        )
        (check,) = report.checks
        assert not report.exact
        assert 0 < check.differing <= check.texts
        assert check.share == check.differing / check.texts
        assert check.first is not None
        assert (tmp_path / "tokenizer.tiktoken").exists()
        assert json.loads(json.dumps(report.to_json()))["checks"][0]["share"] == check.share

    def test_a_normalizer_and_flags_are_named(self, tokenizer: pytok.Tokenizer) -> None:
        added = tokenizer.add_tokens([pytok.AddedToken("<x>", lstrip=True, special=True)])
        with_steps = added.with_normalizer(zh.Pipeline(["width"]))
        inexact = plan_export(with_steps, "tiktoken").inexact
        assert any("pytok.zh" in reason for reason in inexact)
        assert any("lstrip" in reason and "<x>" in reason for reason in inexact)

    def test_one_special_token_that_begins_with_another(self, bpe: pytok.Tokenizer) -> None:
        longer = bpe.add_tokens([pytok.AddedToken("<|end|>!", special=True)])
        assert any("found first" in reason for reason in plan_export(longer, "tiktoken").inexact)


class TestRanksAndMerges:
    """The rule by which merges and ranks are the same, and what breaks it."""

    @staticmethod
    def doubt(ranks: dict[str, int], merges: list[tuple[str, str]]) -> str | None:
        return order_doubt(ranks, merges, lambda piece: len(piece) == 1, False)

    def test_in_order(self) -> None:
        ranks = {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4}
        assert self.doubt(ranks, [("a", "b"), ("ab", "c")]) is None

    def test_out_of_order(self) -> None:
        ranks = {"a": 0, "b": 1, "c": 2, "bc": 3, "ab": 4}
        assert "order of merges" in str(self.doubt(ranks, [("a", "b"), ("b", "c")]))

    def test_a_piece_without_a_merge(self) -> None:
        assert "'ab'" in str(self.doubt({"a": 0, "b": 1, "ab": 2}, []))

    def test_a_merge_that_is_not_the_one_that_ranks_make(self) -> None:
        ranks = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5}
        wrong = [("a", "b"), ("b", "c"), ("a", "bc")]
        assert "'abc'" in str(self.doubt(ranks, wrong))

    def test_pieces_out_of_reach_get_each_pair(self) -> None:
        ranks = {"a": 0, "b": 1, "c": 2, "abc": 3, "ab": 4, "bc": 5}
        merges = [("a", "bc"), ("ab", "c"), ("a", "b"), ("b", "c")]
        assert merges_of(ranks) == (merges, 1)


NAMES = ["gpt2", "cl100k", "o200k", "qwen", "kimi-k2", "llama3"]


@pytest.fixture(scope="module")
def by_name(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pytok.Tokenizer]:
    """The bytes alone, under the patterns of published encodings."""
    path = tmp_path_factory.mktemp("bytes") / "bytes.tiktoken"
    lines = (base64.b64encode(bytes([byte])) + f" {byte}\n".encode() for byte in range(256))
    path.write_bytes(b"".join(lines))
    return {name: pytok.Tokenizer.from_file(path, encoding=name) for name in NAMES}


def words_of(tokenizer: pytok.Tokenizer, text: str) -> list[str]:
    """The words that a text is cut into."""
    encoding = tokenizer.encode(text, special="text")
    spans: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True):
        assert word is not None
        spans[word] = (min(start, spans.get(word, (start, end))[0]), end)
    return [text[start:end] for start, end in spans.values()]


class TestPatterns:
    @given(
        st.sampled_from(NAMES),
        st.text(
            alphabet="aBſsStTK\u212a'12 \n\r\t\x85\u200b中ー\u3000é\u0301!Ａ/ß²Ⅷ😀", max_size=30
        )
        | st.text(max_size=12),
    )
    def test_both_engines_cut_alike(
        self, by_name: dict[str, pytok.Tokenizer], name: str, text: str
    ) -> None:
        tokenizer = by_name[name]
        stage = Parts.of(tokenizer).pre_tokenizer
        assert stage is not None
        written = for_tokenizers(stage["pattern"]["Regex"])
        assert written is not None
        splitter = tokenizers.pre_tokenizers.Split(tokenizers.Regex(written), "isolated")
        words = [word for word, _ in splitter.pre_tokenize_str(text)]
        assert words == words_of(tokenizer, text)

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("text", ["1234567", "x  \n\n y \n", "中 \n", "I'LL 'ſ don't"])
    def test_where_the_dialects_differ(
        self, by_name: dict[str, pytok.Tokenizer], name: str, text: str
    ) -> None:
        stage = Parts.of(by_name[name]).pre_tokenizer
        assert stage is not None
        regex = tokenizers.Regex(str(for_tokenizers(stage["pattern"]["Regex"])))
        splitter = tokenizers.pre_tokenizers.Split(regex, "isolated")
        words = [word for word, _ in splitter.pre_tokenize_str(text)]
        assert words == words_of(by_name[name], text)

    def test_what_is_doubtful(self) -> None:
        assert for_tiktoken(r"\p{N}{1,3}+|x") is None
        assert for_tiktoken(r"^a") is None
        assert for_tiktoken(r"[^a]$") is None
        assert for_tiktoken(r"[^a$]\$") == r"[^a$]\$"
        assert for_tokenizers(r"\bword\b") is None


class TestHuggingFace:
    def test_ranks_become_merges(self, ranks: pytok.Tokenizer, tmp_path: Path) -> None:
        pytest.importorskip("transformers")
        report = pytok.export(ranks, tmp_path, to="hf", verify=CORPORA)
        assert report.exact
        assert [check.differing for check in report.checks] == [0, 0]
        backend = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
        assert backend.encode(TEXT).ids == ranks.encode_ids(TEXT, special="special")

    def test_profiles(self, tokenizer: pytok.Tokenizer, tmp_path: Path) -> None:
        pytest.importorskip("transformers")
        portable = pytok.export(tokenizer, tmp_path / "a", to="hf")
        native = pytok.export(tokenizer, tmp_path / "b", to="hf", profile="native")
        names = {path.name for path in portable.files}
        assert names == {"tokenizer.json", "tokenizer_config.json"}
        assert {path.name for path in native.files} - names == {
            "pytok.json",
            "tokenization_pytok.py",
        }
        assert "TokenizersBackend" in portable.checks[1].library or "Fast" in (
            portable.checks[1].library
        )
        assert "PytokTokenizer" in native.checks[1].library

    def test_a_profile_is_for_this_target_only(self, tokenizer: pytok.Tokenizer) -> None:
        with pytest.raises(pytok.ConfigError, match="hf only"):
            plan_export(tokenizer, "tiktoken", "native")
        with pytest.raises(pytok.ConfigError, match="'portable' or 'native'"):
            plan_export(tokenizer, "hf", "vllm")


class TestSentencePiece:
    def test_a_bpe_over_characters(self, tmp_path: Path) -> None:
        tokenizer = llama(MERGES)
        report = pytok.export(tokenizer, tmp_path, to="sentencepiece", verify=CORPORA)
        assert report.exact
        assert report.checks[0].differing == 0
        library = sentencepiece.SentencePieceProcessor(str(tmp_path / "tokenizer.model"))
        text = "学而时习之 ab 龘"
        assert library.encode(text) == tokenizer.encode_ids(text)
        again = pytok.Tokenizer.from_pretrained(tmp_path)
        assert again.encode_ids(text) == tokenizer.encode_ids(text)

    def test_merges_that_scores_cannot_say(self) -> None:
        tokenizer = llama([("时习", "之"), ("时", "习")])
        inexact = plan_export(tokenizer, "sentencepiece").inexact
        assert any("时习之" in reason for reason in inexact)

    def test_pieces_inside_a_character_and_the_pattern_are_named(
        self, tokenizer: pytok.Tokenizer, tmp_path: Path
    ) -> None:
        with pytest.raises(pytok.ExportError) as caught:
            pytok.export(tokenizer, tmp_path, to="sentencepiece")
        assert "end inside a character" in str(caught.value)
        assert "the pattern" in str(caught.value)

    def test_a_unigram_of_tokenizers_is_refused_by_name(self, tmp_path: Path) -> None:
        """As the tokenizer.json of T5 has it: Metaspace and scores in double precision."""
        pieces = [("<unk>", 0.0), ("▁", -2.0), ("▁学", -3.0), ("学", -4.0), ("而", -4.0)]
        backend = tokenizers.Tokenizer(tokenizers.models.Unigram(pieces, 0, False))
        backend.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
        core = pytok._pytok.Tokenizer.load(backend.to_str().encode())
        unigram = pytok.Tokenizer._of(core, "t5")
        with pytest.raises(pytok.ExportError, match="double precision") as caught:
            pytok.export(unigram, tmp_path / "out", to="sentencepiece")
        assert "each word is encoded apart (Metaspace)" in str(caught.value)
        assert not (tmp_path / "out").exists()
        report = pytok.export(
            unigram, tmp_path, to="sentencepiece", verify=["学而", " 学"], allow_inexact=True
        )
        (check,) = report.checks
        # No second space before a space; SentencePiece puts one.
        assert (check.differing, check.texts) == (1, 2)

    def test_added_control_tokens_of_a_model(self, tmp_path: Path) -> None:
        pytok.export(llama(MERGES), tmp_path / "a", to="sentencepiece")
        tokenizer = pytok.Tokenizer.from_pretrained(tmp_path / "a")
        more = tokenizer.add_tokens([pytok.AddedToken("<|tool|>", special=True)])
        report = pytok.export(more, tmp_path / "b", to="sentencepiece")
        assert report.exact
        library = sentencepiece.SentencePieceProcessor(str(tmp_path / "b/tokenizer.model"))
        assert library.id_to_piece(more.token_to_id("<|tool|>")) == "<|tool|>"


class TestTekken:
    def test_ids_change_only_when_that_is_said(self, bpe: pytok.Tokenizer, tmp_path: Path) -> None:
        with pytest.raises(pytok.ExportError, match="all ids would change") as caught:
            pytok.export(bpe, tmp_path / "out", to="tekken")
        assert "--renumber" in str(caught.value.hint)
        assert not (tmp_path / "out").exists()
        report = pytok.export(bpe, tmp_path, to="tekken", renumber=True, verify=CORPORA)
        assert report.checks[0].differing == 0
        assert report.renumbered == bpe.vocab_size
        new = json.loads((tmp_path / "id_map.json").read_text())
        again = pytok.Tokenizer.from_pretrained(tmp_path)
        ids = bpe.encode_ids(TEXT, special="text")
        assert again.encode_ids(TEXT, special="text") == [new[str(token)] for token in ids]
        assert again.decode(again.encode_ids(TEXT, special="text")) == TEXT

    def test_a_file_of_its_own_is_not_renumbered(
        self, bpe: pytok.Tokenizer, tmp_path: Path
    ) -> None:
        pytok.export(bpe, tmp_path / "a", to="tekken", renumber=True)
        report = pytok.export(
            pytok.Tokenizer.from_pretrained(tmp_path / "a"), tmp_path / "b", to="tekken"
        )
        assert report.renumbered == 0
        assert [path.name for path in report.files] == ["tekken.json"]


class TestGguf:
    """The patterns that llama.cpp has, with llama.cpp itself where it is installed."""

    @pytest.mark.parametrize("name", ["qwen2", "llama-bpe", "gpt-2"])
    def test_llama_cpp_gives_the_same_ids(self, tmp_path: Path, name: str) -> None:
        (pattern,) = patterns_of(name) if name != "gpt-2" else (GPT2,)
        config = pytok.TrainConfig(
            algorithm="bpe",
            vocab_size=1200,
            pretokenizer=pattern,
            special_tokens=["<|endoftext|>", "<|end|>"],
        )
        tokenizer = pytok.train(CORPORA / "code", config).tokenizer
        report = pytok.export(tokenizer, tmp_path, to="gguf", verify=CORPORA)
        assert report.exact
        assert ["Unicode 16" in loss for loss in report.losses] == [True]
        assert all(check.same and check.characters > 80_000 for check in report.checks)
        pytest.importorskip("cyllama")
        encode = llama_cpp(tmp_path / "tokenizer.gguf", tmp_path)
        text = "<|end|>".join(chr(code) + "a\u3000" for code in range(0x20, 0x3100, 29))
        for part in (TEXT, text, *probes(tokenizer)[::5]):
            assert encode(part, True) == tokenizer.encode_ids(part, special="special")
            assert encode(part, False) == tokenizer.encode_ids(part, special="text")

    def test_a_sentencepiece_bpe(self, tmp_path: Path) -> None:
        pytok.export(llama(MERGES), tmp_path / "a", to="sentencepiece")
        tokenizer = pytok.Tokenizer.from_pretrained(tmp_path / "a")
        report = pytok.export(tokenizer, tmp_path / "b", to="gguf", verify=CORPORA)
        assert report.exact
        pytest.importorskip("cyllama")
        encode = llama_cpp(tmp_path / "b" / "tokenizer.gguf", tmp_path)
        for text in ("学而时习之 ab 龘", "  ab", "", " ", *probes(tokenizer)):
            assert encode(text, False) == tokenizer.encode_ids(text)

    def test_a_pattern_without_a_name_is_refused(self, tmp_path: Path) -> None:
        config = pytok.TrainConfig(algorithm="bpe", vocab_size=400, pretokenizer="han")
        tokenizer = pytok.train(CORPORA / "news", config).tokenizer
        with pytest.raises(pytok.ExportError, match="no pre-type for the patterns"):
            pytok.export(tokenizer, tmp_path / "out", to="gguf")

    def test_no_end_of_text_is_said(self) -> None:
        config = pytok.TrainConfig(algorithm="bpe", vocab_size=400, special_tokens=["<x>"])
        tokenizer = pytok.train(CORPORA / "news", config).tokenizer
        assert any("token 11" in loss for loss in plan_export(tokenizer, "gguf").losses)


class TestWriting:
    def test_a_difference_leaves_nothing_behind(
        self, bpe: pytok.Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def wrong(parts: Any) -> Any:
            plan = plan_tiktoken(parts)
            lines = plan.files["tokenizer.tiktoken"].splitlines()
            words = [line.split() for line in lines]
            (words[400][0], words[401][0]) = (words[401][0], words[400][0])
            swapped = b"".join(b" ".join(pair) + b"\n" for pair in words)
            files = {**plan.files, "tokenizer.tiktoken": swapped}
            return type(plan)(**{**vars(plan), "files": files})

        monkeypatch.setattr("pytok.exporting.run.plan_tiktoken", wrong)
        with pytest.raises(pytok.ExportError, match="gives other ids, first at"):
            pytok.export(bpe, tmp_path / "out", to="tiktoken", verify=CORPORA)
        assert not (tmp_path / "out").exists()

    def test_a_tokenizer_that_would_be_loaded_instead(
        self, bpe: pytok.Tokenizer, tmp_path: Path
    ) -> None:
        bpe.save(tmp_path)
        with pytest.raises(pytok.ExportError, match="of another tokenizer"):
            pytok.export(bpe, tmp_path, to="tiktoken")
        with pytest.raises(pytok.ExportError, match=r"pytok\.json of another"):
            pytok.export(bpe, tmp_path, to="hf")

    def test_a_missing_corpus_is_said_first(self, bpe: pytok.Tokenizer, tmp_path: Path) -> None:
        with pytest.raises(pytok.CorpusError, match="no such file"):
            pytok.export(bpe, tmp_path / "out", to="tiktoken", verify=tmp_path / "none.txt")

    def test_a_missing_library_is_named(
        self, bpe: pytok.Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(__import__("sys").modules, "tiktoken", None)
        with pytest.raises(pytok.ExportError, match="needs tiktoken") as caught:
            pytok.export(bpe, tmp_path / "out", to="tiktoken")
        assert "[export]" in str(caught.value.hint)

    def test_an_unknown_target(self, bpe: pytok.Tokenizer) -> None:
        with pytest.raises(pytok.ConfigError, match="to: 'onnx', expected one of hf"):
            plan_export(bpe, "onnx")


def test_the_byte_alphabet_is_that_of_the_library() -> None:
    assert sorted(BYTE_CHARACTERS) == sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
