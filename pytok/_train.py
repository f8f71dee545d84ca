"""Training: texts to word counts, word counts to a tokenizer."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from pytok import _pytok, _train_options
from pytok._counting import WorkFolder, count, write_counts
from pytok._memory import memory_of
from pytok._train_config import TrainConfig
from pytok._train_inputs import Inputs, open_sources
from pytok._train_segmenter import segmentation
from pytok.errors import ConfigError, CorpusError, PytokError
from pytok.tokenizer import Tokenizer

__all__ = ["TrainProgress", "TrainReport", "TrainResult", "WordCounts", "count_words", "train"]


@dataclass(frozen=True)
class TrainProgress:
    """How far a run is.

    Parameters
    ----------
    stage
        ``"count"`` (reading; bytes as stored, characters of an iterable),
        ``"cut"``, ``"pairs"``, ``"merges"`` (pieces of the vocabulary),
        ``"segment"`` (words given to the segmenter) or ``"prune"`` (rounds);
        when a tokenizer is extended, ``"compare"`` (reading again, as "count").
    done
        How much of the stage is done.
    total
        How much there is; None when it cannot be known.

    """

    stage: str
    done: int
    total: int | None


OnProgress: TypeAlias = Callable[[TrainProgress], None]


class WordCounts:
    """The words of a corpus and how often each occurs: all that training needs.

    Made by `count_words` or read from a file; immutable. Counts of parts can be
    merged in any order: the sum equals the counts of the whole.

    Examples
    --------
    >>> counts = count_words(["学而时习之"]).merge(count_words(["学而"]))
    >>> counts == count_words(["学而", "学而时习之"])
    True

    """

    __slots__ = ("_core",)

    _core: _pytok.WordCounts

    def __init__(self) -> None:
        raise TypeError("WordCounts are made by pytok.count_words or WordCounts.read")

    @classmethod
    def _of(cls, core: _pytok.WordCounts) -> WordCounts:
        counts = object.__new__(cls)
        counts._core = core
        return counts

    @classmethod
    def read(cls, path: str | os.PathLike[str], *, memory: str | int | None = None) -> WordCounts:
        """Read counts that `save` wrote.

        Parameters
        ----------
        path
            The file.
        memory
            None (default) reads the words into memory. With a budget, as
            `TrainConfig.memory`, the file is checked and the words stay there:
            it must not be changed as long as the counts are used. What is made
            of these counts keeps to the budget, too.

        Raises
        ------
        CorpusError
            When the file cannot be read.
        FormatError
            When it holds no counts, or is damaged.

        """
        try:
            return cls._of(_pytok.WordCounts.read(os.fspath(path), memory_of(memory)))
        except PytokError as error:
            raise type(error)(f"{os.fspath(path)}: {error}", hint=error.hint) from error
        except OSError as error:
            reason = error.strerror or error
            raise CorpusError(f"{os.fspath(path)}: cannot be read: {reason}") from error

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the counts to a file, whole or not at all. Equal counts give equal files.

        Raises
        ------
        ExportError
            When the file cannot be written.

        """
        target = Path(path)
        write_counts(self._core, target)
        return target

    def merge(self, *others: WordCounts) -> WordCounts:
        """Return the sum of these counts and others.

        Raises
        ------
        ConfigError
            When their words were made with another pre-tokenizer or normalizer.
        CorpusError
            When words beyond the memory budget cannot be kept in a file.

        """
        return WordCounts._of(self._core.merge([other._core for other in _each_checked(others)]))

    def items(self) -> list[tuple[bytes, int]]:
        """Return the words, as bytes, and their counts, in the order of the bytes."""
        return self._core.items()

    @property
    def texts(self) -> int:
        """Number of texts that were counted; a file is counted in several."""
        return self._core.texts()

    @property
    def text_bytes(self) -> int:
        """Size of the texts in bytes of UTF-8."""
        return self._core.text_bytes()

    def __len__(self) -> int:
        """Return the number of different words."""
        return self._core.unique_words()

    def __eq__(self, other: object) -> bool:
        """Whether the words, their counts, how they were made and `texts` are the same."""
        if not isinstance(other, WordCounts):
            return NotImplemented
        return self._core.same_counts(other._core)

    __hash__ = None  # type: ignore[assignment]  # compared by value


