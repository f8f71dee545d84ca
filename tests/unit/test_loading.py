import gzip
import json
import lzma
import sys
import types
from pathlib import Path

import pytest
import sample_files

import pytok
from pytok import _files, _hub

PACKAGE = Path(pytok.__file__).parent
EMBEDDED = PACKAGE / "data" / "zh-32k" / "tokenizer.json"


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """No test of this file may reach the hub by accident."""
    module = types.ModuleType("huggingface_hub")
    monkeypatch.setitem(sys.modules, "huggingface_hub", module)


# ------------------------------------------------------------------ files and folders


def test_a_file_is_loaded_whatever_its_name(tmp_path, tokenizer):
    path = tmp_path / "whatever.bin"
    path.write_bytes(EMBEDDED.read_bytes())
    for argument in (path, str(path)):
        assert pytok.Tokenizer.from_file(argument) == tokenizer
        assert pytok.Tokenizer.from_pretrained(argument) == tokenizer
    assert pytok.Tokenizer.from_file(path).name == "whatever.bin"


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_packed_files_are_opened(tmp_path, pack):
    path = tmp_path / "tokenizer.json.packed"
    path.write_bytes(pack(sample_files.bert_bytes()))
    assert pytok.Tokenizer.from_file(path).encode_ids("学") == [2, 4, 3]


def test_a_folder_gives_its_first_known_format(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "notes.txt").write_text("not a tokenizer")
    (folder / "a.tiktoken").write_bytes(sample_files.ranks_bytes())
    options = {"pattern": r"\S+|\s+"}
    ranks = pytok.Tokenizer.from_pretrained(folder, **options)
    assert (ranks.name, len(ranks)) == ("mine", 259)
    (folder / "tokenizer.json").write_bytes(sample_files.bert_bytes())
    bert = pytok.Tokenizer.from_pretrained(folder)
    assert len(bert) == 18
    ranks.save(tmp_path / "other")
    (folder / "pytok.json").write_bytes((tmp_path / "other" / "pytok.json").read_bytes())
    assert pytok.Tokenizer.from_pretrained(folder) == ranks


def test_an_existing_path_wins_over_an_embedded_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("zh-32k").mkdir()
    Path("zh-32k/tokenizer.json").write_bytes(sample_files.bert_bytes())
    assert len(pytok.Tokenizer.from_pretrained("zh-32k")) == 18


def test_embedded_names_are_loaded_without_the_network():
    assert "zh-32k" in _hub.embedded_names()
    for name in _hub.embedded_names():
        assert pytok.Tokenizer.from_pretrained(name).name == name


# ------------------------------------------------------------------ rank files


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("cl100k_base.tiktoken", "cl100k"),
        ("o200k_base.tiktoken.xz", "o200k"),
        ("p50k_base.tiktoken", "p50k"),
        ("r50k_base.tiktoken", "r50k"),
        ("gpt2.tiktoken", "gpt2"),
        ("Qwen.tiktoken", "qwen"),
        ("kimi_k2.tiktoken.xz", "kimi-k2"),
        ("llama3.tiktoken", "llama3"),
        ("deepseek.tiktoken", "deepseek"),
        ("own.tiktoken", None),
    ],
)
def test_a_file_name_may_say_the_encoding(name, encoding):
    assert _files.encoding_name_of(Path("some/folder") / name) == encoding


