"""`PytokTokenizer`: a transformers tokenizer with the core of pytok inside."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import BatchEncoding, PreTrainedTokenizerFast

from pytok import PytokError, Tokenizer
from pytok._roles import portable_config, special_roles
from pytok.hf.backend import as_tokenizer_json, backend_of, has_steps, set_prefix_space
from pytok.hf.backend_state import samples
from pytok.hf.diagnosis import explain, warn_of_stale_file
from pytok.hf.folder import needs_conversion
from pytok.hf.following import Uses, WithCore
from pytok.hf.ids_alone import flat_batch, laid_out, padding_of, truncated
from pytok.hf.lazy_batch import LazyBatchEncoding
from pytok.hf.options import first_row, only_ids
from pytok.hf.outputs import WithOutputs
from pytok.hf.saving import WithSaving
from pytok.hf.settings import check_ids, settled
from pytok.hf.through_core import encode_through_core

__all__ = ["PytokTokenizer"]


class PytokTokenizer(WithCore, WithOutputs, WithSaving):
    """A drop-in tokenizer for transformers 4.57 and 5.

    It is a `PreTrainedTokenizerFast`, which transformers 5 calls
    `TokenizersBackend`, and so a `PreTrainedTokenizerBase`: servers and
    structured generation look for that class and for the real
    `tokenizers.Tokenizer` inside. The slow base, `PreTrainedTokenizer`, has no
    offsets and is refused by them. Ids come from the core of pytok, everything
    else (words, offsets, overflow, pairs) from the backend; both give the same
    ids, which `save_pretrained` checks before it writes.

    A tokenizer with Chinese normalisation (`pytok.Tokenizer.with_normalizer`)
    encodes through the core alone, so that offsets point into the text that was
    given. Its backend knows nothing of those steps unless a tokenizer.json can
    hold them.

    Parameters
    ----------
    args, kwargs
        As in `PreTrainedTokenizerFast`: ``tokenizer_file``, ``tokenizer_object``,
        special tokens, ``model_max_length``, ``padding_side``, ...
    pytok_file
        Path of a pytok.json; what is loaded where there is no tokenizer_file, or
        where it holds Chinese steps.
    pytok_tokenizer
        A `pytok.Tokenizer` to wrap.

    Examples
    --------
    >>> from pytok.hf import PytokTokenizer
    >>> tokenizer = PytokTokenizer.from_pretrained("zh-32k")
    >>> batch = tokenizer(["学而时习之", "不亦说乎"], padding=True)
    >>> tokenizer.batch_decode(batch["input_ids"], skip_special_tokens=True)
    ['学而时习之', '不亦说乎']

    """

    vocab_files_names = {"tokenizer_file": "tokenizer.json", "pytok_file": "pytok.json"}  # noqa: RUF012
    model_input_names = ["input_ids", "attention_mask"]  # noqa: RUF012
    slow_tokenizer_class = None

    def __init__(
        self,
        *args: Any,
        pytok_file: str | None = None,
        pytok_tokenizer: Tokenizer | None = None,
        **kwargs: Any,
    ) -> None:
        core = pytok_tokenizer
        if core is None and pytok_file is not None and Path(pytok_file).is_file():
            core = Tokenizer.from_file(pytok_file)
        steps = core is not None and has_steps(core)
        if core is not None and (steps or not kwargs.get("tokenizer_file")):
            kwargs.pop("tokenizer_file", None)
            kwargs.setdefault("tokenizer_object", backend_of(core))
            if pytok_tokenizer is not None:
                kwargs = special_roles(core) | kwargs
        kwargs.setdefault("clean_up_tokenization_spaces", False)
        file = kwargs.get("tokenizer_file")
        # Past the `__setattr__` of the base, whose constructor adds tokens.
        self.__dict__["_uses"] = Uses()
        super().__init__(*args, **settled(kwargs))
        check_ids(self._tokenizer, file, kwargs.get("added_tokens_decoder") or {})
        if pytok_file is not None and core is not None and file is not None:
            warn_of_stale_file(core, self._tokenizer, pytok_file)
        self._spaced: bool = bool(kwargs.get("spaces_between_special_tokens", False))
        if core is not None and steps:
            self._follow(core)
            # The constructor of the base gives new special tokens to the backend alone.
            if set(self.added_tokens_encoder) != {token.content for token in core.added_tokens}:
                self._followed = None
        if kwargs.get("add_prefix_space") is not None:
            set_prefix_space(self._tokenizer, bool(kwargs["add_prefix_space"]))

    # ----------------------------------------------------------------- loading

    @classmethod
    def convert_to_native_format(cls, **kwargs: Any) -> dict[str, Any]:
        """Take tokenizer.json as it is.

        transformers 5 would rebuild it from vocabulary and merges for a class
        with an `__init__` of its own, and lose normalizer and pre-tokenizer.
        """
        kwargs.pop("trust_remote_code", None)
        return kwargs

    @classmethod
    def from_pretrained(
        cls, pretrained_model_name_or_path: str | os.PathLike[str], *init_inputs: Any, **kwargs: Any
    ) -> PytokTokenizer:
        """Load from a folder, a tokenizer file, an embedded name or a hub id.

        Parameters
        ----------
        pretrained_model_name_or_path
            As in `pytok.Tokenizer.from_pretrained`: an existing path wins, then the
            name of a tokenizer that ships with pytok (never the network), then a
            hub id.
        init_inputs, kwargs
            As in `PreTrainedTokenizerBase.from_pretrained`.

        Raises
        ------
        PytokError
            When pytok cannot load the file, or tokenizer.json cannot hold it exactly.
        OSError
            When transformers finds no tokenizer.

        """
        source = pretrained_model_name_or_path
        if not needs_conversion(source):
            try:
                tokenizer: PytokTokenizer = super().from_pretrained(source, *init_inputs, **kwargs)
            except PytokError:
                raise
            except Exception:
                # tokenizers raises nothing more precise, and does not name the file.
                explain(source)
                raise
            return tokenizer
        core = as_tokenizer_json(Tokenizer.from_pretrained(source))
        with tempfile.TemporaryDirectory() as folder:
            core.save(folder)
            # With Chinese steps there may be no tokenizer.json, and then no such file.
            config = Path(folder, "tokenizer_config.json")
            settings = portable_config(core) | {"tokenizer_class": cls.__name__}
            config.write_text(json.dumps(settings), "utf-8")
            loaded: PytokTokenizer = super().from_pretrained(folder, *init_inputs, **kwargs)
        loaded.name_or_path = str(source)
        loaded.init_kwargs.pop("name_or_path", None)
        return loaded

    # ---------------------------------------------------------------- encoding

    def _encode_plus(self, text: Any, text_pair: Any = None, **options: Any) -> BatchEncoding:
        found = self._by_core(text, text_pair, options)
        return super()._encode_plus(text, text_pair, **options) if found is None else found

    def _batch_encode_plus(self, batch_text_or_text_pairs: Any, **options: Any) -> BatchEncoding:
        """Encode a batch: transformers 4 has a method of its own for it."""
        found = self._by_core(batch_text_or_text_pairs, None, options)
        if found is not None:
            return found
        return super()._batch_encode_plus(batch_text_or_text_pairs, **options)

    def _by_core(self, text: Any, pair: Any, options: dict[str, Any]) -> BatchEncoding | None:
        """Encode by the core; None where the backend has to."""
        if self._chinese is not None and not options.get("sanitize_control_tokens"):
            return encode_through_core(self, self.core, text, pair, options)
        texts = [text] if isinstance(text, str) else text
        split = options.get("split_special_tokens")
        if (
            pair is not None
            or (self.split_special_tokens if split is None else split)
            or "token_type_ids" in self.model_input_names
            or samples(self._tokenizer)
            or not only_ids(texts, options)
        ):
            return None
        try:
            return self._ids_alone(text, texts, options)
        except (PytokError, UnicodeEncodeError):
            # The backend says in its own words what is wrong.
            return None

    def _ids_alone(
        self, text: Any, texts: list[str], options: dict[str, Any]
    ) -> BatchEncoding | None:
        core = self.core
        whole = flat_batch(core, texts, options.get("add_special_tokens", True))
        batch = truncated(whole, core, self.truncation_side, options)
        if batch is None:
            return None
        padding = padding_of(self, options)
        data = laid_out(batch, padding, self.model_input_names, options)
        if data is None:
            return None
        longest = int(batch.lengths.max(initial=0))
        if longest > self.model_max_length:
            self._eventual_warn_about_too_long_sequence(
                [0] * longest, options.get("max_length"), options.get("verbose", True)
            )
        tensors = options.get("return_tensors")
        if isinstance(text, str) and tensors is None:
            data = first_row(data)
        return LazyBatchEncoding(data, lambda: self._encodings_of(text, options), tensors)

    def _encodings_of(self, text: Any, options: dict[str, Any]) -> Sequence[Any] | None:
        """Ask the backend for everything that is known about the tokens."""
        quiet = {**options, "return_tensors": None, "verbose": False}
        if isinstance(text, str) or not hasattr(PreTrainedTokenizerFast, "_batch_encode_plus"):
            slow = super()._encode_plus(text, **quiet)
        else:
            slow = super()._batch_encode_plus(text, **quiet)
        encodings: Sequence[Any] | None = slow.encodings
        return encodings
