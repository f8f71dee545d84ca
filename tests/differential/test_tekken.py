"""tekken.json: tiktoken's ids, moved up by the number of special tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tiktoken
from hypothesis import given
from tiktoken.load import load_tiktoken_bpe

from . import outcome
from .outcome import Outcome
from .rank_files import tekken
from .references import PytokCandidate, TiktokenReference
from .strategies import FIXED_TEXTS, examples, random_texts, texts

# Source: tekken.json of Mistral Nemo.
PATTERN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
WORDS = (
    "the",
    " the",
    "Hello",
    " hello",
    "学而",
    "时习之",
    "不亦",
    "。",
    "12",
    "  ",
    "\r\n",
    "é",
    "😀",
    "don",
)


def made_pieces() -> list[bytes]:
    """All bytes, then every prefix of a few words, so that each word can be reached."""
    pieces = [bytes([byte]) for byte in range(256)]
    for word in WORDS:
        data = word.encode()
        pieces += [data[:end] for end in range(2, len(data) + 1)]
    return list(dict.fromkeys(pieces))


SPECIAL_COUNT = 40
NAMES = ["<unk>", "<s>", "</s>", "[INST]", "[/INST]", "<pad>", "[IMG]"]


class Shifted:
    """tiktoken with the ids of its pieces moved up."""

    def __init__(self, used: int, names: list[str] | None) -> None:
        pieces = made_pieces()[:used]
        self.special = names is not None
        # Special ids must not meet ranks in tiktoken: its special ids follow its
        # ranks here, and are moved to the front afterwards.
        self.used = len(pieces)
        special = {name: self.used + rank for rank, name in enumerate(names or [])}
        self.encoding = tiktoken.Encoding(
            "tekken",
            pat_str=PATTERN,
            mergeable_ranks={piece: rank for rank, piece in enumerate(pieces)},
            special_tokens=special,
        )
        self.reference = TiktokenReference(self.encoding, self.special)

    def encode(self, text: str) -> Outcome:
        found = self.reference.encode(text)
        ids = [i + SPECIAL_COUNT if i < self.used else i - self.used for i in found.ids]
        return Outcome(ids, found.tokens, found.offsets, found.decoded)

    def encode_batch(self, texts: Any) -> list[Outcome]:
        return [self.encode(text) for text in texts]


def load(path: Path, content: str) -> Any:
    import pytok

    path.write_text(content)
    return pytok.Tokenizer.from_file(path)


@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize("unused", [0, 10])
@pytest.mark.parametrize("special", [False, True])
def test_tekken_equals_tiktoken_with_shifted_ids(
    listed: bool, unused: int, special: bool, tmp_path: Path
) -> None:
    """``default_vocab_size`` may leave the last pieces of the file unused."""
    pieces = made_pieces()
    used = len(pieces) - unused
    content = tekken(
        pieces,
        PATTERN,
        vocab_size=used + SPECIAL_COUNT,
        special_count=SPECIAL_COUNT,
        special_tokens=NAMES if listed else None,
    )
    tokenizer = load(tmp_path / "tekken.json", content)
    assert tokenizer.vocab_size == used + SPECIAL_COUNT
    names = None
    if special:
        names = [tokenizer.id_to_token(number) for number in range(SPECIAL_COUNT)]
        if listed:
            assert names[: len(NAMES)] == NAMES
    reference = Shifted(used, names)
    candidate = PytokCandidate(tokenizer, "special" if special else "text")
    outcome.assert_equal(FIXED_TEXTS, reference, candidate)
    outcome.assert_equal([f"a{name}[/INST]</s> 学而" for name in NAMES], reference, candidate)

    @examples(150, 3_000)
    @given(texts(15))
    def check(text: str) -> None:
        outcome.assert_equal([text], reference, candidate)

    check()


def test_an_extended_file_is_saved_as_ranks_for_tiktoken(tmp_path: Path) -> None:
    """Ranks are ids there: the special tokens stay before them."""
    import pytok

    content = tekken(
        made_pieces(),
        PATTERN,
        vocab_size=len(made_pieces()) + SPECIAL_COUNT,
        special_count=SPECIAL_COUNT,
        special_tokens=NAMES,
    )
    before = load(tmp_path / "tekken.json", content)
    result = pytok.extend(before, ["螺蛳粉配螺蛳汤 the theory"] * 5, add=9)
    assert result.report.first_id == before.vocab_size
    folder = result.tokenizer.save(tmp_path / "saved")
    assert sorted(path.name for path in folder.iterdir()) == ["pytok.json", "tokenizer.tiktoken"]
    special = {token.content: token.id for token in result.tokenizer.added_tokens}
    encoding = tiktoken.Encoding(
        "tekken",
        pat_str=PATTERN,
        mergeable_ranks=load_tiktoken_bpe(str(folder / "tokenizer.tiktoken")),
        special_tokens=special,
    )
    reference = TiktokenReference(encoding, True)
    candidate = PytokCandidate(result.tokenizer, "special")
    made = ("螺蛳粉", "螺蛳", "theory", "[INST]螺</s>")
    outcome.assert_equal(FIXED_TEXTS, reference, candidate)
    outcome.assert_equal(random_texts(2_000, made, 3), reference, candidate)


def test_damaged_tekken_files_are_refused(tmp_path: Path) -> None:
    import pytok

    good = json.loads(
        tekken(made_pieces(), PATTERN, vocab_size=len(made_pieces()) + 3, special_count=3)
    )
    damaged = [
        {**good, "config": {**good["config"], "pattern": "("}},
        {**good, "config": {**good["config"], "default_vocab_size": 1}},
        {**good, "vocab": good["vocab"][1:]},
        {**good, "vocab": [{**good["vocab"][0], "token_bytes": "!!"}, *good["vocab"][1:]]},
        {**good, "vocab": [{**good["vocab"][0], "rank": -1}, *good["vocab"][1:]]},
        {**good, "vocab": [*good["vocab"], good["vocab"][5]]},
    ]
    for number, content in enumerate(damaged):
        with pytest.raises(pytok.errors.PytokError):
            load(tmp_path / f"{number}.json", json.dumps(content))
