"""Texts as runs of Chinese characters with what is known of the places between them."""

from __future__ import annotations

import csv
import lzma
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BREAKS = "。，；：、！？"
SENTENCES = "。！？"

UNKNOWN, NO, CLAUSE, SENTENCE = -1, 0, 1, 2


@dataclass
class Run:
    """Characters, and for each what is known of the place behind it."""

    characters: list[str]
    places: list[int]


def is_han(character: str) -> bool:
    """Return what the core takes for a Chinese character."""
    code = ord(character)
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or code in (0x3005, 0x3007)
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFD
    )


def read(path: Path) -> str:
    content = path.read_bytes()
    return (lzma.decompress(content) if path.suffix == ".xz" else content).decode("utf-8")


def documents(text: str, source: dict[str, Any]) -> list[str]:
    """Return the documents of a source, in order."""
    how = source.get("documents", "line")
    if how == "blank-line":
        return [part for part in text.split("\n\n") if part.strip()]
    if how == "line":
        return text.split("\n")
    found: dict[str, list[str]] = {}
    rows = list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
    for row in rows:
        found.setdefault(row[how], []).append(row[source["column"]])
    # Rows are sentences in order: what is behind one of them is seen only when joined.
    size = source.get("block") or len(rows)
    return [
        "".join(lines[start : start + size])
        for lines in found.values()
        for start in range(0, len(lines), size)
    ]


def original(text: str, source: dict[str, Any]) -> str:
    """Return a text without the translations that follow its parts."""
    if "translation" not in source:
        return text
    begin, headline = source["translation"]
    kept, translated = [], False
    for line in text.split("\n"):
        translated = line == begin or (translated and not line.endswith(headline))
        if not translated:
            kept.append(line)
    return "\n".join(kept)


def divided(text: str, source: dict[str, Any], held_out: int, seed: int) -> tuple[str, str]:
    """Return what is trained on and what is held out, by document."""
    generator = random.Random(seed)
    train, held = [], []
    for number, document in enumerate(documents(text, source)):
        if number % held_out == 0:
            held.append(document)
        elif generator.random() < source.get("keep", 1.0):
            train.append(document)
    return "\n".join(train), "\n".join(held)


def punctuated(text: str) -> list[Run]:
    """Return the lines as runs; marks are breaks, whatever else stands there is not."""
    runs = []
    for line in text.split("\n"):
        run = Run([], [])
        for character in line:
            if is_han(character):
                run.characters.append(character)
                run.places.append(NO)
            elif run.places and character in BREAKS:
                kind = SENTENCE if character in SENTENCES else CLAUSE
                run.places[-1] = max(run.places[-1], kind)
        runs.append(run)
    return [run for run in runs if len(run.characters) > 1]


def noted(text: str) -> list[Run]:
    """Return lines and their notes as runs; breaks are known at notes and spaces."""
    runs = []
    for line in text.split("\n"):
        outer, note = Run([], []), None
        for character in line:
            run = outer if note is None else note
            if character == "(":
                if outer.places:
                    outer.places[-1] = CLAUSE
                note = Run([], [])
            elif character == ")" and note is not None:
                runs.append(note)
                note = None
            elif is_han(character):
                run.characters.append(character)
                run.places.append(UNKNOWN)
            elif character in "　○/" and run.places:
                run.places[-1] = CLAUSE
        runs += [outer] if note is None else [outer, note]
    return [run for run in runs if len(run.characters) > 1]
