"""What an encoder says about a text, and the smallest text on which two differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Protocol

SHRINK_STEPS = 2_000


@dataclass(frozen=True)
class Outcome:
    """The result of encoding a text, and of decoding the ids again."""

    ids: Sequence[int]
    tokens: Sequence[str]
    offsets: Sequence[tuple[int, int]]
    decoded: str


class Encoder(Protocol):
    """One side of a comparison."""

    def encode(self, text: str) -> Outcome: ...

    def encode_batch(self, texts: Sequence[str]) -> list[Outcome]: ...


def differing_fields(expected: Outcome, found: Outcome) -> list[str]:
    """The names of the fields that are not equal."""
    names = [field.name for field in fields(Outcome)]
    return [name for name in names if getattr(expected, name) != getattr(found, name)]


def assert_equal(
    texts: Iterable[str],
    reference: Encoder,
    candidate: Encoder,
    *,
    sources: Sequence[str] | None = None,
    batch: int = 500,
) -> int:
    """Compare two encoders on every text; return the number of tokens compared.

    Raises
    ------
    AssertionError
        With the smallest text that still shows the first difference, and what
        both sides say about it.

    """
    texts = list(texts)
    count = 0
    for start in range(0, len(texts), batch):
        part = texts[start : start + batch]
        for index, expected in enumerate(reference.encode_batch(part)):
            text = part[index]
            found = candidate.encode(text)
            count += len(expected.ids)
            differing = differing_fields(expected, found)
            if differing:
                where = sources[start + index] if sources else f"text {start + index}"
                message = first_difference(text, reference.encode, candidate.encode, differing)
                raise AssertionError(f"{where}: {message}")
    return count


def first_difference(
    text: str,
    reference: Callable[[str], Outcome],
    candidate: Callable[[str], Outcome],
    differing: Sequence[str],
) -> str:
    """A report on the smallest text found on which one of the fields still differs."""

    def fails(text: str) -> bool:
        found = differing_fields(reference(text), candidate(text))
        return any(name in differing for name in found)

    small = shrink(text, fails)
    return describe(small, reference(small), candidate(small))


def shrink(text: str, fails: Callable[[str], bool], steps: int = SHRINK_STEPS) -> str:
    """Take pieces out of a text as long as it still fails.

    The pieces get smaller, from a half to one character (delta debugging,
    Zeller and Hildebrandt 2002). At most ``steps`` texts are tried, so the
    result need not be minimal.
    """
    piece = max(len(text) // 2, 1)
    while piece >= 1 and steps > 0:
        start, shortened = 0, False
        while start < len(text) and steps > 0:
            trial = text[:start] + text[start + piece :]
            steps -= 1
            if trial != text and fails(trial):
                text, shortened = trial, True
            else:
                start += piece
        if piece == 1 and not shortened:
            break
        piece = piece // 2 or (1 if shortened else 0)
    return text


def describe(text: str, expected: Outcome, found: Outcome) -> str:
    """Both sides, from a little before the first difference on."""
    lines = [f"on {text[:400]!a} ({text[:80]!r}), {len(text)} characters:"]
    for name in differing_fields(expected, found):
        left, right = getattr(expected, name), getattr(found, name)
        if not isinstance(left, str):
            left, right = list(left), list(right)
        at = next(
            (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b),
            min(len(left), len(right)),
        )
        window = slice(max(at - 2, 0), at + 12)
        lines.append(f"  {name} from {window.start} on (lengths {len(left)}, {len(right)}):")
        lines.append(f"    reference {left[window]!r}")
        lines.append(f"    pytok     {right[window]!r}")
    return "\n".join(lines)
