"""Pieces that no text is ever cut into.

Only what is certain is reported. A piece of a BPE model needs merges that make it;
one of a Unigram model is never used when its text has a better segmentation without
it, since that would replace it in any text (shortest paths, Viterbi 1967). Where the
pre-tokenizer cuts is not looked at, so there may be more of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from pytok.doctor.finding import ALL, Finding
from pytok.doctor.folder import TOKENIZER, Folder, content_of, shown
from pytok.doctor.normal_form import over_bytes, with_normal_forms
from pytok.exporting.parts import CHARACTER_BYTES

__all__ = ["unreachable_tokens"]

_LONGEST = 128  # characters of a Unigram piece that is looked at: time is quadratic
_LARGEST = 1e30
_MARGIN = 1e-6  # of scores, which are summed in another order here


def unreachable_tokens(folder: Folder) -> Iterator[Finding]:
    """Find pieces that neither merges nor scores nor the normalizer let through."""
    texts = {text for _, text, _ in with_normal_forms(folder)}
    changed = [
        piece
        for piece, text, normal in with_normal_forms(folder)
        if normal != text and normal not in texts
    ]
    if changed:
        yield _finding(changed, "the normalizer changes them in every text", "normalizer")
    model = folder.part("model")
    exempt = {token["content"] for token in folder.added} | {content_of(model.get("unk_token"))}
    if folder.kind == "BPE" and not model.get("ignore_merges"):
        unmade = [piece for piece in _unmade(folder, model) if piece not in exempt]
        if unmade:
            yield _finding(unmade, "no merges make them", "model.merges")
    if folder.kind == "Unigram":
        worse = [piece for piece in _outscored(model) if piece not in exempt]
        if worse:
            yield _finding(worse, "other pieces score better on the same text", "model.vocab")


def _finding(pieces: list[str], reason: str, where: str) -> Finding:
    return Finding(
        "unreachable-tokens",
        "note",
        f"{len(pieces):,} pieces are never used, {reason}: {shown(pieces)}",
        f"{TOKENIZER}: {where}",
        "`pytok prune` takes pieces out that texts do without",
        ALL,
    )


def _unmade(folder: Folder, model: dict[str, Any]) -> Iterator[str]:
    """List pieces that merges do not make, from single characters."""
    prefix = content_of(model.get("continuing_subword_prefix")) or ""
    suffix = content_of(model.get("end_of_word_suffix")) or ""
    fallback = bool(model.get("byte_fallback"))
    bytewise = over_bytes(folder)
    made = {
        piece
        for piece, _ in folder.pieces
        if _is_single(piece, prefix, suffix) and not (bytewise and piece not in CHARACTER_BYTES)
    }
    waiting = defaultdict(list)
    merges = model.get("merges")
    for merge in merges if isinstance(merges, list) else []:
        pair = merge.split(" ") if isinstance(merge, str) else merge
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(p, str) for p in pair):
            for part in set(pair):
                waiting[part].append(pair)
    fresh = list(made)
    while fresh:
        for left, right in waiting.pop(fresh.pop(), ()):
            result = left + right.removeprefix(prefix)
            if left in made and right in made and result not in made:
                made.add(result)
                fresh.append(result)
    for piece, _ in folder.pieces:
        if piece not in made and not (fallback and _is_byte(piece)):
            yield piece


def _is_single(piece: str, prefix: str, suffix: str) -> bool:
    return len(piece) == 1 or len(piece.removeprefix(prefix).removesuffix(suffix)) == 1


def _is_byte(piece: str) -> bool:
    return len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">")


def _outscored(model: dict[str, Any]) -> Iterator[str]:
    """List pieces of a Unigram model whose text has a better segmentation."""
    vocab = model.get("vocab")
    scores = {
        entry[0]: float(entry[1])
        for entry in (vocab if isinstance(vocab, list) else [])
        if isinstance(entry, list)
        and len(entry) == 2
        and isinstance(entry[0], str)
        and isinstance(entry[1], (int, float))
        and -_LARGEST < entry[1] < _LARGEST
    }
    fallback = bool(model.get("byte_fallback"))
    top = max(scores.values(), default=0.0)
    for piece, score in scores.items():
        if not 1 < len(piece) <= _LONGEST or (fallback and _is_byte(piece)):
            continue
        if _has_better_parts(piece, score + _MARGIN, scores, top):
            yield piece


def _has_better_parts(piece: str, bound: float, scores: dict[str, float], top: float) -> bool:
    """Whether two or more pieces that spell a piece have a sum of scores above a bound."""
    worst = float("-inf")
    best = [0.0] + [worst] * len(piece)
    for start in range(len(piece)):
        # One more piece at least: where even the best of all is not enough, nothing is.
        if best[start] + max(top, top * (len(piece) - start)) <= bound:
            continue
        for end in range(start + 1, len(piece) + (start > 0)):
            score = scores.get(piece[start:end])
            if score is not None and best[start] + score > best[end]:
                best[end] = best[start] + score
    return best[-1] > bound
