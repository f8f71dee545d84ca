"""What transformers really does with the folders that `pytok.doctor` warns of."""

import json

import pytest

transformers = pytest.importorskip("transformers")

from small import PROBE, ROLES, small_backend  # noqa: E402

from pytok.doctor import examine, mend  # noqa: E402
from pytok.doctor.known_classes import KNOWN  # noqa: E402

MAJOR = int(transformers.__version__.split(".")[0])
STOCK = {"tokenizer_class": "PreTrainedTokenizerFast", **ROLES}


@pytest.fixture
def make(tmp_path):
    def write(settings, model_type=None, framed=False, **files):
        small_backend(framed).save(str(tmp_path / "tokenizer.json"))
        files["tokenizer_config"] = settings
        if model_type:
            files["config"] = {"model_type": model_type}
        for name, content in files.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(content))
        return tmp_path

    return write


def load(folder):
    return transformers.AutoTokenizer.from_pretrained(folder)


def findings(folder, check):
    return [finding for finding in examine(folder) if finding.check == check]


def concerns(folder, check):
    """Whether a finding of a check concerns the version that is installed."""
    name = f"transformers {'4.57' if MAJOR == 4 else '5'}"
    return any(name in finding.loaders for finding in findings(folder, check))


@pytest.mark.parametrize(
    "model_type", [None, "qwen2", "qwen3_5", "qwen3", "siglip2", "hyperclovax_vision_v2", "phi3"]
)
def test_a_replaced_class_gives_wrong_ids(make, model_type):
    folder = make(STOCK, model_type)
    same = load(folder)(PROBE)["input_ids"] == small_backend(False).encode(PROBE).ids
    assert same != concerns(folder, "replaced-class")


def test_qwens_own_components_survive_its_class(make):
    folder = make(STOCK, "qwen2")
    content = json.loads((folder / "tokenizer.json").read_text())
    content["normalizer"] = {"type": "NFC"}
    split = content["pre_tokenizer"]["pretokenizers"][0]
    assert split["pattern"].keys() == {"Regex"}
    from pytok.exporting.pre_types import patterns_of

    split["pattern"]["Regex"] = patterns_of("qwen2")[0]
    (folder / "tokenizer.json").write_text(json.dumps(content))
    stock = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
    assert not findings(folder, "replaced-class")
    assert load(folder)(PROBE)["input_ids"] == stock(PROBE)["input_ids"]


@pytest.mark.parametrize("name", ["PreTrainedTokenizerFast", "LlamaTokenizerFast"])
@pytest.mark.parametrize(("wanted", "framed"), [(True, False), (False, True), (True, True)])
def test_add_bos_token_is_ignored_where_we_say_so(make, name, wanted, framed):
    folder = make({**STOCK, "tokenizer_class": name, "add_bos_token": wanted}, framed=framed)
    heeded = (load(folder)("学")["input_ids"][0] == 1) == wanted
    assert heeded != concerns(folder, "ignored-bos")


@pytest.mark.parametrize("name", ["TokenizersBackend", None])
def test_an_unknown_class_fails_in_4_until_it_is_mended(make, name):
    folder = make({**STOCK, "tokenizer_class": name} if name else ROLES)
    assert findings(folder, "unknown-class")
    if MAJOR == 4:
        with pytest.raises(ValueError, match=r"Tokenizer class|Unrecognized model"):
            load(folder)
    else:
        load(folder)
    mend(folder, examine(folder))
    assert load(folder)(PROBE)["input_ids"] == small_backend(False).encode(PROBE).ids


@pytest.mark.parametrize("name", ["MyTokenizerFast", "LlamaTokenizer", "NougatTokenizerFast"])
def test_a_class_of_nobody_fails_in_4(make, name):
    folder = make({**STOCK, "tokenizer_class": name})
    try:
        load(folder)
    except ValueError:
        assert concerns(folder, "unknown-class")
    else:
        assert not concerns(folder, "unknown-class")


def test_the_classes_of_4_are_the_known_ones():
    from transformers.models.auto import tokenization_auto

    names = {
        name.removesuffix("Fast").removesuffix("Tokenizer")
        for pair in tokenization_auto.TOKENIZER_MAPPING_NAMES.values()
        for name in (pair if isinstance(pair, tuple) else ())
        if name
    }
    assert names <= KNOWN
    assert bool(names) == (MAJOR == 4)


def test_an_added_token_gets_the_next_free_id(make):
    folder = make(STOCK)
    size = small_backend(False).get_vocab_size()
    content = json.loads((folder / "tokenizer.json").read_text())
    for number in (size, size + 9):
        content["added_tokens"].append(
            content["added_tokens"][0] | {"id": number, "content": f"<{number}>"}
        )
    (folder / "tokenizer.json").write_text(json.dumps(content))
    (finding,) = findings(folder, "displaced-ids")
    assert f"'<{size + 9}>' has id {size + 9}, but gets {size + 1}" in finding.what
    assert load(folder).convert_tokens_to_ids([f"<{size}>", f"<{size + 9}>"]) == [size, size + 1]


def test_the_two_lists_of_special_tokens(make):
    lists = {
        "additional_special_tokens": ["<|im_start|>"],
        "extra_special_tokens": ["<|im_end|>"],
    }
    folder = make({**STOCK, **lists})
    if MAJOR == 4:
        with pytest.raises(AttributeError):
            load(folder)
    else:
        assert "<|im_start|>" not in load(folder).all_special_tokens
    assert len(findings(folder, "two-lists")) == 2
    mend(folder, examine(folder))
    assert {"<|im_start|>", "<|im_end|>"} <= set(load(folder).all_special_tokens)


def test_special_tokens_that_are_not_there(make):
    folder = make({**STOCK, "eos_token": "<|new|>"})
    size = small_backend(False).get_vocab_size()
    assert load(folder).convert_tokens_to_ids("<|new|>") == size
    assert findings(folder, "missing-specials")
    folder = make({**STOCK, "eos_token": "the"})
    assert findings(folder, "missing-specials")
    assert load(folder)("the lazy")["input_ids"] != small_backend(False).encode("the lazy").ids


def test_padding_fails_until_a_token_has_the_role(make):
    folder = make({key: value for key, value in STOCK.items() if key != "pad_token"})
    assert findings(folder, "no-padding")
    with pytest.raises(ValueError, match="padding token"):
        load(folder)(["a", "bcd"], padding=True)
    mend(folder, examine(folder))
    load(folder)(["a", "bcd"], padding=True)


@pytest.mark.parametrize("decoder", [{}, {"1": {"content": "<s>", "special": True}}])
def test_which_of_two_files_wins(make, decoder):
    settings = {**STOCK, "added_tokens_decoder": decoder} if decoder else STOCK
    folder = make(settings, special_tokens_map={"eos_token": "<|im_end|>"})
    (finding,) = findings(folder, "stale-files")
    wins = "this file" in finding.what
    assert load(folder).eos_token == ("<|im_end|>" if wins else "</s>")


def test_a_template_with_a_syntax_error(make):
    folder = make({**STOCK, "chat_template": "{% if %}"})
    assert [finding.level for finding in findings(folder, "chat-template")] == ["error"]
    with pytest.raises(Exception, match="Expected an expression"):
        load(folder).apply_chat_template([{"role": "user", "content": "x"}], tokenize=False)
