"""Steps that fold variant characters to the standard ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from pytok.errors import ConfigError
from pytok.zh._tables import chosen, rows

__all__ = ["VARIANT_STEPS", "Script", "semantic_variants", "z_variants"]

Script = Literal["any", "traditional"]


def _of_step(step: str, keep: str, scripts: set[str]) -> dict[str, Any]:
    """Return a step with the rows of the table of variants that are wanted."""
    if not isinstance(keep, str):
        raise ConfigError(f"steps: {step}: keep: {keep!r}, expected the characters as one str")
    kept = set(keep)
    wanted = [
        (variant, standard, f"{step[:-1]}: {sources.replace(',', ', ')}")
        for variant, standard, its_step, script, sources in rows("variants.tsv")
        if its_step == step and script in scripts and not kept & {variant, standard}
    ]
    return {"type": "characters", "rows": wanted}


def z_variants(*, mode: str, keep: str = "", script: Script = "any") -> dict[str, Any]:
    """Variant shapes of a character become its standard shape.

    A character that is standard in simplified or in traditional text is never
    touched, so that simplified text stays simplified and traditional text stays
    traditional: ``于`` and ``於`` stay apart. Where the standards of Taiwan and Hong
    Kong differ, Taiwan's is taken (``爲`` becomes ``為``). Characters that text tells
    apart are never folded to one another, whatever a table says (``巳`` and ``已``,
    ``母`` and ``毋``; the file ``never-merge.tsv`` has all of them, with reasons).

    Parameters
    ----------
    mode
        Not used.
    keep
        Characters that are neither changed nor put anywhere, as one string.
    script
        ``"traditional"`` for text that is known to be traditional: characters that
        are standard in simplified text alone count as variants there (``説`` as
        always, but also ``内`` and ``虚``).

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("吳大澂幷于巳已", steps=["z-variants"]).text
    '吳大澄并于巳已'
    >>> zh.normalize("吳大澂", steps=[zh.Step("z-variants", {"keep": "澂"})]).text
    '吳大澂'

    Notes
    -----
    From Unihan's kZVariant (Unicode 17.0), examples of source separation in ISO/IEC
    10646, the PRC's First Series of Standardized Variant Characters (1955), the
    Japanese joyo table, the standards of Taiwan and Hong Kong as OpenCC has them,
    shapes of old prints, and the collection yitizi, by the rule that the generator
    ``rust/pytok-core/tables/chinese/variants.py`` states. The reason of an edit
    names the sources.

    """
    del mode
    chosen("z-variants", "script", script, ("any", "traditional"))
    return _of_step("z-variants", keep, {"any", script})


def semantic_variants(*, mode: str, keep: str = "") -> dict[str, Any]:
    """Characters that mean the same become the standard one, where that is safe.

    Only what Unihan's kSemanticVariant has with a dictionary that says that both are
    the same or which is proper, and none that says that they are not, or what a
    second collection has too. As in `z_variants`, standard characters stay, and so
    do pairs that text tells apart.

    Parameters
    ----------
    mode
        Not used.
    keep
        Characters that are neither changed nor put anywhere, as one string.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("飡秀色", steps=["semantic-variants"]).text
    '餐秀色'

    Notes
    -----
    From Unihan (Unicode 17.0) and the collection yitizi; see `z_variants`.

    """
    del mode
    return _of_step("semantic-variants", keep, {"any"})


VARIANT_STEPS: dict[str, Callable[..., dict[str, Any]]] = {
    "z-variants": z_variants,
    "semantic-variants": semantic_variants,
}
"""The steps of this module by name."""
