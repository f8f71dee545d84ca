"""What servers do with a tokenizer, by stand-ins that make the calls of their sources.

vLLM is not installed here: `cached` does what its ``get_cached_tokenizer`` does,
and `Detokenizer` what its fast incremental detokenizer does; SGLang keeps two
windows of ids instead.
"""

import copy
import importlib.metadata
import pickle
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import pytest

transformers = pytest.importorskip("transformers")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from small import PROBE, ROLES, small_backend  # noqa: E402
from tokenizers.decoders import DecodeStream  # noqa: E402

from pytok.hf import PytokTokenizer, register  # noqa: E402


def cached(tokenizer):
    """Copy a tokenizer and give the copy a class that remembers what is slow to ask for."""
    copied = copy.copy(tokenizer)
    ids, tokens = tokenizer.all_special_ids, tokenizer.all_special_tokens
    vocab, length = tokenizer.get_vocab(), len(tokenizer)

    class Cached(tokenizer.__class__):
        max_token_id = max(*vocab.values(), tokenizer.vocab_size)
        max_chars_per_token = max(map(len, vocab))
        all_special_ids = property(lambda self: ids)
        all_special_tokens = property(lambda self: tokens)

        def get_vocab(self):
            return vocab

        def __len__(self):
            return length

        def __reduce__(self):
            return cached, (tokenizer,)

    Cached.__name__ = f"Cached{tokenizer.__class__.__name__}"
    copied.__class__ = Cached
    return copied


# What vLLM's protocol of a tokenizer lists.
MEMBERS = [
    "from_pretrained",
    "num_special_tokens_to_add",
    "all_special_tokens",
    "all_special_ids",
    "bos_token_id",
    "eos_token_id",
    "pad_token_id",
    "is_fast",
    "vocab_size",
    "max_token_id",
    "max_chars_per_token",
    "truncation_side",
    "__hash__",
    "__len__",
    "__call__",
    "get_vocab",
    "get_added_vocab",
    "encode",
    "apply_chat_template",
    "convert_tokens_to_ids",
    "convert_tokens_to_string",
    "decode",
    "convert_ids_to_tokens",
]


@pytest.fixture(scope="module")
def tokenizer():
    return PytokTokenizer(tokenizer_object=small_backend(), **ROLES)


@pytest.fixture(scope="module")
def served(tokenizer):
    return cached(tokenizer)


def test_a_cached_tokenizer_has_all_members_and_the_same_ids(tokenizer, served):
    assert all(hasattr(served, name) for name in MEMBERS)
    assert isinstance(served, transformers.PreTrainedTokenizerFast)
    assert type(served).__name__ == "CachedPytokTokenizer"
    assert served.max_token_id >= max(tokenizer.get_vocab().values())
    assert served.encode(PROBE) == tokenizer.encode(PROBE)
    assert served.convert_tokens_to_string(served.tokenize("学而时习")) == "学而时习"
    assert served.num_special_tokens_to_add() == 2
    assert served in {served}
    # The swap leaves the tokenizer itself alone.
    assert type(tokenizer) is PytokTokenizer


def test_a_cached_tokenizer_goes_to_other_processes_and_threads(tokenizer, served):
    for other in (pickle.loads(pickle.dumps(served)), copy.deepcopy(served)):
        assert type(other).__name__ == "CachedPytokTokenizer"
        assert other.encode(PROBE) == tokenizer.encode(PROBE)
    with ThreadPoolExecutor(8) as pool:
        assert set(map(tuple, pool.map(served.encode, [PROBE] * 64))) == {
            tuple(tokenizer.encode(PROBE))
        }


def test_vllm_finds_the_plugin_which_may_run_again_and_again():
    (point,) = importlib.metadata.entry_points(group="vllm.general_plugins", name="pytok")
    assert point.load() is register
    register()
    register()


def test_a_plugin_makes_folders_load_as_our_class(tokenizer, tmp_path):
    tokenizer.save_pretrained(tmp_path)
    register()
    loaded = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert type(cached(loaded)).__name__ == "CachedPytokTokenizer"


class Registry:
    """A registry of vLLM: modes, and where the class of each is."""

    def __init__(self, modes):
        self.calls = []
        setattr(self, modes, {"hf": ("vllm.hf", "Hf")})
        self._modes = getattr(self, modes)

    def register(self, mode, module, class_name):
        self.calls.append(mode)
        self._modes[mode] = (module, class_name)


