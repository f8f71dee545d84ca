"""additional_special_tokens and extra_special_tokens: names of the same in the two versions."""

from __future__ import annotations

from collections.abc import Iterator

from pytok.doctor.finding import TRANSFORMERS_4, TRANSFORMERS_5, VLLM, Finding
from pytok.doctor.folder import CONFIG, Folder

__all__ = ["two_lists"]


def two_lists(folder: Folder) -> Iterator[Finding]:
    """Find lists of special tokens that one of the versions drops or fails on."""
    extra = folder.config.get("extra_special_tokens")
    listed = folder.config.get("additional_special_tokens")
    if not isinstance(extra, list):
        return
    earlier = listed if isinstance(listed, list) else []
    # Another token would become special, and ids change.
    special = {token["content"] for token in folder.added if token.get("special")}
    safe = all(isinstance(token, str) and token in special for token in (*extra, *earlier))
    joined = {
        "extra_special_tokens": None,
        "additional_special_tokens": [
            *earlier,
            *(token for token in extra if token not in earlier),
        ],
    }
    settings = joined if safe else {}
    mend = "write one list, additional_special_tokens, which both versions read"
    yield Finding(
        "two-lists",
        "error",
        "4.57 wants a mapping here and fails on the list with AttributeError",
        f"{CONFIG}: extra_special_tokens",
        mend,
        (TRANSFORMERS_4, VLLM),
        settings,
    )
    if any(token not in extra for token in earlier):
        yield Finding(
            "two-lists",
            "error",
            "5 drops the list, because extra_special_tokens stands beside it",
            f"{CONFIG}: additional_special_tokens",
            mend,
            (TRANSFORMERS_5, VLLM),
            settings,
        )
