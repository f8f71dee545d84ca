"""Which characters are variants of which, and in what direction they are folded.

A character is *standard* when it is in the first two levels of the PRC's table of
2013 or among Taiwan's common characters (the first level of Big5, and what the
characters of the PRC's table are simplified from, where that is one character).
Standard characters are never touched, and nothing but standard characters is put
anywhere, so there are no chains and no cycles. A simplified form is neither put
in the place of its traditional form nor the other way round.

A pair of a variant and a standard character is a z-variant when Unihan, ISO/IEC
10646, the PRC's table of 1955, the joyo table, the standards of Taiwan and Hong
Kong or `old-prints.tsv` say so (the firm sources), or when the collection `yitizi`
has it and knows the same variants of both or no other standard form. It is a
semantic variant that is safe when Unihan has it with the flag T (the same) or Z
(the proper form) and without B (not the same), or when `yitizi` has it too.

The two must have a reading in common, except in `old-prints.tsv` and the joyo
table, which name one word by its shapes. Without a firm source, the reading of the
variant that Unihan prefers is the one that counts, and the variant must not be in
the third level of the PRC's table, which has characters of names, nor be the shape
of a radical. No row of `never-merge.tsv` may forbid the pair. Where both a
traditional and a simplified form come into question, the simplified one does not.

Of several standard characters the one in more sources is taken, then one that is
standard in both scripts. Where two are in equally many sources and of the same
standing, nothing is done: how frequent they are does not tell which is meant.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sources import Unihan

__all__ = ["Chooser", "Row", "read_never_merge"]

OLD_PRINTS = "old-prints"
FIRM = {"kZVariant", "iso-10646", "prc-1955", "joyo", "taiwan", "hong-kong", OLD_PRINTS}


@dataclass(frozen=True, order=True)
class Row:
    """A variant and the standard character that it is folded to."""

    variant: str
    standard: str
    step: str
    script: str
    sources: tuple[str, ...]


def read_never_merge(path: Path) -> dict[str, set[str]]:
    """Return, by character, what it must not be folded to; all, if empty."""
    forbidden: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        characters, _, _ = line.partition("\t")
        for this in characters:
            forbidden.setdefault(this, set()).update(set(characters) - {this})
    return forbidden


@dataclass
class Chooser:
    """Chooses the rows of the table of variants."""

    unihan: Unihan
    tables: dict[tuple[str, str], set[str]]
    yitizi: dict[str, set[str]]
    forbidden: dict[str, set[str]]
    components: set[str]
    traditional: set[str] = field(init=False)
    standard: set[str] = field(init=False)
    simple_forms: set[str] = field(init=False)
    forms: dict[str, set[str]] = field(init=False)

    def __post_init__(self) -> None:
        origins: dict[str, set[str]] = {}
        self.forms = {}
        for this, simple in self.unihan.simplified:
            origins.setdefault(simple, set()).add(this)
            self.forms.setdefault(this, set()).add(simple)
        self.simple_forms = set(origins)
        single = (origins[this] for this in self.unihan.prc if this in origins)
        self.traditional = self.unihan.taiwan.union(*(o for o in single if len(o) == 1))
        self.standard = self.unihan.prc | self.traditional

    def rows(self) -> list[Row]:
        """Return all rows, by variant."""
        pairs = set(self.tables)
        for both in (*self.unihan.z_variants, *self.unihan.semantic):
            this, other = both
            pairs |= {(this, other), (other, this)}
        pairs |= {(this, other) for this, others in self.yitizi.items() for other in others}
        others: dict[str, set[str]] = {}
        for this, other in pairs:
            others.setdefault(this, set()).add(other)
        found = (self.row(this, others[this]) for this in sorted(others))
        return [row for row in found if row is not None]

    def row(self, variant: str, others: set[str]) -> Row | None:
        """Return the row of one character, if it has one."""
        if len(variant) != 1:
            return None
        if variant in self.standard:
            if variant in self.traditional:
                return None
            return self.choose(variant, others, "z-variants", "traditional")
        if variant in self.simple_forms and variant in self.unihan.prc_all:
            return None
        return self.choose(variant, others, "z-variants", "any") or self.choose(
            variant, others, "semantic-variants", "any"
        )

    def choose(self, variant: str, others: set[str], step: str, script: str) -> Row | None:
        """Return the row of one step, of the candidate that goes before all others."""
        allowed = self.traditional if script == "traditional" else self.standard
        candidates = []
        for other in others & allowed:
            sources = self.sources(variant, other, step, script)
            if sources and self.may_become(variant, other, script, sources):
                both = other in self.traditional and other in self.unihan.prc
                candidates.append((-len(sources), not both, other, sorted(sources)))
        simple = self.simple_forms_of({other for _, _, other, _ in candidates})
        candidates = [candidate for candidate in candidates if candidate[2] not in simple]
        candidates.sort()
        if not candidates:
            return None
        (*standing, standard, names), *rest = candidates
        if rest and [*rest[0][:2]] == standing:
            return None
        return Row(variant, standard, step, script, tuple(names))

    def simple_forms_of(self, characters: set[str]) -> set[str]:
        """Return the simplified forms of some characters."""
        return set().union(*(self.forms.get(this, ()) for this in characters))

    def may_become(self, variant: str, other: str, script: str, sources: set[str]) -> bool:
        """Whether nothing forbids that a variant becomes another character."""
        if other in self.forbidden.get(variant, ()):
            return False
        readings = self.unihan.readings.get(variant, set())
        if not sources & FIRM:
            if variant in self.components or variant in self.unihan.prc_all:
                return False
            readings = readings & {self.unihan.reading.get(variant, "")}
        silent = variant not in self.unihan.readings or {OLD_PRINTS, "joyo"} & sources
        if not silent and not readings & self.unihan.readings[other]:
            return False
        if script == "traditional":
            return True
        if {(variant, other), (other, variant)} & self.unihan.simplified:
            return False
        return other in self.traditional or other not in self.simple_forms

    def sources(self, variant: str, other: str, step: str, script: str) -> set[str]:
        """Return the sources of a pair; none if they do not make it one of the step."""
        both = frozenset((variant, other))
        found = set(self.tables.get((variant, other), ()))
        if both in self.unihan.z_variants:
            found.add("kZVariant")
        flags = self.unihan.semantic.get(both)
        if flags is not None:
            found.add("kSemanticVariant")
        collected = other in self.yitizi.get(variant, ())
        if collected:
            found.add("yitizi")
        if step == "z-variants":
            collected = collected and script == "any" and variant not in self.simple_forms
            same = collected and (self.alike(variant, other) or self.only(variant))
            return found if found & FIRM or same else set()
        safe = flags is not None and (collected or safe_flags(flags))
        return found if safe else set()

    def alike(self, this: str, other: str) -> bool:
        """Whether the collection has the same variants of both characters."""
        return self.family(this) == self.family(other)

    def only(self, this: str) -> bool:
        """Whether the collection knows one standard form of a character."""
        others = self.yitizi[this] & self.standard
        return len(others - self.simple_forms_of(others)) == 1

    def family(self, this: str) -> set[str]:
        """Return a character and its variants but for simplified forms."""
        members = {this, *self.yitizi.get(this, ())}
        return {m for m in members if m not in self.simple_forms or m in self.unihan.taiwan}


def safe_flags(flags: str) -> bool:
    """Whether a dictionary says that two characters are the same and none that not."""
    return bool({"T", "Z"} & set(flags)) and "B" not in flags
