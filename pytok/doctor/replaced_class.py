"""Model types whose tokenizer class transformers 5 puts in the place of any other.

Source: `MODELS_WITH_INCORRECT_HUB_TOKENIZER_CLASS` of transformers 5.24 and the
classes that it maps them to; types that map to `TokenizersBackend` keep their ids.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import TRANSFORMERS_5, VLLM, Finding
from pytok.doctor.folder import CONFIG, TOKENIZER, Folder
from pytok.exporting.patterns import GPT2
from pytok.exporting.pre_types import patterns_of

__all__ = ["patterns_in", "replaced_class"]

_CLASSES = {
    "qwen2": "Qwen2Tokenizer",
    "qwen3_5": "Qwen3_5Tokenizer",
    "qwen3_5_moe": "Qwen3_5Tokenizer",
    "qwen3_5_moe_text": "Qwen3_5Tokenizer",
    "qwen4_exp": "Qwen3_5Tokenizer",
    "hyperclovax_vision_v2": "GPT2Tokenizer",
    "siglip2": "Siglip2Tokenizer",
}
(_QWEN2,) = patterns_of("qwen2")
_LETTERS, _SIGNS = r"?\p{L}+", r"[^\s\p{L}\p{N}]"
_QWEN3_5 = _QWEN2.replace(_LETTERS, r"?[\p{L}\p{M}]+").replace(_SIGNS, r"[^\s\p{L}\p{M}\p{N}]")
# The normalizer and the patterns that each class has, whatever tokenizer.json says.
_BUILT_IN = {
    "Qwen2Tokenizer": (["NFC"], [_QWEN2]),
    "Qwen3_5Tokenizer": (["NFC"], [_QWEN3_5]),
    "GPT2Tokenizer": ([], [GPT2]),
}


def patterns_in(folder: Folder) -> list[str] | None:
    """Give the patterns of a pre-tokenizer over bytes; None when it is another kind."""
    patterns = []
    for step in folder.steps("pre_tokenizer"):
        pattern = step.get("pattern")
        regex = pattern.get("Regex") if isinstance(pattern, dict) else None
        if step.get("type") == "Split" and isinstance(regex, str):
            patterns.append(regex)
        elif step.get("type") == "ByteLevel":
            if step.get("use_regex", True):
                patterns.append(GPT2)
            if step.get("add_prefix_space"):
                return None
        else:
            return None
    return patterns


def replaced_class(folder: Folder) -> Iterator[Finding]:
    """Find folders that transformers 5 loads with other components than tokenizer.json has."""
    if not folder.json(TOKENIZER) or folder.config.get("auto_map"):
        return
    model_type = folder.json("config.json").get("model_type")
    named = str(folder.config.get("tokenizer_class") or "").removesuffix("Fast")
    by_type = _CLASSES.get(model_type) if isinstance(model_type, str) else None
    wanted = by_type or (named if named in _BUILT_IN else None)
    if wanted is None:
        return
    normalizers = [step.get("type") for step in folder.steps("normalizer")]
    if _BUILT_IN.get(wanted) == (normalizers, patterns_in(folder)):
        return
    reason = f"model_type is {model_type!r}" if by_type else f"tokenizer_class is {named!r}"
    yield Finding(
        "replaced-class",
        "error",
        f"{reason}: {wanted} loads it with a normalizer and pre-tokenizer of its own, and drops "
        "those of tokenizer.json: ids are wrong",
        "config.json: model_type" if by_type else f"{CONFIG}: tokenizer_class",
        "save with pytok.hf.PytokTokenizer.save_pretrained, whose auto_map stops it"
        if by_type
        else "set tokenizer_class to PreTrainedTokenizerFast",
        (TRANSFORMERS_5, VLLM),
    )
