"""The libraries, each in its best form for every way to call a tokenizer.

An entrant has one function for each form that it has:

* `flat`: texts to ids with no Python object per token
* `lists`: texts to one list of ids each, in one call
* `single`: texts to one list of ids each, one call a text
* `call`: one text to ids, what a short call costs
* `encodings`: texts to objects with ids and offsets, which are read
* `decode`: arrays of ids, one a text, to texts
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import pytok

from .vocabularies import Vocabulary


@dataclass
class Entrant:
    """A library with one vocabulary."""

    name: str
    forms: dict[str, Callable[[Any], Any]] = field(default_factory=dict)


def ids_of(result: Any) -> np.ndarray:
    """Bring what any form returned into one array of ids."""
    if isinstance(result, tuple) and isinstance(result[0], bytes):
        return np.frombuffer(result[0], dtype=np.uint32)
    if isinstance(result, tuple):
        return result[0]
    if type(result).__module__.startswith("awkward"):
        import awkward

        return np.asarray(awkward.flatten(result)).astype(np.uint32)
    if not result:
        return np.zeros(0, dtype=np.uint32)
    if isinstance(result[0], tuple):  # ids and offsets of an encoding
        result = [ids for ids, _ in result]
    return np.concatenate([np.asarray(ids, dtype=np.uint32) for ids in result])


def each(call: Callable[[str], Any]) -> Callable[[Sequence[str]], list[Any]]:
    return lambda texts: [call(text) for text in texts]


def with_pytok(vocabulary: Vocabulary, threads: int) -> Entrant:
    tokenizer = pytok.Tokenizer.from_file(vocabulary.own, encoding=vocabulary.encoding)
    plain: dict[str, Any] = {"special": "text", "add_special_tokens": False}
    flat = partial(tokenizer.encode_batch_ids, threads=threads, **plain)

    # Not a partial: what binds keywords anew at every call would be timed too.
    def one(text: str) -> list[int]:
        return tokenizer.encode_ids(text, special="text", add_special_tokens=False)

    def lists(texts: Sequence[str]) -> list[list[int]]:
        ids, bounds = flat(texts)
        ids, ends = ids.tolist(), bounds.tolist()
        return [ids[start:end] for start, end in pairwise(ends)]

    def encodings(texts: Sequence[str]) -> list[Any]:
        found = tokenizer.encode_batch(texts, threads=threads, **plain)
        return [(encoding.ids, encoding.offsets) for encoding in found]

    def decode(arrays: Sequence[np.ndarray]) -> list[str]:
        return tokenizer.decode_batch(arrays)

    forms = {
        "flat": flat,
        "lists": lists,
        "single": each(one),
        "call": one,
        "encodings": encodings,
        "decode": decode,
    }
    return Entrant("pytok", forms)


def with_tokenizers(vocabulary: Vocabulary, threads: int) -> Entrant:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(vocabulary.json))
    tokenizer.encode_special_tokens = True
    batch = partial(tokenizer.encode_batch_fast, add_special_tokens=False)

    def ids(texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in batch(texts)]

    def one(text: str) -> list[int]:
        return tokenizer.encode(text, add_special_tokens=False).ids

    def encodings(texts: Sequence[str]) -> list[Any]:
        found = tokenizer.encode_batch(texts, add_special_tokens=False)
        return [(encoding.ids, encoding.offsets) for encoding in found]

    def decode(arrays: Sequence[np.ndarray]) -> list[str]:
        return tokenizer.decode_batch([a.tolist() for a in arrays], skip_special_tokens=False)

    forms = {
        "flat": ids,
        "lists": ids,
        "single": each(one),
        "call": one,
        "encodings": encodings,
        "decode": decode,
    }
    return Entrant("tokenizers", forms)


def with_fastokens(vocabulary: Vocabulary, threads: int) -> Entrant:
    """Its threads are FASTOKENS_BPE_THREADS, read when it starts."""
    from fastokens import Tokenizer

    if vocabulary.fastokens:
        tokenizer = Tokenizer.from_tiktoken(str(vocabulary.ranks), encoding=vocabulary.fastokens)
    else:
        tokenizer = Tokenizer.from_file(str(vocabulary.json))
    flat = partial(tokenizer.encode_batch_flat, split_special_tokens=True)

    def one(text: str) -> list[int]:
        return tokenizer.encode(text, split_special_tokens=True).ids

    def lists(texts: Sequence[str]) -> list[list[int]]:
        found = tokenizer.encode_batch(texts, split_special_tokens=True)
        return [encoding.ids for encoding in found]

    def decode(arrays: Sequence[np.ndarray]) -> list[str]:
        return tokenizer.decode_batch([a.tolist() for a in arrays])

    forms = {
        "flat": flat,
        "lists": lists,
        "single": each(one),
        "call": one,
        "decode": decode,
    }
    return Entrant("fastokens", forms)


def with_gigatoken(vocabulary: Vocabulary, threads: int) -> Entrant:
    from gigatoken import Tokenizer

    if vocabulary.gigatoken:
        tokenizer = Tokenizer.from_tiktoken(vocabulary.ranks, pretokenizer=vocabulary.gigatoken)
    elif vocabulary.model:
        tokenizer = Tokenizer.from_sentencepiece(vocabulary.model)
    else:
        tokenizer = Tokenizer(vocabulary.json)
    parallel = threads > 1

    def decode(arrays: Sequence[np.ndarray]) -> list[str]:
        return [tokenizer.decode(array).decode("utf-8", "replace") for array in arrays]

    forms = {
        "flat": partial(tokenizer.encode_batch, parallel=parallel),
        "lists": partial(tokenizer.encode_batch_list, parallel=parallel),
        "single": lambda texts: [tokenizer.encode(text).tolist() for text in texts],
        "call": tokenizer.encode,
        "decode": decode,
    }
    return Entrant("gigatoken", forms)


def with_tiktoken(vocabulary: Vocabulary, threads: int) -> Entrant:
    import tiktoken

    assert vocabulary.ranks is not None and vocabulary.pattern is not None
    ranks = {}
    for line in vocabulary.ranks.read_bytes().splitlines():
        piece, rank = line.split()
        ranks[base64.b64decode(piece)] = int(rank)
    encoding = tiktoken.Encoding(
        vocabulary.name, pat_str=vocabulary.pattern, mergeable_ranks=ranks, special_tokens={}
    )
    one = encoding.encode_ordinary
    together = partial(encoding.encode_ordinary_batch, num_threads=threads)

    def decode(arrays: Sequence[np.ndarray]) -> list[str]:
        return [encoding.decode(array.tolist()) for array in arrays]

    forms = {
        "flat": together if threads > 1 else each(encoding.encode_to_numpy),
        "lists": together if threads > 1 else each(one),
        "single": each(one),
        "call": one,
        "decode": decode,
    }
    return Entrant("tiktoken", forms)


def with_sentencepiece(vocabulary: Vocabulary, threads: int) -> Entrant:
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor(model_file=str(vocabulary.model))
    together = partial(model.encode, num_threads=threads)

    def decode(arrays: Sequence[np.ndarray]) -> list[str]:
        return model.decode([array.tolist() for array in arrays])

    forms = {
        "flat": together if threads > 1 else each(model.encode),
        "lists": together if threads > 1 else each(model.encode),
        "single": each(model.encode),
        "call": model.encode,
        "decode": decode,
    }
    return Entrant("sentencepiece", forms)


BUILDERS = {
    "pytok": with_pytok,
    "fastokens": with_fastokens,
    "gigatoken": with_gigatoken,
    "tiktoken": with_tiktoken,
    "tokenizers": with_tokenizers,
    "sentencepiece": with_sentencepiece,
}


def can_load(name: str, vocabulary: Vocabulary) -> bool:
    """Whether a library has a file of this vocabulary that it is made for."""
    if name == "tiktoken":
        return vocabulary.ranks is not None
    if name == "sentencepiece":
        return vocabulary.model is not None
    if name in ("fastokens", "gigatoken"):
        # Both encode merges only.
        is_merges = vocabulary.ranks is not None or vocabulary.name in ("deepseek", "gpt2")
        return is_merges or (name == "gigatoken" and vocabulary.name == "mistral")
    return name == "pytok" or vocabulary.json is not None


def entrants(
    vocabulary: Vocabulary, names: Sequence[str], threads: int = 1
) -> tuple[list[Entrant], list[str]]:
    """Load the vocabulary with each library; the second list says what could not be loaded."""
    found, failed = [], []
    for name in names:
        if not can_load(name, vocabulary):
            continue
        try:
            found.append(BUILDERS[name](vocabulary, threads))
        except ImportError as error:
            failed.append(f"{name}: not installed ({error.name or error})")
        except Exception as error:
            failed.append(f"{name}: {json.dumps(str(error)[:120], ensure_ascii=False)}")
    return found, failed
