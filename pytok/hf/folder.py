"""The folder that transformers loads: what is read from it and written to it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pytok._hub import embedded_names

__all__ = [
    "NATIVE",
    "PORTABLE",
    "needs_conversion",
    "settle_config",
]

NATIVE = "native"
PORTABLE = "portable"
SHIM = "tokenization_pytok.py"
_SHIM_TEXT = "from pytok.hf import PytokTokenizer  # noqa: F401\n"
# A list of [slow, fast]: transformers indexes it, and a plain string breaks it.
_AUTO_MAP = {"AutoTokenizer": [None, "tokenization_pytok.PytokTokenizer"]}
# Keys that say how this object was loaded, not what it is.
_NOISE = ("backend", "is_local", "local_files_only", "name_or_path", "trust_remote_code")


def settle_config(folder: Path, profile: str, prefix: str = "") -> list[Path]:
    """Say in tokenizer_config.json which class loads the folder.

    Parameters
    ----------
    folder
        Where tokenizer_config.json is.
    profile
        ``"native"``: `PytokTokenizer`, with the shim that ``trust_remote_code``
        runs; ``"portable"``: `PreTrainedTokenizerFast`.
    prefix
        What precedes the name of the file.

    Returns
    -------
    files
        Files that were made.

    """
    path = folder / f"{prefix}tokenizer_config.json"
    config: dict[str, Any] = json.loads(path.read_text("utf-8"))
    for key in _NOISE:
        config.pop(key, None)
    config["clean_up_tokenization_spaces"] = False
    config["added_tokens_decoder"] = _added_tokens(folder / f"{prefix}tokenizer.json", config)
    _settle_extra_tokens(config)
    made = []
    if profile == NATIVE:
        config["tokenizer_class"] = "PytokTokenizer"
        config["auto_map"] = _AUTO_MAP
        (folder / SHIM).write_text(_SHIM_TEXT, "utf-8")
        made.append(folder / SHIM)
    else:
        config["tokenizer_class"] = "PreTrainedTokenizerFast"
        config.pop("auto_map", None)
    text = json.dumps(config, indent=2, sort_keys=True, ensure_ascii=False)
    path.write_text(text + "\n", "utf-8")
    return made


def _added_tokens(path: Path, config: dict[str, Any]) -> dict[str, Any]:
    """Read the added tokens from tokenizer.json: transformers 5 does not repeat them."""
    if not path.is_file():
        return dict(config.get("added_tokens_decoder", {}))
    tokens = json.loads(path.read_text("utf-8"))["added_tokens"]
    return {str(token.pop("id")): token for token in tokens}


def _settle_extra_tokens(config: dict[str, Any]) -> None:
    """Write further special tokens as both versions read them.

    transformers 4 wants a mapping from names in ``extra_special_tokens`` and fails
    on the list that transformers 5 writes; both read ``additional_special_tokens``.
    """
    named = config.pop("model_specific_special_tokens", None) or {}
    extra = config.pop("extra_special_tokens", None) or []
    if isinstance(extra, dict):
        named, extra = {**named, **extra}, []
    listed = [*extra, *(config.pop("additional_special_tokens", None) or [])]
    if listed:
        config["additional_special_tokens"] = listed
        # Of both keys transformers 5 drops one; it reads names as keys of their own.
        config |= named
    elif named:
        config["extra_special_tokens"] = named


def needs_conversion(source: str | os.PathLike[str]) -> bool:
    """Whether transformers cannot load a source by itself, but pytok can.

    True for the name of a tokenizer that ships with pytok, for a file, and for a
    folder with a tokenizer in another format than tokenizer.json. An existing path
    comes before a name, and everything else is for the hub.
    """
    path = Path(source)
    if path.is_dir():
        return not any((path / name).exists() for name in ("tokenizer.json", "pytok.json"))
    return path.is_file() or str(source) in embedded_names()
