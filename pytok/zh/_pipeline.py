"""Steps of Chinese normalisation, one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Literal, cast

from pytok._pytok import ChinesePipeline
from pytok.errors import ConfigError
from pytok.zh._digests import TABLES, digests
from pytok.zh._normalized import Normalized
from pytok.zh._options import plain
from pytok.zh._presets import PRESETS
from pytok.zh._script import shared_words
from pytok.zh._steps import Step, definition

__all__ = ["Mode", "Pipeline", "normalize"]

Mode = Literal["careful", "opencc-exact"]
MODES = ("careful", "opencc-exact")


class Pipeline:
    """Named steps that are applied one after the other. Immutable.

    Parameters
    ----------
    steps
        Names of `pytok.zh.STEPS`, or `Step` objects where a step has options.
        Without steps and without a preset nothing is done.
    preset
        A name of `pytok.zh.PRESETS` instead of steps.
    mode
        How steps that convert scripts choose. ``"careful"`` takes no phrase that
        reaches over the edge of a word, leaves what is in the target script already,
        and puts no rare glyphs; ``"opencc-exact"`` gives what OpenCC gives. Both give
        the candidates where OpenCC's dictionaries have several; ``"opencc-exact"``
        knows no words, so a phrase that it takes over the edge of a word (被髮|明)
        counts as sure.

    Raises
    ------
    ConfigError
        When both steps and a preset are given, when there is no such step,
        option, preset or mode, or when tables contradict each other.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.Pipeline(["width"]).normalize("Ｂ超").text
    'B超'

    """

    def __init__(
        self,
        steps: Iterable[str | Step] | None = None,
        *,
        preset: str | None = None,
        mode: Mode = "careful",
    ) -> None:
        if mode not in MODES:
            raise ConfigError(f"mode: {mode!r}, expected one of {', '.join(map(repr, MODES))}")
        self._steps = _chosen(steps, preset)
        self._mode: Mode = mode
        definitions = [definition(step, mode) for step in self._steps]
        self._sha256 = tuple(tuple(sorted(digests(made).items())) for made in definitions)
        uses_words = any(made["type"] == "script" and made.get("words") for made in definitions)
        content = json.dumps(definitions, ensure_ascii=False)
        self._core = ChinesePipeline(content, shared_words() if uses_words else None)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, in order."""
        return self._steps

    @property
    def mode(self) -> Mode:
        """How steps that convert scripts choose."""
        return self._mode

    def normalize(self, text: str) -> Normalized:
        """Return the normalised text with its alignment and what was done.

        Raises
        ------
        EncodeError
            When the text has an unpaired surrogate.

        """
        normalized, alignment, edits, breaks, replaced = self._core.explain(text)
        return Normalized(
            text=normalized,
            alignment=alignment,
            breaks=tuple(breaks),
            _steps=tuple(step.name for step in self._steps),
            _edits=edits,
            _replaced=replaced,
        )

    def text(self, text: str) -> str:
        """Return the normalised text alone, which is faster.

        Raises
        ------
        EncodeError
            When the text has an unpaired surrogate.

        """
        return self._core.text(text)

    def spec(self) -> dict[str, Any]:
        """Return the pipeline as data that JSON can hold; see `from_spec`.

        Tables are not part of it, but the SHA-256 of what they do is: sources,
        reasons and examples of rows may change.
        """
        steps = [
            {"name": step.name, "options": plain(step.options), "sha256": dict(sha256)}
            for step, sha256 in zip(self._steps, self._sha256, strict=True)
        ]
        return {"steps": steps, "mode": self._mode}

    @classmethod
    def from_spec(cls, spec: dict[str, Any]) -> Pipeline:
        """Return the pipeline that `spec` was of.

        Raises
        ------
        ConfigError
            When it is not as `spec` writes it, or when a table of the steps is not
            the one that it was made with.

        """
        try:
            steps = [Step(step["name"], step["options"]) for step in spec["steps"]]
            digests = [step["sha256"] for step in spec["steps"]]
            pipeline = cls(steps, mode=spec["mode"])
            for step, found, expected in zip(steps, pipeline._sha256, digests, strict=True):
                _check_tables(step.name, dict(found), dict(expected))
        except (KeyError, TypeError) as error:
            raise ConfigError(f"spec: {error!r}, expected what Pipeline.spec() returned") from error
        return pipeline

    def __reduce__(self) -> tuple[object, ...]:
        return (Pipeline.from_spec, (self.spec(),))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pipeline) and self.spec() == other.spec()

    def __hash__(self) -> int:
        return hash((self._steps, self._mode, self._sha256))

    def __repr__(self) -> str:
        return f"Pipeline({[step.name for step in self._steps]!r}, mode={self._mode!r})"


def _check_tables(step: str, found: dict[str, str], expected: dict[str, str]) -> None:
    for part in sorted(found.keys() | expected.keys()):
        if found.get(part) != expected.get(part):
            name, package = TABLES.get(part, (part, "pytok"))
            raise ConfigError(
                f"spec: step {step}: {name} is not as it was when the pipeline was saved",
                hint=f"install the version of {package} that it was saved with, or make the "
                "pipeline anew and save it again",
            )


def _chosen(steps: Iterable[str | Step] | None, preset: str | None) -> tuple[Step, ...]:
    if preset is not None:
        if steps is not None:
            raise ConfigError("steps: given together with preset, expected one of them")
        if preset not in PRESETS:
            names = ", ".join(PRESETS)
            raise ConfigError(f"preset: no preset {preset!r}", hint=f"use one of {names}")
        return PRESETS[preset]
    if isinstance(steps, str):
        raise ConfigError(f"steps: one str {steps!r}, expected a list of names")
    if steps is not None and not isinstance(steps, Iterable):
        raise ConfigError(f"steps: {steps!r}, expected a list of names")
    return tuple(map(_step, steps or ()))


def _step(step: object) -> Step:
    if not isinstance(step, (str, Step)):
        raise ConfigError(f"steps: {step!r}, expected the name of a step or a Step")
    return Step(step) if isinstance(step, str) else step


@lru_cache(maxsize=32)
def _of_names(steps: tuple[str, ...] | None, preset: str | None, mode: Mode) -> Pipeline:
    return Pipeline(steps, preset=preset, mode=mode)


def normalize(
    text: str,
    *,
    preset: str | None = None,
    steps: Sequence[str | Step] | None = None,
    mode: Mode = "careful",
) -> Normalized:
    """Normalise a text; see `Pipeline` for the arguments.

    Without a preset and without steps the text comes back as it is. Pipelines of
    named steps are kept, the last 32 of them; to normalise many texts with
    options of your own, make a `Pipeline`.

    Raises
    ------
    ConfigError
        As `Pipeline`.
    EncodeError
        When the text has an unpaired surrogate.

    Examples
    --------
    >>> from pytok import zh
    >>> zh.normalize("Ａ級", steps=["width"]).text
    'A級'
    >>> zh.normalize("Ａ級").text
    'Ａ級'

    """
    named = (None, *PRESETS)
    if not isinstance(mode, str) or preset not in named or isinstance(steps, str):
        return Pipeline(steps, preset=preset, mode=mode).normalize(text)
    # Iterators are gone through once.
    given = tuple(steps) if isinstance(steps, Iterable) else steps
    if given is None or (isinstance(given, tuple) and all(isinstance(s, str) for s in given)):
        return _of_names(cast("tuple[str, ...] | None", given), preset, mode).normalize(text)
    return Pipeline(given, preset=preset, mode=mode).normalize(text)
