"""Pre-tokenizers that llama.cpp has no name for."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import GGUF, Finding
from pytok.doctor.folder import TOKENIZER, Folder
from pytok.doctor.normal_form import over_bytes
from pytok.doctor.replaced_class import patterns_in
from pytok.exporting.pre_types import DEVIATIONS, pre_type

__all__ = ["gguf_pattern"]


def gguf_pattern(folder: Folder) -> Iterator[Finding]:
    """Say why a conversion to GGUF stops, or would give other ids."""
    kind = folder.kind
    if kind == "BPE" and over_bytes(folder):
        patterns = patterns_in(folder)
        name = None if patterns is None else pre_type(patterns)
        if name is not None and name not in DEVIATIONS:
            return
        what = (
            "llama.cpp has no pre-type for its splitting patterns, so conversion stops"
            if name is None
            else f"GGUF cannot hold {DEVIATIONS[name]}"
        )
        where = "pre_tokenizer"
    elif kind is not None and over_bytes(folder):
        what, where = f"llama.cpp has no {kind} model over bytes", "model"
    else:
        return
    yield Finding(
        "gguf-pattern",
        "note",
        what,
        f"{TOKENIZER}: {where}",
        "`pytok export --to gguf` says what can be held",
        (GGUF,),
    )
