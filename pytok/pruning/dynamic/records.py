"""What a dynamic vocabulary says about itself."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Event", "EventFields", "Statistics"]

# The fields of an `Event`: a decision makes thousands, few of which are ever read.
EventFields = tuple[int, int, int, bool, str, float]


@dataclass(frozen=True)
class Event:
    """A piece that went out of use or came back.

    Parameters
    ----------
    version
        The snapshot that has the change.
    epoch
        The decision that made it; 0 for those made by a call.
    token_id
        The piece.
    active
        Whether it is in use from now on.
    reason
        ``"cap"``: no room for it; ``"unused"``: it saved too little for `patience`
        epochs; ``"missed"``: texts would be shorter with it; ``"part"``: a piece that
        comes back is made of it.
    utility
        Tokens that it saves, of every million.

    """

    version: int
    epoch: int
    token_id: int
    active: bool
    reason: str
    utility: float


@dataclass(frozen=True)
class Statistics:
    """The state of a dynamic vocabulary.

    Parameters
    ----------
    version
        Of the present snapshot.
    epoch
        Decisions so far.
    active, inactive, protected
        Pieces in use, out of use, and always in use.
    tokens
        Tokens seen while learning.
    probed_tokens, probed_full
        Tokens of the probed texts, with the pieces in use and with all.
    inflation
        ``probed_tokens / probed_full - 1`` since the last decision; None when no text
        was probed.
    pending
        Tokens seen since the last decision.

    """

    version: int
    epoch: int
    active: int
    inactive: int
    protected: int
    tokens: int
    probed_tokens: int
    probed_full: int
    inflation: float | None
    pending: int
