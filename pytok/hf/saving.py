"""Writing the folder that transformers loads."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from transformers import PreTrainedTokenizerFast

from pytok import ConfigError, PytokError, Tokenizer
from pytok._staged import staged
from pytok.hf.agreement import check_agreement
from pytok.hf.backend import untruncated
from pytok.hf.folder import NATIVE, PORTABLE, settle_config

__all__ = ["WithSaving"]


class WithSaving(PreTrainedTokenizerFast):
    """The part of `PytokTokenizer` that writes folders."""

    _chinese: Any
    core: Any

    def save_pretrained(
        self,
        save_directory: str | os.PathLike[str],
        legacy_format: bool | None = None,
        filename_prefix: str | None = None,
        push_to_hub: bool = False,
        *,
        profile: str = NATIVE,
        **kwargs: Any,
    ) -> tuple[str, ...]:
        """Write a folder that transformers loads, each file whole or not at all.

        Parameters
        ----------
        save_directory
            The folder; made when it does not exist. Other files in it are kept.
        legacy_format, filename_prefix, push_to_hub, kwargs
            As in `PreTrainedTokenizerBase.save_pretrained`.
        profile
            ``"native"``, the default: the folder loads as this class, and
            `AutoTokenizer` finds it once pytok.hf was imported, or with
            ``trust_remote_code=True``. ``"portable"``: it loads without pytok, as
            a `PreTrainedTokenizerFast`, with the same ids.

        Returns
        -------
        files
            What was written.

        Raises
        ------
        ExportError
            When core and backend do not give the same ids, the folder cannot be
            written, or a portable folder cannot hold the Chinese steps.
        ConfigError
            When the profile is none of these.

        """
        if profile not in (NATIVE, PORTABLE):
            raise ConfigError(f"profile: {profile!r}, expected {NATIVE!r} or {PORTABLE!r}")
        core = self.core
        if self._chinese is None:
            check_agreement(core, untruncated(self._tokenizer))
        elif profile == PORTABLE:
            # Says which steps a tokenizer.json has no place for.
            core._core.tokenizer_json()
        folder = Path(save_directory)
        prefix = f"{filename_prefix}-" if filename_prefix else ""
        with staged(folder) as staging:
            super().save_pretrained(staging, legacy_format, filename_prefix, **kwargs)
            if self._chinese is not None:
                _write_with_steps(staging / f"{prefix}tokenizer.json", core)
            (staging / f"{prefix}pytok.json").write_bytes(core._core.pytok_json())
            settle_config(staging, profile, prefix)
            names = [path.relative_to(staging) for path in sorted(staging.rglob("*"))]
            written = [name for name in names if (staging / name).is_file()]
        if push_to_hub:
            self.push_to_hub(kwargs.get("repo_id", folder.name))
        return tuple(str(folder / name) for name in written)


def _write_with_steps(path: Path, core: Tokenizer) -> None:
    """Put the steps into tokenizer.json, or leave it out: never one with other ids."""
    try:
        path.write_bytes(core._core.tokenizer_json())
    except PytokError:
        path.unlink()
