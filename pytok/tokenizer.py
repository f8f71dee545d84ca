"""The tokenizer: text in, token ids out, and back."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import final

from pytok import _pytok
from pytok._call import special_token_list
from pytok._decode import Decoding
from pytok._derive import Deriving
from pytok._encode_ids import EncodingIds
from pytok._encode_texts import EncodingTexts
from pytok._files import encoding_name_of, rank_settings, read_file, write_folder
from pytok._hub import HubOptions, Located, locate
from pytok._normalizer import Normalizing, steps_of
from pytok._roles import portable_config
from pytok._sample import Sampling
from pytok._vocabulary import Vocabulary
from pytok.errors import ExportError, PytokError

__all__ = ["Tokenizer"]


@final
class Tokenizer(EncodingTexts, EncodingIds, Decoding, Vocabulary, Deriving, Sampling, Normalizing):
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

    __slots__ = ("__weakref__", "_core", "_name", "_sha256")

    _core: _pytok.Tokenizer
    _name: str
    _sha256: str | None

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
