"""Ctrl-C or a full disk, at every step of writing: the source stays, nothing is half there."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from prune_kinds import kind, texts_of
from tiny_model import config, weights, write_checkpoint

import pytok
from pytok.errors import ExportError
from pytok.pruning.surgery import extend_model, prune_model

KEPT = np.array([0, 1, 2, 90, 3, 17, 33, 34, 35, 60, 5])
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


class Fault:
    """Fails once, when a file under a folder is opened for writing, or renamed, or made."""

    def __init__(self) -> None:
        self.folder: str | None = None
        self.left = 0
        self.has_failed = False
        self.raises: Callable[[], None] = lambda: None

    def __call__(self, event: str, arguments: tuple[Any, ...]) -> None:
        folder = self.folder
        if folder is None or event not in {"open", "os.rename", "os.mkdir"}:
            return
        path = arguments[0]
        if not isinstance(path, (str, bytes)) or not os.fsdecode(path).startswith(folder + os.sep):
            return
        if event == "open" and not arguments[2] & WRITING:
            return
        self.left -= 1
        if self.left < 0:
            self.folder, self.has_failed = None, True
            self.raises()

    @contextmanager
    def armed(self, folder: Path, step: int, raises: Callable[[], None]) -> Iterator[None]:
        self.folder, self.left, self.raises = str(folder), step, raises
        self.has_failed = False
        try:
            yield
        finally:
            self.folder = None


@pytest.fixture(scope="module")
def fault() -> Fault:
    fault = Fault()
    sys.addaudithook(fault)  # for good: there is no way to take it out
    return fault


def full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.fixture(autouse=True)
def control_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def writers(source: Path) -> dict[str, Callable[[Path], object]]:
    result = pytok.prune(kind("bpe").tokenizer, list(texts_of("news")), target_size=600)
    vocab = pytok.DynamicVocab(kind("bpe").tokenizer, cap=700)
    old = kind("bpe").tokenizer
    grown = pytok.extend(old, ["螺蛳粉配螺蛳汤", "螺蛳粉好吃"] * 3, add=2, char_align=False)
    return {
        "prune_model": lambda place: prune_model(source, place, KEPT),
        "prune_model with a tokenizer": lambda place: prune_model(
            source, place, np.arange(700), tokenizer=result.tokenizer
        ),
        "extend_model": lambda place: extend_model(source, place, old, grown.tokenizer),
        "result": result.save,
        "dynamic": vocab.save,
    }


NAMES = ("prune_model", "prune_model with a tokenizer", "extend_model", "result", "dynamic")
# Their folders appear whole or not at all; of the others each file does.
WHOLE = ("prune_model", "prune_model with a tokenizer", "extend_model")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint in shards that fits the tokenizer of the writers."""
    folder = tmp_path_factory.mktemp("model") / "old"
    rows = len(kind("bpe").tokenizer)
    tensors = weights("float32", rows=rows)
    write_checkpoint(folder, tensors, config(rows=rows), shards=3)
    return folder


def check(name: str, place: Path, expected: dict[str, bytes]) -> None:
    """Nothing is there, or all; and nothing beside it."""
    assert {path.name for path in place.parent.iterdir()} <= {place.name}
    if not place.exists():
        return
    found = {"": place.read_bytes()} if place.is_file() else tree(place)
    if name in WHOLE:
        assert found == expected
    assert found.items() <= expected.items()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("raises", "error"),
    [(full, ExportError), (interrupt, KeyboardInterrupt)],
    ids=["full", "ctrl-c"],
)
def test_whichever_step_fails(
    tmp_path: Path,
    fault: Fault,
    source: Path,
    name: str,
    raises: Callable[[], None],
    error: type[BaseException],
) -> None:
    write = writers(source)[name]
    (tmp_path / "reference").mkdir()
    reference = tmp_path / "reference" / "new"
    write(reference)
    expected = {"": reference.read_bytes()} if reference.is_file() else tree(reference)
    before = tree(source)
    step = 0
    while True:
        parent = tmp_path / str(step)
        parent.mkdir()
        place = parent / "new"
        with fault.armed(parent, step, raises):
            try:
                write(place)
            except error:
                assert fault.has_failed
        assert tree(source) == before
        check(name, place, expected)
        if not fault.has_failed:
            break
        step += 1
    assert (parent / "new").exists()
    assert step >= (2 if name == "dynamic" else 5), "too few steps failed"


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of a file's size there")
@pytest.mark.parametrize("name", NAMES)
def test_a_disk_that_fills_up_within_a_file(tmp_path: Path, source: Path, name: str) -> None:
    import resource

    write = writers(source)[name]
    before = tree(source)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (0, 100, 1000):
        parent = tmp_path / str(limit)
        parent.mkdir()
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            with pytest.raises(ExportError, match="cannot"):
                write(parent / "new")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert tree(source) == before
        check(name, parent / "new", {})
