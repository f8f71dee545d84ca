"""Ids that leave holes: of added tokens, which get others, and of pieces."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import ALL, PYTOK, Finding
from pytok.doctor.folder import TOKENIZER, Folder, shown

__all__ = ["displaced_ids"]


def displaced_ids(folder: Folder) -> Iterator[Finding]:
    """Find added tokens that get the next free id instead of theirs, and holes among the pieces."""
    pieces = dict(folder.pieces)
    size = len(pieces)
    given: dict[str, int] = {}
    displaced = []
    for token in folder.added:
        content = token["content"]
        if content in pieces or content in given:
            continue  # duplicate-tokens says what there is to say
        number = max(size, max(given.values(), default=-1) + 1)
        given[content] = number
        if token["id"] != number:
            displaced.append(f"{content!r} has id {token['id']}, but gets {number}")
    if displaced:
        more = f" and {len(displaced) - 1:,} more" if len(displaced) > 1 else ""
        yield Finding(
            "displaced-ids",
            "error",
            f"{displaced[0]}{more}: tokenizers gives the next free id, PytokTokenizer refuses",
            f"{TOKENIZER}: added_tokens",
            "number added tokens without holes from the last piece on, in the order of the "
            "list; tokens that stand for the holes do",
            (*ALL, PYTOK),
        )
    numbers = set(pieces.values()) | {token["id"] for token in folder.added}
    largest = max(pieces.values(), default=-1)
    if not displaced and len(numbers) <= largest and largest - len(numbers) < 1 << 24:
        holes = [str(number) for number in range(largest) if number not in numbers]
        yield Finding(
            "displaced-ids",
            "note",
            f"{len(holes):,} ids have no token ({shown(holes)}): len(tokenizer) is less than "
            f"the rows that ids up to {largest:,} need",
            f"{TOKENIZER}: model.vocab",
            "size the embedding by the largest id, not by len(tokenizer)",
            ALL,
        )
