"""Added tokens: literals that are matched in the text before the model sees it."""

from __future__ import annotations

from dataclasses import dataclass

from pytok.errors import ConfigError

__all__ = ["AddedToken"]


@dataclass(frozen=True)
class AddedToken:
    """A literal that is matched in the text before the model sees it.

    Parameters
    ----------
    content
        The literal, at least one character.
    single_word
        Match only where no word character stands on either side.
    lstrip
        Take the white space on the left into the match.
    rstrip
        Take the white space on the right into the match.
    normalized
        Match in the normalised text rather than in the original; None means
        `not special`.
    special
        A control token: skipped by decoding on request, governed by the
        `special=` policy of encoding.
    id
        Its id in the tokenizer that it was read from; None for a token that is
        still to be added, and ignored there.

    Raises
    ------
    ConfigError
        When `content` is empty or holds an unpaired surrogate.

    Examples
    --------
    >>> AddedToken("<|user|>", special=True).normalized
    False

    """

    content: str
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool | None = None
    special: bool = False
    id: int | None = None

    def __post_init__(self) -> None:
        if not self.content:
            raise ConfigError("content: an added token needs at least one character")
        if any(0xD800 <= ord(character) < 0xE000 for character in self.content):
            raise ConfigError(f"content: {self.content!r} holds an unpaired surrogate")
        if self.normalized is None:
            object.__setattr__(self, "normalized", not self.special)
