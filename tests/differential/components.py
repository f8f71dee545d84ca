"""Small tokenizers made in the tests, loaded by `tokenizers` and by pytok, and compared.

The character model shows what every stage before it did: each character that
a normalizer or a pre-tokenizer leaves is a token (or its bytes are), with its
offsets and the number of its word.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from .outcome import shrink
from .strategies import FIXED_TEXTS, FULL, examples, random_texts, texts

Json = dict[str, Any]

FIELDS = (
    "ids",
    "tokens",
    "offsets",
    "word_ids",
    "type_ids",
    "attention_mask",
    "special_tokens_mask",
    "sequence_ids",
    "n_sequences",
)

TEXTS = tuple(dict.fromkeys(FIXED_TEXTS))

COMMON_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEH0123456789 .,!?'-_▁Ġ学而时习之不亦说乎，。é"

TRAINING_TEXT = (
    "Hello, world! hello there. The theory of the thing; then they thought, don't they?",
    "学而时习之，不亦说乎？有朋自远方来，不亦乐乎？人不知而不愠，不亦君子乎？",
    "學而時習之，不亦說乎？有朋自遠方來，不亦樂乎？人不知而不慍，不亦君子乎？",
    "def hello(name):\n    return 'hello ' + name\n\n\n    # the end\n",
    "12 123 1234 100 1000 2000 x=1; y==2; z!=3; a->b; a->b; // -- __init__",
    "lower lowest newer newest wider widest low new wide the the the then",
) * 3


def added_token(content: str, token: int, **flags: bool) -> Json:
    """An entry of ``added_tokens``."""
    entry: Json = {"id": token, "content": content}
    for name in ("single_word", "lstrip", "rstrip", "normalized", "special"):
        entry[name] = flags.get(name, False)
    return entry


def definition(model: Json, **parts: Any) -> Json:
    """A whole tokenizer.json."""
    result: Json = {"version": "1.0", "truncation": None, "padding": None}
    for name in ("added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder"):
        result[name] = parts.get(name, [] if name == "added_tokens" else None)
    return {**result, "model": model}


def character_model(merges: Sequence[str] = (), **options: Any) -> Json:
    """BPE over characters; those that it does not know become their bytes."""
    pieces = [f"<0x{byte:02X}>" for byte in range(256)]
    pieces += COMMON_CHARACTERS
    pieces += [merge.replace(" ", "") for merge in merges]
    return {
        "type": "BPE",
        "dropout": None,
        "unk_token": None,
        "continuing_subword_prefix": None,
        "end_of_word_suffix": None,
        "fuse_unk": False,
        "byte_fallback": True,
        "ignore_merges": False,
        "vocab": {piece: number for number, piece in enumerate(dict.fromkeys(pieces))},
        "merges": list(merges),
        **options,
    }


MERGES = ("t h", "th e", "h e", "l l", "he ll", "hell o", "学 而", "不 亦", "1 2", "▁ a")


@dataclass(frozen=True)
class Pair:
    """The same definition in both libraries."""

    reference: tokenizers.Tokenizer
    candidate: Any
    text: str

    def __repr__(self) -> str:
        return self.text[:2_000]


def load_candidate(content: str) -> Any:
    """What pytok makes of the text of a tokenizer.json."""
    import pytok

    handle, name = tempfile.mkstemp(suffix=".json")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        return pytok.Tokenizer.from_file(name)
    finally:
        Path(name).unlink()


def load_both(source: Json | str | tokenizers.Tokenizer) -> Pair:
    """Load a definition with both libraries."""
    if isinstance(source, tokenizers.Tokenizer):
        source = source.to_str()
    if not isinstance(source, str):
        source = json.dumps(source, ensure_ascii=False)
    return Pair(tokenizers.Tokenizer.from_str(source), load_candidate(source), source)


def snapshot(encoding: Any) -> Json:
    """Every field of an encoding of either library, its overflow included."""
    result = {
        name: list(value) if isinstance(value := getattr(encoding, name), (list, tuple)) else value
        for name in FIELDS
    }
    result["overflowing"] = [snapshot(part) for part in encoding.overflowing]
    return result


class RefusedError(Exception):
    """An input for which the reference raises an error (or panics)."""


def run_reference(pair: Pair, text: Any, second: Any = None, **options: Any) -> Json:
    """What the reference says, including what it decodes.

    Raises
    ------
    RefusedError
        When it raises; pyo3's PanicException is a BaseException.

    """
    try:
        encoding = pair.reference.encode(text, second, **options)
        result = snapshot(encoding)
        for skip in (False, True):
            result[f"decoded, skip={skip}"] = pair.reference.decode(
                encoding.ids, skip_special_tokens=skip
            )
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        raise RefusedError(str(error)) from None
    return result


def run_candidate(pair: Pair, text: Any, second: Any = None, **options: Any) -> Json:
    """What pytok says, including what it decodes."""
    encoding = pair.candidate.encode(text, second, special="special", **options)
    result = snapshot(encoding)
    for skip in (False, True):
        result[f"decoded, skip={skip}"] = pair.candidate.decode(
            encoding.ids, skip_special_tokens=skip
        )
    return result


def differences(pair: Pair, text: Any, second: Any = None, **options: Any) -> dict[str, Any]:
    """The fields that differ; empty where the reference itself refuses.

    Where the reference raises, pytok must raise one of its own errors or give
    a result; it must not crash.
    """
    import pytok

    try:
        expected = run_reference(pair, text, second, **options)
    except RefusedError:
        with contextlib.suppress(pytok.errors.PytokError):
            run_candidate(pair, text, second, **options)
        return {}
    found = run_candidate(pair, text, second, **options)
    if isinstance(text, str) and second is None:
        # The ways that make no encoding share little code with the one that does.
        add = options.get("add_special_tokens", True)
        expected |= {"ids by encode_ids": expected["ids"], "count": len(expected["ids"])}
        found["ids by encode_ids"] = pair.candidate.encode_ids(
            text, special="special", add_special_tokens=add
        )
        found["count"] = pair.candidate.count(text, special="special", add_special_tokens=add)
        plain = pair.candidate.encode(text, special="text", add_special_tokens=add)
        expected["ids as text"] = list(plain.ids)
        found["ids as text"] = pair.candidate.encode_ids(
            text, special="text", add_special_tokens=add
        )
    return {
        name: {"reference": value, "pytok": found[name]}
        for name, value in expected.items()
        if value != found[name]
    }


def report(found: dict[str, Any], text: Any, pair: Pair) -> str:
    """A readable failure message."""
    lines = [f"on {text!a} ({text!r}) with {pair!r}"]
    for name, sides in found.items():
        lines += [f"  {name}:", *(f"    {side:9} {value!r}" for side, value in sides.items())]
    return "\n".join(lines)


def assert_same(pair: Pair, text: str, second: str | None = None, **options: Any) -> None:
    """Compare one text; on a difference, report the smallest text that shows it."""
    found = differences(pair, text, second, **options)
    if not found:
        return
    names = set(found)

    def fails(trial: str) -> bool:
        return bool(names & set(differences(pair, trial, second, **options)))

    small = shrink(text, fails) if isinstance(text, str) else text
    raise AssertionError(report(differences(pair, small, second, **options), small, pair))


def assert_all_same(pair: Pair, texts: Iterable[str] = TEXTS, **options: Any) -> None:
    """Compare many texts."""
    for text in texts:
        assert_same(pair, text, **options)


def trained(
    model: tokenizers.models.Model,
    trainer: Any,
    normalizer: Any = None,
    pre_tokenizer: Any = None,
    decoder: Any = None,
    post_processor: Any = None,
) -> tokenizers.Tokenizer:
    """A tokenizer that the reference trains on a few sentences."""
    tokenizer = tokenizers.Tokenizer(model)
    for name, part in (
        ("normalizer", normalizer),
        ("pre_tokenizer", pre_tokenizer),
        ("decoder", decoder),
        ("post_processor", post_processor),
    ):
        if part is not None:
            setattr(tokenizer, name, part)
    tokenizer.train_from_iterator(TRAINING_TEXT, trainer)
    return tokenizer


def byte_level_bpe(vocab_size: int = 450, **options: Any) -> tokenizers.Tokenizer:
    """A byte-level BPE tokenizer like GPT-2's, small."""
    return trained(
        tokenizers.models.BPE(**options),
        tokenizers.trainers.BpeTrainer(
            vocab_size=vocab_size,
            initial_alphabet=sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet()),
            special_tokens=["<|endoftext|>"],
            show_progress=False,
        ),
        pre_tokenizer=tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False),
        decoder=tokenizers.decoders.ByteLevel(),
    )


def component_json(component: Any) -> Json:
    """The JSON of a component of `tokenizers`."""
    state = component.__getstate__()
    result: Json = json.loads(state)
    return result


OVERLAPPING = tuple("thelowr aA1.▁Ġ学而不亦é\n\u0301 \t\u3000ab")
"""A few characters, so that merges, matches and edges meet."""


def assert_same_everywhere(
    pair: Pair, atoms: Sequence[str] = OVERLAPPING, count: int = 300, fixed: int = 1
) -> None:
    """Compare the fixed texts (every ``fixed``-th) and hostile ones, some of ``atoms`` alone.

    With ``PYTOK_FULL=1`` Hypothesis makes many more.
    """
    assert_all_same(pair, TEXTS[::fixed])
    assert_all_same(pair, random_texts(count, tuple(atoms)))
    if not FULL:
        return

    @examples(slow=200)
    @given(
        st.one_of(
            texts(12),
            st.lists(st.sampled_from(list(atoms)), max_size=40).map("".join),
            st.lists(st.one_of(st.sampled_from(list(atoms)), texts(2)), max_size=12).map("".join),
        )
    )
    def check(text: str) -> None:
        assert_same(pair, text)

    check()
