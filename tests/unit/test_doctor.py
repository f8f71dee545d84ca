"""`pytok doctor`: each check on a folder that has its fault, and on one that has not."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pytok
from pytok.cli import app
from pytok.doctor import examine, mend

ALPHABET = [chr(n) for n in (*range(33, 127), *range(161, 173), *range(174, 256))]
LETTERS = ALPHABET + [chr(256 + n) for n in range(256 - len(ALPHABET))]
SPECIAL = ["<s>", "</s>", "<pad>"]
ROLES = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}


def token(content, number, **more):
    flags = dict.fromkeys(("lstrip", "rstrip", "normalized", "single_word"), False)
    return {"id": number, "content": content, "special": True, **flags, **more}


def tokenizer_json():
    vocab = {piece: n for n, piece in enumerate([*SPECIAL, *LETTERS, "ab", "abc"])}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [token(content, n) for n, content in enumerate(SPECIAL)],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": True,
            "use_regex": True,
        },
        "post_processor": None,
        "decoder": {
            "type": "ByteLevel",
            "add_prefix_space": True,
            "trim_offsets": True,
            "use_regex": True,
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocab,
            "merges": [["a", "b"], ["ab", "c"]],
        },
    }


def write(path, content):
    path.write_text(json.dumps(content, ensure_ascii=False), "utf-8")


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "tokenizer.json", tokenizer_json())
    write(
        tmp_path / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **ROLES}
    )
    return tmp_path


def change(path, edit):
    content = json.loads(path.read_text("utf-8")) if path.exists() else {}
    edit(content)
    write(path, content)


def names(folder, level=None):
    return [f.check for f in examine(folder) if level is None or f.level == level]


def test_a_good_folder_has_no_findings(folder):
    assert examine(folder) == ()


@pytest.mark.parametrize("name", ["zh-32k", "zh-32k-wide"])
def test_what_pytok_saves_has_notes_at_most(name, tmp_path):
    pytok.Tokenizer.from_pretrained(name).save(tmp_path)
    assert {finding.level for finding in examine(tmp_path)} <= {"note"}


def config(**settings):
    return "tokenizer_config.json", lambda content: content.update(settings)


def model(**settings):
    return "tokenizer.json", lambda content: content["model"].update(settings)


def whole(**settings):
    return "tokenizer.json", lambda content: content.update(settings)


def other(name, **settings):
    return name, lambda content: content.update(settings)


def piece(text, number):
    return "tokenizer.json", lambda content: content["model"]["vocab"].update({text: number})


def added(content, number):
    return "tokenizer.json", lambda whole: whole["added_tokens"].append(token(content, number))


NFKC = {"normalizer": {"type": "NFKC"}}
FAULTS = {
    "no version": ("newer-version", "error", [whole(version="2.0")]),
    "unknown normalizer": ("newer-version", "error", [whole(normalizer={"type": "NFKX"})]),
    "qwen2": ("replaced-class", "error", [other("config.json", model_type="qwen2")]),
    "qwen3_5": ("replaced-class", "error", [other("config.json", model_type="qwen3_5_moe")]),
    "class of qwen2": ("replaced-class", "error", [config(tokenizer_class="Qwen2TokenizerFast")]),
    "class of 5": ("unknown-class", "error", [config(tokenizer_class="TokenizersBackend")]),
    "no class": ("unknown-class", "error", [config(tokenizer_class=None)]),
    "class of nobody": ("unknown-class", "error", [config(tokenizer_class="MyTokenizerFast")]),
    "class of pytok": ("unknown-class", "warning", [config(tokenizer_class="PytokTokenizer")]),
    "auto_map": ("unknown-class", "error", [config(auto_map={"AutoTokenizer": "a.B"})]),
    "no module": ("unknown-class", "error", [config(auto_map={"AutoTokenizer": [None, "a.B"]})]),
    "bos": ("ignored-bos", "error", [config(add_bos_token=True)]),
    "no such eos": ("missing-specials", "error", [config(eos_token="<|end|>")]),
    "object": ("missing-specials", "error", [config(image_token={"content": "<i>"})]),
    "in a list": ("missing-specials", "error", [config(additional_special_tokens=["<i>"])]),
    "ordinary piece": ("missing-specials", "error", [config(unk_token="abc")]),
    "list": ("two-lists", "error", [config(extra_special_tokens=["<s>"])]),
    "id of two": ("duplicate-tokens", "error", [piece("x y", 5)]),
    "two ids": ("duplicate-tokens", "error", [added("abc", 300)]),
    "twice": ("duplicate-tokens", "error", [added("<s>", 0)]),
    "far token": ("displaced-ids", "error", [added("<far>", 900)]),
    "far piece": ("displaced-ids", "note", [piece("ac", 900)]),
    "no merge": ("unreachable-tokens", "note", [model(merges=[["ab", "c"]])]),
    "normalizer": ("unreachable-tokens", "note", [whole(**NFKC), piece("ï¼¡ï¼¡", 300)]),
    "equal": ("equal-after-normalisation", "warning", [whole(**NFKC), piece("ï¼¡", 261)]),
    "no pad": ("no-padding", "warning", [config(pad_token=None)]),
    "template": ("chat-template", "error", [config(chat_template="{% if %}")]),
    "its token": ("chat-template", "warning", [config(chat_template="<|im_start|>{{ x }}")]),
    "its role": (
        "chat-template",
        "warning",
        [config(chat_template="{{ bos_token }}", bos_token=None)],
    ),
    "vocab.json": ("stale-files", "warning", [other("vocab.json", a=7)]),
    "map": ("stale-files", "error", [other("special_tokens_map.json", eos_token="<s>")]),
    "decoder": ("stale-files", "error", [config(added_tokens_decoder={"9": token("<s>", 9)})]),
    "rows": ("model-ids", "error", [other("config.json", vocab_size=200)]),
    "stop": ("model-ids", "warning", [other("config.json", eos_token_id=[0, 2])]),
    "pattern": (
        "gguf-pattern",
        "note",
        [
            whole(
                pre_tokenizer={
                    "type": "ByteLevel",
                    "add_prefix_space": True,
                    "trim_offsets": True,
                    "use_regex": True,
                }
            )
        ],
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_with_its_level(folder, fault):
    check, level, edits = FAULTS[fault]
    for name, edit in edits:
        change(folder / name, edit)
    found = examine(folder)
    assert (check, level) in {(f.check, f.level) for f in found}
    for finding in found:
        assert finding.what and finding.where and finding.mend and finding.loaders


@pytest.mark.parametrize(
    "edits",
    [
        [config(add_bos_token=False)],
        [other("config.json", model_type="qwen3", vocab_size=261, eos_token_id=1)],
        [
            other("config.json", model_type="qwen2"),
            config(auto_map={"AutoTokenizer": [None, "x--a.B"]}),
        ],
        [config(chat_template="{% generation %}{{ eos_token }}{% endgeneration %}<s>")],
        [other("special_tokens_map.json", eos_token={"content": "</s>"})],
        [
            config(
                added_tokens_decoder={"0": token("<s>", 0)}, extra_special_tokens={"a_token": "<s>"}
            )
        ],
        [model(ignore_merges=True, merges=[["a", "b"]])],
        [whole(**NFKC)],
        [added("<new>", 261), added("<newer>", 262)],
        [config(tokenizer_class="LlamaTokenizerFast", auto_map=None)],
        [config(extra_special_tokens={"a": "<s>"}, additional_special_tokens=["</s>"])],
    ],
    ids=range(11),
)
def test_what_is_right_is_not_reported(folder, edits):
    for name, edit in edits:
        change(folder / name, edit)
    assert examine(folder) == ()


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "config.json"])
def test_half_written_files_are_named(folder, name):
    (folder / name).write_text('{"version": "1.', "utf-8")
    found = [f for f in examine(folder) if f.check == "whole-files"]
    assert [f.where for f in found] == [name]


def test_hostile_json_is_a_finding(folder):
    (folder / "tokenizer_config.json").write_text("[" * 200_000, "utf-8")
    assert names(folder, "error") == ["whole-files"]


@pytest.mark.parametrize(
    "content",
    [{"model": 1}, {"added_tokens": [1, {}]}, {"model": {"vocab": [1, [2]], "merges": 3}}],
)
def test_files_of_another_shape_are_findings(folder, content):
    change(folder / "tokenizer.json", lambda whole: whole.update(content))
    assert "newer-version" in names(folder, "error")


def test_a_folder_without_a_tokenizer(tmp_path):
    assert names(tmp_path) == ["whole-files"]
    with pytest.raises(pytok.TokenizerNotFoundError, match="nowhere"):
        examine(tmp_path / "nowhere")


def test_what_is_no_file_is_a_finding(folder):
    pytok.Tokenizer.from_file(folder / "tokenizer.json").save(folder)
    for name, make in (
        ("tokenizer.json", lambda path: path.mkdir()),
        ("tokenizer_config.json", lambda path: path.symlink_to(folder / "nowhere")),
        ("special_tokens_map.json", lambda path: path.symlink_to(path.name)),
    ):
        (folder / name).unlink(missing_ok=True)
        make(folder / name)
    found = [f.where for f in examine(folder) if f.check == "whole-files"]
    assert sorted(found) == ["special_tokens_map.json", "tokenizer.json", "tokenizer_config.json"]
    with pytest.raises(pytok.TokenizerNotFoundError, match="is a file, expected a folder"):
        examine(folder / "pytok.json")


def test_a_file_that_may_not_be_read_says_so(folder, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert {f.what for f in examine(folder)} == {"it cannot be read: Permission denied"}


def test_our_file_alone_is_nothing_for_transformers(folder):
    pytok.Tokenizer.from_file(folder / "tokenizer.json").save(folder)
    (folder / "tokenizer.json").unlink()
    assert names(folder, "error") == ["whole-files"]
    change(folder / "tokenizer_config.json", config(tokenizer_class="PytokTokenizer")[1])
    assert names(folder, "error") == []


def test_a_file_that_is_a_link_out_of_the_folder_is_not_mended(folder, tmp_path_factory):
    """As in a snapshot of the hub, whose files are links to blobs that others use."""
    change(folder / "tokenizer_config.json", config(tokenizer_class="TokenizersBackend")[1])
    blob = tmp_path_factory.mktemp("blobs") / "blob"
    (folder / "tokenizer_config.json").rename(blob)
    (folder / "tokenizer_config.json").symlink_to(blob)
    before = blob.read_bytes()
    with pytest.raises(pytok.errors.ExportError, match="a link out of the folder"):
        mend(folder, examine(folder))
    assert blob.read_bytes() == before
    through = tmp_path_factory.mktemp("links") / "link"
    through.symlink_to(folder)
    (folder / "tokenizer_config.json").unlink()
    (folder / "tokenizer_config.json").write_bytes(before)
    assert mend(through, examine(through))


def test_mending_that_fails_leaves_the_file_as_it_was(folder, monkeypatch):
    change(folder / "tokenizer_config.json", config(pad_token=None)[1])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(pytok.errors.ExportError, match="No space"):
        mend(folder, examine(folder))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_stale_file_of_our_own(folder):
    pytok.Tokenizer.from_file(folder / "tokenizer.json").save(folder)
    assert examine(folder) == ()
    change(folder / "tokenizer.json", model(merges=[["b", "c"], ["ab", "c"], ["a", "b"]])[1])
    change(folder / "tokenizer.json", piece("bc", 261)[1])
    (finding,) = [f for f in examine(folder) if f.check == "stale-files"]
    assert "'bc' has id none, and 261" in finding.what


def test_merges_that_differ_name_the_first(folder):
    (folder / "merges.txt").write_text("#version: 0.2\na b\nab c\n", "utf-8")
    assert examine(folder) == ()
    (folder / "merges.txt").write_text("#version: 0.2\na b\n", "utf-8")
    (finding,) = examine(folder)
    assert (finding.where, finding.what[:7]) == ("merges.txt", "merge 2")


def test_a_key_that_is_there_twice(folder):
    path = folder / "tokenizer.json"
    path.write_text(path.read_text("utf-8").replace('"ab": ', '"ab": 9, "ab": ', 1), "utf-8")
    assert "duplicate-tokens" in names(folder, "error")


def test_unigram_pieces_that_score_worse_than_their_parts(folder):
    pieces = [["<unk>", 0.0], ["a", -1.0], ["b", -1.0], ["ab", -2.5], ["ba", -1.5], ["c", -9.0]]
    edit = {"type": "Unigram", "unk_id": 0, "vocab": pieces, "byte_fallback": False}
    change(
        folder / "tokenizer.json",
        lambda whole: whole.update(model=edit, pre_tokenizer=None, decoder=None, added_tokens=[]),
    )
    (finding,) = [f for f in examine(folder) if f.check == "unreachable-tokens"]
    assert finding.what.endswith(": 'ab'")
    core = pytok.Tokenizer.from_file(folder / "tokenizer.json")
    assert core.encode("ab").tokens == ["a", "b"]
    assert core.encode("ba").tokens == ["ba"]


def test_only_settings_are_mended_and_the_rest_stays(folder):
    settings = {
        "tokenizer_class": "TokenizersBackend",
        "additional_special_tokens": ["<s>", "</s>"],
        "extra_special_tokens": ["<pad>"],
        "pad_token": None,
        "other": "学",
    }
    change(folder / "tokenizer_config.json", config(**settings)[1])
    before = (folder / "tokenizer.json").read_bytes()
    mended = mend(folder, examine(folder))
    assert {f.check for f in mended} == {"unknown-class", "two-lists", "no-padding"}
    assert examine(folder) == ()
    assert (folder / "tokenizer.json").read_bytes() == before
    assert json.loads((folder / "tokenizer_config.json").read_text("utf-8")) == {
        **ROLES,
        "tokenizer_class": "PreTrainedTokenizerFast",
        "additional_special_tokens": ["<s>", "</s>", "<pad>"],
        "other": "学",
    }
    assert sorted(path.name for path in folder.iterdir()) == [
        "tokenizer.json",
        "tokenizer_config.json",
    ]


def test_a_list_that_would_make_a_piece_special_is_left_alone(folder):
    change(folder / "tokenizer_config.json", config(extra_special_tokens=["abc"])[1])
    before = (folder / "tokenizer_config.json").read_bytes()
    assert mend(folder, examine(folder)) == ()
    assert (folder / "tokenizer_config.json").read_bytes() == before


def run(*arguments):
    return CliRunner().invoke(app, ["doctor", *map(str, arguments)])


def test_the_command_ends_with_1_when_something_is_wrong(folder):
    result = run(folder)
    assert (result.exit_code, result.stdout) == (0, "nothing is wrong\n")
    change(folder / "tokenizer_config.json", config(pad_token=None)[1])
    result = run(folder, "--json")
    (finding,) = json.loads(result.stdout)["findings"]
    assert (result.exit_code, finding["check"], finding["fixable"]) == (1, "no-padding", True)
    result = run(folder, "--fix")
    assert result.exit_code == 0
    assert result.stdout.startswith("mended: tokenizer_config.json: pad_token")
    assert run(folder).stdout == "nothing is wrong\n"


def test_notes_alone_are_nothing_wrong(folder):
    change(folder / "tokenizer.json", model(merges=[["ab", "c"]])[1])
    assert names(folder) == ["unreachable-tokens"]
    assert run(folder).exit_code == 0


def test_checks_are_one_a_file():
    files = {path.stem for path in (Path(pytok.__file__).parent / "doctor").glob("*.py")}
    from pytok.doctor.examination import CHECKS

    assert {check.__name__ for check in CHECKS} <= files
