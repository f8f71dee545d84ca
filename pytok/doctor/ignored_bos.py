"""add_bos_token and add_eos_token, which say nothing beside a tokenizer.json."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pytok.doctor.finding import TRANSFORMERS, TRANSFORMERS_5, VLLM, Finding
from pytok.doctor.folder import CONFIG, TOKENIZER, Folder, content_of

__all__ = ["ignored_bos"]

# With these, transformers 4.57 does what add_bos_token says.
_HEEDED = ("LlamaTokenizer", "CodeLlamaTokenizer", "GemmaTokenizer", "CohereTokenizer")


def ignored_bos(folder: Folder) -> Iterator[Finding]:
    """Find an add_bos_token or add_eos_token that the post-processor contradicts."""
    if not folder.json(TOKENIZER):
        return
    added = _added(folder)
    name = str(folder.config.get("tokenizer_class") or "").removesuffix("Fast")
    for role in ("bos", "eos"):
        wanted = folder.config.get(f"add_{role}_token")
        token = content_of(folder.config.get(f"{role}_token"))
        if not isinstance(wanted, bool) or token is None or wanted == (token in added):
            continue
        yield Finding(
            "ignored-bos",
            "error",
            f"it is {str(wanted).lower()}, but {token!r} is {'not ' if wanted else ''}added: "
            "the post-processor of tokenizer.json decides",
            f"{CONFIG}: add_{role}_token",
            f"{'put' if wanted else 'take'} {token!r} {'into' if wanted else 'out of'} the "
            f"post_processor of tokenizer.json, or set add_{role}_token to "
            f"{str(not wanted).lower()}",
            (TRANSFORMERS_5, VLLM) if name in _HEEDED else TRANSFORMERS,
        )


def _added(folder: Folder) -> set[str]:
    """List the tokens that the post-processor puts around a single text."""
    added: set[str] = set()
    for step in folder.steps("post_processor"):
        single = step.get("single")
        for item in single if isinstance(single, list) else []:
            token: Any = item.get("SpecialToken") if isinstance(item, dict) else None
            if isinstance(token, dict) and isinstance(token.get("id"), str):
                added.add(token["id"])
        for role in ("cls", "sep"):
            pair = step.get(role)
            if isinstance(pair, list) and pair and isinstance(pair[0], str):
                added.add(pair[0])
    return added
