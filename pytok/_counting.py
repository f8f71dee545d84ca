"""From texts to word counts: in batches, and again from where a run broke off."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from pytok import _pytok, _train_inputs
from pytok._train_inputs import Block, Sources
from pytok._written import written
from pytok.errors import ConfigError, ExportError, PytokError

__all__ = ["WorkFolder", "count", "write_counts"]

# Texts go to the counter in batches of at most about this many characters of texts, or
# bytes of blocks, or fewer when memory is short.
BATCH_SIZE = 1 << 22
LEAST_BATCH_SIZE = 1 << 16
# Or sooner, when there are two texts for each thread and at least so much for it: until
# the first batch is read, and while the last is counted, threads are idle.
THREAD_SIZE = 1 << 18
TEXTS_PER_THREAD = 2
# A change of what is counted in a file gets another number.
READER = 1

MakeCounter = Callable[[], _pytok.WordCounter]


class WorkFolder:
    """Keeps the counts of each file that has been counted.

    A name says which file it was, in which state, and how words were made. The
    file beneath it says the latter again and has a digest: what does not fit is
    not used.
    """

    def __init__(self, folder: Path, how: object) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ExportError(
                f"{folder}: cannot be written: {error.strerror or error}",
                hint="choose a writable folder",
            ) from error
        self.folder = folder
        self._how = [READER, _train_inputs.BLOCK_BYTES, _train_inputs.LONGEST_LINE, how]

    def name(self, path: Path) -> Path | None:
        """Return where the counts of a file are, for the state that it is in."""
        try:
            status = path.stat()
        except OSError:
            return None  # reading it says why
        state = [str(path.absolute()), status.st_size, status.st_mtime_ns, self._how]
        digest = hashlib.sha256(json.dumps(state).encode("utf-8", "surrogatepass"))
        return self.folder / f"{digest.hexdigest()[:32]}.counts"


def count(
    sources: Sources,
    make_counter: MakeCounter,
    *,
    threads: int = 1,
    parts: Iterable[_pytok.WordCounts] = (),
    memory: tuple[int, str] | None = None,
    work: WorkFolder | None = None,
    tell: Callable[[], None] = lambda: None,
) -> _pytok.WordCounts:
    """Count texts, and add the counts of parts that were counted before.

    With several threads a batch is counted while the next is read.
    """
    counter = make_counter()
    for part in parts:
        counter.add_counts(part)
    room = BATCH_SIZE
    if memory is not None:
        room = max(LEAST_BATCH_SIZE, min(room, memory[0] // 64))

    def feed(counter: _pytok.WordCounter, texts: Iterator[str | Block]) -> None:
        batch: list[str | Block] = []
        size = 0
        with _adding_to(counter, beside=threads > 1) as add:
            for text in texts:
                batch.append(text)
                size += len(text)
                is_even = len(batch) % (TEXTS_PER_THREAD * threads) == 0
                if size >= room or (is_even and size >= threads * THREAD_SIZE):
                    add(batch)
                    batch, size = [], 0
                    tell()
            add(batch)

    if work is None:
        feed(counter, chain.from_iterable(texts for _, texts in sources.pieces()))
    else:
        for path, texts in sources.pieces():
            name = None if path is None else work.name(path)
            if path is None or name is None:
                feed(counter, texts)
                continue
            if _add_kept(counter, name, memory):
                sources.skip(path)
            else:
                of_file = make_counter()
                feed(of_file, texts)
                counts = of_file.finish()
                if work.name(path) == name:  # else it changed while it was read
                    write_counts(counts, name)
                counter.add_counts(counts)
            tell()
    tell()
    return counter.finish()


@contextmanager
def _adding_to(
    counter: _pytok.WordCounter, *, beside: bool
) -> Iterator[Callable[[list[str | Block]], None]]:
    """Give a function that counts a batch; `beside` what its caller does next."""

    def count(batch: list[str | Block]) -> None:
        try:
            counter.add([piece if isinstance(piece, str) else piece.data for piece in batch])
        except ConfigError:
            for piece in batch:
                if isinstance(piece, Block):
                    piece.text()  # says in which file it is not UTF-8, and where
            raise

    if not beside:
        yield count
        return
    running: list[Future[None]] = []
    with ThreadPoolExecutor(1, thread_name_prefix="pytok-count") as executor:

        def add(batch: list[str | Block]) -> None:
            if running:
                running.pop().result()
            running.append(executor.submit(count, batch))

        try:
            yield add
        finally:
            # Also when reading fails: what is wrong with an earlier text comes first.
            if running:
                running.pop().result()


def _add_kept(counter: _pytok.WordCounter, name: Path, memory: tuple[int, str] | None) -> bool:
    try:
        kept = _pytok.WordCounts.read(os.fspath(name), memory)
    except (OSError, PytokError):
        return False
    try:
        counter.add_counts(kept)
    except ConfigError:
        return False  # of other words, in spite of its name
    return True


def write_counts(counts: _pytok.WordCounts, target: Path) -> None:
    """Write counts to a file, whole or not at all.

    Raises
    ------
    ExportError
        When the file cannot be written.

    """
    with written(target) as stream:
        counts.write(stream.name)
