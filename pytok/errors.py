"""The exceptions of pytok, one per kind of failure.

Every exception derives from `PytokError`. Those caused by a value that the
caller passed also derive from `ValueError`, so that ``except ValueError``
catches them. ``str(error)`` is one sentence that names the offending value;
`PytokError.hint` says what to do about it.
"""

from __future__ import annotations

__all__ = [
    "ConfigError",
    "CorpusError",
    "EncodeError",
    "ExportError",
    "FormatError",
    "PytokError",
    "TokenizerNotFoundError",
    "VocabError",
]


class PytokError(Exception):
    """Base class of every error that pytok raises on purpose.

    Parameters
    ----------
    message
        What went wrong, in one sentence that names the offending value.
    hint
        What the user can do about it, one sentence; None when nothing can be
        said.

    Examples
    --------
    >>> error = PytokError("no such preset: 'zh'", hint="use 'zh-32k'")
    >>> str(error), error.hint
    ("no such preset: 'zh'", "use 'zh-32k'")

    """

    hint: str | None

    def __init__(self, message: str = "", *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint

    def __reduce__(self) -> tuple[object, ...]:
        # The default of `Exception` rebuilds from `args` only; the instance
        # dictionary carries the hint across processes.
        return (type(self), self.args, {"hint": self.hint})


class ConfigError(PytokError, ValueError):
    """An option has a value that is out of range or contradicts another one."""


class VocabError(PytokError, ValueError):
    """A vocabulary, a piece or an id is not what the call needs."""


class FormatError(PytokError, ValueError):
    """A tokenizer file is damaged or of a kind that cannot be read."""


class TokenizerNotFoundError(PytokError, FileNotFoundError):
    """No tokenizer is where the path or name points: on disk, in the package or on the hub."""


class EncodeError(PytokError, ValueError):
    """A text cannot be encoded, or ids cannot be decoded, under the given policy."""


class ExportError(PytokError):
    """A tokenizer cannot be written in the requested format without changing it."""


class CorpusError(PytokError, ValueError):
    """A corpus cannot be found, read, downloaded or verified."""