@dataclass(frozen=True)
class TrainReport:
    """What happened in a training run.

    Parameters
    ----------
    text_bytes
        Size of the text in bytes of UTF-8.
    unique_words, unique_word_bytes
        Different words, and their bytes.
    segments, segment_bytes
        What was left of them after cutting where no piece can grow across.
    tau
        The least count at which characters were kept together; 1 when nothing
        was cut.
    runs
        How often pieces were grown to find it.
    count_seconds, train_seconds
        Wall time of counting words and of training.
    merges
        With "bpe": merges of the result.
    sure_chars
        With "bpe": characters that are pieces because `tau_c` or
        `required_chars` say so.
    least_count
        With "bpe": the smallest count of a pair that was merged for its count;
        None when there was none.
    candidates
        With the others: pieces among which the vocabulary was chosen.
    lexicon_words
        Of these, words of the lexicon that merges had not made.
    protected
        Pieces that stay whatever they cost: bytes, characters, prefixes.
    rounds
        Rounds of pruning and of refinement.
    tokens
        Tokens of the training text.
    cost
        What the training text costs, in nats: the objective that is made small.
    log_likelihood
        With ``estimate="soft"``: the logarithm of the training text's
        probability over all segmentations, in nats.

    """

    text_bytes: int
    unique_words: int
    unique_word_bytes: int
    segments: int
    segment_bytes: int
    tau: int
    runs: int
    count_seconds: float
    train_seconds: float
    merges: int | None = None
    sure_chars: int | None = None
    least_count: int | None = None
    candidates: int | None = None
    lexicon_words: int | None = None
    protected: int | None = None
    rounds: int | None = None
    tokens: int | None = None
    cost: float | None = None
    log_likelihood: float | None = None

    def to_json(self) -> dict[str, int | float | None]:
        """Return the report as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class TrainResult:
    """A trained tokenizer, and how it came about."""

    tokenizer: Tokenizer
    report: TrainReport


def count_words(
    inputs: Inputs,
    config: TrainConfig | None = None,
    *,
    work: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> WordCounts:
    """Count the words of a text, for `train`.

    Parameters
    ----------
    inputs
        As in `train`.
    config
        Only `pretokenizer`, `digits`, `normalizer`, `threads` and `memory` matter.
    work
        As in `train`.
    on_progress
        Called after every few megabytes; what it raises ends the run.

    Raises
    ------
    CorpusError
        When a file cannot be read, or words beyond `memory` cannot be kept in a
        file.
    ConfigError
        When the inputs are neither paths nor texts.
    ExportError
        When the work folder cannot be written.

    Examples
    --------
    >>> count_words(["a b a"]).items()
    [(b' a', 1), (b' b', 1), (b'a', 1)]

    """
    return _count(inputs, _checked(config), (), work, on_progress)


def _count(
    inputs: Inputs,
    config: TrainConfig,
    parts: Iterable[WordCounts],
    work: str | os.PathLike[str] | None,
    on_progress: OnProgress | None,
) -> WordCounts:
    sources = open_sources(inputs)
    folder = None if work is None else WorkFolder(Path(work), config._words())
    memory = memory_of(config.memory, None if folder is None else folder.folder)
    if memory is not None and folder is not None:
        # Beside the sum there are the counts of the file that is being read.
        memory = (max(memory[0] // 2, 1 << 16), memory[1])
    threads = config.threads or os.cpu_count() or 1

    def tell() -> None:
        if on_progress:
            on_progress(TrainProgress("count", sources.read_bytes, sources.total_bytes))

    counted = count(
        sources,
        lambda: config._counter(threads=threads, memory=memory),
        threads=threads,
        parts=(part._core for part in parts),
        memory=memory,
        work=folder,
        tell=tell,
    )
    return WordCounts._of(counted)


def train(
    inputs: Inputs | None = None,
    config: TrainConfig | None = None,
    *,
    counts: WordCounts | Iterable[WordCounts] | None = None,
    unsegmented_counts: WordCounts | Iterable[WordCounts] | None = None,
    work: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> TrainResult:
    """Train a tokenizer.

    The same text and options give the same tokenizer, byte for byte, whatever
    the number of threads and the order of the texts.

    Parameters
    ----------
    inputs
        An iterable of texts (`str`); or paths (`pathlib.Path`) of text files,
        .jsonl (a string or an object with ``text`` per line, at most 64 MiB),
        packed as .gz, .xz or .zst (extra ``zst``) or not, .parquet (the column
        ``text``, or the only one of strings; extra ``parquet``), folders or
        globs. One `str` alone is a path or glob. None when `counts` is all
        there is.
    config
        The options; None for the defaults.
    counts
        Word counts to train on beside the inputs, as `count_words` makes them.
        An iterable is read one by one.
    unsegmented_counts
        Word counts of texts that the segmenter does not know; see
        `TrainConfig.unsegmented`.
    work
        A folder where the counts of each input file are kept, so that a run
        that was interrupted counts only what is missing when it is started
        again; it can be removed at any time. Words beyond `memory` go there,
        too, instead of the folder for temporary files. None (default) keeps
        nothing. The result is the same.
    on_progress
        Called with a `TrainProgress` often; what it raises ends the run.

    Returns
    -------
    TrainResult
        The tokenizer, and a report.

    Raises
    ------
    ConfigError
        When the text has too few pairs for the vocabulary, when there is
        nothing to train on, or when `counts` were made with another
        pre-tokenizer than the config's.
    CorpusError
        When a file cannot be read, or words beyond `memory` cannot be kept in a
        file.
    ExportError
        When the work folder cannot be written.

    Examples
    --------
    >>> texts = ["学而时习之，不亦说乎", "学而不思则罔，思而不学则殆"]
    >>> result = train(texts, TrainConfig(vocab_size=260, tau=1, han_prefixes=False))
    >>> result.tokenizer.vocab_size, result.report.tokens
    (260, 57)
    >>> result = train(texts, TrainConfig(vocab_size=260, algorithm="bpe"))
    >>> result.tokenizer.vocab_size, result.report.merges
    (260, 4)

    """
    config = _checked(config)
    if inputs is None and counts is None and unsegmented_counts is None:
        raise ConfigError("inputs: nothing to train on, expected texts, paths or counts")
    start = time.perf_counter()
    threads = config.threads or os.cpu_count() or 1
    words = segmentation(config, _train_options.prices(config)[1], threads)
    known, unknown = _split_inputs(() if inputs is None else inputs, config.unsegmented)
    # Counts that were made in another way than the config says do not merge.
    total = _count(known, config, _listed(counts), work, on_progress)
    others = None
    if unknown or unsegmented_counts is not None:
        others = _count(unknown, config, _listed(unsegmented_counts), work, on_progress)
    counted = time.perf_counter()
    if not len(total) and not (others and len(others)) and config.vocab_size > _fixed(config):
        raise ConfigError("inputs: no text at all, expected some to train on")

    def tell(stage: str, done: int, amount: int) -> None:
        if on_progress:
            on_progress(TrainProgress(stage, done, amount))

    core, fields = _run(total, others, words, config, tell)
    report = TrainReport(
        text_bytes=total.text_bytes + (0 if others is None else others.text_bytes),
        count_seconds=counted - start,
        train_seconds=time.perf_counter() - counted,
        **fields,
    )
    return TrainResult(Tokenizer._of(core, f"{config.algorithm}-{config.vocab_size}"), report)


def _checked(config: TrainConfig | None) -> TrainConfig:
    if config is not None and not isinstance(config, TrainConfig):
        raise ConfigError(
            f"config: {type(config).__name__}, expected a TrainConfig",
            hint="make one with TrainConfig(...) or TrainConfig.from_mapping({...})",
        )
    return config or TrainConfig()


def _fixed(config: TrainConfig) -> int:
    return 256 + len(config.special_tokens)


def _listed(counts: WordCounts | Iterable[WordCounts] | None) -> Iterable[WordCounts]:
    if counts is None:
        return []
    if isinstance(counts, WordCounts):
        return [counts]
    if isinstance(counts, str) or not isinstance(counts, Iterable):
        raise ConfigError(f"counts: {counts!r}, expected WordCounts, or several")
    return _each_checked(counts)


def _each_checked(counts: Iterable[WordCounts]) -> Iterator[WordCounts]:
    for number, part in enumerate(counts):
        if not isinstance(part, WordCounts):
            raise ConfigError(f"counts[{number}]: {part!r}, expected WordCounts")
        yield part


def _split_inputs(inputs: Inputs, unsegmented: tuple[str, ...]) -> tuple[Inputs, list[Path]]:
    """Set the files apart that the segmenter does not know."""
    if not unsegmented:
        return inputs, []
    paths = open_sources(inputs).paths
    if not paths:
        raise ConfigError("unsegmented: names files, but the inputs are texts; expected paths")
    unknown = [path for path in paths if any(path.match(glob) for glob in unsegmented)]
    return [path for path in paths if path not in unknown], unknown


def _run(
    counts: WordCounts,
    unsegmented: WordCounts | None,
    words: dict[str, object],
    config: TrainConfig,
    tell: Callable[[str, int, int], None],
) -> tuple[_pytok.Tokenizer, dict[str, Any]]:
    threads = config.threads or os.cpu_count() or 1
    if config.algorithm == "bpe":
        total = counts if unsegmented is None else counts.merge(unsegmented)
        return _pytok.train_bpe(total._core, _train_options.bpe_options(config, threads), tell)
    options = _train_options.unigram_options(config, threads)
    others = None if unsegmented is None else unsegmented._core
    return _pytok.train_unigram(counts._core, others, words, options, tell)
