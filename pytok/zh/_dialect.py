"""Steps that put Mandarin words in the place of those of a dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from pytok._segmenter import jieba_dictionary
from pytok.zh.dialect import REGIONS, DialectEntry, table
from pytok.zh.dialect._table import contexts, entry_of

__all__ = ["DIALECT_STEPS"]

Definition = dict[str, Any]


def _make(region: str) -> Callable[..., Definition]:
    def step(*, mode: str, entries: Iterable[DialectEntry | Mapping[str, Any]] = ()) -> Definition:
        del mode
        own = [entry_of(row, f"entries[{place}]") for place, row in enumerate(entries)]
        replaced = {entry.token for entry in own}
        rows = [entry for entry in table(region) if entry.token not in replaced]
        return {
            "type": "dialect",
            "entries": [_row(entry, region) for entry in [*rows, *own]],
            "contexts": [{"name": name, **rule} for name, rule in contexts().items()],
            "dictionary": _dictionary(),
        }

    step.__name__ = region
    step.__doc__ = f"""Put Mandarin words in the place of those of the dialect: {region}.

    A word is replaced where it stands as a word of its own: no word of jieba's
    dictionary, in both scripts, reaches over its edges. ``entries`` are rows of
    your own (`pytok.zh.dialect.read_table`, or dicts with the fields of
    `DialectEntry`); all our rows of a word give way to yours.
    """
    return step


def _row(entry: DialectEntry, region: str) -> Definition:
    return {
        "token": entry.token,
        "standard": entry.standard,
        "scope": entry.scope,
        "contexts": entry.context,
        "reason": region,
    }


@lru_cache(maxsize=1)
def _dictionary() -> str:
    return jieba_dictionary()


DIALECT_STEPS = {region: _make(region) for region in REGIONS}
"""The step of each dialect."""
