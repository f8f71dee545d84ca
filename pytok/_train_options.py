"""What options of training come to: presets, and defaults that depend on others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pytok import _pytok
from pytok._train_checks import Json, strings
from pytok.errors import ConfigError

if TYPE_CHECKING:
    from pytok._train_config import TrainConfig

__all__ = [
    "PRESETS",
    "bpe_options",
    "check",
    "lexicon",
    "pretokenizer",
    "prices",
    "segmenter",
    "unigram_options",
    "word_cap",
]

# The longest piece by default, in bytes: long enough for words, too short for rulers of dashes.
MAX_TOKEN_BYTES = 48

# What a Han character needs to be a piece of the hybrid: so many in the text, and
# one in so many of its Han characters.
TAU_C = 20
TAU_C_PART = 250_000

# With "wide", a sentence of more than two characters counts so often in so many bytes of a
# text: what a document repeats is its boilerplate, not language.
WIDE_CAP = (3, 20_000)

# Rounds of refinement with "wide": code is 1 % shorter.
WIDE_REFINEMENT = 2

# What a word of the lexicon needs.
TAU_W = 10

# The share of the candidates that a round of pruning keeps.
KEEP = {"hybrid": 0.7, "unigram": 0.75}
OVERSHOOT = {"hybrid": 1.5, "unigram": 4.0, "bpe": 1.0}


@dataclass(frozen=True)
class Preset:
    """Prices in nats, and how text is cut."""

    lam: float
    boundary_prior: float
    pretokenizer: str


PRESETS = {
    "balanced": Preset(64.0, 32.0, "qwen"),
    "align": Preset(64.0, 56.0, "qwen"),
    "words": Preset(64.0, 70.0, "iso"),
    "compress": Preset(1000.0, 0.0, "qwen"),
}
WITHOUT_SEGMENTER = Preset(16.0, 0.0, "qwen")
PLAIN = Preset(0.0, 0.0, "qwen")


def preset(config: TrainConfig) -> Preset:
    """Return the values that options which are not given have."""
    if config.algorithm != "hybrid":
        return PLAIN
    if config.preset in {None, "balanced"} and config.segmenter is None:
        return WITHOUT_SEGMENTER
    return PRESETS[config.preset or "balanced"]


def pretokenizer(config: TrainConfig) -> str | Mapping[str, Json]:
    """Return how text is cut into words."""
    return preset(config).pretokenizer if config.pretokenizer is None else config.pretokenizer


def word_cap(config: TrainConfig) -> tuple[int, int] | None:
    """Return how often a word counts in how many bytes of a text; None for no limit."""
    return WIDE_CAP if pretokenizer(config) == "wide" else None


def segmenter(config: TrainConfig) -> str | Callable[[str], Iterable[str]] | None:
    """Return "jieba", a function, or None."""
    value: object = config.segmenter
    if value is None or value == "none":
        return None
    if value == "jieba":
        return "jieba"
    if callable(value):
        return value
    raise ConfigError(
        f'segmenter: {value!r}, expected "jieba", a function from a text to its words, or None'
    )


def lexicon(config: TrainConfig) -> str | tuple[str, ...] | None:
    """Return "segmenter", words, or None; a file is read."""
    value = config.lexicon
    if value is None or value == "none":
        return None
    if value == "segmenter":
        return "segmenter"
    if isinstance(value, str | os.PathLike):
        return _words_of_file(Path(value))
    if not isinstance(value, Iterable):
        raise ConfigError(f"lexicon: {value!r}, expected a path, a list of words, or None")
    return strings("lexicon", list(value))


def _words_of_file(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigError(
            f"lexicon: {path}: cannot be read: {error.strerror or error}",
            hint="a lexicon is a file with one word per line, a list of words, or None",
        ) from error
    except ValueError as error:
        raise ConfigError(f"lexicon: {path}: is not UTF-8: {error}") from error
    return tuple(word for line in lines if (word := line.split("\t", 1)[0].strip()))


def bpe_options(config: TrainConfig, threads: int) -> dict[str, object]:
    """Give the options that all trainers know."""
    names = ["vocab_size", "min_frequency", "tau", "tau_w", "min_chars", "max_chars"]
    names += ["span_bytes", "char_align", "tie"]
    options: dict[str, object] = {name: getattr(config, name) for name in names}
    is_hybrid = config.algorithm == "hybrid"
    tau_c = config.tau_c if config.tau_c is not None else TAU_C if is_hybrid else 0
    options["tau_c"] = tau_c or None
    options["tau_c_part"] = TAU_C_PART if is_hybrid and config.tau_c is None else None
    if is_hybrid and config.tau_w is None:
        options["tau_w"] = TAU_W
    limit = config.max_token_bytes
    if limit is None and config.tie != "hf":
        limit = MAX_TOKEN_BYTES
    options["max_token_bytes"] = limit
    options["special_tokens"] = list(config.special_tokens)
    options["required_chars"] = list(config.required_chars)
    prefixes = config.han_prefixes
    options["han_prefixes"] = is_hybrid if prefixes is None else prefixes
    options["overshoot"] = overshoot(config)
    # The merges of the reference know no grammar, and a grammar needs characters.
    knows_grammar = config.char_align and config.tie == "bytes"
    options["grammar"] = pretokenizer(config) == "wide" and knows_grammar
    options["threads"] = threads
    return options


def overshoot(config: TrainConfig) -> float:
    """Return candidates per piece that is kept."""
    return OVERSHOOT[config.algorithm] if config.overshoot is None else float(config.overshoot)


def refinement(config: TrainConfig) -> int:
    """Return rounds of refinement."""
    if config.refinement is not None:
        return config.refinement
    is_wide = config.algorithm == "hybrid" and pretokenizer(config) == "wide"
    return WIDE_REFINEMENT if is_wide else 0


def prices(config: TrainConfig) -> tuple[float, float]:
    """Return `lam` and `boundary_prior`."""
    values = preset(config)
    lam = values.lam if config.lam is None else config.lam
    prior = values.boundary_prior if config.boundary_prior is None else config.boundary_prior
    return float(lam), float(prior)


def unigram_options(config: TrainConfig, threads: int) -> dict[str, object]:
    """Give the options of the Unigram and hybrid trainer."""
    lam, prior = prices(config)
    default = "soft" if config.algorithm == "unigram" else "hard"
    return {
        "pieces": bpe_options(config, threads),
        "lam": lam,
        "boundary_prior": prior,
        "lexicon_prior": float(config.lexicon_prior),
        "keep": KEEP[config.algorithm],
        "refinement": refinement(config),
        "estimate": config.estimate or default,
    }


def check(config: TrainConfig) -> None:
    """Check what the trainer checks, and options against each other.

    Raises
    ------
    ConfigError
        With the option's name.

    """
    if config.max_chars is not None and config.max_chars < config.min_chars:
        raise ConfigError(
            f"max_chars: {config.max_chars}, expected at least min_chars, {config.min_chars}"
        )
    if config.algorithm == "bpe":
        _check_absent(config, "bpe", ("preset", "lam", "boundary_prior", "estimate"))
        for name in ("lexicon_prior", "refinement"):
            if getattr(config, name):
                raise ConfigError(f'{name}: given with algorithm="bpe", which has none')
        _pytok.check_bpe(bpe_options(config, threads=1))
        return
    if config.algorithm == "unigram":
        _check_absent(config, "unigram", ("preset",))
    if not config.char_align:
        raise ConfigError('char_align: False, expected True: it is an option of "bpe"')
    if config.tie != "bytes":
        raise ConfigError(f'tie: {config.tie!r}, expected "bytes": it is an option of "bpe"')
    _pytok.check_unigram(unigram_options(config, threads=1))
    has_lexicon = config.lexicon is not None and (
        config.lexicon != "segmenter"
        or (config.segmenter == "jieba" and config.algorithm == "hybrid")
    )
    if config.lexicon_prior and not has_lexicon:
        raise ConfigError(f"lexicon_prior: {config.lexicon_prior!r}, but there is no lexicon")
    prior = prices(config)[1]
    if config.segmenter is None and prior:
        raise ConfigError(
            f"segmenter: None, but there is a boundary_prior ({prior:g}), which needs one",
            hint='pass segmenter="jieba", a function, or boundary_prior=0',
        )


def _check_absent(config: TrainConfig, algorithm: str, names: tuple[str, ...]) -> None:
    for name in names:
        value = getattr(config, name)
        if value is not None:
            raise ConfigError(
                f"{name}: {value!r}, expected None: algorithm={algorithm!r} has no such option"
            )
