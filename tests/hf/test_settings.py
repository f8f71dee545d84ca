"""The fields of tokenizer_config.json: what each does here, and that it is written back."""

import json

import pytest

transformers = pytest.importorskip("transformers")

import tokenizers  # noqa: E402
from small import ROLES, small_backend  # noqa: E402

import pytok  # noqa: E402
from pytok.hf import PytokTokenizer  # noqa: E402

PLAIN = {"lstrip": False, "rstrip": False, "normalized": False, "single_word": False}
CHAT = [{"role": "user", "content": "好"}]


@pytest.fixture
def write(tmp_path):
    """Write a folder with a tokenizer.json and these fields, and load it."""

    def written(fields, files=None, change=None):
        folder = tmp_path / "folder"
        folder.mkdir()
        backend = small_backend()
        if change:
            change(backend)
        backend.save(str(folder / "tokenizer.json"))
        config = {"tokenizer_class": "PytokTokenizer", **fields}
        (folder / "tokenizer_config.json").write_text(json.dumps(config))
        for name, content in (files or {}).items():
            (folder / name).write_text(content)
        return PytokTokenizer.from_pretrained(folder)

    return written


def config_of(tokenizer, folder):
    tokenizer.save_pretrained(folder)
    return json.loads((folder / "tokenizer_config.json").read_text())


def test_special_tokens_get_their_roles_and_keep_their_ids(write, tmp_path):
    tokenizer = write(ROLES | {"eos_token": {"__type": "AddedToken", "content": "</s>", **PLAIN}})
    assert (tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id) == (1, 2, 3)
    assert {key: config_of(tokenizer, tmp_path)[key] for key in ROLES} == ROLES


def test_the_maximum_length_drives_truncation_and_the_warning(write, tmp_path, caplog):
    tokenizer = write({"model_max_length": 5} | ROLES)
    text = "学而时习之，the fox，不亦说乎"
    assert len(tokenizer(text, truncation=True)["input_ids"]) == 5
    assert tokenizer.max_len_single_sentence == 3
    transformers.logging.get_logger("transformers").propagate = True
    with caplog.at_level("WARNING"):
        assert len(tokenizer(text)["input_ids"]) > 5
    transformers.logging.get_logger("transformers").propagate = False
    assert "longer than the specified maximum sequence length" in caplog.text
    assert config_of(tokenizer, tmp_path)["model_max_length"] == 5


@pytest.mark.parametrize("length", ["big", 0, -3, True, float("nan")])
def test_a_maximum_length_that_is_none_is_refused(write, length):
    with pytest.raises(pytok.ConfigError, match="model_max_length: "):
        write({"model_max_length": length})


@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("kind", ["ByteLevel", "Sequence", "Metaspace"])
def test_the_prefix_space_is_switched(write, tmp_path, kind, wanted):
    def change(backend):
        one = {
            "ByteLevel": lambda: tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=not wanted),
            "Metaspace": lambda: tokenizers.pre_tokenizers.Metaspace(
                prepend_scheme="never" if wanted else "always"
            ),
            "Sequence": lambda: tokenizers.pre_tokenizers.Sequence(
                [
                    tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=not wanted),
                    tokenizers.pre_tokenizers.Digits(),
                ]
            ),
        }[kind]
        backend.pre_tokenizer = one()

    tokenizer = write({"add_prefix_space": wanted}, change=change)
    first = tokenizer.backend_tokenizer.pre_tokenizer.pre_tokenize_str("fox")[0][0]
    assert (first != "fox") == wanted
    assert tokenizer("fox")["input_ids"] == tokenizer.backend_tokenizer.encode("fox").ids
    assert config_of(tokenizer, tmp_path)["add_prefix_space"] == wanted


def test_a_prefix_space_that_nothing_can_add_is_warned_of(write):
    # Behind a Split it would stand before every word.
    with pytest.warns(UserWarning, match="add_prefix_space: has no effect"):
        tokenizer = write({"add_prefix_space": True})
    assert tokenizer.tokenize("a1") == ["a", "1"]


def test_no_word_on_the_prefix_space_changes_nothing(write):
    def change(backend):
        backend.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=True)

    assert write({"add_prefix_space": None}, change=change).tokenize("a")[0].startswith("Ġ")


def test_spaces_between_special_tokens_are_decoded_and_saved(write, tmp_path):
    tokenizer = write({"spaces_between_special_tokens": True})
    ids = tokenizer("天气")["input_ids"]
    assert tokenizer.decode(ids) == "<s> 天气 </s>"
    assert tokenizer.decode(ids, spaces_between_special_tokens=False) == "<s>天气</s>"
    assert config_of(tokenizer, tmp_path)["spaces_between_special_tokens"] is True
    assert PytokTokenizer.from_pretrained(tmp_path).decode(ids) == "<s> 天气 </s>"


