"""Which kind and system of one report belongs to which of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytok.eval.report import KindReport, ParallelReport, Report, SourceFile, SystemReport

__all__ = ["Partner", "lost_results", "partners"]


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
    for key, part in new_parts.items():
        kind = key[1]
        before = old_parts.get(key)
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
    notes += [f"{key[1]}: in the old report only" for key in old_parts if key not in new_parts]
    return found, notes


def lost_results(old: Report, new: Report) -> tuple[str, ...]:
    """Name what the old report has and the new one lacks.

    Returns
    -------
    lost
        One sentence per kind, system or number that is gone: a kind that was
        not measured again, a system that is not there or failed, a number
        without a value. What was missing before is not lost.

    """
    names, _ = _names(_systems(old), _systems(new))
    renamed = {was: name for name, was in names.items()}
    new_parts = _parts(new)
    lost: list[str] = []
    for key, part in _parts(old).items():
        after = new_parts.get(key)
        if after is None:
            lost.append(f"{key[1]} is not in the new report")
            continue
        rows = {system.system: system for system in after.systems}
        for was in part.systems:
            if was.failure is None:
                row = rows.get(renamed.get(was.system, ""))
                lost += [f"{was.system} on {key[1]} {reason}" for reason in _lost(was, row)]
    return tuple(lost)


def _lost(old: SystemReport, new: SystemReport | None) -> list[str]:
    if new is None:
        return ["is not in the new report"]
    if new.failure is not None:
        return [f"failed in the new report: {new.failure}"]
    return [
        f"has no {name} in the new report"
        for name, number in old.numbers.items()
        if number.value is not None and (name not in new.numbers or new.numbers[name].value is None)
    ]


def _parts(report: Report) -> dict[tuple[str, str], KindReport | ParallelReport]:
    """Kinds and sets of parallel texts, which may share a name."""
    return {
        **{("kind", kind.kind): kind for kind in report.kinds},
        **{("parallel", parallel.name): parallel for parallel in report.parallel},
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