@pytest.fixture(params=["vllm", "vllm.frontend.processing"])
def vllm(request, monkeypatch):
    """The modules of vLLM that a tokenizer mode needs, in their old and new places."""
    place = request.param
    tokenizers, renderers = Registry("tokenizers"), Registry("renderers")
    contents = {
        "vllm": {},
        f"{place}.tokenizers": {},
        f"{place}.tokenizers.registry": {"TokenizerRegistry": tokenizers},
        f"{place}.tokenizers.hf": {"get_cached_tokenizer": cached},
        f"{place}.renderers": {},
        f"{place}.renderers.registry": {"RENDERER_REGISTRY": renderers},
    }
    if place != "vllm":
        contents |= {"vllm.frontend": {}, place: {}}
    for name, attributes in contents.items():
        module = types.ModuleType(name)
        module.__path__ = []
        vars(module).update(attributes)
        monkeypatch.setitem(sys.modules, name, module)
    return place, tokenizers, renderers


def test_vllm_gets_a_tokenizer_mode(vllm, tokenizer, tmp_path):
    place, tokenizers, renderers = vllm
    register()
    register()
    assert tokenizers.calls == renderers.calls == ["pytok"]
    assert renderers.renderers["pytok"] == (f"{place}.renderers.hf", "HfRenderer")
    module, name = tokenizers.tokenizers["pytok"]
    mode = getattr(importlib.import_module(module), name)
    options = {"trust_remote_code": False, "revision": None, "download_dir": None}
    tokenizer.save_pretrained(tmp_path, profile="portable")
    # The model type with which transformers 5 drops the pre-tokenizer of the file.
    (tmp_path / "config.json").write_text('{"model_type": "qwen2"}')
    loaded = mode.from_pretrained(str(tmp_path), truncation_side="left", **options)
    assert type(loaded).__name__ == "CachedPytokTokenizer"
    assert loaded.encode(PROBE) == tokenizer.encode(PROBE)
    assert loaded.truncation_side == "left"
    assert mode.from_pretrained("zh-32k", **options).vocab_size == 32_000


def test_without_vllm_there_is_nothing_to_register():
    assert "vllm" not in sys.modules
    register()
    assert "vllm" not in sys.modules


def test_structured_generation_reads_the_backend(served):
    # xgrammar, outlines and llguidance take the text of it and read the decoder.
    text = served.backend_tokenizer.to_str()
    assert '"decoder":{"type":"ByteLevel"' in text


def detokenized(tokenizer, prompt, ids, skip=True):
    """Decode ids one at a time as vLLM does, with the prompt for context."""
    stream = DecodeStream(ids=prompt, skip_special_tokens=skip)
    return [stream.step(tokenizer._tokenizer, token_id) or "" for token_id in ids]


def whole(text):
    """The text without a character at its end that is not whole yet."""
    return text.rstrip("\ufffd")


def test_every_pair_of_partial_characters_streams(tokenizer):
    """Every two pieces that begin or end inside a character, then ASCII to flush."""
    core = tokenizer.core
    partial = []
    for token_id in range(len(tokenizer)):
        try:
            core.token_bytes(token_id).decode()
        except UnicodeDecodeError:
            partial.append(token_id)
    assert len(partial) > 128
    stop = tokenizer.convert_tokens_to_ids("a")
    step = max(1, len(partial) // 48)
    for first in partial[::step]:
        for second in partial[::step]:
            ids = [first, second, stop, stop]
            ours = "".join(core.decode_stream(ids))
            assert ours == core.decode(ids) == tokenizer.decode(ids)


CHARACTERS = st.text(
    st.sampled_from("学而时习𠀀👩‍é，臺 a\n") | st.characters(codec="utf-8"), max_size=8
)


@settings(deadline=None, max_examples=60)
@given(CHARACTERS, CHARACTERS)
def test_texts_stream_to_what_they_decode_to(tokenizer, prompt, text):
    prompt_ids = tokenizer.encode(prompt, add_special_tokens=False)
    ids = tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
    parts = detokenized(tokenizer, prompt_ids, ids)
    assert "".join(parts) == tokenizer.decode(ids)
    assert not any("\ufffd" in part for part in parts) or "\ufffd" in tokenizer.decode(ids)


@settings(deadline=None, max_examples=60)
@given(CHARACTERS)
def test_two_windows_stream_to_what_they_decode_to(tokenizer, text):
    """SGLang decodes two windows of ids, and holds back while one ends in U+FFFD."""
    ids = tokenizer.encode(text, add_special_tokens=False, split_special_tokens=True)
    surrounding, read, out = 0, 0, ""
    for end in range(1, len(ids) + 1):
        before, now = tokenizer.batch_decode([ids[surrounding:read], ids[surrounding:end]])
        if not now.endswith("\ufffd"):
            out += now[len(before) :]
            surrounding, read = read, end
    assert out == whole(tokenizer.decode(ids))
