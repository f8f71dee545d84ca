"""Open the systems of an evaluation, with the baseline in front.

A system that cannot be opened stays in the report: its row says why. Only where
there is nothing else to measure it is an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from pytok.errors import ConfigError, PytokError
from pytok.eval.run import BASELINE, is_baseline
from pytok.eval.systems import System, TokenizerSystem, open_system

__all__ = ["Unopened", "opened_or_why", "told_apart", "with_baseline"]


@dataclass(frozen=True)
class Unopened:
    """Stands in for a system that could not be opened.

    Parameters
    ----------
    name
        What the caller called it.
    error
        Why; raised whenever the system is asked for pieces.

    """

    name: str
    error: BaseException
    sha256: None = field(default=None, init=False)
    tokenizer: None = field(default=None, init=False)
    knows: None = field(default=None, init=False)

    def pieces(self, texts: list[str]) -> NoReturn:
        """Raise the error."""
        del texts
        raise self.error


def opened_or_why(name: str, make: Callable[[], System]) -> System:
    """Make a system; one that cannot be made, or cannot say what it is, is `Unopened`.

    Examples
    --------
    >>> opened_or_why("mine", lambda: {}["model"]).error
    KeyError('model')

    """
    try:
        system = make()
        # These name the system in every report, so they are asked for first.
        _ = system.name, system.sha256, system.knows
        if system.tokenizer is not None:
            _ = system.tokenizer.vocab_size, system.tokenizer.unk_id
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        # Also what a native extension throws past `Exception`.
        return Unopened(name, error)
    return system


def told_apart(systems: Sequence[str | System]) -> list[System]:
    """Open systems; tokenizers of one name are called as the caller called them.

    Raises
    ------
    ConfigError
        If two systems cannot be told apart. Also what opening raised, if none
        of the systems can be opened.

    """
    opened = list(map(_opened, systems))
    failed = [system for system in opened if isinstance(system, Unopened)]
    if failed and len(failed) == len(opened):
        raise _explained(failed[0])
    names = [system.name for system in opened]
    labelled = [
        replace(system, label=item)
        if isinstance(system, TokenizerSystem) and isinstance(item, str) and names.count(name) > 1
        else system
        for system, item, name in zip(opened, systems, names, strict=True)
    ]
    for name, count in Counter(system.name for system in labelled).items():
        if count > 1:
            raise ConfigError(
                f"two systems are called {name!r}",
                hint="name each system once; TokenizerSystem(tokenizer, label=...) renames one",
            )
    return labelled


def _opened(item: str | System) -> System:
    if isinstance(item, str):
        return opened_or_why(item, lambda: open_system(item))
    return item if isinstance(item, Unopened) else opened_or_why(_name_of(item), lambda: item)


def _name_of(system: System) -> str:
    """Name of a system, or of its type where even that fails."""
    try:
        return system.name
    except Exception:  # whatever a foreign system raises
        return type(system).__name__


def _explained(failed: Unopened) -> PytokError:
    if isinstance(failed.error, PytokError):
        return failed.error
    error = ConfigError(
        f"cannot open {failed.name!r}: {type(failed.error).__name__}: {failed.error}",
        hint="the function that makes this system failed",
    )
    error.__cause__ = failed.error
    return error


def with_baseline(systems: list[System]) -> list[System]:
    """Put the baseline in front, unless it is among the systems."""
    if any(map(is_baseline, systems)):
        return systems
    return [opened_or_why(BASELINE, lambda: open_system(BASELINE)), *systems]
