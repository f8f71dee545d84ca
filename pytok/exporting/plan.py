"""What an export will be, said before anything is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

__all__ = ["Encode", "Plan"]

# (texts, whether control tokens in the text are found) -> ids of each text
Encode: TypeAlias = Callable[[list[str], bool], list[list[int]]]


@dataclass(frozen=True)
class Plan:
    """An export: its files, and what they cannot hold.

    Parameters
    ----------
    target
        What it is for: ``"hf"``, ``"sentencepiece"``, ``"tiktoken"``, ``"tekken"``, ``"gguf"``.
    files
        Name and content of each file.
    inexact
        Why ids of some texts will be others; empty when all ids are the same.
    losses
        What the target does not have although the ids of a text are the same.
    id_map
        Old ids to new ones, where the target numbers tokens in another way.
    finds_special, keeps_special_text
        Whether the target's library finds control tokens in a text, and whether
        it can take them as plain text.
    adds_special
        Whether it adds special tokens around a text as the tokenizer does.
    hint
        What to do where it is inexact.
    reload
        Loads the files of a folder with the target's own libraries: a name with
        the version, and how it encodes.

    """

    target: str
    files: Mapping[str, bytes]
    reload: Callable[[Path], Mapping[str, Encode]]
    inexact: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    id_map: Mapping[int, int] | None = field(default=None, repr=False)
    finds_special: bool = True
    keeps_special_text: bool = True
    adds_special: bool = False
    hint: str | None = None

    @property
    def exact(self) -> bool:
        """Whether every text gets the same ids, less what `id_map` says."""
        return not self.inexact
