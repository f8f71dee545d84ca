"""Reading and writing tokenizer files: which file of a folder, what is inside it, atomic saving."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pytok._staged import staged
from pytok.errors import ExportError, FormatError, TokenizerNotFoundError

__all__ = [
    "check_folder",
    "encoding_name_of",
    "rank_settings",
    "read_file",
    "tokenizer_file_in",
    "write_files",
    "write_folder",
]

FORMATS = "pytok.json, tokenizer.json, tekken.json, *.model (SentencePiece) or *.tiktoken"
EXACT_NAMES = ("pytok.json", "tokenizer.json", "tekken.json")
SUFFIXES = (".model", ".tiktoken")
# What `pytok.export` writes beside ranks: their pattern and special tokens.
RANK_SETTINGS = "tiktoken.json"
# The files that other libraries load, as `Tokenizer.save` names them.
OWN_NAMES = ("tokenizer.json", "tokenizer.model", "tokenizer.tiktoken")

# A word in the name of a rank file, and the encoding that it stands for.
ENCODING_WORDS = (
    ("cl100k", "cl100k"),
    ("o200k", "o200k"),
    ("p50k", "p50k"),
    ("r50k", "r50k"),
    ("gpt2", "gpt2"),
    ("qwen", "qwen"),
    ("kimi", "kimi-k2"),
    ("llama3", "llama3"),
    ("llama-3", "llama3"),
    ("llama_3", "llama3"),
    ("deepseek", "deepseek"),
)


# The largest published tokenizer files have some 40 MB.
_LARGEST_UNPACKED = 1 << 30


def encoding_name_of(path: Path) -> str | None:
    """Name the encoding that a rank file's own name makes obvious, if any."""
    stem = path.name.lower()
    return next((encoding for word, encoding in ENCODING_WORDS if word in stem), None)


def read_file(path: Path) -> bytes:
    """Read a tokenizer file whole; .gz and .xz content is unpacked, whatever the name.

    Raises
    ------
    TokenizerNotFoundError
        When there is no such file.
    FormatError
        When the path is a folder, or the file is empty, unreadable or a
        damaged archive.

    """
    if path.is_dir():
        raise FormatError(
            f"{path}: is a folder, expected a tokenizer file",
            hint="Tokenizer.from_pretrained loads a folder",
        )
    if path.exists() and not path.is_file():
        raise FormatError(
            f"{path}: is a device or a pipe, expected a tokenizer file",
            hint="write the tokenizer to a file first",
        )
    try:
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise TokenizerNotFoundError(
            f"{path}: no such file, expected {FORMATS}", hint="check the path"
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"{path}: cannot be read: {reason}", hint="check the path") from error
    try:
        if data.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as archive:
                data = _bounded(archive, path)
        elif data.startswith(b"\xfd7zXZ\x00"):
            with lzma.LZMAFile(io.BytesIO(data)) as archive:
                data = _bounded(archive, path)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise FormatError(
            f"{path}: damaged archive: {error}", hint="download or copy the file again"
        ) from error
    if not data:
        raise FormatError(
            f"{path}: the file is empty, expected {FORMATS}",
            hint="download or copy the file again",
        )
    return data


def _bounded(archive: gzip.GzipFile | lzma.LZMAFile, path: Path) -> bytes:
    """Read an archive of bounded size: a few bytes can unpack to any number."""
    data = archive.read(_LARGEST_UNPACKED + 1)
    if len(data) > _LARGEST_UNPACKED:
        raise FormatError(
            f"{path}: unpacks to more than {_LARGEST_UNPACKED >> 20} MiB, "
            "expected a tokenizer file",
            hint="unpack the file yourself if it is what it says",
        )
    return data