def test_a_rank_file_without_a_known_name_needs_an_encoding_or_a_pattern(tmp_path):
    path = tmp_path / "own.tiktoken"
    path.write_bytes(sample_files.ranks_bytes())
    with pytest.raises(pytok.ConfigError) as caught:
        pytok.Tokenizer.from_file(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "encoding=" in str(caught.value)
    assert "pattern=" in str(caught.value)
    named = tmp_path / "cl100k_base.tiktoken"
    named.write_bytes(sample_files.ranks_bytes())
    assert pytok.Tokenizer.from_file(named) == pytok.Tokenizer.from_file(path, encoding="cl100k")
    with pytest.raises(pytok.ConfigError, match=r"own\.tiktoken: encoding: .*nope"):
        pytok.Tokenizer.from_file(path, encoding="nope")
    with pytest.raises(pytok.PytokError, match=r"own\.tiktoken: "):
        pytok.Tokenizer.from_file(path, pattern="(")
    own = pytok.Tokenizer.from_file(path, pattern=r"\S+|\s+", special_tokens={"<e>": 259})
    assert own.encode_ids("ab<e>", special="special") == [258, 259]


@pytest.mark.parametrize(
    ("special_tokens", "message"),
    [
        ({"<e>": 3}, "a rank of the file"),
        ({"<e>": 300, "<f>": 300}, "the id of another special token"),
        ({"": 300}, "at least one character"),
        ({"<e>": 2**31}, "expected an id below"),
        ({"<e>": -1}, "expected an integer from 0"),
        ({"<e>": 2**40}, "expected an integer from 0"),
    ],
)
def test_bad_special_tokens_of_a_rank_file_are_named(tmp_path, special_tokens, message):
    path = tmp_path / "own.tiktoken"
    path.write_bytes(sample_files.ranks_bytes())
    with pytest.raises(pytok.ConfigError) as caught:
        pytok.Tokenizer.from_file(path, pattern=r"\S+|\s+", special_tokens=special_tokens)
    assert str(caught.value).startswith(f"{path}: special_tokens")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "options", [{"encoding": "cl100k"}, {"pattern": "a"}, {"special_tokens": {"<e>": 300}}]
)
def test_options_of_rank_files_are_refused_for_other_files(tmp_path, options):
    path = tmp_path / "gpt2.json"
    path.write_bytes(sample_files.bert_bytes())
    assert len(pytok.Tokenizer.from_file(path)) == 18
    name = next(iter(options))
    with pytest.raises(pytok.ConfigError, match=rf"gpt2\.json: {name}: given, but the file is no"):
        pytok.Tokenizer.from_file(path, **options)


# ------------------------------------------------------------------ bad input


def broken_files() -> dict[str, bytes]:
    good = sample_files.bert_json()
    renamed = json.loads(json.dumps(good))
    renamed["model"]["type"] = "NoSuchModel"
    unknown = json.loads(json.dumps(good))
    unknown["normalizer"]["surprise"] = 1
    missing = json.loads(json.dumps(good))
    del missing["model"]["vocab"]
    return {
        "truncated.json": sample_files.bert_bytes()[:-40],
        "plain-text.json": "学而时习之，不亦说乎？\n".encode(),
        "other-json.json": b'{"name": "not a tokenizer"}',
        "list.json": b"[1, 2, 3]",
        "not-utf8.json": b'{"model": "\xff\xfe"}',
        "nul.json": bytes(1000),
        "white.json": b"  \n\n",
        "utf16.json": sample_files.bert_bytes().decode().encode("utf-16"),
        "model-type.json": json.dumps(renamed).encode(),
        "unknown-field.json": json.dumps(unknown).encode(),
        "no-vocab.json": json.dumps(missing).encode(),
        "ranks-cut.tiktoken": sample_files.ranks_bytes()[:-300],
        "ranks-bad.tiktoken": sample_files.ranks_bytes() + b"!!!! 9\n",
        "ranks-few.tiktoken": b"YQ== 0\nYg== 1\n",
        "ranks-huge.tiktoken": sample_files.ranks_bytes() + b"YWI= 4294967295\n",
        "tekken-huge.json": json.dumps(
            {
                "config": {
                    "pattern": "a",
                    "num_vocab_tokens": 1,
                    "default_vocab_size": 2**32 - 1,
                    "default_num_special_tokens": 2**32 - 1,
                    "version": "v3",
                },
                "vocab": [],
            }
        ).encode(),
    }


