"""What is measured: tokenizers, and word segmenters as baselines, side by side.

A system has a name and turns texts into `Pieces`. Two kinds are ready made:
`TokenizerSystem` wraps anything with the interface of `pytok.Tokenizer`,
`Segmenter` wraps a function that cuts a text into words. To add one::

    from pytok.eval import Segmenter, register

    register("spaces", lambda: Segmenter("spaces", cut=str.split))

`pytok.eval.Encoder` makes a tokenizer of any library from functions.
An installed package adds systems to the command line with an entry point of
the group ``pytok.eval.systems`` that names such a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, cast

from pytok.errors import ConfigError, PytokError
from pytok.eval.segmenter import Segmenter, tile
from pytok.eval.segmenters import BASELINES
from pytok.eval.system import Pieces, System, TokenizerLike
from pytok.eval.tokenizer_system import TokenizerSystem

__all__ = [
    "Pieces",
    "Segmenter",
    "System",
    "TokenizerLike",
    "TokenizerSystem",
    "open_system",
    "register",
    "registered",
    "tile",
]

_FACTORIES: dict[str, Callable[[], System]] = dict(BASELINES)


def register(name: str, factory: Callable[[], System]) -> None:
    """Make a system known by name.

    Parameters
    ----------
    name
        Name for `open_system` and ``pytok eval --tokenizer``.
    factory
        Makes the system; called when the system is first used.

    Examples
    --------
    >>> register("characters", lambda: Segmenter("characters", cut=list))
    >>> open_system("characters").name
    'characters'

    """
    _FACTORIES[name] = factory


def registered() -> list[str]:
    """Names of the known systems that are not tokenizer files, sorted."""
    return sorted({*_FACTORIES, *(point.name for point in _entry_points())})


def _entry_points() -> Iterable[Any]:
    return entry_points(group="pytok.eval.systems")


def _naming_hint() -> str:
    return f"give an embedded name, a file, a folder, or one of {', '.join(registered())}"


def open_system(name: str) -> System:
    """Open a registered system, or else load a tokenizer.

    Parameters
    ----------
    name
        A name from `registered`, or a name or path for
        `pytok.Tokenizer.from_pretrained`.

    Raises
    ------
    ConfigError
        If the package behind a registered name is not installed, or the
        tokenizer cannot be loaded.

    Examples
    --------
    >>> open_system("jieba").pieces(["北京大学"]).spans.tolist()
    [[0, 12]]

    """
    for point in _entry_points():
        if point.name == name and name not in _FACTORIES:
            register(name, point.load())
    if name in _FACTORIES:
        return _FACTORIES[name]()
    try:
        tokenizer_class = import_module("pytok").Tokenizer
        tokenizer = cast(TokenizerLike, tokenizer_class.from_pretrained(name))
    except PytokError as error:
        error.hint = error.hint or _naming_hint()
        raise
    except (OSError, ValueError, AttributeError, ImportError) as error:
        raise ConfigError(
            f"cannot load the tokenizer {name!r}: {error}", hint=_naming_hint()
        ) from error
    return TokenizerSystem(tokenizer)
