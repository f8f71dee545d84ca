"""Folders that are half-written, newer than this version, or at odds with themselves."""

import json

import pytest

transformers = pytest.importorskip("transformers")

from small import ROLES, small_backend  # noqa: E402

import pytok  # noqa: E402
from pytok.hf import PytokTokenizer  # noqa: E402


@pytest.fixture
def folder(tmp_path):
    PytokTokenizer(tokenizer_object=small_backend(), **ROLES).save_pretrained(tmp_path)
    return tmp_path


def halve(path):
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def edit(path, change):
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "pytok.json"])
@pytest.mark.parametrize("damage", [halve, lambda path: path.write_text("")], ids=["half", "empty"])
def test_a_file_that_is_not_whole_is_named(folder, name, damage):
    damage(folder / name)
    with pytest.raises(pytok.FormatError, match=f"{name}: "):
        PytokTokenizer.from_pretrained(folder)


def test_settings_that_are_no_object_are_named(folder):
    (folder / "tokenizer_config.json").write_text("[]")
    with pytest.raises(pytok.FormatError, match=r"tokenizer_config\.json: a list, expected"):
        PytokTokenizer.from_pretrained(folder)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda content: content.update(version="2.0"), "version"),
        (lambda content: content.update(normalizer={"type": "NFKX"}), "NFKX"),
        (lambda content: content["model"].update(type="Better"), "Better"),
    ],
)
def test_what_a_newer_version_wrote_is_named(folder, change, what):
    edit(folder / "tokenizer.json", change)
    with pytest.raises(pytok.FormatError, match=rf"tokenizer\.json: .*{what}"):
        PytokTokenizer.from_pretrained(folder)


def test_a_newer_file_of_our_own_is_named(folder):
    edit(folder / "pytok.json", lambda content: content.update(version=99))
    with pytest.raises(pytok.FormatError, match=r"pytok\.json: version: 99"):
        PytokTokenizer.from_pretrained(folder)


@pytest.mark.parametrize(("token_id", "content"), [(900, "<hole>"), (3, "<clash>"), (7, "<s>")])
def test_special_tokens_that_leave_holes_or_clash_are_named(folder, token_id, content):
    token = {"id": token_id, "content": content}
    (folder / "tokenizer_config.json").unlink()
    edit(
        folder / "tokenizer.json",
        lambda whole: whole["added_tokens"].append(whole["added_tokens"][0] | token),
    )
    with pytest.raises(pytok.FormatError, match=f"'{content}' has id {token_id}"):
        PytokTokenizer.from_pretrained(folder)


def test_one_of_the_two_files_is_enough(folder):
    ids = PytokTokenizer.from_pretrained(folder)("学而")["input_ids"]
    (folder / "tokenizer.json").rename(folder / "aside")
    assert PytokTokenizer.from_pretrained(folder)("学而")["input_ids"] == ids
    (folder / "aside").rename(folder / "tokenizer.json")
    (folder / "pytok.json").unlink()
    assert PytokTokenizer.from_pretrained(folder)("学而")["input_ids"] == ids


def test_a_folder_without_a_tokenizer_says_what_was_expected(tmp_path):
    (tmp_path / "tokenizer_config.json").write_text("{}")
    with pytest.raises(pytok.TokenizerNotFoundError, match=r"tokenizer\.json"):
        PytokTokenizer.from_pretrained(tmp_path)


def test_files_that_disagree_are_warned_of(folder):
    other = pytok.Tokenizer.from_pretrained("zh-32k")
    (folder / "pytok.json").write_bytes(other._core.pytok_json())
    with pytest.warns(UserWarning, match=r"pytok\.json: .* in tokenizer\.json, which is used"):
        tokenizer = PytokTokenizer.from_pretrained(folder)
    assert len(tokenizer) == small_backend().get_vocab_size()


def test_saving_that_fails_leaves_the_folder_as_it_was(folder, monkeypatch):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    tokenizer = PytokTokenizer.from_pretrained(folder)
    tokenizer.add_tokens(["新词"])

    def fail(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pytok.hf.saving.settle_config", fail)
    with pytest.raises(pytok.errors.ExportError, match="cannot be written: No space"):
        tokenizer.save_pretrained(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
