"""Chats whose texts cannot forge control tokens.

transformers 5.24 has ``sanitize_control_tokens`` too, and the ids are the same,
unless a template writes a message or a tool as Python does: then its marks are
escaped, and control tokens pass. Earlier versions take the argument for a variable
of the template and let everything through.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from transformers.utils import get_json_schema

from pytok import ConfigError

try:
    from jinja2 import TemplateSyntaxError
except ImportError:  # transformers says so when a template is used
    TEMPLATE_ERRORS: tuple[type[Exception], ...] = ()
else:
    TEMPLATE_ERRORS = (TemplateSyntaxError,)

__all__ = ["TEMPLATE_ERRORS", "sanitized_chat"]

# Noncharacters of Unicode, of which at most a few can be in one text.
_MARKS = tuple(map(chr, range(0xFDD0, 0xFDF0)))
# What else padding may be told.
_PADDING = {"padding_side", "pad_to_multiple_of", "return_attention_mask"}
# What is user text. Everything else in a call is the caller's own.
_USER_TEXT = ("conversation", "tools", "documents", "kwargs")


def sanitized_chat(
    tokenizer: Any,
    render: Callable[..., Any],
    arguments: tuple[tuple[Any, ...], dict[str, Any]],
) -> Any:
    """Apply a chat template so that control tokens come from the template alone.

    Control tokens in messages, tools, documents and variables are put between two
    marks before the template is rendered. The rendered text is cut at the marks;
    what was between them is encoded as plain text, the rest as ever.

    Parameters
    ----------
    tokenizer
        A `PytokTokenizer`.
    render
        `apply_chat_template` of the base, bound.
    arguments
        Positional and keyword arguments of the call.

    Returns
    -------
    encoded
        As of `apply_chat_template`.

    Raises
    ------
    ConfigError
        Without ``tokenize``, with ``return_assistant_tokens_mask`` or arguments of
        the tokenizer that are not about padding, and when plain text gives a control
        token.

    """
    call = inspect.signature(render).bind(*arguments[0], **arguments[1])
    call.apply_defaults()
    options = call.arguments
    if not options["tokenize"] or options["return_assistant_tokens_mask"]:
        raise ConfigError(
            "sanitize_control_tokens: expected tokenize=True and no return_assistant_tokens_mask"
        )
    further = options["tokenizer_kwargs"] or {}
    if unknown := set(further) - _PADDING:
        raise ConfigError(f"tokenizer_kwargs: not with sanitize_control_tokens: {sorted(unknown)}")
    if options["tools"]:
        options["tools"] = [
            get_json_schema(tool) if callable(tool) else tool for tool in options["tools"]
        ]
    template = tokenizer.get_chat_template(options["chat_template"], options["tools"])
    pattern = _control_tokens(tokenizer, template)
    marks = _free_marks([options[name] for name in _USER_TEXT])
    for name in _USER_TEXT:
        options[name] = _marked(options[name], pattern, marks)
    wanted = {name: options[name] for name in ("padding", "max_length", "return_tensors")}
    wanted |= further
    truncation, as_dict = options["truncation"], options["return_dict"]
    options |= {"tokenize": False, "return_dict": False, "padding": False, "truncation": False}
    options |= {"max_length": None, "return_tensors": None, "tokenizer_kwargs": None}
    rendered = render(*call.args, **call.kwargs)
    texts = [rendered] if isinstance(rendered, str) else rendered
    rows = [_encoded(tokenizer, text, marks) for text in texts]
    if truncation and (limit := wanted["max_length"] or tokenizer.model_max_length) < 1 << 30:
        left = tokenizer.truncation_side == "left"
        rows = [row[-limit:] if left else row[:limit] for row in rows]
    single = isinstance(rendered, str) and wanted["return_tensors"] is None
    batch = tokenizer.pad({"input_ids": rows[0] if single else rows}, **wanted)
    return batch if as_dict else batch["input_ids"]


def _control_tokens(tokenizer: Any, template: str) -> re.Pattern[str]:
    """Match control tokens, those that the tokenizer names, and added ones of the template."""
    tokens = set(tokenizer.core.control_tokens)
    tokens |= set(getattr(tokenizer, "chat_control_tokens", None) or ())
    tokens |= {text for text in tokenizer.added_tokens_encoder if text.strip() and text in template}
    longest_first = sorted(map(re.escape, tokens), key=len, reverse=True)
    return re.compile("|".join(longest_first) or "(?!)")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _strings(item)


def _free_marks(values: list[Any]) -> tuple[str, str]:
    texts = list(_strings(values))
    used = set().union(*map(set, texts))
    escaped = set(re.findall(r"\\u(fd[de][0-9a-f])", "\n".join(texts)))
    free = [mark for mark in _MARKS if mark not in used and f"{ord(mark):x}" not in escaped]
    if len(free) < 2:
        raise ConfigError("conversation: holds all noncharacters of Unicode, expected text")
    return free[0], free[1]


def _marked(value: Any, pattern: re.Pattern[str], marks: tuple[str, str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(lambda found: marks[0] + found[0] + marks[1], value)
    if isinstance(value, dict):
        return {key: _marked(item, pattern, marks) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_marked(item, pattern, marks) for item in value]
    return value


def _encoded(tokenizer: Any, text: str, marks: tuple[str, str]) -> list[int]:
    """Encode a rendered chat; a mark that lost its partner still cuts the text."""
    # A template that writes a list as Python or as ASCII JSON escapes the marks.
    for mark in marks:
        text = text.replace(f"\\u{ord(mark):x}", mark)
    opened, closed = marks
    pieces = re.split(f"{opened}([^{opened}{closed}]*){closed}|[{opened}{closed}]", text)
    ids: list[int] = []
    for number, piece in enumerate(pieces):
        if not piece:
            continue
        part = _encoded_piece(tokenizer.core, piece, plain=number % 2 == 1, first=number == 0)
        if number % 2 and tokenizer.convert_tokens_to_ids(piece) in part:
            raise ConfigError(f"sanitize_control_tokens: {piece!r} is what plain text gives")
        ids += part
    return ids


def _encoded_piece(core: Any, piece: str, plain: bool, first: bool) -> list[int]:
    def encode(text: str) -> list[int]:
        ids: list[int] = core.encode_ids(
            text, special="text" if plain else "special", add_special_tokens=False
        )
        return ids

    if first:
        return encode(piece)
    # Behind a newline, so that no space is put before what is in the middle of a text.
    newline, ids = encode("\n"), encode("\n" + piece)
    return ids[len(newline) :] if ids[: len(newline)] == newline else encode(piece)
