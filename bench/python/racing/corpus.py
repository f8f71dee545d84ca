"""The texts: documents of about 3 kB, in slices that no library has seen.

A kind is a list of files. Lines of 30 bytes and more that were seen before are
left out. Documents are grouped into blocks of 64 kB, and the blocks are shuffled
with a fixed seed: every slice is a like mixture of all sources, and documents of
one source do not all lie in one slice.
"""

from __future__ import annotations

import ast
import lzma
import platform
import random
import re
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DOCUMENT, BLOCK = 3_000, 64_000

FILES = {
    "modern": [
        "news/gov-reports.txt.xz",
        "news/icorpus-tw-news.txt",
        "news/itn-zh.txt",
        "news/ntrex-zho-CN.txt",
        "news/ntrex-zho-TW.txt",
        "parallel/xquad/zh.txt",
        "parallel/niutrans-classical-modern.tsv.xz#1",
        "train/modern-wiki-cmrc-cn.txt.xz",
        "train/modern-wiki-drcd-tw.txt.xz",
    ],
    "classical": [
        "classical/zuozhuan-punctuated.txt.xz",
        "classical/shiji-punctuated.txt.xz",
        "classical/kanripo-shi-hanshu.txt.xz",
        "classical/kanripo-zibu-agronomy.txt.xz",
        "classical/kanripo-zibu-medicine.txt.xz",
        "classical/kanripo-zibu-military.txt.xz",
        "classical/kanripo-zibu-misc.txt.xz",
        "classical/kanripo-zibu-philosophy.txt.xz",
        "classical/poetry-song-ci.txt.xz",
        "classical/poetry-song-shi.txt.xz",
        "classical/poetry-tang.txt.xz",
    ],
    "code": [
        "code/c-java-kotlin-swift.txt.xz",
        "code/go.txt.xz",
        "code/javascript-typescript.txt.xz",
        "code/python.txt.xz",
        "code/rust.txt.xz",
    ],
    # The shared texts have 340 kB of English prose. Beside it: comments of the
    # Rust sources there, and the documentation inside this Python itself.
    "english": ["parallel/ntrex/eng.txt", "parallel/xquad/en.txt", "code/rust.txt.xz#comments"],
}
KINDS = (*FILES, "mixed")
MIXTURE = ("modern", "modern", "classical", "code", "english")


@dataclass(frozen=True)
class Kind:
    """The documents of a kind, shuffled, and where they come from.

    `kept_back` is for the mixed kind, which then is unseen too.
    """

    name: str
    sources: tuple[tuple[str, int], ...]
    documents: tuple[bytes, ...]
    kept_back: tuple[bytes, ...] = ()


def read(path: Path) -> str:
    data = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return data.decode("utf-8")


def lines_of(shared: Path, name: str) -> list[str]:
    """Read the lines of a file; `#1` takes a column, `#comments` the prose of Rust comments."""
    name, _, part = name.partition("#")
    lines = read(shared / "data" / name).splitlines()
    if part == "comments":
        return [m[1] for line in lines if (m := re.match(r"\s*//[/!]? ?(.*\w.*)", line))]
    return [line.split("\t")[int(part)] for line in lines[1:]] if part else lines


def python_prose() -> Iterator[tuple[str, list[str]]]:
    """Yield the language reference and the docstrings that this Python ships."""
    from pydoc_data.topics import topics

    release = platform.python_version()
    yield f"Python {release} pydoc_data.topics", "\n".join(topics.values()).splitlines()
    library = Path(sysconfig.get_path("stdlib"))
    lines: list[str] = []
    for path in sorted(library.rglob("*.py")):
        if {"site-packages", "test", "tests", "pydoc_data"} & set(path.relative_to(library).parts):
            continue
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                lines.extend((ast.get_docstring(node) or "").splitlines())
    yield f"Python {release} docstrings of the standard library", lines


def unseen(lines: Iterable[str], seen: set[str]) -> Iterator[str]:
    """Leave out lines of 30 bytes and more that are in `seen`, and put the others there."""
    for line in lines:
        if len(line.encode()) < 30 or line not in seen:
            seen.add(line)
            yield line


def in_documents(lines: Iterable[str], size: int = DOCUMENT) -> Iterator[bytes]:
    """Join lines to documents of at least `size` bytes; what is left over is lost."""
    document: list[str] = []
    length = 0
    for line in lines:
        document.append(line)
        length += len(line.encode()) + 1
        if length >= size:
            yield "\n".join(document).encode()
            document, length = [], 0


def shuffled(documents: Sequence[bytes], seed: int, block: int = BLOCK) -> list[bytes]:
    """Shuffle blocks of neighbouring documents."""
    per_block = max(1, block // DOCUMENT)
    blocks = [documents[i : i + per_block] for i in range(0, len(documents), per_block)]
    random.Random(seed).shuffle(blocks)
    return [document for block in blocks for document in block]


def slices(documents: Sequence[bytes], size: int) -> Iterator[list[bytes]]:
    """Cut documents into disjoint slices of at least `size` bytes; the rest is lost."""
    taken: list[bytes] = []
    length = 0
    for document in documents:
        taken.append(document)
        length += len(document)
        if length >= size:
            yield taken
            taken, length = [], 0


def load(shared: Path, name: str) -> Kind:
    """Read a kind of text."""
    if name == "mixed":
        return mixed(shared)
    seen: set[str] = set()
    documents: list[bytes] = []
    sources = []
    named = [(file, lines_of(shared, file)) for file in FILES[name]]
    if name == "english":
        named.extend(python_prose())
    for source, lines in named:
        found = list(in_documents(unseen(lines, seen)))
        sources.append((source, sum(map(len, found))))
        documents.extend(found)
    documents = shuffled(documents, seed=8)
    own = len(documents) * 4 // 5
    return Kind(name, tuple(sources), tuple(documents[:own]), tuple(documents[own:]))


def mixed(shared: Path) -> Kind:
    """Take what the kinds kept back in turn, modern Chinese twice, until one is used up."""
    kinds = {name: load(shared, name) for name in dict.fromkeys(MIXTURE)}
    supply = {name: iter(kind.kept_back) for name, kind in kinds.items()}
    documents: list[bytes] = []
    while True:
        turn = [next(supply[name], None) for name in MIXTURE]
        if None in turn:
            break
        documents.extend(document for document in turn if document is not None)
    sources = [(f"{name} (see there)", 0) for name in kinds]
    return Kind("mixed", tuple(sources), tuple(documents))


def fresh(documents: Iterable[bytes]) -> list[str]:
    """Make new strings: a string that was encoded keeps its UTF-8, which the next would find."""
    return [document.decode("utf-8") for document in documents]
