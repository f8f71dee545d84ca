"""The dictionary of the word segmenter: jieba's, in both scripts."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from pytok import _pytok
from pytok.errors import ConfigError

__all__ = ["jieba_dictionary", "jieba_segmenter"]


def jieba_segmenter() -> _pytok.WordSegmenter:
    """Return the segmenter of `jieba_dictionary`, in a third of the time.

    Raises
    ------
    ConfigError
        When jieba or OpenCC is not installed.

    Examples
    --------
    >>> jieba_segmenter().boundaries("我們學習電腦")
    [2, 4]

    """
    text = _packaged("jieba", "dict.txt").decode("utf-8")
    return _pytok.WordSegmenter.from_dictionary(text, _converter())


def jieba_dictionary(traditional: bool = True) -> str:
    """Return the dictionary of jieba as text: lines ``word frequency tag``.

    Traditional forms follow jieba's own lines, as ``word frequency``, in the
    order of the words that they are of. They are those of OpenCC (``s2t``), each
    with the frequency of its word, or of the most frequent one when several
    words have the same form. A form that is in the dictionary keeps the
    dictionary's frequency.

    Parameters
    ----------
    traditional
        Whether traditional forms are added.

    Raises
    ------
    ConfigError
        When jieba or OpenCC is not installed.

    Examples
    --------
    >>> "電腦 3427" in jieba_dictionary().splitlines()
    True

    """
    text = _packaged("jieba", "dict.txt").decode("utf-8")
    if not traditional:
        return text
    frequencies: dict[str, int] = {}
    for line in text.splitlines():
        word, count, _ = line.split(" ")
        frequencies[word] = int(count)
    forms: dict[str, int] = {}
    for form, frequency in zip(_traditional(list(frequencies)), frequencies.values(), strict=True):
        if form not in frequencies:
            forms[form] = max(frequency, forms.get(form, 0))
    return text + "".join(f"{form} {frequency}\n" for form, frequency in forms.items())


def _packaged(package: str, file: str) -> bytes:
    # Found without importing the package: jieba's import takes longer than all
    # of this module.
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise _missing(package)
    path = Path(spec.origin).with_name(file)
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be read: {error.strerror}", hint=f"install {package} again"
        ) from error


def _traditional(words: list[str]) -> list[str]:
    # No phrase of OpenCC spans lines, so one call gives what one per word would.
    return _converter()("\n".join(words)).split("\n")


def _converter() -> Callable[[str], str]:
    try:
        from opencc import OpenCC
    except ImportError as error:
        raise _missing("opencc") from error
    return cast(Callable[[str], str], OpenCC("s2t").convert)


def _missing(package: str) -> ConfigError:
    return ConfigError(
        f"the dictionary needs a package that is not installed: {package}",
        hint=f"pip install {package}",
    )
