"""Steps that put Mandarin words in the place of those of a dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from pytok._segmenter import jieba_dictionary
from pytok.zh._tables import chosen
from pytok.zh.dialect import REGIONS, DialectEntry, table
from pytok.zh.dialect._contexts import checked_contexts, our_contexts
from pytok.zh.dialect._table import UNCHECKED, own_rows

__all__ = ["DIALECT_STEPS"]

Definition = dict[str, Any]


def _make(region: str) -> Callable[..., Definition]:
    def step(
        *,
        mode: str,
        entries: Iterable[DialectEntry | Mapping[str, Any]] = (),
        contexts: Mapping[str, Mapping[str, Any]] | None = None,
        unchecked: bool = False,
    ) -> Definition:
        del mode
        chosen(region, "unchecked", unchecked, [False, True])
        where = f"steps: {region}"
        own = own_rows(entries, f"{where}: entries", region)
        known = {**our_contexts(), **checked_contexts(contexts or {}, f"{where}: contexts")}
        replaced = {entry.token for entry in own}
        ours = [entry for entry in table(region) if unchecked or entry.source != UNCHECKED]
        rows = [*(entry for entry in ours if entry.token not in replaced), *own]
        named = {name for entry in rows for name in entry.context}
        return {
            "type": "dialect",
            "entries": [_row(entry) for entry in rows],
            "contexts": [{"name": name, **known[name]} for name in sorted(named & set(known))],
            "dictionary": _dictionary(),
        }

    step.__name__ = region
    step.__doc__ = f"""Put Mandarin words in the place of those of the dialect: {region}.

    A word is replaced where it stands as a word of its own: no word of jieba's
    dictionary, in both scripts, reaches over its edges. ``entries`` are rows of
    your own (`pytok.zh.dialect.read_table`, or dicts with the fields of
    `DialectEntry`); all our rows of a word give way to yours. ``contexts`` are
    what your rows name besides our contexts, by name
    (`pytok.zh.dialect.read_contexts`); one with the name of ours takes its place.
    ``unchecked`` says whether our rows that no work which was read confirms are
    taken too.

    All is decided by the text as it was given, so that words and contexts do not
    depend on the order of rows. Mandarin words have other neighbours than those of
    the dialect had: in rare cases a second pass finds another word to replace.
    """
    return step


def _row(entry: DialectEntry) -> Definition:
    return {
        "token": entry.token,
        "standard": entry.standard,
        "scope": entry.scope,
        "contexts": entry.context,
        "reason": _reason(entry),
    }


def _reason(entry: DialectEntry) -> str:
    """Return the rule as edits name it: its scope, its contexts and its sources."""
    rule = f"scope {entry.scope}"
    if entry.context:
        rule += f", context {' '.join(entry.context)}"
    return f"{rule}, source {entry.source}" if entry.source else rule


@lru_cache(maxsize=1)
def _dictionary() -> str:
    return jieba_dictionary()


DIALECT_STEPS = {region: _make(region) for region in REGIONS}
"""The step of each dialect."""
