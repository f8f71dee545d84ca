"""The word segmenters that are known by name, each with its word list.

None of them but jieba is needed; a package that is missing is named when its
segmenter is asked for. `oov_lex` asks the word list of the installed package,
and the report says which one that is.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import logging
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pytok.errors import ConfigError
from pytok.eval.double_array import DoubleArray
from pytok.eval.jieba_words import jieba_words
from pytok.eval.segmenter import Segmenter
from pytok.eval.system import System
from pytok.eval.thulac_parts import thulac_parts

__all__ = ["BASELINES"]

_THULAC_LISTS = ("idiom.dat", "ns.dat", "time.dat", "singlepun.dat")
_THULAC_WORDS = "model_w"
_THULAC_MODEL = ("cws_model.bin", "cws_dat.bin", "cws_label.txt")
# A feature "word" of the word model, whose letters have full width.
_THULAC_KEY = "u! "
_WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


def _module(name: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ConfigError(
            f"the system {name!r} needs a package that is not installed: {package}",
            hint=f"pip install {package}",
        ) from error


def _labelled(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


@cache
def _jieba() -> System:
    jieba = _module("jieba", "jieba")
    jieba.setLogLevel(logging.WARNING)
    # An instance of its own: words that the user added to the global one must
    # not move the baseline.
    tokenizer = jieba.Tokenizer()
    tokenizer.initialize()
    with tokenizer.get_dict_file() as dictionary:
        digest = hashlib.sha256(dictionary.read()).hexdigest()
    frequencies: dict[str, int] = tokenizer.FREQ
    return Segmenter(
        _labelled("jieba"),
        cut=partial(jieba_words, tokenizer),
        # The table also holds every prefix of a word, with frequency 0.
        knows=lambda word: frequencies.get(word, 0) > 0,
        sha256=digest,
        dictionary="dict.txt of the package",
    )


def _rjieba() -> System:
    rjieba = _module("rjieba", "rjieba")
    # Versions before 0.2 have no class, and cannot be asked for a word.
    own = rjieba.Jieba() if hasattr(rjieba, "Jieba") else rjieba
    knows = getattr(own, "has_word", None)
    said = "" if knows is None else "dict.txt of jieba in the package"
    return Segmenter(_labelled("rjieba"), cut=own.cut, knows=knows, dictionary=said)


def _thulac() -> System:
    package = _module("thulac", "thulac")
    # It prints that its model is loaded, which must not get into --json.
    with contextlib.redirect_stdout(io.StringIO()):
        segmenter = package.thulac(seg_only=True)
    models = Path(package.__file__).parent / "models"
    knows = _thulac_words(models)
    return Segmenter(
        _labelled("thulac"),
        cut=lambda text: (word for part in thulac_parts(text) for word, _ in segmenter.cut(part)),
        knows=knows,
        sha256=_digest(models / name for name in (*_THULAC_MODEL, *_THULAC_LISTS, _THULAC_WORDS)),
        dictionary=""
        if knows is None
        else "words of model_w, and the idioms, place names, times and marks of the package; "
        "the words of its training text are not in it",
    )


def _thulac_words(models: Path) -> Callable[[str], bool] | None:
    """Whether one of THULAC's lists has a word; None where a list is missing."""
    if not all((models / name).is_file() for name in (*_THULAC_LISTS, _THULAC_WORDS)):
        return None
    words = DoubleArray.read(models / _THULAC_WORDS)
    lists = [DoubleArray.read(models / name) for name in _THULAC_LISTS]
    return lambda word: (
        _THULAC_KEY + word.translate(_WIDE) in words or any(word in part for part in lists)
    )


def _digest(paths: Iterable[Path]) -> str | None:
    """SHA-256 of files one after another; None where one cannot be read."""
    digest = hashlib.sha256()
    try:
        for path in paths:
            digest.update(path.read_bytes())
    except OSError:
        return None
    return digest.hexdigest()


def _pkuseg() -> System:
    """Make pkuseg of either package; `spacy-pkuseg` is the one with wheels."""
    name, package = "spacy_pkuseg", "spacy-pkuseg"
    try:
        module = _module(name, package)
    except ConfigError:
        try:
            module = import_module("pkuseg")
        except ImportError:
            module = None
        if module is None:
            raise
        package = "pkuseg"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            segmenter = module.pkuseg()
    except (OSError, ValueError, RuntimeError) as error:
        raise ConfigError(
            f"{package} has no model: {type(error).__name__}: {error}",
            hint="spacy-pkuseg downloads its model to the folder PKUSEG_HOME (~/.pkuseg) when it "
            "is first used; the model of the package pkuseg is part of it",
        ) from error
    trained = set(segmenter.feature_extractor.unigram)
    joined = segmenter.postprocesser
    joined = joined.common_words | joined.other_words if joined.do_process else set()
    words = trained | joined
    return Segmenter(
        _labelled(package),
        cut=segmenter.cut,
        knows=words.__contains__,
        sha256=hashlib.sha256("\n".join(sorted(words)).encode("utf-8", "replace")).hexdigest(),
        dictionary=f"{len(trained):,} words of its training text, and {len(joined):,} of the list "
        "by which it joins words",
    )


BASELINES: dict[str, Callable[[], System]] = {
    "jieba": _jieba,
    "rjieba": _rjieba,
    "thulac": _thulac,
    "pkuseg": _pkuseg,
}
