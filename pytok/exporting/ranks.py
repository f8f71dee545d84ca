"""Byte strings with ranks: the form that tiktoken, tekken and GGUF share.

A rank vocabulary merges, again and again, the neighbours whose joined bytes have
the lowest rank. A list of merges does the same when each merge makes a piece in
the order of the ids and each piece, alone, is made by its own merge: then, before
the merge of a piece of rank r, merges of lower ranks have either crossed an end of
its span, and it can no longer arise, or have left exactly the two sides of that
merge. So no other neighbours ever spell it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import AnyStr

from pytok.errors import ExportError
from pytok.exporting.parts import CHARACTER_BYTES, Component, Parts, flattened
from pytok.exporting.patterns import GPT2

__all__ = ["RankVocabulary", "bpe_hint", "merges_of", "order_doubt", "rank_vocabulary"]

_FALLBACK = "`pytok train --algorithm bpe` makes a char-aligned BPE that this format can hold"


def bpe_hint(parts: Parts) -> str | None:
    """Say what can be done about a model that is no BPE; None for a BPE."""
    if parts.kind != "Unigram":
        return None
    return (
        f"{_FALLBACK}; allow_inexact (--allow-inexact) writes this one all the same, and "
        "measures how many texts differ"
    )


@dataclass(frozen=True)
class RankVocabulary:
    """Byte strings, patterns and special tokens.

    Parameters
    ----------
    ranks
        Each byte string and its id.
    patterns
        Regular expressions, each applied to what the one before leaves; their
        dialect is that of `source`.
    source
        ``"tokenizers"`` or ``"tiktoken"``.
    special_tokens
        Tokens found in the text, and their ids.
    inexact, losses
        As in `Plan`.
    merges
        The merges in their order, where the tokenizer has any; None for ranks.

    """

    ranks: dict[bytes, int]
    patterns: tuple[str, ...]
    source: str
    special_tokens: dict[str, int]
    inexact: tuple[str, ...]
    losses: tuple[str, ...]
    merges: tuple[tuple[bytes, bytes], ...] | None = None


def rank_vocabulary(parts: Parts) -> RankVocabulary:
    """Read a tokenizer as a rank vocabulary.

    Raises
    ------
    ExportError
        When its pieces are not byte strings.

    """
    inexact: list[str] = []
    losses: list[str] = []
    specials = _special_tokens(parts, inexact)
    if parts.chinese is not None:
        inexact.append("the steps of pytok.zh before the model")
    if flattened(parts.normalizer, "normalizers"):
        kinds = ", ".join(part["type"] for part in flattened(parts.normalizer, "normalizers"))
        inexact.append(f"the normalizer ({kinds})")
    if _adds_tokens(parts.post_processor):
        losses.append("the special tokens that the tokenizer puts around a text")
    patterns = _patterns(parts, inexact)
    merges = None
    if parts.kind == "ByteRanks":
        ranks = parts.ranks
        if parts.model.get("max_span") is not None:
            inexact.append("the limit of the length of pieces (max_span)")
    elif parts.kind in ("BPE", "Unigram"):
        ranks, merges = _byte_pieces(parts, specials, inexact)
    else:
        raise ExportError(
            f"{parts.name}: a {parts.kind} model has no byte strings with ranks", hint=_FALLBACK
        )
    return RankVocabulary(
        ranks, patterns, parts.source, specials, tuple(inexact), tuple(losses), merges
    )


def _special_tokens(parts: Parts, inexact: list[str]) -> dict[str, int]:
    specials: dict[str, int] = {}
    for token in parts.added_tokens:
        specials[token["content"]] = token["id"]
        flags = [flag for flag in ("single_word", "lstrip", "rstrip") if token[flag]]
        if flags:
            inexact.append(f"{', '.join(flags)} of the added token {token['content']!r}")
    return specials


def _adds_tokens(processor: Component | None) -> bool:
    return any(part["type"] != "ByteLevel" for part in flattened(processor, "processors"))


def _patterns(parts: Parts, inexact: list[str]) -> tuple[str, ...]:
    """Give the patterns of a tokenizer; what is no pattern makes the export inexact."""
    found: list[str] = []
    for stage in flattened(parts.pre_tokenizer, "pretokenizers"):
        if stage["type"] == "Split" and stage["behavior"] == "Isolated" and not stage["invert"]:
            pattern = stage["pattern"]
            if "Regex" in pattern:
                found.append(pattern["Regex"])
                continue
        elif stage["type"] == "ByteLevel":
            if stage["add_prefix_space"]:
                inexact.append("the space that ByteLevel puts before a text")
            if stage["use_regex"]:
                found.append(GPT2)
            continue
        inexact.append(f"the pre-tokenizer {stage['type']}")
    return tuple(found)


def _byte_pieces(
    parts: Parts, specials: dict[str, int], inexact: list[str]
) -> tuple[dict[bytes, int], tuple[tuple[bytes, bytes], ...] | None]:
    """Read the pieces of a byte-level model and its merges."""
    model = parts.model
    entries = model["vocab"].items() if parts.kind == "BPE" else _unigram_entries(model)
    ranks: dict[bytes, int] = {}
    for piece, token_id in entries:
        if specials.get(piece) == token_id:
            continue
        data = _bytes_of(piece)
        if data is None:
            raise ExportError(
                f"{parts.name}: the piece {piece!r} is no byte string: the model does not work on "
                "bytes",
                hint=_FALLBACK,
            )
        ranks[data] = token_id
    if any(bytes([byte]) not in ranks for byte in range(256)):
        raise ExportError(f"{parts.name}: not every byte is a piece", hint=_FALLBACK)
    if parts.kind == "Unigram":
        inexact.append("scores: the format knows merges only, and this is a Unigram model")
        return ranks, None
    for name in ("continuing_subword_prefix", "end_of_word_suffix", "dropout"):
        if model[name]:
            inexact.append(f"{name} of the BPE model")
    merges = tuple((_encoded(left), _encoded(right)) for left, right in model["merges"])
    doubt = order_doubt(ranks, merges, lambda piece: len(piece) == 1, bool(model["ignore_merges"]))
    if doubt:
        inexact.append(doubt)
    return ranks, merges


def _unigram_entries(model: Component) -> list[tuple[str, int]]:
    return [(piece, number) for number, (piece, _) in enumerate(model["vocab"])]


def _bytes_of(piece: str) -> bytes | None:
    try:
        return bytes(CHARACTER_BYTES[character] for character in piece)
    except KeyError:
        return None


def _encoded(piece: str) -> bytes:
    return _bytes_of(piece) or piece.encode()


def order_doubt(
    ranks: Mapping[AnyStr, int],
    merges: Iterable[tuple[AnyStr, AnyStr]],
    least: Callable[[AnyStr], bool],
    whole_words: bool,
) -> str | None:
    """Say why ranks may give other tokens than merges, by the rule above; None when they do not.

    Parameters
    ----------
    ranks
        Each piece and its rank.
    merges
        The merges in their order.
    least
        Whether a piece is one that no merge makes.
    whole_words
        Whether a word that is a piece is not merged.

    """
    made: dict[AnyStr, list[tuple[AnyStr, AnyStr]]] = {}
    last = -1
    for left, right in merges:
        piece = left + right
        rank = ranks.get(piece, -1)
        if rank < last:
            return f"the order of merges: {piece!r} has a lower rank than the piece before"
        made.setdefault(piece, []).append((left, right))
        last = rank
    for piece, rank in ranks.items():
        if least(piece):
            continue
        pairs = made.get(piece, [])
        parts = sides(piece, ranks, rank)
        if len(parts) == 2 and (parts[0], parts[1]) in pairs:
            continue
        if not pairs and whole_words and not splits(piece, ranks):
            # Found as a whole word, by either; no neighbours spell it.
            continue
        return f"that no merge makes the piece {piece!r} (rank {rank}) from its smallest parts"
    return None


def splits(piece: AnyStr, ranks: Mapping[AnyStr, int]) -> list[tuple[AnyStr, AnyStr]]:
    """Give all pairs of pieces that spell a piece, those of low rank first."""
    pairs = ((piece[:cut], piece[cut:]) for cut in range(1, len(piece)))
    found = [pair for pair in pairs if pair[0] in ranks and pair[1] in ranks]
    return sorted(found, key=lambda pair: (ranks[pair[0]], ranks[pair[1]]))


def sides(piece: AnyStr, ranks: Mapping[AnyStr, int], limit: int) -> list[AnyStr]:
    """Merge the bytes, or characters, of a piece by all ranks below a limit."""
    parts = [piece[place : place + 1] for place in range(len(piece))]
    while len(parts) > 1:
        best, where = limit, -1
        for place in range(len(parts) - 1):
            rank = ranks.get(parts[place] + parts[place + 1], limit)
            if rank < best:
                best, where = rank, place
        if where < 0:
            return parts
        parts[where : where + 2] = [parts[where] + parts[where + 1]]
    return parts


def merges_of(ranks: Mapping[AnyStr, int]) -> tuple[list[tuple[AnyStr, AnyStr]], int]:
    """Write ranks as merges; also the number of pieces that lower ranks do not spell.

    Such a piece arises from other neighbours when merges of higher ranks have
    made them, so each two pieces that spell it are a merge.
    """
    merges: list[tuple[AnyStr, AnyStr]] = []
    unreached = 0
    for piece, rank in sorted(ranks.items(), key=lambda item: item[1]):
        if len(piece) == 1:
            continue
        parts = sides(piece, ranks, rank)
        if len(parts) == 2:
            merges.append((parts[0], parts[1]))
            continue
        unreached += 1
        merges += splits(piece, ranks)
    return merges, unreached
