"""Chinese normalisation before a tokenizer's own steps."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeVar

from pytok import _pytok
from pytok._compiled import Compiled
from pytok.errors import ConfigError

if TYPE_CHECKING:
    from pytok.zh import Pipeline

__all__ = ["Normalizing", "steps_of"]

Self = TypeVar("Self", bound="Normalizing")


class Normalizing(Compiled):
    """The part of a tokenizer that has to do with Chinese normalisation."""

    __slots__ = ()

    @property
    def normalizer(self) -> Pipeline | None:
        """The Chinese steps that come before everything else, if there are any."""
        spec = self._core.chinese()
        if spec is None:
            return None
        # Only tokenizers with such steps need the tables.
        from pytok.zh import Pipeline

        return Pipeline.from_spec(json.loads(spec))

    def _joining_steps(self) -> list[str]:
        """Return the steps that put one character in the place of several."""
        spec = self._core.chinese()
        if spec is None:
            return []
        from pytok.zh._steps import Step, joins

        steps = [Step(step["name"], step["options"]) for step in json.loads(spec)["steps"]]
        return [step.name for step in steps if joins(step)]

    def with_normalizer(self: Self, pipeline: Pipeline | None) -> Self:
        """Make a tokenizer that normalises Chinese text first; this one stays as it is.

        Added tokens are found in the text as it is, and everything between them
        is normalised before the tokenizer's own normalizer sees it. Offsets point
        into the text that was given, whatever the steps changed; decoding gives
        the normalised text. Ends of sentences (`sentence-breaks`) do not cut tokens,
        because nothing stands there.

        The steps are written to pytok.json and pickled. `save` writes a
        tokenizer.json as well when every step replaces single characters, which
        is what other libraries can do.

        Parameters
        ----------
        pipeline
            The steps, which replace earlier ones; None for none.

        Raises
        ------
        ConfigError
            When it is no pipeline.

        Examples
        --------
        >>> import pytok
        >>> from pytok import zh
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> wide = tokenizer.with_normalizer(zh.Pipeline(["width"]))
        >>> wide.encode_ids("Ａ４纸") == tokenizer.encode_ids("A4纸")
        True
        >>> wide.encode("Ａ４纸").offsets[-1]
        (2, 3)

        """
        if pipeline is None:
            return self._of(self._core.with_chinese(None), self._name)
        from pytok.zh import Pipeline

        if not isinstance(pipeline, Pipeline):
            raise ConfigError(
                f"pipeline: {pipeline!r}, expected a pytok.zh.Pipeline",
                hint="for example pytok.zh.Pipeline(['width'])",
            )
        spec = json.dumps(pipeline.spec(), ensure_ascii=False, sort_keys=True)
        return self._of(self._core.with_chinese((spec, pipeline._core)), self._name)


def steps_of(spec: str) -> _pytok.ChinesePipeline:
    """Make the steps that a file names; what the core calls when it loads one."""
    from pytok.zh import Pipeline

    return Pipeline.from_spec(json.loads(spec))._core
