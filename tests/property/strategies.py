"""Texts that are hard on a tokenizer, and tokenizers of every kind to try them on."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import sample_files
from hypothesis import strategies as st

import pytok

FRAGMENTS = [
    "学而时习之",
    "，不亦说乎？",
    "「」『』……——",
    "龘𠮷㐀",
    "\u4e00\u0301",
    "👍🏽👨‍👩‍👧",
    "  ",
    "\n\n\t",
    "\r\n",
    "\u3000",
    "\u200b\ufeff",
    "\0",
    "hello World",
    "don't",
    "ａｂｃ１２３",
    "3.14159",
    "def f(x):\n    return x\n",
    "ﬁ ﬀ",
    "İıß",
    "<|im_end|>",
    "[SEP]",
    "<|im",
    "aaaaaaaaaaaaaaaa",
]

texts = st.lists(
    st.one_of(
        st.sampled_from(FRAGMENTS),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
        st.text("学而时习之ab \n", max_size=20),
    ),
    max_size=8,
).map("".join)


@cache
def tokenizers() -> dict[str, pytok.Tokenizer]:
    """One tokenizer of each kind; all but ``bert`` give the text back."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        path.write_bytes(sample_files.ranks_bytes())
        ranks = pytok.Tokenizer.from_file(
            path, encoding="cl100k", special_tokens={"<|im_end|>": 300}
        )
        path.write_bytes(sample_files.bert_bytes())
        bert = pytok.Tokenizer.from_file(path)
    embedded = pytok.Tokenizer.from_pretrained("zh-32k")
    return {
        "zh-32k": embedded,
        "added": embedded.add_tokens(["学而", "hello", " World"]),
        "ranks": ranks,
        "bert": bert,
    }


lossless = st.sampled_from(["zh-32k", "added", "ranks"]).map(lambda name: tokenizers()[name])
every = st.sampled_from(["zh-32k", "added", "ranks", "bert"]).map(lambda name: tokenizers()[name])
