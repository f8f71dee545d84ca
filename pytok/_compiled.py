"""What the parts of a tokenizer that make others need of it."""

from __future__ import annotations

from typing import TypeVar

from pytok import _pytok

__all__ = ["Compiled"]

Self = TypeVar("Self", bound="Compiled")


class Compiled:
    """A compiled core with a name."""

    __slots__ = ()

    _core: _pytok.Tokenizer
    _name: str

    @classmethod
    def _of(cls: type[Self], core: _pytok.Tokenizer, name: str) -> Self:
        raise NotImplementedError
