"""Extended SentencePiece models, loaded by `sentencepiece`: the same ids, old pieces kept."""

from __future__ import annotations

import io
import itertools
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st
from sentencepiece import sentencepiece_model_pb2

import pytok

from . import outcome
from .corpus import documents
from .references import BY_NAME, PytokCandidate, SentencePieceReference
from .strategies import FIXED_TEXTS, FULL, LOOK_ALIKES, SPACES, code_points, random_texts
from .test_sentencepiece_models import ATOMS, OPTIONS, trained

ADD = 400
NAMES = ["mistral", "chinese-llama", "cpm1", "xlnet"]
KINDS = ("news", "code", "classical")
Proto = sentencepiece_model_pb2.ModelProto


@cache
def before_of(name: str, shared: Path) -> pytok.Tokenizer:
    return pytok.Tokenizer.from_file(BY_NAME[name].path(shared))


@cache
def extended(name: str, shared: Path) -> pytok.ExtendResult:
    texts = [document.text for document in documents(shared, "classical", full=False)]
    return pytok.extend(before_of(name, shared), texts, add=ADD)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("extended")


@cache
def stock(name: str, shared: Path, folder: Path) -> sentencepiece.SentencePieceProcessor:
    """The saved model in its own library."""
    saved = extended(name, shared).tokenizer.save(folder / name)
    return sentencepiece.SentencePieceProcessor(model_file=str(saved / "tokenizer.model"))


def file_of(tokenizer: pytok.Tokenizer) -> bytes:
    found = tokenizer._core.own_file()
    assert found is not None
    return found[1]


def check_file(before: pytok.Tokenizer, result: pytok.ExtendResult) -> list[Any]:
    """The file is the old one with pieces after the last and their number; return these."""
    old, new = (Proto.FromString(file_of(tokenizer)) for tokenizer in (before, result.tokenizer))
    first = result.report.first_id
    assert first == len(old.pieces)
    added = list(new.pieces[first:])
    assert len(added) == result.report.added
    old.pieces.extend(added)
    old.trainer_spec.vocab_size = len(new.pieces)
    assert new == old
    assert new.SerializeToString() == file_of(result.tokenizer)
    scores = [piece.score for piece in old.pieces[:first] if piece.type in {1, 5}]
    assert all(piece.type == 1 for piece in added)
    if old.trainer_spec.model_type == 2:
        falling = [min(scores), *(piece.score for piece in added)]
        assert all(high > low for high, low in itertools.pairwise(falling))
    else:
        assert min(scores) <= min(piece.score for piece in added)
    assert max(len(piece.piece) for piece in added) <= new.trainer_spec.max_sentencepiece_length
    return added


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", NAMES)
def test_real_text_has_the_ids_of_the_library(name: str, shared: Path, folder: Path) -> None:
    result = extended(name, shared)
    reference = SentencePieceReference(stock(name, shared, folder))
    candidate = PytokCandidate(result.tokenizer, "text")
    for kind in KINDS:
        slices = [*documents(shared, kind, full=False)]
        assert sum(len(document.text.encode()) for document in slices) >= 500_000
        texts = [document.text for document in slices]
        outcome.assert_equal(texts, reference, candidate)
        ids = {token for text in texts for token in result.tokenizer.encode_ids(text)}
        assert any(token >= result.report.first_id for token in ids)
    report = result.report
    # Where characters were unknown, as most of XLNet's, a run of them was one token.
    assert name == "xlnet" or report.text.tokens_after < report.text.tokens_before
    assert 0 < report.text.changed <= report.text.texts


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", NAMES)
def test_old_pieces_stay_and_new_ones_are_found(name: str, shared: Path, folder: Path) -> None:
    before, result = before_of(name, shared), extended(name, shared)
    library, first = stock(name, shared, folder), result.report.first_id
    proto = Proto.FromString(file_of(result.tokenizer))
    proto.normalizer_spec.add_dummy_prefix = False
    proto.normalizer_spec.remove_extra_whitespaces = False
    alone = sentencepiece.SentencePieceProcessor(model_proto=proto.SerializeToString())
    for number, piece in enumerate(check_file(before, result)):
        assert library.piece_to_id(piece.piece) == first + number
        text = piece.piece.replace("▁", " ")
        assert result.tokenizer.token_bytes(first + number) == text.encode()
        if number < len(result.report.pieces):
            assert result.report.pieces[number] == text
        # Without what is put before a text.
        assert alone.encode(text) == [first + number]
    assert result.tokenizer.vocab_size == library.get_piece_size() == first + ADD
    assert result.tokenizer.bos_id == before.bos_id


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_any_text_has_the_ids_of_the_library(
    name: str, shared: Path, folder: Path, data: st.DataObject
) -> None:
    before, result = before_of(name, shared), extended(name, shared)
    first = result.report.first_id
    pieces = [result.tokenizer.token_bytes(first + number).decode() for number in range(ADD)]
    part = (
        st.sampled_from(pieces)
        | st.text(max_size=5)
        | st.sampled_from([*"之而也 a\n。", *SPACES, *LOOK_ALIKES])
    )
    text = "".join(data.draw(st.lists(part, max_size=8)))
    ids = result.tokenizer.encode_ids(text, special="text")
    library = stock(name, shared, folder)
    assert ids == library.encode(text)
    assert result.tokenizer.decode(ids) == library.decode(ids)
    old = before.encode_ids(text, special="text")
    assert (ids == old) == (max(ids, default=0) < first)
    if name != "mistral":
        return  # normalised texts are other texts
    if not any(piece in text.replace("▁", " ") or piece in f" {text}" for piece in pieces):
        assert ids == old


