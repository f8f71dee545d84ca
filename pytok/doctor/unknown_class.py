"""Classes that one of the versions does not know, and an auto_map that it cannot follow."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytok.doctor.finding import TRANSFORMERS, TRANSFORMERS_4, VLLM, Finding
from pytok.doctor.folder import CONFIG, TOKENIZER, Folder
from pytok.doctor.known_classes import KNOWN

__all__ = ["unknown_class"]

_IN_FOLDER = re.compile(r"\w[\w.]*")  # else it is in another repository
_STOCK = "PreTrainedTokenizerFast"  # transformers 5 reads it as TokenizersBackend


def unknown_class(folder: Folder) -> Iterator[Finding]:
    """Find folders that transformers 4.57 does not load, and an auto_map that is no list."""
    if folder.config.get("auto_map"):
        yield from _auto_map(folder)
        return
    if not folder.json(TOKENIZER) or CONFIG in folder.broken:
        return
    name = folder.config.get("tokenizer_class")
    if name == "PytokTokenizer":
        yield Finding(
            "unknown-class",
            "warning",
            "without `import pytok.hf`, 4.57 raises ValueError, and 5 takes its own class",
            f"{CONFIG}: tokenizer_class",
            'save with PytokTokenizer.save_pretrained(folder), or with profile="portable"',
        )
    elif name == "TokenizersBackend" or (
        name is None and not folder.json("config.json").get("model_type")
    ):
        what = f"no class {name!r}" if name else "neither tokenizer_class nor model_type to go by"
        yield Finding(
            "unknown-class",
            "error",
            f"4.57 raises ValueError: it has {what}",
            f"{CONFIG}: tokenizer_class",
            f"set it to {_STOCK}, which both versions know",
            (TRANSFORMERS_4, VLLM),
            {"tokenizer_class": _STOCK},
        )
    elif isinstance(name, str) and not _is_known(name):
        yield Finding(
            "unknown-class",
            "error",
            f"4.57 raises ValueError: it has no class {name!r}; 5 takes its own class instead",
            f"{CONFIG}: tokenizer_class",
            f"set it to {_STOCK}, or write the auto_map of the class",
            (TRANSFORMERS_4, VLLM),
        )


def _is_known(name: str) -> bool:
    short = name.removesuffix("Fast")
    return short.endswith("Tokenizer") and short.removesuffix("Tokenizer") in KNOWN


def _auto_map(folder: Folder) -> Iterator[Finding]:
    auto_map = folder.config["auto_map"]
    classes = auto_map.get("AutoTokenizer") if isinstance(auto_map, dict) else auto_map
    if isinstance(classes, str) and isinstance(auto_map, dict):
        yield Finding(
            "unknown-class",
            "error",
            "loading with trust_remote_code fails: transformers indexes the text as a list",
            f"{CONFIG}: auto_map",
            f"write a list: [null, {classes!r}]",
            TRANSFORMERS,
            {"auto_map": {**auto_map, "AutoTokenizer": [None, classes]}},
        )
        classes = [classes]
    for name in classes if isinstance(classes, list) else []:
        if not isinstance(name, str) or not _IN_FOLDER.fullmatch(name):
            continue
        module = f"{name.split('.')[0]}.py"
        if not folder.has(module):
            yield Finding(
                "unknown-class",
                "error",
                f"loading with trust_remote_code fails: there is no {module}",
                f"{CONFIG}: auto_map",
                "copy the file into the folder, or take auto_map away",
            )
