"""Encoding texts, with everything that is known about each token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from pytok import _pytok
from pytok._call import (
    PaddingMode,
    Side,
    SpecialPolicy,
    TruncationStrategy,
    check_threads,
    padding_arguments,
    truncation_arguments,
)
from pytok._pytok import Encoding

__all__ = ["EncodingTexts"]

Text: TypeAlias = "str | Sequence[str]"


class EncodingTexts:
    """The methods of `Tokenizer` that give an `Encoding` of each text."""

    __slots__ = ()

    _core: _pytok.Tokenizer

    def encode(
        self,
        text: Text,
        pair: Text | None = None,
        *,
        is_pretokenized: bool = False,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
        max_length: int | None = None,
        stride: int = 0,
        truncation_side: Side = "right",
        truncation_strategy: TruncationStrategy = "longest_first",
        padding: bool | PaddingMode = False,
        pad_to_multiple_of: int | None = None,
        padding_side: Side = "right",
        pad_id: int | None = None,
        pad_type_id: int = 0,
        pad_token: str | None = None,
    ) -> Encoding:
        """Encode a text or a pair of texts, with everything that is known about each token.

        Parameters
        ----------
        text
            The text; with `is_pretokenized`, its words.
        pair
            The second text of a pair.
        is_pretokenized
            The inputs are words, not running text.
        special
            What to do with control tokens that stand in the text: ``"error"``
            refuses it, ``"text"`` encodes them as plain text, ``"special"`` as
            the tokens that they spell.
        add_special_tokens
            Add what the loaded file's own library adds by default.
        bos, eos
            Put the file's begin- or end-of-sequence token at that end.
        max_length
            Most tokens of the result, special tokens included, >= 0; None means
            no truncation. A character's bytes are never cut in two. The rest is
            in `Encoding.overflowing`, whole where no token of a text is kept.
        stride
            Tokens, >= 0: the overlap between a window of `Encoding.overflowing`
            and the one before.
        truncation_side
            The end that is cut off.
        truncation_strategy
            Which text of a pair gives way.
        padding
            ``"max_length"`` pads to `max_length`; True and ``"longest"`` to the
            longest encoding of the call, which matters with `pad_to_multiple_of`.
        pad_to_multiple_of
            Round the length up to a multiple of this, >= 1.
        padding_side
            The end where the padding goes.
        pad_id, pad_token
            The padding token; by default the one that the vocabulary names, such
            as ``<|pad|>`` or ``[PAD]``.
        pad_type_id
            Type id of the padding, >= 0.

        Raises
        ------
        EncodeError
            When a control token stands in the text and `special` is ``"error"``,
            when the text holds an unpaired surrogate, or when the model has
            neither a token nor an unknown token for a part of it.
        ConfigError
            When an option is out of range or contradicts another one.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> encoding = tokenizer.encode("不亦说乎", max_length=8, padding="max_length")
        >>> len(encoding), encoding.attention_mask[-1]
        (8, 0)

        """
        return self._core.encode(
            text,
            pair,
            is_pretokenized,
            (
                (special, add_special_tokens, bos, eos),
                truncation_arguments(max_length, stride, truncation_strategy, truncation_side),
                padding_arguments(
                    padding,
                    max_length=max_length,
                    multiple_of=pad_to_multiple_of,
                    side=padding_side,
                    pad=(pad_id, pad_token),
                    type_id=pad_type_id,
                    core=self._core,
                ),
            ),
        )

    def encode_batch(
        self,
        inputs: Iterable[Text | tuple[Text, Text]],
        *,
        is_pretokenized: bool = False,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
        max_length: int | None = None,
        stride: int = 0,
        truncation_side: Side = "right",
        truncation_strategy: TruncationStrategy = "longest_first",
        padding: bool | PaddingMode = False,
        pad_to_multiple_of: int | None = None,
        padding_side: Side = "right",
        pad_id: int | None = None,
        pad_type_id: int = 0,
        pad_token: str | None = None,
        threads: int | None = None,
    ) -> list[Encoding]:
        """Encode many texts; the options are those of `encode`.

        Parameters
        ----------
        inputs
            Texts, or tuples of two texts for pairs; with `is_pretokenized`,
            lists of words in their place.
        is_pretokenized, special, add_special_tokens, bos, eos
            As in `encode`.
        max_length, stride, truncation_side, truncation_strategy
            As in `encode`.
        padding, pad_to_multiple_of, padding_side, pad_id, pad_type_id, pad_token
            As in `encode`.
        threads
            Number of threads, >= 1; None means one per core for batches of a few
            hundred kilobytes and more.

        Returns
        -------
        list of Encoding
            One for each input, in order.

        Raises
        ------
        EncodeError, ConfigError
            As in `encode`, for the first input that fails.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> [len(encoding) for encoding in tokenizer.encode_batch(["学", "学而"], padding=True)]
        [2, 2]

        """
        if isinstance(inputs, str):
            raise TypeError("inputs: expected an iterable of texts, got one str")
        return self._core.encode_batch(
            [item if isinstance(item, tuple) else (item, None) for item in inputs],
            is_pretokenized,
            (
                (special, add_special_tokens, bos, eos),
                truncation_arguments(max_length, stride, truncation_strategy, truncation_side),
                padding_arguments(
                    padding,
                    max_length=max_length,
                    multiple_of=pad_to_multiple_of,
                    side=padding_side,
                    pad=(pad_id, pad_token),
                    type_id=pad_type_id,
                    core=self._core,
                ),
            ),
            check_threads(threads),
        )
