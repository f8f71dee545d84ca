"""What a tokenizer makes beside ids: text, rendered chats, new tokenizers."""

from __future__ import annotations

from typing import Any

from transformers import PreTrainedTokenizerFast

from pytok import ConfigError
from pytok.hf.chat import TEMPLATE_ERRORS, sanitized_chat
from pytok.hf.decoding import spaced
from pytok.hf.training import trained_like

__all__ = ["WithOutputs"]


class WithOutputs(PreTrainedTokenizerFast):
    """The part of `PytokTokenizer` that decodes, renders chats and trains."""

    _spaced: bool
    _chinese: Any

    def _decode(
        self,
        token_ids: Any,
        skip_special_tokens: bool = False,
        clean_up_tokenization_spaces: bool | None = None,
        spaces_between_special_tokens: bool | None = None,
        **kwargs: Any,
    ) -> str:
        wanted = spaces_between_special_tokens
        options = {
            "skip_special_tokens": skip_special_tokens,
            "clean_up_tokenization_spaces": clean_up_tokenization_spaces,
            **kwargs,
        }
        if not (self._spaced if wanted is None else wanted):
            text: str = super()._decode(token_ids, **options)
            return text
        ids = [token_ids] if isinstance(token_ids, int) else list(token_ids)
        decode = super()._decode
        return spaced(ids, self.added_tokens_decoder, lambda run: decode(run, **options))

    def apply_chat_template(
        self, conversation: Any, *args: Any, sanitize_control_tokens: bool = False, **kwargs: Any
    ) -> Any:
        """Render a chat by the template, and encode it.

        Parameters
        ----------
        conversation, args, kwargs
            As in `PreTrainedTokenizerBase.apply_chat_template`.
        sanitize_control_tokens
            Encode control tokens in messages, tools and documents as plain text, so
            that nobody can forge the end of a message. In every version of
            transformers, not from 5.24 only.

        Raises
        ------
        ConfigError
            When the template has a syntax error, or what is asked for cannot be
            had together.

        """
        render = super().apply_chat_template
        try:
            if not sanitize_control_tokens:
                return render(conversation, *args, **kwargs)
            return sanitized_chat(self, render, ((conversation, *args), kwargs))
        except TEMPLATE_ERRORS as error:
            line, message = getattr(error, "lineno", 0), getattr(error, "message", error)
            raise ConfigError(f"chat_template: line {line}: {message}") from error

    def train_new_from_iterator(
        self, text_iterator: Any, vocab_size: int, *args: Any, **kwargs: Any
    ) -> Any:
        """Train a tokenizer with the components and special tokens of this one.

        Chinese steps are applied to the texts, and are steps of the new tokenizer.

        Parameters
        ----------
        text_iterator, vocab_size, args, kwargs
            As in `PreTrainedTokenizerFast.train_new_from_iterator`.

        """
        names = ("length", "new_special_tokens", "special_tokens_map")
        arguments = {"vocab_size": vocab_size, **dict(zip(names, args, strict=False)), **kwargs}
        train = PreTrainedTokenizerFast.train_new_from_iterator
        return trained_like(self, self._chinese, train, text_iterator, arguments)
