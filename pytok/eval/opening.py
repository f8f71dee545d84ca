"""Open the systems of an evaluation, with the baseline in front."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pytok.errors import ConfigError
from pytok.eval.run import BASELINE, is_baseline
from pytok.eval.systems import Segmenter, System, TokenizerSystem, open_system

__all__ = ["told_apart", "with_baseline"]


def told_apart(systems: Sequence[str | System]) -> list[System]:
    """Open systems; tokenizers of one name are called as the caller called them."""
    opened = [open_system(item) if isinstance(item, str) else item for item in systems]
    names = [system.name for system in opened]
    return [
        replace(system, label=item)
        if isinstance(system, TokenizerSystem) and isinstance(item, str) and names.count(name) > 1
        else system
        for system, item, name in zip(opened, systems, names, strict=True)
    ]


def with_baseline(systems: list[System]) -> list[System]:
    """Put the baseline in front, unless it is among the systems."""
    if any(map(is_baseline, systems)):
        return systems
    try:
        return [open_system(BASELINE), *systems]
    except ConfigError as error:
        return [_failing(BASELINE, error), *systems]


def _failing(name: str, error: ConfigError) -> System:
    """Stand in for a system that could not be opened: its row says why."""

    def cut(_text: str) -> list[str]:
        raise error

    return Segmenter(name, cut=cut)
