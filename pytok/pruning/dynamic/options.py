"""What a dynamic vocabulary is told once."""

from __future__ import annotations

from dataclasses import dataclass

from pytok.errors import ConfigError

__all__ = ["DynamicOptions"]


# Tokens that are enough for a first decision.
_FIRST = 1_000_000


@dataclass(frozen=True)
class DynamicOptions:
    """Options of a `DynamicVocab`.

    Parameters
    ----------
    cap
        Most pieces in use at a time (K); None for as many as the vocabulary has.
    floor
        Fewest pieces in use (K_min), 0 or more. Protected pieces are always in use.
    half_life
        Tokens after which a count weighs half, above 0, default 50,000,000. Within an
        epoch all weigh the same.
    epoch
        Tokens between two decisions (E), 1 or more, default 50,000,000. A decision
        takes about 30 ms for 150,000 pieces of byte-level BPE, as long as encoding a
        million tokens: by default that is about a thirtieth of encoding. Fewer
        tokens follow a change of domain sooner: 500,000 take up to two or three times
        the time of encoding, which is still little beside a model. Of a long epoch the
        first decision comes after a sixteenth, or a million tokens if that is more.
    patience
        Epochs (m), 1 or more, default 2: so long must a piece be of little use before
        it goes, and so long no piece changes sides twice.
    threshold
        Share of tokens that a piece must save to be worth its place, not negative,
        default 1e-6: one token in a million. A piece comes back at twice that.
    loss
        Share by which the text may grow at one decision, 0 to 1, default 0.001. What
        the cap takes does not count.
    probe
        Share of texts that are encoded with the whole vocabulary as well, to find out
        which pieces are missed, 0 to 1, default 1/256. A hash of the text's number decides.
        A short epoch needs more: thousands of tokens are to be probed in it.
    seed
        Of that hash.
    versions
        Snapshots that can be replayed, 1 or more, default 64; older ones are
        forgotten.

    Raises
    ------
    ConfigError
        When an option is out of its range.

    """

    cap: int | None = None
    floor: int = 0
    half_life: float = 50_000_000.0
    epoch: int = 50_000_000
    patience: int = 2
    threshold: float = 1e-6
    loss: float = 1e-3
    probe: float = 1 / 256
    seed: int = 0
    versions: int = 64

    def __post_init__(self) -> None:
        checks = {
            "cap": self.cap is None or self.cap >= 1,
            "floor": 0 <= self.floor <= (self.cap or self.floor),
            "half_life": self.half_life > 0,
            "epoch": self.epoch >= 1,
            "patience": self.patience >= 1,
            "threshold": 0 <= self.threshold < 1,
            "loss": 0 <= self.loss <= 1,
            "probe": 0 <= self.probe <= 1,
            "seed": 0 <= self.seed < 2**64,
            "versions": self.versions >= 1,
        }
        for name, holds in checks.items():
            if not holds:
                raise ConfigError(f"{name}: {getattr(self, name)!r} is out of range")

    def due(self, decisions: int) -> int:
        """Tokens from one decision to the next, after so many of them."""
        # The first guess may be far off, and is put right once.
        return self.epoch if decisions else min(self.epoch, max(self.epoch // 16, _FIRST))
