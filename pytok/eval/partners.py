"""Which kind and system of one report belongs to which of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytok.eval.report import KindReport, ParallelReport, Report, SourceFile, SystemReport

__all__ = ["Partner", "partners"]


@dataclass(frozen=True)
class Partner:
    """A system on a kind in both reports.

    Parameters
    ----------
    kind
        Name of the kind, or of the set of parallel texts.
    old, new
        What the reports say of the system.
    same_text, same_words
        Whether the documents of the text, and those whose words are known, are
        the same.

    """

    kind: str
    old: SystemReport
    new: SystemReport
    same_text: bool
    same_words: bool


def partners(old: Report, new: Report) -> tuple[list[Partner], list[str]]:
    """Find the systems that two reports have in common.

    Kinds go by name. Systems go by name, then by the first word of it (a
    version may follow); a single tokenizer that is left in each report goes
    with the other, and a note says so.

    Returns
    -------
    partners, notes
        In the order of the new report, and what is in one report only.

    """
    names, notes = _names(_systems(old), _systems(new))
    found: list[Partner] = []
    old_parts, new_parts = _parts(old), _parts(new)
    for kind, part in new_parts.items():
        before = old_parts.get(kind)
        if before is None:
            notes.append(f"{kind}: in the new report only")
            continue
        if not _same_files(before, part):
            notes.append(f"{kind}: the reports measured other files")
        rows = {system.system: system for system in before.systems}
        for system in part.systems:
            was = rows.get(names.get(system.system, ""))
            if was is None:
                continue
            for row, which in ((was, "old"), (system, "new")):
                if row.failure is not None:
                    notes.append(f"{kind}: {row.system} failed in the {which} report")
            found.append(
                Partner(kind, was, system, _same_text(before, part), _same_words(before, part))
            )
    notes += [f"{kind}: in the old report only" for kind in old_parts if kind not in new_parts]
    return found, notes


def _parts(report: Report) -> dict[str, KindReport | ParallelReport]:
    return {
        **{kind.kind: kind for kind in report.kinds},
        **{parallel.name: parallel for parallel in report.parallel},
    }


def _systems(report: Report) -> dict[str, bool]:
    """Names of the systems, and whether they are tokenizers."""
    return {
        system.system: system.vocab_size is not None
        for part in _parts(report).values()
        for system in part.systems
    }


def _names(old: dict[str, bool], new: dict[str, bool]) -> tuple[dict[str, str], list[str]]:
    """Old names by new names, and notes."""
    names = {name: name for name in new if name in old}
    notes: list[str] = []

    def left(of: dict[str, bool], taken: Sequence[str]) -> list[str]:
        return [name for name in of if name not in taken]

    for name in left(new, list(names)):
        same = [was for was in left(old, list(names.values())) if was.split()[0] == name.split()[0]]
        if len(same) == 1:
            names[name] = same[0]
            notes.append(f"{same[0]} (old) is compared with {name} (new)")
    rest_old, rest_new = left(old, list(names.values())), left(new, list(names))
    tokenizers = [[n for n in rest if of[n]] for rest, of in ((rest_old, old), (rest_new, new))]
    if [len(rest) for rest in tokenizers] == [1, 1]:
        [was], [name] = tokenizers
        names[name] = was
        notes.append(f"{was} (old) is compared with {name} (new)")
    notes += [f"{name}: in the new report only" for name in left(new, list(names))]
    notes += [f"{name}: in the old report only" for name in left(old, list(names.values()))]
    return names, notes


def _identity(files: Sequence[SourceFile]) -> list[tuple[str, str, int]]:
    return [(file.sha256, file.rule, file.documents) for file in files]


def _same_files(old: KindReport | ParallelReport, new: KindReport | ParallelReport) -> bool:
    if isinstance(old, KindReport) and isinstance(new, KindReport):
        return _identity(old.files + old.gold) == _identity(new.files + new.gold)
    return _identity(old.files) == _identity(new.files)


def _same_text(old: KindReport | ParallelReport, new: KindReport | ParallelReport) -> bool:
    if not isinstance(old, KindReport) or not isinstance(new, KindReport):
        return False
    # Gold files are the text where there is no other.
    return _identity(old.files or old.gold) == _identity(new.files or new.gold)


def _same_words(old: KindReport | ParallelReport, new: KindReport | ParallelReport) -> bool:
    if not isinstance(old, KindReport) or not isinstance(new, KindReport):
        return False
    if old.words_are_gold and new.words_are_gold:
        return _identity(old.gold) == _identity(new.gold)
    return old.words_from == new.words_from and _same_text(old, new)
