"""Ids in config.json and generation_config.json, moved to the new vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytok.errors import FormatError, VocabError

__all__ = ["moved_config"]

Changes = dict[str, tuple[Any, Any]]

_ENDS = ("_token_id", "_token_ids", "_token_index")
# What must not come up: an id that is gone no longer can.
_SUPPRESSED = ("suppress_tokens", "begin_suppress_tokens")
_BANNED = "bad_words_ids"
# Lists of lists of ids that must come up.
_FORCED = "force_words_ids"


def moved_config(
    content: Mapping[str, Any],
    *,
    name: str,
    ids: Mapping[int, int] | None,
    rows: tuple[int, int],
) -> tuple[dict[str, Any], Changes]:
    """Replace the size of the vocabulary and the ids of special tokens.

    Parameters
    ----------
    content
        The configuration.
    name
        Its file, for messages.
    ids
        New id by old id; None if ids stay.
    rows
        Rows of the vocabulary before and after.

    Returns
    -------
    content
        A copy with the new values. Parts with a vocabulary of their own, of
        another size, stay.
    changes
        Old and new value by ``"file: key"``.

    Raises
    ------
    VocabError
        If an id is not kept.
    FormatError
        If ids stand in a way that is not known.

    """
    mover = _Mover(name, ids, rows)
    return mover.object(content, ""), mover.changes


class _Mover:
    def __init__(self, name: str, ids: Mapping[int, int] | None, rows: tuple[int, int]) -> None:
        self._name, self._ids, self._rows = name, ids, rows
        self.changes: Changes = {}

    def object(self, content: Mapping[str, Any], path: str) -> dict[str, Any]:
        if content.get("vocab_size", self._rows[0]) != self._rows[0]:
            return dict(content)
        moved = {}
        for key, value in content.items():
            where = f"{path}{key}"
            new = self._value(key, value, where)
            if new != value and not isinstance(value, dict):
                self.changes[f"{self._name}: {where}"] = (value, new)
            moved[key] = new
        return moved

    def _value(self, key: str, value: Any, where: str) -> Any:
        if key == "vocab_size":
            return self._rows[1]
        if isinstance(value, dict):
            if key == "sequence_bias" and value and self._ids is not None:
                raise FormatError(f"{self._name}: {where} holds ids and cannot be moved")
            return self.object(value, f"{where}.")
        if value is None or self._ids is None:
            return value
        return self._ids_of(key, value, where)

    def _ids_of(self, key: str, value: Any, where: str) -> Any:
        ids = self._ids or {}
        if key in _SUPPRESSED:
            return [ids[token] for token in value if token in ids]
        if key == _BANNED:
            kept = [word for word in value if all(token in ids for token in word)]
            return [[ids[token] for token in word] for word in kept]
        if key == "forced_decoder_ids":
            return [[position, self._id(token, where)] for position, token in value]
        if key == _FORCED or key.endswith(_ENDS):
            return self._id(value, where)
        if key == "sequence_bias" and value:
            raise FormatError(f"{self._name}: {where} holds ids and cannot be moved")
        return value

    def _id(self, value: Any, where: str) -> Any:
        if isinstance(value, list):
            return [self._id(part, where) for part in value]
        # Null and negative numbers stand for "none".
        if value is None or (isinstance(value, int) and value < 0):
            return value
        if not isinstance(value, int):
            raise FormatError(f"{self._name}: {where} is {value!r}, expected an id")
        if self._ids is not None and value in self._ids:
            return self._ids[value]
        raise VocabError(
            f"{self._name}: {where} is {value}, an id that is not kept",
            hint="keep it: pytok.prune(..., protect=[...])",
        )
