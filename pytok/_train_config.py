"""The options of training, checked when they are given."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, TypeAlias

from pytok import _pytok, _train_options
from pytok._memory import memory_of
from pytok._train_checks import (
    LARGEST_COUNT,
    LARGEST_SIZE,
    Json,
    check_choice,
    check_number,
    check_real,
    check_text,
    parse_toml,
    span,
    strings,
    to_json,
)
from pytok.errors import ConfigError, FormatError

__all__ = ["TrainConfig"]

ALGORITHMS = ("hybrid", "bpe", "unigram")
ESTIMATES = (None, "hard", "soft")
TIES = ("bytes", "hf")
DIGITS = (1, 3)

# A text to its words, which joined are the text.
CutWords: TypeAlias = Callable[[str], Iterable[str]]


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    r"""What `pytok.train` makes of a text. Every option is checked at once.

    Parameters
    ----------
    vocab_size
        Ids of the tokenizer, special tokens and the 256 bytes included; exactly
        so many. 256 + special tokens <= n <= 2^30, default 32,000.
    algorithm
        ``"hybrid"`` (default): pieces are proposed by byte-pair merges, chosen by
        what their loss would cost, and a text is cut in its cheapest way, with a
        price per token (`lam`) and a prior for the boundaries of words
        (`boundary_prior`). ``"unigram"``: the same without prices, estimated
        over all segmentations: the most likely vocabulary. ``"bpe"``: byte-pair
        encoding, every piece made of two smaller ones, for engines that know
        nothing else.
    preset
        Values for `lam`, `boundary_prior` and `pretokenizer` of the hybrid, which
        options that are given replace. ``"balanced"`` (default): fewer tokens
        than BPE with better boundaries (lam 64, boundary_prior 32; without a
        segmenter lam 16 alone). ``"align"``: the boundaries of a Unigram model
        for the tokens of BPE (64, 56). ``"words"``: boundaries above all, at
        about 2 % more tokens (64, 70, and the pre-tokenizer "iso").
        ``"compress"``: fewest tokens (1000, 0), for text that no segmenter knows.
    lam
        The price of a token in nats, 0 to 1000 (to 64 with ``estimate="soft"``):
        0 is the most likely segmentation, a large one the fewest tokens. None
        (default) is the preset's, and 0 with "unigram".
    boundary_prior
        The weight in nats, 0 to 1000, of a piece's misfit with the words of the
        language: the boundaries of words that lie inside it, and half of its
        edges that are none, on average. About half of `lam` saves tokens and
        straddles fewer words; more of it cuts more often at words. None
        (default) is the preset's, and 0 with "unigram".
    segmenter
        What finds words, in training only: ``"jieba"`` (default; its dictionary
        with the traditional forms of all words by OpenCC, without the hidden
        Markov model), a function from a text to its words (Python only), or None
        (in TOML and on the command line ``"none"``).
    unsegmented
        Globs of input files whose text the segmenter does not know, such as
        classical texts or dialects: pieces are not held to its words there.
        Matched as `pathlib.PurePath.match` does, from the right. Default none.
    lexicon
        Words that are candidates when they occur `tau_w` times: ``"segmenter"``
        (default: those of jieba's dictionary, if it is the segmenter), a list, a
        path of a file with one word per line (up to a tab, if there is one), or
        None (``"none"``).
    lexicon_prior
        What a piece of two characters or more that is a word of the lexicon costs
        less, in nats, 0 to 1000, default 0. It pulls pieces towards the words of
        the lexicon; `boundary_prior` does that for fewer tokens.
    overshoot
        Candidates as a multiple of the pieces that are kept, 1 to 100. None
        (default) is 1.5 with "hybrid" (more remembers phrases of the training
        text and makes new text longer), 4 with "unigram". With "bpe", pieces that
        are then pruned, default 1 for none: the merges that are used least go,
        as long as no other merge needs their piece.
    refinement
        Rounds, 0 to 100, in which pairs of pieces that are often neighbours are
        tried as pieces after pruning; a round counts when it lowers the cost of
        the training text. None (default) is 2 for the hybrid with "wide", whose
        pieces of several words merging alone does not find, and 0 otherwise.
    estimate
        How often pieces are taken to be used: ``"hard"``, in the cheapest
        segmentation, or ``"soft"``, in all by their probabilities. None (default)
        is soft with "unigram" and hard with "hybrid".
    han_prefixes
        Whether the first two bytes of all Han characters of the basic plane, and
        of full-width forms, are pieces, so that each of these characters takes
        two tokens at most. None (default) is True with "hybrid" and False
        otherwise.
    pretokenizer
        How text is cut into words, which pieces never cross: ``"qwen"``
        (default; the pattern of Qwen's tokenizers), ``"han"`` (runs of Han
        characters apart from other letters), ``"iso"`` (also every CJK mark
        alone: best word boundaries, more tokens), ``"wide"`` (sentences: cut at
        digits, after 。！？ with the quotes and brackets that they close, and
        after line breaks, so that pieces may span words: fewest tokens, above all
        for code), a regular expression whose matches are the words, or the
        ``pre_tokenizer`` section of a tokenizer.json. With "wide" a sentence of
        more than two characters counts at most 3 times in 20,000 bytes of a text,
        so that boilerplate buys no pieces, and pieces follow a grammar: a line
        break only at the end, at most four words that are not Han, of which the
        first is whole, and no punctuation or space between Han characters (with
        ``tie="hf"`` or without `char_align` there is no grammar).
    normalizer
        The ``normalizer`` section of a tokenizer.json, applied before the text
        is cut; None (default) leaves text as it is.
    special_tokens
        Control tokens, which get the first ids in this order. Default none.
    digits
        For the named pre-tokenizers, digits in one word: 1 (each digit alone)
        or 3 (up to three, from the left). None (default) is 1, and the only
        choice with a pattern or section, which says itself what it does.
    min_frequency
        The least count of a pair that is merged, >= 1, default 1. Higher values
        keep chance sequences of a small text out; the vocabulary must then be
        small enough for what is left.
    tau
        Words are cut where two characters meet fewer than `tau` times, >= 1,
        default 10; 1 is off. With "bpe" it saves time and memory and never
        changes the result: one that the text suggests is tried first, and when a
        merge would have a smaller count, training runs again with half of it.
        (Not used with ``tie="hf"`` or without `char_align`.) With the others it
        is also the least count of a candidate, halved as long as there are too
        few of them; more than 64 MiB of different segments are cut wherever no
        candidate lies across as well.
    tau_c
        The least count of a Han character to be a piece: such a character is one
        whatever it costs, a rarer one is written in bytes. 0: characters are
        pieces as anything else is. None (default) is 20 with "hybrid", or one
        in 250,000 Han characters of the text if that is more, and 0 otherwise.
    tau_w
        The least count, >= 1, of a word of the lexicon; with "bpe", and with
        `span_bytes`, of any piece of `min_chars` characters or more. None
        (default) is 10 with "hybrid", otherwise as `min_frequency`.
    min_chars
        The number of characters from which a piece counts as a word, >= 1,
        default 2.
    max_chars
        The most characters of a word, >= 1; None (default) for no limit.
    span_bytes
        ``(least, most)`` bytes of a word, 1 <= least <= most <= 8; with `tau_c`
        and `tau_w` the fixed granularity of Chinese vocabularies. Pieces grow
        from pairs, so a word whose beginnings are too short is not made either.
        None (default) for no limit.
    max_token_bytes
        The most bytes of a piece, >= 4; None (default) is 48, and no limit with
        ``tie="hf"``.
    required_chars
        Characters that are pieces whatever their count, as one string. Default
        none.
    char_align
        Whether a piece is made of whole characters or is a part of one (default
        True). False allows pieces that straddle two characters, as the trainer
        of `tokenizers` makes them.
    tie
        Which of two pairs with the same count comes first: ``"bytes"`` (default)
        the one with the smaller bytes; ``"hf"`` the one with the smaller ids.
        ``tie="hf", char_align=False`` gives the merges of `tokenizers`.
    seed
        Training draws no random numbers: any value gives the same result. Here so
        that a config with a seed is accepted.
    threads
        Threads, >= 1; None (default) for one per core. They do not change the
        result.
    memory
        Bytes that different words may take while they are counted or merged, as
        a number or as "512M" or "2G" (powers of 1024), >= 64 KiB; what is more
        goes to files in the folder for temporary files, or in `work`, and the
        result is the same. An eighth of it, at most 96 MiB, is left to the
        process itself. Texts that are being read take up to a few times their
        batch of 16 MB, or less with a small budget, beside it. It covers
        counting: training itself needs what is left of the words after the cut
        at `tau`, and what lies in files is only read. None (default): no limit.

    Raises
    ------
    ConfigError
        When an option is unknown, out of its range, or contradicts another.

    Examples
    --------
    >>> TrainConfig(vocab_size=1000, special_tokens=["<|end|>"]).special_tokens
    ('<|end|>',)
    >>> TrainConfig(vocab_size=100)
    Traceback (most recent call last):
    pytok.errors.ConfigError: vocab_size: 100; expected at least 256: 0 special tokens and 256 bytes

    """

    vocab_size: int = 32_000
    algorithm: Literal["hybrid", "bpe", "unigram"] = "hybrid"
    preset: Literal["balanced", "align", "words", "compress"] | None = None
    lam: float | None = None
    boundary_prior: float | None = None
    segmenter: Literal["jieba", "none"] | CutWords | None = "jieba"
    unsegmented: tuple[str, ...] = ()
    lexicon: str | os.PathLike[str] | Iterable[str] | None = "segmenter"
    lexicon_prior: float = 0.0
    overshoot: float | None = None
    refinement: int | None = None
    estimate: Literal["hard", "soft"] | None = None
    han_prefixes: bool | None = None
    pretokenizer: str | Mapping[str, Json] | None = None
    normalizer: Mapping[str, Json] | None = None
    special_tokens: tuple[str, ...] = ()
    digits: int | None = None
    min_frequency: int = 1
    tau: int = 10
    tau_c: int | None = None
    tau_w: int | None = None
    min_chars: int = 2
    max_chars: int | None = None
    span_bytes: tuple[int, int] | None = None
    max_token_bytes: int | None = None
    required_chars: str = ""
    char_align: bool = True
    tie: Literal["bytes", "hf"] = "bytes"
    seed: int = 0
    threads: int | None = None
    memory: str | int | None = None

    def __post_init__(self) -> None:
        check_choice("algorithm", self.algorithm, ALGORITHMS)
        check_choice("preset", self.preset, (None, *_train_options.PRESETS))
        check_choice("estimate", self.estimate, ESTIMATES)
        check_choice("tie", self.tie, TIES)
        check_choice("digits", self.digits, (None, *DIGITS))
        check_choice("char_align", self.char_align, (True, False))
        check_choice("han_prefixes", self.han_prefixes, (None, True, False))
        for name in ("lam", "boundary_prior", "lexicon_prior"):
            check_real(name, getattr(self, name), 0, 1000)
        if self.lexicon_prior is None:
            raise ConfigError("lexicon_prior: None, expected a number from 0 to 1000")
        check_real("overshoot", self.overshoot, 1, 100)
        check_number("refinement", self.refinement, 100, least=0, optional=True)
        check_number("seed", self.seed, LARGEST_COUNT, least=0)
        check_number("vocab_size", self.vocab_size, LARGEST_SIZE)
        for name in ("min_frequency", "tau"):
            check_number(name, getattr(self, name), LARGEST_COUNT)
        check_number("min_chars", self.min_chars, LARGEST_SIZE)
        check_number("tau_c", self.tau_c, LARGEST_COUNT, least=0, optional=True)
        check_number("tau_w", self.tau_w, LARGEST_COUNT, optional=True)
        for name in ("max_chars", "max_token_bytes"):
            check_number(name, getattr(self, name), LARGEST_SIZE, optional=True)
        check_number("threads", self.threads, 1024, optional=True)
        object.__setattr__(self, "special_tokens", strings("special_tokens", self.special_tokens))
        object.__setattr__(self, "unsegmented", strings("unsegmented", self.unsegmented))
        for number, glob in enumerate(self.unsegmented):
            if glob in {"", "."}:
                raise ConfigError(f"unsegmented[{number}]: {glob!r}, expected a glob of files")
        object.__setattr__(self, "span_bytes", span(self.span_bytes))
        check_text("required_chars", self.required_chars)
        self._check_sections()
        object.__setattr__(self, "segmenter", _train_options.segmenter(self))
        object.__setattr__(self, "lexicon", _train_options.lexicon(self))
        _train_options.check(self)
        self._counter(threads=1, memory=memory_of(self.memory, Path()))

    def _check_sections(self) -> None:
        if not isinstance(self.pretokenizer, str | Mapping | None):
            raise ConfigError(
                f"pretokenizer: {self.pretokenizer!r}, expected a name, a pattern or a section",
                hint="the names are qwen, han, iso and wide",
            )
        if isinstance(self.pretokenizer, str):
            check_text("pretokenizer", self.pretokenizer)
        if not isinstance(self.normalizer, Mapping | None):
            raise ConfigError(
                f"normalizer: {self.normalizer!r}, expected a section of a tokenizer.json, or None"
            )

    @classmethod
    def from_mapping(cls, options: Mapping[str, object]) -> TrainConfig:
        """Make a config of named options.

        Raises
        ------
        ConfigError
            As the constructor, and when a name is unknown.

        Examples
        --------
        >>> TrainConfig.from_mapping({"vocab_size": 1000}).vocab_size
        1000

        """
        known = [field.name for field in fields(cls)]
        unknown = next((name for name in options if name not in known), None)
        if unknown is not None:
            raise ConfigError(
                f"{unknown}: no such option of training", hint=f"the options are {', '.join(known)}"
            )
        return cls(**options)  # type: ignore[arg-type]  # checked by the constructor

    @classmethod
    def options_in_toml(cls, path: Path) -> dict[str, object]:
        """Read options from a TOML file, for `from_mapping`.

        Raises
        ------
        ConfigError
            When the file cannot be read or is not TOML.

        """
        try:
            return parse_toml(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error
        except ValueError as error:  # TOML and UTF-8 errors alike
            raise ConfigError(f"{path}: is not TOML: {error}") from error

    def to_mapping(self) -> dict[str, object]:
        """Return all options by name, as `from_mapping` takes them."""
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        return options | {"segmenter": self.segmenter or "none", "lexicon": self.lexicon or "none"}

    def _words(self) -> tuple[str, int | None, str | None, tuple[int, int] | None]:
        """Give what decides which words there are: pre-tokenizer, digits, normalizer, cap."""
        scheme = _train_options.pretokenizer(self)
        section = scheme if isinstance(scheme, str) else to_json("pretokenizer", scheme)
        normalizer = None if self.normalizer is None else to_json("normalizer", self.normalizer)
        return section, self.digits, normalizer, _train_options.word_cap(self)

    def _counter(
        self, *, threads: int, memory: tuple[int, str] | None = None
    ) -> _pytok.WordCounter:
        """Make a counter of the words that this config trains on."""
        section, digits, normalizer, cap = self._words()
        try:
            return _pytok.WordCounter(section, digits, normalizer, threads, cap, memory)
        except FormatError as error:
            # A section is an option here, not a file.
            raise ConfigError(str(error)) from error