@pytest.mark.parametrize("name", sorted(broken_files()))
def test_a_broken_file_is_a_one_line_error_that_names_it(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(broken_files()[name])
    for load in (pytok.Tokenizer.from_file, pytok.Tokenizer.from_pretrained):
        with pytest.raises((pytok.FormatError, pytok.VocabError)) as caught:
            load(path, **({"encoding": "cl100k"} if name.endswith(".tiktoken") else {}))
        message = str(caught.value)
        assert message.startswith(f"{path}: ")
        assert "\n" not in message
        assert caught.value.hint
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_the_largest_id_does_no_harm(tmp_path):
    file = sample_files.bert_json()
    file["model"]["vocab"]["a"] = 2**32 - 1
    path = tmp_path / "tokenizer.json"
    path.write_bytes(json.dumps(file).encode())
    loaded = pytok.Tokenizer.from_file(path)
    assert loaded.encode_ids("a", add_special_tokens=False) == [2**32 - 1]
    assert loaded.decode([2**32 - 1]) == "a"
    with pytest.raises(pytok.ConfigError, match="no id below"):
        loaded.add_tokens(["new"])


def test_what_cannot_be_honoured_is_named_by_its_field(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_bytes(broken_files()["unknown-field.json"])
    with pytest.raises(pytok.FormatError, match=r"normalizer.*surprise"):
        pytok.Tokenizer.from_file(path)


def test_every_truncation_of_a_file_is_an_error(tmp_path):
    path = tmp_path / "tokenizer.json"
    whole = sample_files.bert_bytes()
    for length in range(0, len(whole), 37):
        path.write_bytes(whole[:length])
        with pytest.raises(pytok.PytokError, match=r"tokenizer\.json: "):
            pytok.Tokenizer.from_file(path)


def test_an_empty_file_is_named_with_what_was_expected(tmp_path):
    path = tmp_path / "empty.json"
    path.touch()
    with pytest.raises(pytok.FormatError, match=r"empty\.json: the file is empty, expected pytok"):
        pytok.Tokenizer.from_file(path)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_a_damaged_archive_is_named(tmp_path, pack):
    path = tmp_path / "tokenizer.json.xz"
    packed = pack(sample_files.bert_bytes())
    for damaged in (packed[:-20], packed[:40] + b"????" + packed[44:]):
        path.write_bytes(damaged)
        with pytest.raises(pytok.FormatError, match=r"tokenizer\.json\.xz: damaged archive: "):
            pytok.Tokenizer.from_file(path)


def test_a_missing_file_is_also_a_file_not_found_error(tmp_path):
    path = tmp_path / "absent.json"
    for load in (pytok.Tokenizer.from_file, pytok.Tokenizer.from_pretrained):
        with pytest.raises(pytok.TokenizerNotFoundError, match=r"absent\.json: no such file"):
            load(path)
        with pytest.raises(FileNotFoundError):
            load(path)


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(pytok.FormatError, match="is a folder, expected a tokenizer file") as caught:
        pytok.Tokenizer.from_file(tmp_path)
    assert "from_pretrained" in caught.value.hint


def test_a_folder_without_a_tokenizer_says_what_it_looked_for(tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "tokenizer.json").mkdir()
    with pytest.raises(pytok.TokenizerNotFoundError, match="no tokenizer file in this folder"):
        pytok.Tokenizer.from_pretrained(tmp_path)


def test_an_ambiguous_folder_lists_the_candidates(tmp_path):
    for name in ("b.model", "a.model"):
        (tmp_path / name).write_bytes(b"x")
    with pytest.raises(pytok.FormatError, match=r"holds several \.model files: a\.model, b\.mod"):
        pytok.Tokenizer.from_pretrained(tmp_path)


def test_an_unreadable_file_is_named(tmp_path, monkeypatch):
    path = tmp_path / "tokenizer.json"
    path.touch()

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(pytok.FormatError, match=r"tokenizer\.json: cannot be read: Permission den"):
        pytok.Tokenizer.from_file(path)


@pytest.mark.parametrize("name", ["zh-33k", "no/such/path", "./owner/name", "学而", "a b"])
def test_an_unknown_name_lists_the_embedded_ones(name):
    with pytest.raises(pytok.TokenizerNotFoundError) as caught:
        pytok.Tokenizer.from_pretrained(name)
    assert str(caught.value).startswith(f"{name}: no such file or folder")
    assert "zh-32k" in caught.value.hint


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_what_cannot_be_a_name_is_refused(name):
    with pytest.raises(pytok.ConfigError, match="not a path or a name"):
        pytok.Tokenizer.from_pretrained(name)


# ------------------------------------------------------------------ the hub


class EntryNotFoundError(Exception):
    pass


class LocalEntryNotFoundError(EntryNotFoundError, FileNotFoundError, ValueError):
    pass


@pytest.fixture
def fake_hub(monkeypatch, tmp_path):
    """A hub with one repository, in the place of huggingface_hub."""
    calls = []
    files = {}

    def download(repo_id, filename, **options):
        calls.append((repo_id, filename, options))
        if repo_id != "owner/name":
            raise OSError("Repository not found\nwith a long explanation")
        if options["local_files_only"] and files.get("offline"):
            raise LocalEntryNotFoundError("not in the cache")
        if files.get("offline"):
            raise LocalEntryNotFoundError("no connection")
        if filename not in files:
            raise EntryNotFoundError(filename)
        path = tmp_path / filename
        path.write_bytes(files[filename])
        return str(path)

    hub = types.ModuleType("huggingface_hub")
    hub.hf_hub_download = download
    errors = types.ModuleType("huggingface_hub.errors")
    errors.EntryNotFoundError = EntryNotFoundError
    errors.LocalEntryNotFoundError = LocalEntryNotFoundError
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    monkeypatch.setitem(sys.modules, "huggingface_hub.errors", errors)
    return types.SimpleNamespace(calls=calls, files=files)


def test_a_hub_id_asks_for_the_known_files_in_order(fake_hub, tmp_path):
    fake_hub.files["tokenizer.json"] = sample_files.bert_bytes()
    loaded = pytok.Tokenizer.from_pretrained(
        "owner/name", revision="v1", token="secret", cache_dir=tmp_path, local_files_only=True
    )
    assert (loaded.name, len(loaded)) == ("owner/name", 18)
    assert [name for _, name, _ in fake_hub.calls] == ["pytok.json", "tokenizer.json"]
    assert fake_hub.calls[0][2] == {
        "revision": "v1",
        "token": "secret",
        "cache_dir": tmp_path,
        "local_files_only": True,
    }


def test_without_a_connection_the_network_is_tried_once(fake_hub):
    fake_hub.files["offline"] = b"yes"
    with pytest.raises(pytok.TokenizerNotFoundError, match="not in the local cache of the hub"):
        pytok.Tokenizer.from_pretrained("owner/name")
    assert [options["local_files_only"] for _, _, options in fake_hub.calls][:2] == [False, True]
    assert all(options["local_files_only"] for _, _, options in fake_hub.calls[1:])


def test_a_repository_without_a_tokenizer_is_named(fake_hub):
    with pytest.raises(pytok.TokenizerNotFoundError, match="owner/name: the hub repository has no"):
        pytok.Tokenizer.from_pretrained("owner/name")


def test_what_the_hub_refuses_is_one_line(fake_hub):
    with pytest.raises(pytok.TokenizerNotFoundError, match=r"refused it: Repository not found$"):
        pytok.Tokenizer.from_pretrained("owner/other")


def test_without_the_hub_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(pytok.TokenizerNotFoundError, match="need the package hugging") as caught:
        pytok.Tokenizer.from_pretrained("owner/name")
    assert caught.value.hint == "pip install pytok-tokenizers[hub]"


def test_the_real_hub_package_is_asked_offline(monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name.startswith("huggingface_hub")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(pytok.TokenizerNotFoundError, match="not in the local cache of the hub"):
        pytok.Tokenizer.from_pretrained("owner/name", cache_dir=tmp_path)
