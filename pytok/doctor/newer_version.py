"""Files of a newer version, or with parts that nobody here knows."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import ALL, PYTOK, Finding
from pytok.doctor.folder import TOKENIZER, Folder
from pytok.errors import PytokError

__all__ = ["newer_version"]

_VERSION = "1.0"


def newer_version(folder: Folder) -> Iterator[Finding]:
    """Find a tokenizer.json or pytok.json that pytok refuses, and say why."""
    version = folder.json(TOKENIZER).get("version")
    if folder.json(TOKENIZER) and version != _VERSION:
        yield Finding(
            "newer-version",
            "error",
            f"it does not load: its version is {version!r}, and loaders know {_VERSION!r}",
            f"{TOKENIZER}: version",
            "update tokenizers and pytok, or save it with the version that is in use",
            (*ALL, PYTOK),
        )
        return
    for name, loaders in ((TOKENIZER, (*ALL, PYTOK)), ("pytok.json", (PYTOK,))):
        outcome = folder.core(name)
        if isinstance(outcome, PytokError):
            yield Finding(
                "newer-version",
                "error",
                f"it does not load: {str(outcome).removeprefix(f'{folder.path / name}: ')}",
                name,
                outcome.hint or "save it with the version that is in use",
                loaders,
            )
