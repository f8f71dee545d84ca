"""What a call of transformers asks for, read from its keyword arguments."""

from __future__ import annotations

from typing import Any

__all__ = ["RICH", "first_row", "holds_pairs", "is_batch", "only_ids", "text_of"]

# Every one of these asks for more than ids and a mask.
RICH = ("return_overflowing_tokens", "return_special_tokens_mask", "return_offsets_mapping")
_TENSORS = (None, "np", "pt")


def text_of(option: Any) -> Any:
    """Name the member of an enumeration; return any other option as it is."""
    return getattr(option, "value", option)


def only_ids(texts: Any, options: dict[str, Any]) -> bool:
    """Whether a call asks for nothing but the ids of some texts."""
    return (
        isinstance(texts, (list, tuple))
        and bool(texts)
        and all(isinstance(text, str) for text in texts)
        and not any(options.get(name) for name in RICH)
        and not options.get("is_split_into_words")
        and not options.get("sanitize_control_tokens")
        and not options.get("return_token_type_ids")
        and not options.get("stride")
        and text_of(options.get("return_tensors")) in _TENSORS
        and text_of(options.get("truncation_strategy")) != "only_second"
    )


def is_batch(text: Any, words: bool) -> bool:
    """Whether the text of a call is several; `words`: each of them is a list of words."""
    if isinstance(text, str):
        return False
    return not words or (bool(text) and isinstance(text[0], (list, tuple)))


def holds_pairs(texts: list[Any], words: bool) -> bool:
    """Whether the items of a batch are pairs of texts."""
    if not texts or (words and not texts[0]):
        return False
    return isinstance(texts[0][0] if words else texts[0], (list, tuple))


def first_row(data: dict[str, Any]) -> dict[str, Any]:
    """Take the only row of a batch; what is no row (a length) stays in its list, as ever."""
    return {
        key: value[0] if value and isinstance(value[0], list) else value
        for key, value in data.items()
    }
