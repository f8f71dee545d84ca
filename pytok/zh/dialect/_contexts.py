"""Contexts that rows of dialect tables name: ours, and files in the same form."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any, cast

from pytok._train_checks import parse_toml
from pytok.errors import ConfigError
from pytok.zh.dialect._files import read_utf8

__all__ = ["Contexts", "checked_contexts", "our_contexts", "read_contexts"]

Contexts = dict[str, dict[str, tuple[str, ...]]]
"""By name, the lists of which all must hold."""

LISTS = ("sentence", "not_sentence", "document", "next", "not_next", "prev", "not_prev")


def read_contexts(path: str | os.PathLike[str]) -> Contexts:
    r"""Read contexts of your own: a TOML file in the form of the tables' README.

    Returns
    -------
    dict
        By name, the lists of which all must hold; the option ``contexts`` of the
        steps of dialects.

    Raises
    ------
    ConfigError
        When the file cannot be read, or names what is not in that form.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from pytok import zh
    >>> from pytok.zh.dialect import read_contexts
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "mine.toml"
    ...     _ = path.write_text('[before-tea]\nnext = ["茶"]\n', "utf-8")
    ...     contexts = read_contexts(path)
    >>> row = {"token": "嘆", "standard": "品", "context": "before-tea"}
    >>> step = zh.Step("cantonese", {"entries": [row], "contexts": contexts})
    >>> zh.normalize("嘆茶，嘆氣", steps=[step]).text
    '品茶，嘆氣'

    """
    text = read_utf8(path)
    try:
        found = parse_toml(text)
    except ValueError as error:
        raise ConfigError(f"{path}: {error}", hint="see the README of the tables") from error
    return checked_contexts(found, str(path))


def checked_contexts(found: Mapping[str, Any], where: str) -> Contexts:
    """Return contexts without what is for the reader only.

    Raises
    ------
    ConfigError
        Names what is not in the form of the tables' README.

    """
    return {name: _rule(rule, f"{where}: {name}") for name, rule in found.items()}


def _rule(rule: Any, where: str) -> dict[str, tuple[str, ...]]:
    if not isinstance(rule, Mapping):
        raise ConfigError(f"{where}: {rule!r}, expected lists by name")
    lists = {}
    for key, strings in rule.items():
        if key == "why":
            continue
        if key not in LISTS:
            raise ConfigError(f"{where}: {key!r}, expected some of {', '.join(LISTS)}")
        is_list = isinstance(strings, (list, tuple)) and len(strings) > 0
        if not is_list or not all(isinstance(text, str) and text for text in strings):
            raise ConfigError(f"{where}: {key}: {strings!r}, expected a list of texts")
        lists[key] = tuple(strings)
    if not lists:
        raise ConfigError(f"{where}: holds everywhere, expected some of {', '.join(LISTS)}")
    return lists


@lru_cache(maxsize=1)
def our_contexts() -> Contexts:
    """Return the contexts that ship with the tables."""
    text = (files("pytok.zh.dialect") / "data" / "contexts.toml").read_text(encoding="utf-8")
    return checked_contexts(cast("dict[str, Any]", parse_toml(text)), "contexts.toml")