@pytest.mark.needs_shared
@pytest.mark.parametrize("name", NAMES)
def test_both_files_of_a_folder_are_the_same_tokenizer(
    name: str, shared: Path, folder: Path, tmp_path: Path
) -> None:
    result = extended(name, shared)
    stock(name, shared, folder)
    saved = folder / name
    assert sorted(path.name for path in saved.iterdir()) == ["pytok.json", "tokenizer.model"]
    for file in ("pytok.json", "tokenizer.model"):
        assert pytok.Tokenizer.from_file(saved / file) == result.tokenizer
    assert pytok.Tokenizer.from_pretrained(saved) == result.tokenizer
    # Without new pieces the file is the one that was loaded.
    again = before_of(name, shared).save(tmp_path / "old") / "tokenizer.model"
    assert again.read_bytes() == BY_NAME[name].path(shared).read_bytes()
    # New pieces follow new pieces.
    more = pytok.extend(result.tokenizer, ["螺蛳粉配螺蛳汤"] * 9, add=1)
    assert more.report.first_id == result.report.first_id + ADD
    check_file(result.tokenizer, more)


TEXTS = (
    "学而时习之，学而时习之，不亦说乎。螺蛳粉 螺蛳粉 12 123 123 é é",
    "the theory 2024 2024 of the thing x=1; x=1; <sep>学而 abc abc  abc   abc",
    "    return the_thing\n    return the_thing\n<0x41>x <ctl> ab ab ab",
) * 3
KINDS_OF_MODELS = [
    name for name, options in OPTIONS.items() if options.get("model_type") not in {"char", "word"}
]


@pytest.mark.parametrize("name", KINDS_OF_MODELS)
def test_models_of_all_options_are_extended(name: str, tmp_path: Path) -> None:
    path = tmp_path / "made.model"
    path.write_bytes(trained(name))
    before = pytok.Tokenizer.from_file(path)
    result = pytok.extend(before, TEXTS, add=15)
    added = check_file(before, result)
    saved = result.tokenizer.save(tmp_path / "saved") / "tokenizer.model"
    library = sentencepiece.SentencePieceProcessor(model_file=str(saved))
    reference, candidate = SentencePieceReference(library), PytokCandidate(result.tokenizer, "text")
    outcome.assert_equal([*FIXED_TEXTS, *TEXTS], reference, candidate)
    atoms = (*ATOMS, *(piece.piece for piece in added), "螺蛳粉", "the", "é")
    outcome.assert_equal(random_texts(1_500, atoms, 7), reference, candidate)
    for piece in added:
        assert is_made_by_the_trainer(piece.piece, OPTIONS[name]), piece.piece
    used = {token for text in TEXTS for token in library.encode(text)}
    assert sum(token >= result.report.first_id for token in used) > 5


