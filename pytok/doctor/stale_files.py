"""Files that say the same thing, and disagree."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.chat_template import templates
from pytok.doctor.finding import GGUF, PYTOK, TRANSFORMERS, TRANSFORMERS_4, Finding
from pytok.doctor.folder import CONFIG, SPECIAL_MAP, TOKENIZER, Folder, content_of
from pytok.tokenizer import Tokenizer

__all__ = ["stale_files"]

_PROBES = ("学而时习之，不亦说乎？ＦＯＸ", "The quick brown fox, 12345", "  \n\tdef f(x): ﬁ龘𠮷")


def stale_files(folder: Folder) -> Iterator[Finding]:
    """Find files that give other tokens, ids or settings than the one that wins."""
    yield from _pytok_json(folder)
    yield from _vocabulary(folder)
    yield from _merges(folder)
    yield from _special_map(folder)
    yield from _decoder(folder)
    texts = dict(templates(folder))
    written, file = texts.get(f"{CONFIG}: chat_template"), texts.get("chat_template.jinja")
    if written is not None and file is not None and written.strip() != file.strip():
        yield _finding(
            "it differs from chat_template.jinja, which is used",
            f"{CONFIG}: chat_template",
            ("warning", TRANSFORMERS),
        )


def _finding(what: str, where: str, kind: tuple[str, tuple[str, ...]]) -> Finding:
    level, loaders = kind
    return Finding(
        "stale-files",
        "error" if level == "error" else "warning",
        what,
        where,
        "find out which of the two is right, and save the folder again from it",
        loaders,
    )


def _pytok_json(folder: Folder) -> Iterator[Finding]:
    ours, theirs = folder.core("pytok.json"), folder.core(TOKENIZER)
    if not isinstance(ours, Tokenizer) or not isinstance(theirs, Tokenizer):
        return
    what = _difference(dict(ours.vocab), dict(theirs.vocab))
    if what is None and ours.normalizer is None:
        for probe in _PROBES:
            pair = [t.encode_ids(probe, special="text") for t in (ours, theirs)]
            if pair[0] != pair[1]:
                what = f"{probe!r} has the ids {pair[0]}, and {pair[1]}"
                break
    if what is not None:
        yield _finding(
            f"{what} in tokenizer.json: pytok and transformers give other ids",
            "pytok.json",
            ("error", (*TRANSFORMERS, PYTOK)),
        )


def _difference(here: dict[str, int], there: dict[str, int]) -> str | None:
    """Name the first piece that has another id, or is in one of two vocabularies only."""
    for piece in (*here, *there):
        if here.get(piece) != there.get(piece):
            ids = (here.get(piece, "none"), there.get(piece, "none"))
            return f"{piece!r} has id {ids[0]}, and {ids[1]}"
    return None


def _vocabulary(folder: Folder) -> Iterator[Finding]:
    vocab = folder.json("vocab.json")
    if not vocab or not folder.json(TOKENIZER):
        return
    # Special tokens are in one of the files only, as often as not.
    special = {token["content"] for token in folder.added}
    pieces = {piece: number for piece, number in folder.pieces if piece not in special}
    what = _difference({p: n for p, n in vocab.items() if p not in special}, pieces)
    if what is not None:
        yield _finding(
            f"{what} in tokenizer.json: slow classes and converters give other ids",
            "vocab.json",
            ("warning", (TRANSFORMERS_4, GGUF)),
        )


def _merges(folder: Folder) -> Iterator[Finding]:
    merges = folder.part("model").get("merges")
    if not folder.has("merges.txt") or not isinstance(merges, list):
        return
    text = folder.text("merges.txt")
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#version")]
    listed = [merge if isinstance(merge, str) else " ".join(map(str, merge)) for merge in merges]
    if [line.rstrip("\r") for line in lines] == listed:
        return
    pairs = enumerate(zip(lines, listed, strict=False))
    first = next((n for n, (a, b) in pairs if a.rstrip("\r") != b), min(len(lines), len(listed)))
    yield _finding(
        f"merge {first + 1:,} is not that of tokenizer.json ({len(lines):,} merges, and "
        f"{len(listed):,}): slow classes and converters give other ids",
        "merges.txt",
        ("warning", (TRANSFORMERS_4, GGUF)),
    )


def _special_map(folder: Folder) -> Iterator[Finding]:
    # With added_tokens_decoder neither version reads the file.
    wins = not folder.config.get("added_tokens_decoder")
    for key, value in folder.json(SPECIAL_MAP).items():
        there, here = content_of(folder.config.get(key)), content_of(value)
        if here is not None and there is not None and here != there:
            yield _finding(
                f"it is {here!r}, and {there!r} in {CONFIG}; "
                f"{'this file' if wins else CONFIG} is used",
                f"{SPECIAL_MAP}: {key}",
                ("error" if wins else "warning", TRANSFORMERS),
            )


def _decoder(folder: Folder) -> Iterator[Finding]:
    decoder = folder.config.get("added_tokens_decoder")
    if not isinstance(decoder, dict) or not folder.json(TOKENIZER):
        return
    for number, token in decoder.items():
        content = content_of(token)
        if content is None or str(folder.ids.get(content)) == number:
            continue
        known = folder.ids.get(content)
        what = "is not there" if known is None else f"has id {known}"
        yield _finding(
            f"{content!r} has id {number}, but {what} in {TOKENIZER}",
            f"{CONFIG}: added_tokens_decoder",
            ("error", (*TRANSFORMERS, GGUF)),
        )
