"""Quotation marks of one kind in the place of those of another."""

from __future__ import annotations

from typing import Any

from pytok.zh._tables import chosen, rows

__all__ = ["bracket_pairs", "quotes"]

TARGETS = {
    "corner": ("「」", "『』"),
    "curly": ("“”", "‘’"),
    "vertical": ("﹁﹂", "﹃﹄"),
}


def quotes(
    *,
    mode: str,
    to: str = "corner",
    straight: bool = False,
    levels: str = "marks",
    within: str = "line",
) -> dict[str, Any]:
    """Fold quotation marks; only marks that have a partner are changed.

    The marks of a line are paired with a stack. A mark that has no partner stays
    and is reported as kept; so does a pair around a single mark of the kind that
    the pair would get, since nobody could tell them apart afterwards. Between two
    letters of a Latin word ``'``, ``‘`` and ``’`` are apostrophes and no marks, and
    no mark becomes one of these there. Folding there and back gives back a text
    whose marks are all of one kind and all paired; folding a second time changes
    nothing.

    Parameters
    ----------
    mode
        That of the pipeline; it makes no difference here.
    to
        ``"corner"`` 「outer『inner』」, ``"curly"`` “outer‘inner’”, or
        ``"vertical"`` ﹁outer﹃inner﹄﹂.
    straight
        Whether ``"`` and ``'`` (also ＂ and ＇) are marks: they take turns, and in
        a line where their number is odd all of them stay.
    levels
        ``"marks"``: an outer mark becomes an outer mark, an inner one an inner
        one; a pair inside a pair of another kind gets the level that the outside
        has not. ``"depth"``: the outermost pair gets outer marks whatever it had,
        and levels alternate inside.
    within
        How far a pair may reach: ``"line"``, or ``"text"`` for a text that was
        wrapped into lines.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("他說：“你讀過‘論語’嗎？”", steps=["quotes"]).text
    '他說：「你讀過『論語』嗎？」'
    >>> step = zh.Step("quotes", {"to": "curly"})
    >>> normalized = zh.normalize("「子曰：學而時習之", steps=[step])
    >>> normalized.text, normalized.edits[0].reason
    ('「子曰：學而時習之', 'opening mark without its closing mark')

    References
    ----------
    GB/T 15834-2011, 4.8; 教育部 重訂標點符號手冊 (2008), 引號.

    """
    del mode
    chosen("quotes", "to", to, list(TARGETS))
    chosen("quotes", "straight", straight, [False, True])
    uses = ["quotes", "straight"] if straight else ["quotes"]
    return {"type": "pairs", **bracket_pairs("quotes", uses, TARGETS[to], levels, within)}


def bracket_pairs(
    step: str, uses: list[str], to: tuple[str, str], levels: str, within: str
) -> dict[str, Any]:
    """Return what the core takes for pairs of marks: those of some uses."""
    chosen(step, "levels", levels, ["marks", "depth"])
    chosen(step, "within", within, ["line", "text"])
    pairs = []
    for use, system, level, opening, closing, *around in rows("pair-marks.tsv"):
        if use in uses:
            pairs.append(
                {
                    "open": opening,
                    "close": closing,
                    "system": system,
                    "level": int(level),
                    "around_han": around == ["han"],
                }
            )
    return {"pairs": pairs, "to": [list(pair) for pair in to], "levels": levels, "within": within}
