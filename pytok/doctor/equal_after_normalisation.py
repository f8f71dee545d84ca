"""Tokens that are one text once it is normalised."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import ALL, Finding
from pytok.doctor.folder import TOKENIZER, Folder, shown
from pytok.doctor.normal_form import with_normal_forms

__all__ = ["equal_after_normalisation"]


def equal_after_normalisation(folder: Folder) -> Iterator[Finding]:
    """Find pieces that the tokenizer's own normalizer turns into other pieces."""
    forms = list(with_normal_forms(folder))
    texts = {text for _, text, _ in forms}
    pairs = [
        f"{text} → {normal}" for _, text, normal in forms if normal != text and normal in texts
    ]
    if pairs:
        yield Finding(
            "equal-after-normalisation",
            "warning",
            f"{shown(pairs)}: the normalizer makes them one, so the first of each is never used",
            f"{TOKENIZER}: normalizer",
            "`pytok prune` takes such pieces out; or take the step out of the normalizer before "
            "training",
            ALL,
        )
