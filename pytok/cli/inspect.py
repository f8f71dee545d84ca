"""`pytok inspect`: what is in a tokenizer file."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pytok import Tokenizer
from pytok.cli._options import Encoding, Json, Pattern, load

__all__ = ["inspect_command"]

_LONGEST = 10


def _script(text: str) -> str:
    """Name the script of a piece by its first letter, else its kind."""
    for character in text:
        if character.isalpha():
            name = unicodedata.name(character, "UNKNOWN").split()[0]
            return "HAN" if name.startswith("CJK") else name
    if text.isspace():
        return "(space)"
    if any(character.isdigit() for character in text):
        return "(digits)"
    return "(punctuation and symbols)"


def _describe(tokenizer: Tokenizer) -> dict[str, Any]:
    added = {token.id for token in tokenizer.added_tokens}
    scripts: Counter[str] = Counter()
    fragments = 0
    pieces: list[str] = []
    for index in tokenizer.vocab.values():
        if index in added:
            continue
        try:
            text = tokenizer.token_bytes(index).decode("utf-8")
        except UnicodeDecodeError:
            fragments += 1
            continue
        pieces.append(text)
        scripts[_script(text)] += 1
    han = [piece for piece in pieces if _script(piece) == "HAN"]
    return {
        "name": tokenizer.name,
        "sha256": tokenizer.sha256,
        "model": tokenizer.model_type,
        "components": tokenizer.components,
        "chinese": None if tokenizer.normalizer is None else tokenizer.normalizer.spec(),
        "vocab_size": tokenizer.vocab_size,
        "added_tokens": [
            {"id": token.id, "content": token.content, "special": token.special}
            for token in tokenizer.added_tokens
        ],
        "control_tokens": len(tokenizer.control_tokens),
        "unk_id": tokenizer.unk_id,
        "pieces_that_are_parts_of_characters": fragments,
        "scripts": dict(scripts.most_common()),
        "longest_pieces": sorted(pieces, key=len, reverse=True)[:_LONGEST],
        "longest_han_pieces": sorted(han, key=len, reverse=True)[:_LONGEST],
    }


def _chinese(spec: dict[str, Any] | None) -> dict[str, str]:
    """Return the Chinese steps that come before everything else, as rows."""
    if spec is None:
        return {}
    steps = []
    for step in spec["steps"]:
        options = ", ".join(
            f"{key}={json.dumps(value, ensure_ascii=False)}"
            for key, value in step["options"].items()
        )
        steps.append(f"{step['name']} ({options})" if options else step["name"])
    return {"Chinese steps": ", ".join(steps) or "none", "Chinese mode": spec["mode"]}


def inspect_command(
    tokenizer: Annotated[
        str, typer.Argument(help="Embedded name, file, folder or hub id.", metavar="TOKENIZER")
    ] = "zh-32k",
    encoding: Encoding = None,
    pattern: Pattern = None,
    as_json: Json = False,
) -> None:
    """Show what is in a tokenizer: model, sizes, special tokens, pieces, scripts."""
    description = _describe(load(tokenizer, encoding=encoding, pattern=pattern))
    if as_json:
        sys.stdout.write(json.dumps(description, ensure_ascii=False, indent=2) + "\n")
        return
    table = Table(show_header=False, box=None)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    added = description["added_tokens"]
    shown = ", ".join(f"{token['content']} {token['id']}" for token in added[:8])
    rows = {
        "tokenizer": description["name"],
        "sha256": description["sha256"],
        "model": description["model"],
        **_chinese(description["chinese"]),
        **description["components"],
        "vocabulary": f"{description['vocab_size']:,} pieces",
        "added tokens": f"{len(added):,}: {shown}{', …' if len(added) > 8 else ''}",
        "control tokens": f"{description['control_tokens']:,}",
        "unknown token": "none" if description["unk_id"] is None else description["unk_id"],
        "parts of characters": f"{description['pieces_that_are_parts_of_characters']:,} pieces",
        "scripts": ", ".join(f"{k} {v:,}" for k, v in list(description["scripts"].items())[:12]),
        "longest pieces": " ".join(map(repr, description["longest_pieces"])),
        "longest Han pieces": " ".join(description["longest_han_pieces"]),
    }
    for name, value in rows.items():
        table.add_row(name, escape(str(value)))
    Console().print(table)
