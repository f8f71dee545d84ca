"""The tokenizer: text in, token ids out, and back."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias, final

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok._call import (
    Ids,
    PaddingMode,
    Side,
    SpanUnit,
    SpecialPolicy,
    TruncationStrategy,
    added_token_fields,
    check_limit,
    check_threads,
    id_lists,
    padding_arguments,
    special_token_list,
    truncation_arguments,
)
from pytok._files import encoding_name_of, rank_settings, read_file, write_folder
from pytok._hub import HubOptions, Located, locate
from pytok._normalizer import Normalizing, steps_of
from pytok._pytok import Encoding
from pytok._roles import portable_config
from pytok._sample import Sampling
from pytok.added_token import AddedToken
from pytok.errors import ConfigError, ExportError, PytokError
from pytok.stream import DecodeStream

__all__ = ["Tokenizer"]

Text: TypeAlias = "str | Sequence[str]"


@final
class Tokenizer(Sampling, Normalizing):
    """A compiled tokenizer: immutable, and safe to use from many threads at once.

    Make one with `from_pretrained` or `from_file`. It can be pickled, copied and
    compared; two tokenizers are equal when their definitions are.

    Special tokens in user text are refused by default: `special="text"` encodes
    them as plain text, `special="special"` as the control tokens that they spell.

    Examples
    --------
    >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
    >>> tokenizer.vocab_size
    32000
    >>> tokenizer.encode("学而时习之").tokens == tokenizer.encode("学而时习之").tokens
    True

    """

    __slots__ = ("__weakref__", "_core", "_name", "_sha256", "_vocab")

    _core: _pytok.Tokenizer
    _name: str
    _sha256: str | None
    _vocab: Mapping[str, int] | None

    def __init__(self) -> None:
        raise TypeError("a Tokenizer is made by Tokenizer.from_pretrained or Tokenizer.from_file")

    @classmethod
    def _of(cls, core: _pytok.Tokenizer, name: str) -> Tokenizer:
        tokenizer = object.__new__(cls)
        tokenizer._core = core
        tokenizer._name = name
        tokenizer._vocab = None
        tokenizer._sha256 = None
        return tokenizer

    # ----------------------------------------------------------------- loading

    @classmethod
    def from_pretrained(
        cls,
        source: str | os.PathLike[str],
        *,
        revision: str | None = None,
        token: str | bool | None = None,
        local_files_only: bool | None = None,
        cache_dir: str | os.PathLike[str] | None = None,
        pattern: str | None = None,
        special_tokens: Mapping[str, int] | None = None,
        encoding: str | None = None,
    ) -> Tokenizer:
        """Load a tokenizer by path or by name.

        An existing path wins, then the name of a tokenizer that ships with the
        package, then a hub id of the form ``owner/name``. The first two never
        use the network.

        Parameters
        ----------
        source
            A folder, a tokenizer file, an embedded name, or a hub id. In a
            folder the first of these is loaded: pytok.json, tokenizer.json,
            tekken.json, the only .model file, the only .tiktoken file.
        revision, token, cache_dir
            For a hub id, as in `huggingface_hub.hf_hub_download`.
        local_files_only
            For a hub id: use the local cache only. `HF_HUB_OFFLINE` is honoured
            too.
        pattern, special_tokens, encoding
            As in `from_file`.

        Raises
        ------
        TokenizerNotFoundError
            When nothing of that name is found.
        FormatError
            When the file is damaged, of no known format, or asks for something
            that cannot be honoured exactly.
        VocabError
            When its vocabulary contradicts itself.
        ConfigError
            When a rank file is loaded without `pattern` or `encoding`, or another
            file with one of them.

        Examples
        --------
        >>> Tokenizer.from_pretrained("zh-32k").name
        'zh-32k'

        """
        hub = HubOptions(revision, token, local_files_only, cache_dir)
        return cls._load(locate(source, hub), pattern, special_tokens, encoding)

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        *,
        pattern: str | None = None,
        special_tokens: Mapping[str, int] | None = None,
        encoding: str | None = None,
    ) -> Tokenizer:
        """Load a tokenizer file. The format is found from the content, not the name.

        Parameters
        ----------
        path
            tokenizer.json, pytok.json, tekken.json, a SentencePiece model or
            tiktoken ranks; also packed as .gz or .xz.
        pattern
            For tiktoken ranks: the regular expression that splits the text.
        special_tokens
            For tiktoken ranks: the special tokens and their ids. Without any of
            these options, a tiktoken.json beside ranks that `pytok.export` has
            written gives both.
        encoding
            For tiktoken ranks: the published encoding whose pattern and special
            tokens are used, one of ``gpt2``, ``r50k``, ``p50k``, ``cl100k``,
            ``o200k``, ``qwen``, ``kimi-k2``, ``llama3``, ``deepseek``. A file
            name such as ``cl100k_base.tiktoken`` says it by itself.

        Raises
        ------
        TokenizerNotFoundError
            When there is no such file.
        FormatError, VocabError, ConfigError
            As in `from_pretrained`.

        """
        found = Path(path)
        located = Located(found, read_file(found), found.name)
        return cls._load(located, pattern, special_tokens, encoding)

    @classmethod
    def _load(
        cls,
        located: Located,
        pattern: str | None,
        special_tokens: Mapping[str, int] | None,
        encoding: str | None,
    ) -> Tokenizer:
        if pattern is None and encoding is None and special_tokens is None:
            found = rank_settings(located.path)
            if found is not None:
                pattern, special_tokens = found
        try:
            specials = special_token_list(special_tokens)
            guess = encoding_name_of(located.path)
            core = _pytok.Tokenizer.load(
                located.content, pattern, specials, encoding, guess, steps_of
            )
        except PytokError as error:
            raise type(error)(f"{located.path}: {error}", hint=error.hint) from error
        return cls._of(core, located.name)

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write pytok.json and the files that other libraries load into a folder.

        Loading the folder gives an equal tokenizer. The other files are
        tokenizer.json and tokenizer_config.json (with the special tokens that have a
        role in transformers, see docs/hugging-face.md); of a SentencePiece model
        tokenizer.model, unless tokens were added to it; of tiktoken ranks and of
        a tekken.json tokenizer.tiktoken, unless pieces are out of use. With a
        `normalizer` there is at most tokenizer.json: a warning names the steps
        that it cannot have, or those with which other libraries give the same ids
        but, where several characters became one, other offsets. Each file is
        written whole or not at all; other files of the folder are kept.

        Parameters
        ----------
        folder
            The folder; made when it does not exist.

        Returns
        -------
        pathlib.Path
            The folder.

        Raises
        ------
        ExportError
            When the folder cannot be written, is a file, or holds such a file of
            another tokenizer.

        Examples
        --------
        >>> import tempfile
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Tokenizer.from_pretrained(tokenizer.save(folder)) == tokenizer
        True

        """
        try:
            portable = self._core.tokenizer_json()
        except ExportError as error:
            portable = None
            if self._core.chinese() is not None:
                warnings.warn(f"tokenizer.json is not written: {error}", stacklevel=2)
        else:
            if joining := self._joining_steps():
                warnings.warn(
                    f"tokenizer.json: the steps {', '.join(joining)} put one character in the "
                    "place of several; there other libraries give the same ids, but offsets "
                    "of the last of these characters alone",
                    stacklevel=2,
                )
        # Such a file has no place for Chinese steps.
        own = self._core.own_file() if self._core.chinese() is None else None
        native, config = self._core.pytok_json(), portable_config(self)
        return write_folder(Path(folder), native, portable, own, config)

    # ---------------------------------------------------------------- encoding

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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
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
                    tokenizer=self,
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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
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
                    tokenizer=self,
                ),
            ),
            check_threads(threads),
        )

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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.encode_ids("<|im_end|>", special="special")
        [3]

        """
        return self._core.encode_ids(text, (special, add_special_tokens, bos, eos))

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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.count("不亦说乎") == len(tokenizer.encode_ids("不亦说乎"))
        True

        """
        return self._core.count(text, (special, add_special_tokens, bos, eos))

    # ---------------------------------------------------------------- decoding

    def decode(self, ids: Ids, *, skip_special_tokens: bool = False) -> str:
        """Decode ids to text; bytes that are not UTF-8 become U+FFFD.

        Parameters
        ----------
        ids
            Integers, or an integer array of shape (n,). An id below the largest
            one that has no piece decodes to nothing.
        skip_special_tokens
            Leave special tokens out of the text.

        Raises
        ------
        VocabError
            When an id is negative or larger than all of the vocabulary.

        """
        return self._core.decode(ids, skip_special_tokens)

    def decode_bytes(self, ids: Ids, *, skip_special_tokens: bool = False) -> bytes:
        """Decode ids to bytes: what `decode` gives before it replaces anything.

        Examples
        --------
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.decode_bytes(tokenizer.encode_ids("学")).hex()
        'e5ada6'

        """
        return self._core.decode_bytes(ids, skip_special_tokens)

    def decode_batch(
        self,
        batch: Iterable[Ids] | tuple[npt.NDArray[np.integer], npt.NDArray[np.integer]],
        *,
        skip_special_tokens: bool = False,
    ) -> list[str]:
        """Decode many lists of ids.

        Parameters
        ----------
        batch
            Lists or arrays of ids; or the tuple of two arrays ``(ids, bounds)``
            that `encode_batch_ids` returns.
        skip_special_tokens
            As in `decode`.

        Raises
        ------
        VocabError
            As in `decode`.
        ConfigError
            When `bounds` does not rise from 0 to the number of ids.

        Examples
        --------
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.decode_batch(tokenizer.encode_batch_ids(["学而", "时习"]))
        ['学而', '时习']

        """
        return self._core.decode_batch(id_lists(batch), skip_special_tokens)

    def decode_stream(
        self, ids: Iterable[int], *, skip_special_tokens: bool = False
    ) -> Iterator[str]:
        """Decode ids as they arrive, in pieces that never end inside a character.

        Yields
        ------
        str
            Text; all pieces joined are `decode(ids)`.

        Examples
        --------
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> "".join(tokenizer.decode_stream(tokenizer.encode_ids("龘龘")))
        '龘龘'

        """
        stream = DecodeStream(self, skip_special_tokens)
        for token_id in ids:
            piece = stream.step(token_id)
            if piece:
                yield piece
        rest = stream.flush()
        if rest:
            yield rest

    # -------------------------------------------------------------- vocabulary

    @property
    def vocab(self) -> Mapping[str, int]:
        """Pieces and their ids, added tokens included; read-only.

        Keys are in the notation of the format: the byte alphabet for byte-level
        files, SentencePiece's own pieces otherwise.
        """
        if self._vocab is None:
            self._vocab = MappingProxyType(self._core.vocab())
        return self._vocab

    @property
    def vocab_size(self) -> int:
        """Number of ids that have a piece, added tokens included."""
        return self._core.vocab_size()

    def token_to_id(self, token: str) -> int | None:
        """Look a piece up; None when the vocabulary does not have it."""
        return self._core.token_to_id(token)

    def id_to_token(self, token_id: int) -> str | None:
        """Name the piece of an id; None when it has none."""
        return self._core.id_to_token(token_id)

    def token_bytes(self, token_id: int) -> bytes:
        """Give the bytes that an id stands for; empty for an id without a piece.

        Raises
        ------
        VocabError
            When the id is negative or larger than all of the vocabulary.

        Examples
        --------
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> tokenizer.token_bytes(3)
        b'<|im_end|>'

        """
        return self._core.token_bytes(token_id)

    @property
    def unk_id(self) -> int | None:
        """The id of the unknown token, if there is one."""
        return self._core.role_ids()[0]

    @property
    def bos_id(self) -> int | None:
        """The id of the begin-of-sequence token that the file names, if it does."""
        return self._core.role_ids()[1]

    @property
    def eos_id(self) -> int | None:
        """The id of the end-of-sequence token that the file names, if it does."""
        return self._core.role_ids()[2]

    @property
    def added_tokens(self) -> tuple[AddedToken, ...]:
        """The added tokens, by id."""
        return tuple(AddedToken(*fields, id=number) for number, fields in self._core.added_tokens())

    @property
    def control_tokens(self) -> Mapping[str, int]:
        """The added tokens that the `special=` policy governs, and their ids.

        They are the special tokens, and those of marker form: ``<...>``,
        ``[...]``, ``<|...|>``, ``｜...｜``.
        """
        return MappingProxyType(dict(self._core.control_tokens()))

    def add_tokens(self, tokens: Iterable[str | AddedToken], *, special: bool = False) -> Tokenizer:
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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
        >>> larger = tokenizer.add_tokens(["龘龘"])
        >>> len(larger) - len(tokenizer), larger.encode("龘龘").tokens
        (1, ['龘龘'])

        """
        fields = list(added_token_fields(tokens, special))
        return self._of(self._core.with_added_tokens(fields), self._name)

    def add_special_tokens(self, tokens: Iterable[str | AddedToken]) -> Tokenizer:
        """Make a tokenizer with more special tokens: `add_tokens(tokens, special=True)`."""
        return self.add_tokens(tokens, special=True)

    def with_max_span(self, limit: int | None, unit: SpanUnit = "chars") -> Tokenizer:
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
        >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
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

    # ---------------------------------------------------------------- identity

    @property
    def name(self) -> str:
        """Where it came from: the embedded name, the hub id, or the folder's or file's name."""
        return self._name

    @property
    def library(self) -> str:
        """The library whose results it reproduces: tokenizers, tiktoken or sentencepiece."""
        return self._core.summary()[0]

    @property
    def model_type(self) -> str:
        """The kind of model, such as ``BPE`` or ``Unigram``."""
        return self._core.summary()[1]

    @property
    def components(self) -> dict[str, str]:
        """The components around the model in the order of the pipeline, each in a few words.

        Examples
        --------
        >>> Tokenizer.from_pretrained("zh-32k").components["decoder"]
        'ByteLevel'

        """
        return dict(self._core.summary()[2])

    @property
    def sha256(self) -> str:
        """SHA-256 of its pytok.json, 64 hexadecimal digits: equal for equal tokenizers."""
        if self._sha256 is None:
            self._sha256 = hashlib.sha256(self._core.pytok_json()).hexdigest()
        return self._sha256

    def clear_cache(self) -> None:
        """Free the buffers and caches that encoding has left behind."""
        self._core.clear_cache()

    def __len__(self) -> int:
        return self.vocab_size

    def __repr__(self) -> str:
        return f"Tokenizer({self._name!r}, vocab_size={self.vocab_size})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tokenizer):
            return NotImplemented
        return self._core.same_definition(other._core)

    def __hash__(self) -> int:
        return hash(self.sha256)

    def __reduce__(self) -> tuple[object, ...]:
        return (restore, (self._core.pytok_json(), self._name))

    def __copy__(self) -> Tokenizer:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Tokenizer:
        return self


def restore(content: bytes, name: str) -> Tokenizer:
    """Unpickle a tokenizer: compile the pytok.json that it was pickled as."""
    return Tokenizer._of(_pytok.Tokenizer.load(content, chinese=steps_of), name)