def rank_settings(path: Path) -> tuple[str, dict[str, int]] | None:
    """Read the pattern and the special tokens that lie beside an exported rank file.

    Returns
    -------
    settings
        ``pat_str`` and ``special_tokens`` of the tiktoken.json in the same folder;
        None when the file is no ``*.tiktoken`` or there is none.

    Raises
    ------
    FormatError
        When tiktoken.json does not hold them.

    """
    beside = path.parent / RANK_SETTINGS
    if not _plain_name(path.name).endswith(".tiktoken") or not beside.is_file():
        return None
    try:
        record = json.loads(read_file(beside))
        pattern, specials = record["pat_str"], record["special_tokens"]
        valid = isinstance(pattern, str) and all(
            isinstance(name, str) and type(token_id) is int for name, token_id in specials.items()
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        valid = False
    if not valid:
        raise FormatError(
            f"{beside}: expected pat_str, a text, and special_tokens, an object of ids",
            hint="pass pattern= and special_tokens=, or encoding=, and the file is not read",
        )
    return pattern, specials


def tokenizer_file_in(folder: Path) -> Path:
    """Choose the tokenizer file of a folder: the first format of the list that is there.

    Raises
    ------
    TokenizerNotFoundError
        When the folder holds none.
    FormatError
        When it holds several of the format that would be chosen.

    """
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError as error:
        raise FormatError(f"{folder}: cannot be read: {error.strerror}") from error
    for exact in EXACT_NAMES:
        found = [name for name in names if _plain_name(name) == exact]
        if found:
            # "tokenizer.json" sorts before "tokenizer.json.xz": the plain file wins.
            return folder / found[0]
    for suffix in SUFFIXES:
        found = [name for name in names if _plain_name(name).endswith(suffix)]
        if len(found) > 1:
            raise FormatError(
                f"{folder}: holds several {suffix} files: {', '.join(found)}",
                hint="pass the path of the one that is meant",
            )
        if found:
            return folder / found[0]
    raise TokenizerNotFoundError(
        f"{folder}: no tokenizer file in this folder, expected {FORMATS}",
        hint="pass the path of the tokenizer file if it has another name",
    )


def _plain_name(name: str) -> str:
    return name.removesuffix(".gz").removesuffix(".xz")


def check_folder(folder: Path, written: Collection[str]) -> None:
    """Fail when a tokenizer cannot be saved into a folder for what is there.

    Parameters
    ----------
    folder
        The folder, which need not exist.
    written
        Names of files that will be replaced.

    Raises
    ------
    ExportError
        When a file stands in its place, or when a file of another tokenizer would
        be left in it.

    """
    if folder.exists() and not folder.is_dir():
        raise ExportError(
            f"{folder}: is a file, expected a folder", hint="pass the path of a folder"
        )
    for name in OWN_NAMES:
        if name not in written and (folder / name).exists():
            raise ExportError(
                f"{folder}: holds the {name} of another tokenizer, and this one cannot be "
                "written in that format",
                hint="save to an empty folder",
            )


def write_folder(
    folder: Path,
    native: bytes,
    portable: bytes | None,
    own: tuple[str, bytes] | None,
    config: dict[str, Any],
) -> Path:
    """Write a tokenizer's files into a folder, each of them whole or not at all.

    Parameters
    ----------
    folder
        The folder, made when it does not exist. Other files in it are kept.
    native
        The content of pytok.json.
    portable
        The content of tokenizer.json; None when that format cannot represent
        the tokenizer, and then neither it nor tokenizer_config.json is written.
    own
        The name and content of the file of the tokenizer's own format, if that
        is another one.
    config
        The content of tokenizer_config.json.

    Raises
    ------
    ExportError
        As `check_folder`, and when nothing can be written there.

    """
    files = {"pytok.json": native} | dict([own] if own else [])
    if portable is not None:
        files["tokenizer.json"] = portable
        files["tokenizer_config.json"] = _json(config)
    check_folder(folder, files)
    write_files(folder, files)
    return folder


def write_files(folder: Path, files: dict[str, bytes]) -> None:
    """Write files into a folder, each of them whole or not at all.

    Raises
    ------
    ExportError
        When nothing can be written there.

    """
    with staged(folder) as staging:
        for name, content in files.items():
            (staging / name).write_bytes(content)


def _json(content: dict[str, Any]) -> bytes:
    return (json.dumps(content, indent=2, ensure_ascii=False) + "\n").encode()
