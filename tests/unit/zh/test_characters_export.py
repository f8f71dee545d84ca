"""Steps on single characters inside a saved `tokenizer.json`."""

from __future__ import annotations

from pathlib import Path

import pytest
import tokenizers

import pytok
from pytok import zh

TEXTS = [
    "Ａ股１２．３％，ｶﾞｷﾊﾟﾞ｡",
    "\uf900\U0002f800﹐㈱⼀⻅",
    "葛\U000e0100城\ufe00\ufe0f，\ufe00❤\ufe0f\ufe0f",
    "子曰﹁學而時習之︐不亦說乎︒﹂",
    "吳大澂幷爲㑹矦，巳已母毋",
]


CHARACTERS = {"width", "compatibility", "radicals", "vertical-forms", "variation-sequences"}


@pytest.mark.parametrize("preset", ["modern", "classical"])
def test_the_reference_library_does_the_same(preset: str, tmp_path: Path) -> None:
    steps = [step for step in zh.PRESETS[preset] if step.name in {*CHARACTERS, "z-variants"}]
    pipeline = zh.Pipeline(steps)
    plain = pytok.Tokenizer.from_pretrained("zh-32k")
    folder = plain.with_normalizer(pipeline).save(tmp_path / preset)
    reference = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    for text in TEXTS:
        made = reference.normalizer.normalize_str(text)
        assert made == pipeline.text(text)
        ids = reference.encode(text, add_special_tokens=False).ids
        assert ids == plain.encode_ids(pipeline.text(text))
