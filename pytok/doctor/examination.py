"""Examining a folder, and mending what is safe to mend."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from pytok._written import written
from pytok.doctor.chat_template import chat_template
from pytok.doctor.displaced_ids import displaced_ids
from pytok.doctor.duplicate_tokens import duplicate_tokens
from pytok.doctor.equal_after_normalisation import equal_after_normalisation
from pytok.doctor.finding import Finding
from pytok.doctor.folder import CONFIG, Folder
from pytok.doctor.gguf_pattern import gguf_pattern
from pytok.doctor.ignored_bos import ignored_bos
from pytok.doctor.missing_specials import missing_specials
from pytok.doctor.model_ids import model_ids
from pytok.doctor.newer_version import newer_version
from pytok.doctor.no_padding import no_padding
from pytok.doctor.replaced_class import replaced_class
from pytok.doctor.stale_files import stale_files
from pytok.doctor.two_lists import two_lists
from pytok.doctor.unknown_class import unknown_class
from pytok.doctor.unreachable_tokens import unreachable_tokens
from pytok.doctor.whole_files import whole_files
from pytok.errors import ExportError, FormatError, TokenizerNotFoundError

__all__ = ["CHECKS", "examine", "mend"]

CHECKS: tuple[Callable[[Folder], Iterator[Finding]], ...] = (
    whole_files,
    newer_version,
    replaced_class,
    unknown_class,
    ignored_bos,
    missing_specials,
    two_lists,
    duplicate_tokens,
    displaced_ids,
    stale_files,
    model_ids,
    equal_after_normalisation,
    unreachable_tokens,
    no_padding,
    chat_template,
    gguf_pattern,
)
_LEVELS = ("error", "warning", "note")


def examine(folder: str | os.PathLike[str]) -> tuple[Finding, ...]:
    """Look for what a loader of a tokenizer folder will trip over.

    Nothing is loaded but by pytok, and nothing is written.

    Parameters
    ----------
    folder
        A folder as transformers loads it.

    Returns
    -------
    findings
        Errors first, then warnings, then notes.

    Raises
    ------
    TokenizerNotFoundError
        When it is no folder.

    Examples
    --------
    >>> import tempfile, pytok
    >>> from pytok.doctor import examine
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pytok.Tokenizer.from_pretrained("zh-32k").save(folder)
    ...     [finding.level for finding in examine(folder)]
    ['note']

    """
    path = Path(folder)
    if not path.is_dir():
        what = "is a file, expected a folder" if path.exists() else "no such folder"
        raise TokenizerNotFoundError(f"{path}: {what}", hint="pass a tokenizer folder")
    files = Folder(path)
    found = [finding for check in CHECKS for finding in check(files)]
    return tuple(sorted(found, key=lambda finding: _LEVELS.index(finding.level)))


def mend(folder: str | os.PathLike[str], findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Mend what can be mended without changing an id, in tokenizer_config.json.

    The file is written beside its place and renamed: it is whole at any time.

    Parameters
    ----------
    folder
        The folder that was examined.
    findings
        What `examine` found.

    Returns
    -------
    mended
        Those that were mended.

    Raises
    ------
    FormatError
        When tokenizer_config.json is no JSON object.
    ExportError
        When it cannot be written, or is a link out of the folder.

    """
    mended = tuple(finding for finding in findings if finding.fixable)
    if not mended:
        return ()
    path = Path(folder, CONFIG)
    files = Folder(Path(folder))
    if CONFIG in files.broken:
        raise FormatError(f"{path}: {files.broken[CONFIG]}", hint="save the folder again")
    if Path(os.path.realpath(path)).parent != Path(os.path.realpath(folder)):
        raise ExportError(
            f"{path}: a link out of the folder, which may be shared (a cache of the hub has such)",
            hint="copy the folder with its links resolved (cp -rL), and mend the copy",
        )
    config: dict[str, Any] = dict(files.config)
    for finding in mended:
        config |= finding.settings
    config = {
        key: value
        for key, value in config.items()
        if value is not None or not any(key in finding.settings for finding in mended)
    }
    text = json.dumps(config, indent=2, ensure_ascii=False)
    if re.search("[\ud800-\udfff]", text):
        text = json.dumps(config, indent=2)
    with written(path) as stream:
        stream.write(f"{text}\n".encode())
    return mended
