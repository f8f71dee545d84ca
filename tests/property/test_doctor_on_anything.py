"""`pytok.doctor` on folders whose files hold anything: findings, never another error."""

import copy
import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pytok.doctor import examine, mend

WHOLE = {
    "tokenizer.json": {
        "version": "1.0",
        "added_tokens": [{"id": 0, "content": "<s>", "special": True}],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFKC"}]},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": "a"}},
                {"type": "ByteLevel", "use_regex": False},
            ],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}],
            "cls": ["<s>", 0],
        },
        "model": {
            "type": "BPE",
            "unk_token": "<s>",
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "",
            "vocab": {"<s>": 0, "a": 1, "aa": 2},
            "merges": [["a", "a"], "a a"],
        },
    },
    "tokenizer_config.json": {
        "tokenizer_class": "TokenizersBackend",
        "eos_token": {"content": "<s>"},
        "add_eos_token": True,
        "extra_special_tokens": ["<s>"],
        "additional_special_tokens": ["<s>", {"content": "a"}],
        "added_tokens_decoder": {"0": {"content": "<s>"}},
        "chat_template": [{"name": "a", "template": "{{ eos_token }}"}],
        "auto_map": {"AutoTokenizer": ["a.b", None]},
    },
    "config.json": {"model_type": "qwen2", "vocab_size": 3, "eos_token_id": [0]},
    "special_tokens_map.json": {"eos_token": "</s>"},
    "vocab.json": {"a": 1},
}
UNIGRAM = {"type": "Unigram", "unk_id": 0, "vocab": [["<s>", 0.0], ["a", -1], ["aa", -3.5]]}
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**400, -(10**400)])
    | st.floats()
    | st.text(max_size=3)
    | st.sampled_from(["\ud800", "a\0", "{% if", "../a.b", "qwen2", "<s>", "NFKC"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "id", "content", "Regex", "a"]), inner, max_size=3
        )
    ),
    max_leaves=4,
)


def places(content, path=()):
    yield path
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for key, value in items:
        if isinstance(value, (dict, list)):
            yield from places(value, (*path, key))
        else:
            yield (*path, key)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_value_in_any_place_is_a_finding_or_nothing(data):
    folder_files = copy.deepcopy(WHOLE)
    if data.draw(st.booleans()):
        folder_files["tokenizer.json"]["model"] = copy.deepcopy(UNIGRAM)
    if data.draw(st.booleans()):
        del folder_files["tokenizer_config.json"]["auto_map"]
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(places(folder_files))[1:]))
        inside = folder_files
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = data.draw(ANYTHING)
    with tempfile.TemporaryDirectory() as name:
        for file, content in folder_files.items():
            Path(name, file).write_text(json.dumps(content), "utf-8")
        found = examine(name)
        json.dumps([finding.to_json() for finding in found])
        broken = any(finding.where == "tokenizer_config.json" for finding in found)
        if not broken:
            mended = mend(name, found)
            left = {(f.check, f.where, f.what) for f in examine(name) if f.fixable}
            assert not left & {(f.check, f.where, f.what) for f in mended}
