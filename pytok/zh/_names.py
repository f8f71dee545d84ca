"""Marks of names and titles."""

from __future__ import annotations

from typing import Any

from pytok.zh._quotes import bracket_pairs
from pytok.zh._tables import chosen, rows

__all__ = ["name_marks"]

ANGLE = ("《》", "〈〉")
LENTICULAR = ("【】", "〖〗")


def name_marks(
    *,
    mode: str,
    names: str = "remove",
    titles: str = "《》",
    books: str = "《》",
    lenticular: bool = False,
    within: str = "line",
) -> dict[str, Any]:
    """Fold the marks of names and titles, old and new.

    A line beside a name (專名號: ``孔̲子̲``, ``＿孔子＿``) goes; a wavy line beside a
    title (``﹏論語﹏``) becomes brackets. Brackets of titles become those of one
    kind, in pairs only, those of wavy lines as well. A mark without its partner
    stays and is reported, as does a long row of marks, which may be a blank to fill
    in.

    Parameters
    ----------
    mode
        That of the pipeline; it makes no difference here.
    names
        ``"remove"``: lines beside names go; ``"keep"``: they stay.
    titles
        What wavy lines become: ``"《》"`` (or what `books` makes of it), ``"remove"``
        or ``"keep"``.
    books
        What brackets of titles become: ``"《》"`` (inner ones ``〈〉``), ``"【】"``
        (inner ones ``〖〗``) or ``"keep"``. Brackets that also are signs (``＜＞``,
        ``≪≫``, ``«»``) are brackets only next to a Chinese character inside.
    lenticular
        Whether ``【】`` and ``〖〗`` are brackets of titles too. In many books they
        are around headings or notes.
    within
        How far brackets may reach: ``"line"``, or ``"text"`` for a text that was
        wrapped into lines.

    Examples
    --------
    >>> from pytok import zh
    >>> normalized = zh.normalize("＿孔子＿作﹏春秋﹏", steps=["name-marks"])
    >>> normalized.text, normalized.alignment.to_original((0, 2))
    ('孔子作《春秋》', (1, 3))

    References
    ----------
    教育部 重訂標點符號手冊 (2008), 專名號 and 書名號; GB/T 15834-2011, 4.15 and 4.16.

    """
    del mode
    chosen("name-marks", "names", names, ["remove", "keep"])
    chosen("name-marks", "titles", titles, ["《》", "remove", "keep"])
    chosen("name-marks", "books", books, ["《》", "【】", "keep"])
    chosen("name-marks", "lenticular", lenticular, [False, True])
    marks = rows("name-marks.tsv")
    around = {"《》": ["《", "》"], "remove": ["", ""], "keep": None}
    uses = ["titles", "lenticular"] if lenticular or books == "【】" else ["titles"]
    target = LENTICULAR if books == "【】" else ANGLE
    pairs = bracket_pairs("name-marks", uses, target, "marks", within)
    return {
        "type": "name-marks",
        "combining": [[mark, of] for place, mark, of, _ in marks if place == "on"],
        "beside": [[mark, of, int(most)] for place, mark, of, most in marks if place == "beside"],
        "remove_names": names == "remove",
        "title": around[titles],
        "brackets": None if books == "keep" else pairs,
    }
