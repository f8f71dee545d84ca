import json
from pathlib import Path

import pytest
import sample_files
import sentencepiece
import tokenizers

import pytok

FILES = ["pytok.json", "tokenizer.json", "tokenizer_config.json"]


@pytest.fixture(scope="module")
def sentencepiece_file(tmp_path_factory):
    """A SentencePiece model, which tokenizer.json cannot represent exactly."""
    folder = tmp_path_factory.mktemp("sentencepiece")
    text = folder / "text.txt"
    text.write_text("学而时习之，不亦说乎？\n有朋自远方来，不亦乐乎？\nhello world\n" * 20)
    sentencepiece.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(folder / "m"), vocab_size=31, minloglevel=2
    )
    return folder / "m.model"


def contents(folder: Path) -> dict[str, bytes]:
    return {entry.name: entry.read_bytes() for entry in folder.iterdir()}


def test_a_saved_folder_loads_equal(tokenizer, tmp_path):
    folder = tokenizer.save(tmp_path / "new" / "folder")
    assert folder == tmp_path / "new" / "folder"
    assert sorted(contents(folder)) == FILES
    again = pytok.Tokenizer.from_pretrained(folder)
    assert again == tokenizer
    assert again.sha256 == tokenizer.sha256
    assert [entry.name for entry in (tmp_path / "new").iterdir()] == ["folder"]


def test_each_saved_file_alone_gives_the_same_ids(tokenizer, tmp_path):
    folder = tokenizer.save(str(tmp_path))
    text = "学而时习之，不亦说乎？ def f(x): 龘"
    for name in ("pytok.json", "tokenizer.json"):
        assert pytok.Tokenizer.from_file(folder / name).encode_ids(text) == tokenizer.encode_ids(
            text
        )
    reference = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    assert reference.encode(text).ids == tokenizer.encode_ids(text)


def test_the_saved_configuration_is_for_transformers(tokenizer, tmp_path):
    tokenizer.save(tmp_path)
    config = json.loads((tmp_path / "tokenizer_config.json").read_text())
    tokens = {str(token.id): token for token in tokenizer.added_tokens}
    written = config.pop("added_tokens_decoder")
    assert {number: token["content"] for number, token in written.items()} == {
        number: token.content for number, token in tokens.items()
    }
    assert all(token["special"] and not token["normalized"] for token in written.values())
    assert config == {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
        "pad_token": "<|pad|>",
        "eos_token": "<|endoftext|>",
    }


def test_a_role_is_written_for_special_tokens_alone(tmp_path):
    words = sample_files.words_bytes({"<unk>": 0, "学而": 1})
    (tmp_path / "tokenizer.json").write_bytes(words)
    plain = pytok.Tokenizer.from_file(tmp_path / "tokenizer.json")
    special = plain.add_tokens(["[MASK]", "<s>"], special=True).add_tokens(["</s>"])
    special.save(tmp_path / "saved")
    config = json.loads((tmp_path / "saved" / "tokenizer_config.json").read_text())
    roles = {key: value for key, value in config.items() if key.endswith("_token")}
    assert roles == {"mask_token": "[MASK]", "bos_token": "<s>"}


def test_saving_is_deterministic_and_keeps_other_files(tokenizer, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    tokenizer.save(tmp_path)
    first = contents(tmp_path)
    tokenizer.save(tmp_path)
    assert contents(tmp_path) == first
    assert first["notes.txt"] == b"mine"


@pytest.mark.parametrize("maker", ["bert", "words", "ranks"])
def test_every_kind_of_tokenizer_comes_back(tmp_path, maker):
    content, options = {
        "bert": (sample_files.bert_bytes(), {}),
        "words": (sample_files.words_bytes({"<unk>": 0, "学而": 1}), {}),
        "ranks": (sample_files.ranks_bytes(), {"pattern": r"\S+|\s+"}),
    }[maker]
    path = tmp_path / "file"
    path.write_bytes(content)
    original = pytok.Tokenizer.from_file(path, **options)
    original.save(tmp_path / "saved")
    assert pytok.Tokenizer.from_pretrained(tmp_path / "saved") == original


def test_a_sentencepiece_model_is_saved_as_it_was(sentencepiece_file, tmp_path):
    original = pytok.Tokenizer.from_file(sentencepiece_file)
    folder = original.save(tmp_path / "saved")
    assert sorted(contents(folder)) == ["pytok.json", "tokenizer.model"]
    assert (folder / "tokenizer.model").read_bytes() == sentencepiece_file.read_bytes()
    again = pytok.Tokenizer.from_pretrained(folder)
    assert again == original
    assert again.encode_ids("学而时习之") == original.encode_ids("学而时习之")


def test_ranks_are_saved_as_a_rank_file_unless_pieces_are_out_of_use(tmp_path):
    path = tmp_path / "made.tiktoken"
    path.write_bytes(sample_files.ranks_bytes())
    original = pytok.Tokenizer.from_file(path, pattern=r"\S+|\s+")
    folder = original.save(tmp_path / "saved")
    assert sorted(contents(folder)) == ["pytok.json", "tokenizer.tiktoken"]
    again = pytok.Tokenizer.from_file(folder / "tokenizer.tiktoken", pattern=r"\S+|\s+")
    assert again == original
    short = original.with_max_span(1)
    assert short != original
    assert sorted(contents(short.save(tmp_path / "short"))) == ["pytok.json"]


def test_another_tokenizers_file_is_not_left_beside_it(sentencepiece_file, tokenizer, tmp_path):
    model = pytok.Tokenizer.from_file(sentencepiece_file)
    ranks = tmp_path / "made.tiktoken"
    ranks.write_bytes(sample_files.ranks_bytes())
    saved = {
        "tokenizer.json": tokenizer,
        "tokenizer.model": model,
        "tokenizer.tiktoken": pytok.Tokenizer.from_file(ranks, pattern=r"\S+|\s+"),
    }
    for name, owner in saved.items():
        folder = owner.save(tmp_path / name)
        before = contents(folder)
        for other in saved.values():
            if other is owner:
                continue
            with pytest.raises(pytok.ExportError, match=f"holds the {name} of another tokenizer"):
                other.save(folder)
        assert contents(folder) == before
    # Its file is written again, even as that of another vocabulary.
    assert model.with_max_span(1).save(tmp_path / "tokenizer.model").is_dir()


def test_a_file_is_not_replaced_by_a_folder(tokenizer, tmp_path):
    path = tmp_path / "file"
    path.write_text("mine")
    for target in (path, path / "below"):
        with pytest.raises(pytok.ExportError, match=str(path)):
            tokenizer.save(target)
    assert contents(tmp_path) == {"file": b"mine"}


def test_a_failure_leaves_nothing_half_written(tokenizer, tmp_path, monkeypatch):
    def refuse(self, mode):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(pytok.ExportError, match="cannot be written: No space left on device"):
        tokenizer.save(tmp_path / "folder")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_and_the_file_it_leads_to_is_replaced(tokenizer, tmp_path):
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text("{}")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "pytok.json").symlink_to(elsewhere)
    tokenizer.save(folder)
    assert (folder / "pytok.json").is_symlink()
    assert pytok.Tokenizer.from_file(elsewhere) == tokenizer
    assert {path.name for path in folder.iterdir()} == {
        "pytok.json",
        "tokenizer.json",
        "tokenizer_config.json",
    }
