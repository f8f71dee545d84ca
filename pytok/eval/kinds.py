"""Which files of a folder are text, and which kind of text they are.

The first folder below the root names the kind; files in the root itself have
the kind named after the root.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pytok.errors import CorpusError
from pytok.eval.text_files import PACKED

__all__ = ["GOLD", "PARALLEL", "SPANS", "Kind", "discover", "is_gold", "stem"]

GOLD = "gold"
PARALLEL = "parallel"
SPANS = "spans"
_GOLD_SUFFIX = ".seg.txt"
_SUFFIXES = frozenset(
    """
    .txt .md .jsonl .c .cc .cpp .cs .css .go .h .hpp .html .ipynb .java .jl .js .json .jsx .kt .lua
    .m .php .pl .py .pyi .r .rb .rs .scala .sh .sql .swift .toml .ts .tsx .vue .xml .yaml .yml
    """.split()  # noqa: SIM905 - one suffix per string takes forty lines
)
_ABOUT = re.compile(r"(readme|licen[cs]e|notice|copying)(\.|$)|sources\.toml$", re.IGNORECASE)


@dataclass(frozen=True)
class Kind:
    """Files of one kind of text.

    Parameters
    ----------
    name
        Name of the folder, or of the file.
    files
        Files with text, sorted.
    gold
        Files with gold words, sorted.

    """

    name: str
    files: tuple[Path, ...]
    gold: tuple[Path, ...]

    @property
    def all_files(self) -> tuple[Path, ...]:
        """Files with text, then files with gold words."""
        return (*self.files, *self.gold)


def stem(path: Path) -> str:
    """Name of a file without its suffixes of packing and format.

    Examples
    --------
    >>> stem(Path("gold/news.seg.txt.xz")), stem(Path("a.b.py"))
    ('news', 'a.b')

    """
    name = path.name
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    if name.endswith(_GOLD_SUFFIX):
        return name.removesuffix(_GOLD_SUFFIX)
    return name.rpartition(".")[0] or name


def is_gold(path: Path) -> bool:
    """Whether the file name says gold words (`*.seg.txt`, packed or not)."""
    name = path.name
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    return name.endswith(_GOLD_SUFFIX)


def _is_text(path: Path) -> bool:
    name = path.name
    for suffix in PACKED:
        name = name.removesuffix(suffix)
    return Path(name).suffix.lower() in _SUFFIXES and not _ABOUT.match(name)


def discover(root: Path) -> list[Kind]:
    """Find the kinds below a folder, or take one file as a kind.

    Hidden files and folders, README, LICENSE and NOTICE files,
    ``sources.toml`` and the folders ``parallel`` and ``spans`` in the root
    are left out. A gold file belongs to the kind whose folder
    it is in; below a folder ``gold`` (or in the root) it makes or joins the
    kind of its own name.

    Raises
    ------
    CorpusError
        If `root` does not exist or holds no text.

    """
    if root.is_file():
        gold = (root,) if is_gold(root) else ()
        return [Kind(stem(root), () if gold else (root,), gold)]
    if not root.is_dir():
        raise CorpusError(
            f"no such folder or file: {root}", hint="give a folder with .txt, .md or .jsonl files"
        )
    texts: dict[str, list[Path]] = {}
    golds: dict[str, list[Path]] = {}
    for path in _walk(root):
        below = path.relative_to(root).parts
        if len(below) > 1 and below[0] in (PARALLEL, SPANS):
            continue
        folder = below[0] if len(below) > 1 else root.resolve().name
        if is_gold(path):
            own = len(below) == 1 or folder == GOLD
            golds.setdefault(stem(path) if own else folder, []).append(path)
        elif _is_text(path):
            texts.setdefault(folder, []).append(path)
    names = sorted({*texts, *golds})
    if not names:
        raise CorpusError(
            f"no text in {root}",
            hint="the folder needs .txt, .md, .jsonl or source files (.gz and .xz too)",
        )
    return [Kind(name, tuple(texts.get(name, ())), tuple(golds.get(name, ()))) for name in names]


def _walk(root: Path) -> Iterator[Path]:
    seen: set[str] = set()
    for folder, folders, names in os.walk(root, followlinks=True):
        # A link to a folder above would never end.
        real = os.path.realpath(folder)
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if not name.startswith("."):
                yield Path(folder) / name