RULES: dict[str, dict[str, Any]] = {
    "defaults": {},
    "scripts together": {"split_by_unicode_script": False},
    "numbers together": {"split_by_number": False},
    "single digits": {"split_digits": True},
    "spaces inside": {"split_by_whitespace": False},
    "spaces only": {"allow_whitespace_only_pieces": True},
    "space as suffix": {"treat_whitespace_as_suffix": True},
    "suffix, inside": {"treat_whitespace_as_suffix": True, "split_by_whitespace": False},
    "suffix, spaces only": {
        "treat_whitespace_as_suffix": True,
        "allow_whitespace_only_pieces": True,
    },
    "short": {"max_sentencepiece_length": 1},
}
# Of each kind of script, and what the trainer has rules for.
CHARACTERS = "aéЯ中のカー한1９٣!。ªｱ\u0301\u3099\u0483€▁\u2585\u2584\u200d\t\x1f\u0378"


def train(texts: list[str], **options: Any) -> Any:
    model = io.BytesIO()
    options = {"hard_vocab_limit": False, "vocab_size": 5_000, **options}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=model,
        minloglevel=2,
        model_type="bpe",
        character_coverage=1.0,
        normalization_rule_name="identity",
        add_dummy_prefix=False,
        remove_extra_whitespaces=False,
        **options,
    )
    return Proto.FromString(model.getvalue())


def is_made_by_the_trainer(piece: str, options: dict[str, Any]) -> bool:
    """Whether a text that is this piece becomes one piece."""
    names = {name for rule in RULES.values() for name in rule}
    rules = {name: value for name, value in options.items() if name in names}
    model = train([piece.replace("▁", " ")], **rules)
    return any(made.piece == piece for made in model.pieces)


def check_pairs(pairs: list[str], options: dict[str, Any], tmp_path: Path) -> None:
    """The same pairs are pieces as with the trainer."""
    made = train(pairs, **options)
    wanted = {piece.piece for piece in made.pieces if piece.type == 1 and len(piece.piece) == 2}
    # The same characters without any pair.
    pieces = [piece for piece in made.pieces if piece.type != 1 or len(piece.piece) == 1]
    del made.pieces[:]
    made.pieces.extend(pieces)
    path = tmp_path / "made.model"
    path.write_bytes(made.SerializeToString())
    before = pytok.Tokenizer.from_file(path)
    if wanted:
        result = pytok.extend(before, pairs, add=len(wanted), min_frequency=1)
        found = {piece.piece for piece in check_file(before, result)}
        assert found == wanted, found ^ wanted
    with pytest.raises(pytok.ConfigError, match=f"the text gives {len(wanted)} pieces"):
        pytok.extend(before, pairs, add=len(wanted) + 1, min_frequency=1)


@pytest.mark.parametrize("name", RULES)
def test_pairs_are_pieces_where_the_trainer_makes_them(name: str, tmp_path: Path) -> None:
    check_pairs([a + b for a in CHARACTERS for b in CHARACTERS], RULES[name], tmp_path)


def test_scripts_are_those_of_the_trainer(tmp_path: Path) -> None:
    """Each code point after three others and after the one before it in the table."""
    points = [point for point in code_points() if point not in " \n\r\0\u2581\u2585"]
    points = points if FULL else points[::7]
    for start in range(0, len(points), 2_000):
        batch = points[start : start + 2_000]
        neighbours = [a + b for a, b in itertools.pairwise(batch)]
        after = [before + point for point in batch for before in "a中!"]
        check_pairs(list(dict.fromkeys(neighbours + after)), {"vocab_size": 20_000}, tmp_path)


@pytest.mark.parametrize("kind", ["word", "character"])
def test_other_kinds_of_models_are_refused_by_name(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "made.model"
    path.write_bytes(trained(kind))
    with pytest.raises(pytok.ConfigError, match=f"SentencePiece {kind} model; expected"):
        pytok.extend(pytok.Tokenizer.from_file(path), ["中文"], add=1)


@pytest.mark.needs_shared
def test_tokens_behind_the_last_piece_are_in_the_way(shared: Path, tmp_path: Path) -> None:
    larger = before_of("mistral", shared).add_tokens(["<|x|>"])
    with pytest.raises(pytok.ConfigError, match=r"'?<\|x\|>.* has id 32000"):
        pytok.extend(larger, ["中文"], add=1)
    # And no .model file has them.
    folder = larger.save(tmp_path / "larger")
    assert [path.name for path in folder.iterdir()] == ["pytok.json"]
    assert pytok.Tokenizer.from_pretrained(folder) == larger
