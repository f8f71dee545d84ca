"""Make the class known to `AutoTokenizer`, and to vLLM by its plugin entry point."""

from __future__ import annotations

from transformers import AutoTokenizer, PretrainedConfig

from pytok.hf.tokenizer import PytokTokenizer
from pytok.hf.vllm import register_mode

__all__ = ["PytokConfig", "register"]


class PytokConfig(PretrainedConfig):
    """The model type that stands for "no model, only a tokenizer" in a config.json."""

    model_type = "pytok"


def register() -> None:
    """Register `PytokTokenizer` with `AutoTokenizer`; harmless when repeated.

    transformers has no plugin discovery: a folder whose tokenizer_config.json
    names `PytokTokenizer` loads as one after this call, which importing
    `pytok.hf` makes. vLLM makes it in every process, through the entry point
    ``pytok`` of the group ``vllm.general_plugins``; there the tokenizer mode
    ``pytok`` is registered too.
    """
    try:
        AutoTokenizer.register(PytokConfig, tokenizer_class=PytokTokenizer, exist_ok=True)
    except TypeError:
        # transformers 4 has a slot for slow and one for fast classes.
        AutoTokenizer.register(PytokConfig, fast_tokenizer_class=PytokTokenizer, exist_ok=True)
    register_mode()
