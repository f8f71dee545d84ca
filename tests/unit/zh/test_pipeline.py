"""`pytok.zh.Pipeline` and what it returns."""

from __future__ import annotations

import copy
import pickle

import pytest

from pytok import zh
from pytok.errors import ConfigError, EncodeError


def test_neither_steps_nor_preset_is_identity() -> None:
    normalized = zh.normalize("Ａ級，㈱")
    assert normalized.text == "Ａ級，㈱"
    assert normalized.edits == ()
    assert normalized.alignment.to_original((1, 3)) == (1, 3)


def test_both_steps_and_preset_are_refused() -> None:
    with pytest.raises(ConfigError, match="steps: given together with preset"):
        zh.normalize("x", steps=["width"], preset="modern")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"steps": ["wdith"]}, "no step 'wdith'"),
        ({"steps": "width"}, "one str 'width'"),
        ({"preset": "modrn"}, "no preset 'modrn'"),
        ({"steps": ["width"], "mode": "exact"}, "mode: 'exact'"),
        ({"steps": [zh.Step("width", {"wide": 1})]}, "width: .*'wide'"),
    ],
)
def test_what_is_not_known_is_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        zh.normalize("x", **arguments)  # type: ignore[arg-type]


def test_an_unpaired_surrogate_is_refused() -> None:
    with pytest.raises(EncodeError, match="unpaired surrogate at index 1"):
        zh.normalize("Ａ\ud800", steps=["width"])


def test_a_pipeline_survives_pickle_and_copies() -> None:
    pipeline = zh.Pipeline(["width"])
    for again in (
        pickle.loads(pickle.dumps(pipeline)),
        copy.deepcopy(pipeline),
        zh.Pipeline.from_spec(pipeline.spec()),
    ):
        assert again == pipeline
        assert again.normalize("Ａ").text == "A"


def test_the_report_counts_edits_by_reason() -> None:
    report = zh.normalize("Ａ和Ｂ", steps=["width"]).report
    assert report.changed == 2
    assert report.steps[0].reasons == {"full-width": 2}


def test_alignments_of_other_texts_do_not_compose() -> None:
    one = zh.normalize("Ａ", steps=["width"]).alignment
    two = zh.normalize("Ａ級", steps=["width"]).alignment
    with pytest.raises(ConfigError, match="next: its original has 2 characters, expected 1"):
        one.compose(two)
    with pytest.raises(ConfigError, match="span"):
        one.to_original((0, 2))


def test_a_result_survives_pickle_and_copies() -> None:
    normalized = zh.normalize("佢哋，Ａ４ ｶﾞ", preset="cantonese")
    for again in (pickle.loads(pickle.dumps(normalized)), copy.deepcopy(normalized)):
        assert again == normalized
        assert hash(again) == hash(normalized)
        assert again.alignment.blocks() == normalized.alignment.blocks()
        assert again.denormalize() == normalized.denormalize()
        assert again.edits == normalized.edits


def test_an_alignment_says_what_it_is_of() -> None:
    alignment = zh.normalize("Ａｶﾞ", steps=["width"]).alignment
    assert repr(alignment) == "<Alignment of 3 characters to 2: 2 blocks>"


def test_a_long_span_holds_what_is_behind_a_short_one() -> None:
    gone, put_in = zh.Alignment([(1, 2, 1, 1)], 2), zh.Alignment([(1, 1, 1, 2)], 1)
    both = gone.compose(put_in)
    assert both.to_original((1, 2)) == (1, 2)
    assert both.to_original((0, 2)) == (0, 2)


@pytest.mark.parametrize("span", [(-1, 0), (0, -1), (2**40, 2**40), (1, 0)])
def test_what_is_no_span_is_named(span: tuple[int, int]) -> None:
    alignment = zh.normalize("Ａ", steps=["width"]).alignment
    for ask in (alignment.to_original, alignment.to_normalized):
        with pytest.raises(ConfigError, match="span: "):
            ask(span)
    with pytest.raises(ConfigError, match="blocks"):
        zh.Alignment([(-1, 0, 0, 0)], 1)
    with pytest.raises(ConfigError, match="original_length"):
        zh.Alignment([], -1)
