"""Tokenizers made from another one, which stays as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from pytok._call import SpanUnit, added_token_fields, check_limit
from pytok._compiled import Compiled
from pytok.added_token import AddedToken

__all__ = ["Deriving"]

Self = TypeVar("Self", bound="Deriving")


class Deriving(Compiled):
    """The methods of `Tokenizer` that add tokens, or leave long pieces unused."""

    __slots__ = ()

    def add_tokens(
        self: Self, tokens: Iterable[str | AddedToken], *, special: bool = False
    ) -> Self:
        """Make a tokenizer that also matches these literals; this one stays as it is.

        Parameters
        ----------
        tokens
            Literals, or `AddedToken` for other settings than the default ones.
            A piece of the vocabulary keeps its id; others get the next ids.
        special
            Whether the literals given as str are special tokens.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> larger = tokenizer.add_tokens(["龘龘"])
        >>> len(larger) - len(tokenizer), larger.encode("龘龘").tokens
        (1, ['龘龘'])

        """
        fields = list(added_token_fields(tokens, special))
        return self._of(self._core.with_added_tokens(fields), self._name)

    def add_special_tokens(self: Self, tokens: Iterable[str | AddedToken]) -> Self:
        """Make a tokenizer with more special tokens: `add_tokens(tokens, special=True)`."""
        return self.add_tokens(tokens, special=True)

    def with_max_span(self: Self, limit: int | None, unit: SpanUnit = "chars") -> Self:
        """Make a tokenizer that uses no piece above a length; this one stays as it is.

        Finer pieces without training anew. The vocabulary and its ids stay the
        same, so a model's embeddings stay valid, and decoding knows every id. The
        limit is part of what `save` writes: other libraries that load the
        tokenizer.json give the same ids.

        BPE applies no merge whose result is longer (and ``ignore_merges`` is
        turned off when whole words could be longer); Unigram pieces get a score of
        -2**20; SentencePiece pieces become unused. Added tokens are matched as
        before.

        Parameters
        ----------
        limit
            The longest piece, from 1; None: as long as the vocabulary has them,
            which takes an earlier limit back. A limit replaces an earlier one.
            (A tokenizer that was saved and loaded, or pickled, keeps its limit.)
        unit
            ``"chars"``: characters of the text, one that a piece has only a part
            of included; a space is one, however the piece spells it. ``"bytes"``:
            bytes of UTF-8. Single characters and parts of them are used under
            any limit, so that every text can still be encoded.

        Raises
        ------
        ConfigError
            When the limit or the unit is none of these, for WordPiece and
            WordLevel models, and for Unigram models in which a longer piece is
            the only one for some character.

        Examples
        --------
        >>> import pytok
        >>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
        >>> short = tokenizer.with_max_span(1)
        >>> short.encode("我们学习").tokens
        ['æĪĳ', 'ä»¬', 'åŃ¦', 'ä¹ł']
        >>> short.decode(tokenizer.encode_ids("我们学习"))
        '我们学习'
        >>> short.with_max_span(None) == tokenizer
        True

        """
        if limit is not None:
            check_limit(limit)
        return self._of(self._core.with_max_span(limit, unit), self._name)
