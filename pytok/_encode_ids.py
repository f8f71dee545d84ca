"""Encoding texts to ids, or to their number, and nothing per token."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok._call import SpecialPolicy, check_threads
from pytok.errors import ConfigError

__all__ = ["EncodingIds"]


class EncodingIds:
    """The methods of `Tokenizer` that give ids alone; the fast ones."""

    __slots__ = ()

    _core: _pytok.Tokenizer

    def encode_ids(
        self,
        text: str,
        *,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
    ) -> list[int]:
        """Encode a text to ids only; the options are those of `encode`.

        Raises
        ------
        EncodeError
            As in `encode`.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.encode_ids("<|im_end|>", special="special")
        [3]

        """
        return self._core.encode_ids(text, special, add_special_tokens, bos, eos)

    def encode_bytes(
        self,
        data: bytes,
        *,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
    ) -> list[int]:
        """Encode UTF-8 bytes to ids; each invalid sequence is read as U+FFFD.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.encode_bytes("学".encode()) == tokenizer.encode_ids("学")
        True

        """
        return self._core.encode_bytes(data, (special, add_special_tokens, bos, eos))

    def encode_batch_ids(
        self,
        texts: Iterable[str],
        *,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
        threads: int | None = None,
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64]]:
        """Encode many texts to one flat array of ids, without a Python object per token.

        Parameters
        ----------
        texts
            The texts.
        special, add_special_tokens, bos, eos
            As in `encode`.
        threads
            As in `encode_batch`.

        Returns
        -------
        ids : numpy.ndarray of uint32, shape (n_tokens,)
            The ids of all texts, one after another.
        bounds : numpy.ndarray of int64, shape (n_texts + 1,)
            The ids of text ``i`` are ``ids[bounds[i]:bounds[i + 1]]``.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> ids, bounds = tokenizer.encode_batch_ids(["学而时习之", "不亦说乎"])
        >>> ids[bounds[1] : bounds[2]].tolist() == tokenizer.encode_ids("不亦说乎")
        True

        """
        options = (special, add_special_tokens, bos, eos)
        return self._core.encode_batch_ids(texts, options, check_threads(threads))

    def encode_batch_spans(
        self,
        texts: Iterable[str],
        *,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = False,
        threads: int | None = None,
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Encode many texts to ids and the bytes that each id covers.

        Parameters
        ----------
        texts
            The texts.
        special
            As in `encode`.
        add_special_tokens
            Only False is possible: a token that is added covers no bytes.
        threads
            As in `encode_batch`.

        Returns
        -------
        ids : numpy.ndarray of uint32, shape (n_tokens,)
            The ids of all texts, one after another.
        byte_spans : numpy.ndarray of int64, shape (n_tokens, 2)
            Half-open byte offsets in the UTF-8 of the token's text.
        bounds : numpy.ndarray of int64, shape (n_texts + 1,)
            As in `encode_batch_ids`.

        Raises
        ------
        EncodeError, ConfigError
            As in `encode`.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> ids, byte_spans, bounds = tokenizer.encode_batch_spans(["学而"])
        >>> int(byte_spans[-1, 1])
        6

        """
        if add_special_tokens:
            raise ConfigError(
                "add_special_tokens: True, and a token that is added covers no bytes",
                hint="use encode_batch_ids or encode_batch",
            )
        options = (special, False, False, False)
        return self._core.encode_batch_spans(texts, options, check_threads(threads))

    def count(
        self,
        text: str,
        *,
        special: SpecialPolicy = "error",
        add_special_tokens: bool = True,
        bos: bool = False,
        eos: bool = False,
    ) -> int:
        """Count the tokens of a text: `len(encode_ids(text))` without making the list.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.count("不亦说乎") == len(tokenizer.encode_ids("不亦说乎"))
        True

        """
        return self._core.count(text, (special, add_special_tokens, bos, eos))
