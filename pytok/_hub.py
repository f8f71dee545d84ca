"""Finding a tokenizer by name: a path, a tokenizer of the package, or a hub id."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from pytok._files import read_file, tokenizer_file_in
from pytok.errors import ConfigError, TokenizerNotFoundError

__all__ = ["HubOptions", "Located", "embedded_names", "locate"]

# The files that a hub repository is asked for, in this order.
HUB_FILES = (
    "pytok.json",
    "tokenizer.json",
    "tekken.json",
    "tokenizer.model",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tiktoken.model",
    "qwen.tiktoken",
)
HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True)
class HubOptions:
    """How to ask the hub; every field as in `huggingface_hub.hf_hub_download`."""

    revision: str | None = None
    token: str | bool | None = None
    local_files_only: bool | None = None
    cache_dir: str | os.PathLike[str] | None = None


@dataclass(frozen=True)
class Located:
    """A tokenizer file that was found.

    Parameters
    ----------
    path
        Where it was found; shown in error messages.
    content
        What it says, unpacked.
    name
        The tokenizer's name: the embedded name, the hub id, or the name of the
        folder or file.

    """

    path: Path
    content: bytes
    name: str


def embedded_names() -> list[str]:
    """List the tokenizers that ship with the package, sorted.

    Examples
    --------
    >>> "zh-32k" in embedded_names()
    True

    """
    data = resources.files("pytok") / "data"
    return sorted(
        entry.name for entry in data.iterdir() if entry.joinpath("tokenizer.json").is_file()
    )


def locate(source: str | os.PathLike[str], hub: HubOptions) -> Located:
    """Find and read a tokenizer: an existing path wins, then an embedded name, then a hub id.

    Raises
    ------
    TokenizerNotFoundError
        When it is none of the three, or the hub does not have it.
    FormatError
        When a path exists but cannot be read.

    """
    text = os.fspath(source)
    if not text or "\0" in text:
        raise ConfigError(
            f"not a path or a name: {text!r}", hint=f"embedded names: {_list_of_names()}"
        )
    path = Path(text)
    if path.is_dir():
        file = tokenizer_file_in(path)
        return Located(file, read_file(file), path.resolve().name)
    if path.exists():
        return Located(path, read_file(path), path.name)
    if isinstance(source, str):
        if source in embedded_names():
            resource = resources.files("pytok") / "data" / source / "tokenizer.json"
            return Located(Path(str(resource)), resource.read_bytes(), source)
        if HUB_ID.fullmatch(source) and not source.startswith("."):
            file = _download(source, hub)
            return Located(file, read_file(file), source)
    raise TokenizerNotFoundError(
        f"{text}: no such file or folder, and no tokenizer of this name in the package",
        hint=f"embedded names: {_list_of_names()}; a hub id has the form owner/name",
    )


def _list_of_names() -> str:
    return ", ".join(embedded_names())


def _download(repository: str, hub: HubOptions) -> Path:
    """Fetch the first tokenizer file that a hub repository has."""
    try:
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError
    except ImportError as error:
        raise TokenizerNotFoundError(
            f"{repository}: no such path, and hub ids need the package huggingface_hub",
            hint="pip install pytok-tokenizers[hub]",
        ) from error
    local_only = bool(hub.local_files_only)
    cache = None if hub.cache_dir is None else Path(hub.cache_dir)
    offline: LocalEntryNotFoundError | None = None
    for name in HUB_FILES:
        try:
            return Path(
                hf_hub_download(
                    repository,
                    name,
                    revision=hub.revision,
                    token=hub.token,
                    cache_dir=cache,
                    local_files_only=local_only,
                )
            )
        except LocalEntryNotFoundError as error:
            # Offline, or no connection: do not wait for the network once per name.
            offline, local_only = error, True
        except EntryNotFoundError:
            continue
        except (OSError, ValueError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise TokenizerNotFoundError(
                f"{repository}: no such path, and the hub refused it: {reason}",
                hint="check the id, the revision and the access token",
            ) from error
    if offline is not None:
        raise TokenizerNotFoundError(
            f"{repository}: no such path, and not in the local cache of the hub while offline",
            hint="allow the network once, or pass a path",
        ) from offline
    raise TokenizerNotFoundError(
        f"{repository}: the hub repository has none of {', '.join(HUB_FILES)}",
        hint="download its tokenizer file and pass the path",
    )
