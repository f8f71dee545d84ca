"""tiktoken: a rank file, and beside it the pattern and the special tokens."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from pytok.errors import ExportError
from pytok.exporting.parts import Parts
from pytok.exporting.patterns import for_tiktoken
from pytok.exporting.plan import Encode, Plan
from pytok.exporting.ranks import RankVocabulary, bpe_hint, rank_vocabulary

__all__ = ["SETTINGS", "one_pattern", "plan_tiktoken"]

RANKS = "tokenizer.tiktoken"
SETTINGS = "tiktoken.json"


def plan_tiktoken(parts: Parts) -> Plan:
    """Plan an export to tiktoken.

    Raises
    ------
    ExportError
        When the pieces are no byte strings, or the text is cut by more than one pattern.

    """
    vocabulary = rank_vocabulary(parts)
    pattern, doubts = one_pattern(vocabulary, parts.name, "tiktoken")
    lines = (
        base64.b64encode(piece) + f" {rank}\n".encode()
        for piece, rank in sorted(vocabulary.ranks.items(), key=lambda item: item[1])
    )
    settings = {
        "name": parts.name,
        "pat_str": pattern,
        "special_tokens": vocabulary.special_tokens,
    }
    text = json.dumps(settings, ensure_ascii=False, indent=2) + "\n"
    plain = sum(not token["special"] for token in parts.added_tokens)
    losses = vocabulary.losses + (
        (f"that {plain:,} added tokens are not special",) if plain else ()
    )
    return Plan(
        target="tiktoken",
        files={RANKS: b"".join(lines), SETTINGS: text.encode()},
        reload=_reload,
        inexact=vocabulary.inexact + doubts + _order_of_specials(vocabulary),
        losses=losses,
        hint=bpe_hint(parts),
        keeps_special_text=all(token["special"] for token in parts.added_tokens),
    )


def _order_of_specials(vocabulary: RankVocabulary) -> tuple[str, ...]:
    """Name special tokens of which one begins with the other.

    The library tries them in no particular order, where tokenizers takes the longest.
    """
    if vocabulary.source == "tiktoken":
        return ()
    pairs = pairwise(sorted(vocabulary.special_tokens))
    return tuple(
        f"which of the special tokens {short!r} and {long!r} is found first"
        for short, long in pairs
        if long.startswith(short)
    )


def one_pattern(vocabulary: RankVocabulary, name: str, target: str) -> tuple[str, tuple[str, ...]]:
    """Give the pattern that cuts the text, for tiktoken, and what is doubtful about it.

    Raises
    ------
    ExportError
        When there are several.

    """
    if len(vocabulary.patterns) > 1:
        raise ExportError(
            f"{name}: {len(vocabulary.patterns)} patterns cut the text one after the other, and "
            f"{target} has one",
            hint="export to hf instead",
        )
    # Without one the text is one word.
    pattern = vocabulary.patterns[0] if vocabulary.patterns else r"[\s\S]+"
    if vocabulary.source == "tiktoken" or not vocabulary.patterns:
        return pattern, ()
    written = for_tiktoken(pattern)
    if written is not None:
        return written, ()
    return pattern, (f"the pattern {pattern!r}, which the other engine may read otherwise",)


def _reload(folder: Path) -> Mapping[str, Encode]:
    import tiktoken

    settings = json.loads((folder / SETTINGS).read_text("utf-8"))
    # `tiktoken.load` keeps a copy of each file by its path, and may read an old one.
    lines = map(bytes.split, (folder / RANKS).read_bytes().splitlines())
    ranks = {base64.b64decode(piece): int(rank) for piece, rank in lines}
    encoding = tiktoken.Encoding(
        settings["name"],
        pat_str=settings["pat_str"],
        mergeable_ranks=ranks,
        special_tokens=settings["special_tokens"],
    )

    def encode(texts: list[str], special: bool) -> list[list[int]]:
        if special:
            return encoding.encode_batch(texts, allowed_special="all", num_threads=1)
        return encoding.encode_ordinary_batch(texts, num_threads=1)

    return {f"tiktoken {tiktoken.__version__}": encode}
