"""The files of a tokenizer folder, read once, whatever state they are in."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from pytok.errors import PytokError
from pytok.tokenizer import Tokenizer

__all__ = ["CONFIG", "SPECIAL_MAP", "TOKENIZER", "Folder", "content_of", "shown", "special_tokens"]

TOKENIZER = "tokenizer.json"
CONFIG = "tokenizer_config.json"
SPECIAL_MAP = "special_tokens_map.json"
# Other files that are one JSON object.
_OBJECTS = (TOKENIZER, CONFIG, SPECIAL_MAP, "config.json", "generation_config.json")
_FURTHER = ("pytok.json", "vocab.json", "added_tokens.json", "tekken.json")
_LISTS = ("additional_special_tokens", "extra_special_tokens")
_SHOWN = 5


class Folder:
    """A tokenizer folder; what is missing or broken reads as empty.

    Parameters
    ----------
    path
        An existing folder.

    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.broken: dict[str, str] = {}
        self.repeated: list[str] = []
        self._objects = {name: self._read(name) for name in (*_OBJECTS, *_FURTHER)}

    def _read(self, name: str) -> dict[str, Any]:
        path = self.path / name
        if not _is_file(path):
            if os.path.lexists(path):
                self.broken[name] = "a folder" if path.is_dir() else "not a file, or a broken link"
            return {}
        hook = self._no_repeats if name == TOKENIZER else None
        try:
            content = json.loads(path.read_bytes().decode("utf-8"), object_pairs_hook=hook)
        except OSError as error:
            self.broken[name] = str(error.strerror or error)
            return {}
        except (ValueError, RecursionError) as error:
            self.broken[name] = f"not valid JSON: {error}"
            return {}
        if not isinstance(content, dict):
            self.broken[name] = f"a {type(content).__name__}, expected an object"
            return {}
        return content

    def _no_repeats(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.repeated.append(key)
                seen.add(key)
        return made

    def has(self, name: str) -> bool:
        """Whether there is a file of that name."""
        return _is_file(self.path / name)

    def json(self, name: str) -> dict[str, Any]:
        """Content of a JSON file."""
        return self._objects[name]

    def text(self, name: str) -> str:
        """Read a text file; nothing when it cannot be read."""
        try:
            return (self.path / name).read_bytes().decode("utf-8", "replace")
        except OSError as error:
            self.broken[name] = str(error.strerror or error)
            return ""

    @property
    def config(self) -> dict[str, Any]:
        """Content of tokenizer_config.json."""
        return self._objects[CONFIG]

    def part(self, name: str) -> dict[str, Any]:
        """Give a component of tokenizer.json: ``"model"``, ``"normalizer"``, ..."""
        found = self._objects[TOKENIZER].get(name)
        return found if isinstance(found, dict) else {}

    def steps(self, name: str) -> list[dict[str, Any]]:
        """Give a component of tokenizer.json as the list of its steps, sequences laid out."""
        steps, waiting = [], [self.part(name)]
        while waiting:
            step = waiting.pop()
            children = step.get("pretokenizers", step.get("normalizers", step.get("processors")))
            if isinstance(children, list):
                waiting += [child for child in reversed(children) if isinstance(child, dict)]
            elif step:
                steps.append(step)
        return steps

    @property
    def kind(self) -> str | None:
        """Kind of the model in tokenizer.json; old files do not say it."""
        model = self.part("model")
        if "type" not in model and "merges" in model:
            return "BPE"
        return str(model["type"]) if "type" in model else None

    @cached_property
    def pieces(self) -> list[tuple[str, int]]:
        """Pieces of the model in tokenizer.json with their ids."""
        vocab = self.part("model").get("vocab")
        if isinstance(vocab, dict):
            return [(piece, number) for piece, number in vocab.items() if isinstance(number, int)]
        if isinstance(vocab, list):
            return [
                (entry[0], number)
                for number, entry in enumerate(vocab)
                if isinstance(entry, list) and entry and isinstance(entry[0], str)
            ]
        return []

    @cached_property
    def added(self) -> list[dict[str, Any]]:
        """Added tokens of tokenizer.json."""
        found = self._objects[TOKENIZER].get("added_tokens")
        return [
            token
            for token in (found if isinstance(found, list) else [])
            if isinstance(token, dict)
            and isinstance(token.get("content"), str)
            and isinstance(token.get("id"), int)
        ]

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Ids of all tokens of tokenizer.json."""
        return dict(self.pieces) | {token["content"]: token["id"] for token in self.added}

    def core(self, name: str) -> Tokenizer | PytokError | None:
        """Load a file with pytok: the tokenizer, why it does not load, or None for no file."""
        if not self.has(name) or name in self.broken:
            return None
        try:
            return Tokenizer.from_file(self.path / name)
        except PytokError as error:
            return error


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def content_of(token: Any) -> str | None:
    """Give the text of a token that a configuration names, as text or as an object."""
    if isinstance(token, dict):
        token = token.get("content")
    return token if isinstance(token, str) else None


def special_tokens(config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """List the special tokens that a configuration names, with the field.

    Examples
    --------
    >>> list(special_tokens({"eos_token": {"content": "</s>"}, "extra_special_tokens": ["<a>"]}))
    [('eos_token', '</s>'), ('extra_special_tokens', '<a>')]

    """
    for key, value in config.items():
        if key.endswith("_token") and (content := content_of(value)) is not None:
            yield key, content
    for key in _LISTS:
        value = config.get(key)
        tokens = value.values() if isinstance(value, dict) else value
        if isinstance(tokens, (list, type({}.values()))):
            for token in tokens:
                if (content := content_of(token)) is not None:
                    yield key, content


def shown(tokens: list[str]) -> str:
    """Name a few of many tokens.

    Examples
    --------
    >>> shown(list("abcdefg"))
    "'a', 'b', 'c', 'd', 'e' and 2 more"

    """
    text = ", ".join(map(repr, tokens[:_SHOWN]))
    return text + (f" and {len(tokens) - _SHOWN:,} more" if len(tokens) > _SHOWN else "")