def test_decoding_does_not_clean_up_spaces(write, tmp_path):
    tokenizer = write({})
    assert tokenizer.clean_up_tokenization_spaces is False
    assert (
        tokenizer.decode(tokenizer("a , b .", add_special_tokens=False)["input_ids"]) == "a , b ."
    )
    assert config_of(tokenizer, tmp_path)["clean_up_tokenization_spaces"] is False


def test_added_tokens_are_read_and_written_with_all_their_settings(write, tmp_path):
    size = small_backend().get_vocab_size()
    added = {str(size): {"content": "新词", **PLAIN, "rstrip": True, "special": False}}
    tokenizer = write({"added_tokens_decoder": added})
    assert tokenizer.tokenize("a新词  b") == ["a", "新词  ", "b"]
    assert config_of(tokenizer, tmp_path)["added_tokens_decoder"][str(size)] == added[str(size)]


@pytest.mark.parametrize(("token_id", "content"), [(900, "新词"), (1, "</s>"), (5, "新词")])
def test_added_tokens_that_get_other_ids_are_refused(write, token_id, content):
    added = {str(token_id): {"content": content, **PLAIN, "special": True}}
    with pytest.raises(pytok.FormatError, match=f"added_tokens_decoder: '{content}' has id"):
        write({"added_tokens_decoder": added})


LISTS = [
    {"extra_special_tokens": ["<x>", "<y>"]},
    {"additional_special_tokens": ["<x>", "<y>"]},
    {"additional_special_tokens": ["<y>"], "extra_special_tokens": ["<x>"]},
]


@pytest.mark.parametrize("fields", LISTS, ids=str)
def test_lists_of_further_special_tokens_are_read_under_both_names(write, tmp_path, fields):
    tokenizer = write(fields)
    assert set(tokenizer.all_special_tokens) >= {"<x>", "<y>"}
    config = config_of(tokenizer, tmp_path)
    # The name that both majors read.
    assert sorted(config["additional_special_tokens"]) == ["<x>", "<y>"]
    assert "extra_special_tokens" not in config
    again = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert again.get_vocab() == tokenizer.get_vocab()


@pytest.mark.parametrize(
    "fields", [{"extra_special_tokens": {"image_token": "<x>"}}, {"image_token": "<x>"}], ids=str
)
def test_special_tokens_with_names_of_their_own(write, tmp_path, fields):
    tokenizer = write(fields)
    assert tokenizer.image_token == "<x>"
    assert "<x>" in tokenizer.all_special_tokens
    tokenizer.save_pretrained(tmp_path, profile="portable")
    stock = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert (stock.image_token, stock.get_vocab()) == ("<x>", tokenizer.get_vocab())


def test_sides_and_names_of_inputs(write, tmp_path):
    sides = {"padding_side": "left", "truncation_side": "left"}
    names = {"model_input_names": ["input_ids", "token_type_ids", "attention_mask"]}
    tokenizer = write(sides | names | ROLES)
    batch = tokenizer(["天气", "天气很好"], padding=True, truncation=True, max_length=5)
    assert list(batch) == ["input_ids", "token_type_ids", "attention_mask"]
    assert batch["input_ids"][0][0] == tokenizer.pad_token_id
    config = config_of(tokenizer, tmp_path)
    assert {key: config[key] for key in sides | names} == sides | names


def test_the_chat_template_of_the_file_wins_and_is_written_as_a_file(write, tmp_path):
    tokenizer = write({"chat_template": "A"}, {"chat_template.jinja": "B{{ messages[0].content }}"})
    assert tokenizer.apply_chat_template(CHAT, tokenize=False) == "B好"
    assert "chat_template" not in config_of(tokenizer, tmp_path)
    assert (tmp_path / "chat_template.jinja").read_text() == "B{{ messages[0].content }}"


def test_several_chat_templates(write, tmp_path):
    named = [{"name": "default", "template": "D"}, {"name": "tool", "template": "T"}]
    tokenizer = write({"chat_template": named})
    tokenizer.save_pretrained(tmp_path)
    again = PytokTokenizer.from_pretrained(tmp_path)
    for name in ("default", "tool"):
        text = again.apply_chat_template(CHAT, tokenize=False, chat_template=name)
        assert text == name[0].upper()


def test_the_size_of_the_vocabulary_is_counted_not_read(write, tmp_path):
    tokenizer = write({"vocab_size": 7})
    assert tokenizer.vocab_size == len(tokenizer) == small_backend().get_vocab_size()
    assert config_of(tokenizer, tmp_path).get("vocab_size") != 7


def test_what_the_core_saves_loads_with_roles_in_stock(tmp_path, monkeypatch):
    core = pytok.Tokenizer.from_pretrained("zh-32k")
    core.save(tmp_path)
    stock = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert (stock.pad_token, stock.eos_token) == ("<|pad|>", "<|endoftext|>")
    text = "学而<|im_end|>时习之<|pad|>"
    assert stock(text)["input_ids"] == core.encode_ids(text, special="special")
    assert len(stock) == len(core)
