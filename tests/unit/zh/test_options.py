"""Options of steps: copied when a step is made, the same in every process, or refused."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pytok
from pytok import zh
from pytok.errors import ConfigError
from pytok.zh.dialect import DialectEntry

KEEP = {"后浪", "头发", "皇后", "台湾"}
ROW = DialectEntry("甲", ("乙",), region="wu")


def saved_and_loaded(pipeline: zh.Pipeline) -> list[zh.Pipeline]:
    spec = json.loads(json.dumps(pipeline.spec()))
    return [zh.Pipeline.from_spec(spec), pickle.loads(pickle.dumps(pipeline))]


@pytest.mark.parametrize(
    ("name", "options", "same"),
    [
        ("s2t", {"keep": KEEP}, {"keep": sorted(KEEP)}),
        ("s2t", {"keep": (word for word in ["后浪", "头发"])}, {"keep": ["后浪", "头发"]}),
        ("ocr-report", {"words": {"己巳", "自己"}}, {"words": ["己巳", "自己"]}),
        ("wu", {"entries": iter([ROW])}, {"entries": [ROW]}),
        ("wu", {"entries": [{"token": "甲", "standard": "乙"}]}, None),
    ],
)
def test_options_are_one_list_whatever_they_were_given_as(
    name: str, options: dict[str, Any], same: dict[str, Any] | None
) -> None:
    pipeline = zh.Pipeline([zh.Step(name, options)])
    if same is not None:
        assert pipeline == zh.Pipeline([zh.Step(name, same)])
    for again in saved_and_loaded(pipeline):
        assert again == pipeline
        assert hash(again) == hash(pipeline)


def test_a_set_is_the_same_in_every_process() -> None:
    code = (
        "import json; from pytok import zh; "
        f"step = zh.Step('s2t', {{'keep': {KEEP!r}}}); "
        "print(json.dumps(zh.Pipeline([step]).spec(), sort_keys=True))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-P", "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(made) == 1


def test_what_is_changed_afterwards_changes_nothing() -> None:
    words, row = ["后浪"], {"token": "甲", "standard": ["乙"]}
    options: dict[str, Any] = {"keep": words}
    step = zh.Step("s2t", options)
    pipeline = zh.Pipeline([step, zh.Step("wu", {"entries": [row]})])
    before = pipeline.spec()
    words.append("头发")
    row["standard"].append("丙")  # type: ignore[attr-defined]
    options["glyphs"] = "nope"
    assert pipeline.spec() == before
    assert dict(step.options) == {"keep": ("后浪",)}
    with pytest.raises(TypeError):
        step.options["keep"] = ()  # type: ignore[index]


def test_a_region_is_kept() -> None:
    step = zh.Step("wu", {"entries": [ROW]})
    assert zh.Pipeline([step]).spec()["steps"][0]["options"]["entries"][0]["region"] == "wu"


def test_a_model_is_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = Path(zh.__file__).with_name("data") / "breaks.bin"
    model = tmp_path / "own.bin"
    model.write_bytes(ours.read_bytes())
    monkeypatch.chdir(tmp_path)
    for given in ("own.bin", Path("own.bin"), model):
        pipeline = zh.Pipeline([zh.Step("segment", {"model": given})])
        spec = json.loads(json.dumps(pipeline.spec()))
        with monkeypatch.context() as elsewhere:
            elsewhere.chdir("/")
            assert zh.Pipeline.from_spec(spec) == pipeline
    model.unlink()
    with pytest.raises(ConfigError, match=r"segment: model: .*own\.bin: No such file"):
        zh.Pipeline.from_spec(spec)


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: zh.Pipeline([1]), "steps: 1, expected the name"),  # type: ignore[list-item]
        (lambda: zh.Pipeline(1), "steps: 1"),  # type: ignore[arg-type]
        (lambda: zh.Step(1), "steps: 1, expected the name"),  # type: ignore[arg-type]
        (lambda: zh.Step("s2t", ["keep"]), "the options"),  # type: ignore[arg-type]
        (lambda: zh.Step("s2t", {1: 2}), "the name 1"),  # type: ignore[dict-item]
        (lambda: zh.Step("s2t", {"keep": object()}), "s2t: keep: <object"),
        (lambda: zh.Step("s2t", {"keep": ["\ud800"]}), "unpaired surrogate"),
        (lambda: zh.Step("z-variants", {"keep": "a\udfff"}), "unpaired surrogate at index 1"),
        (lambda: zh.Step("s2t", {"keep": nested(20)}), "at most 8 levels"),
        (lambda: zh.Step("wu", {"entries": [{"token": "\ud800", "standard": "乙"}]}), "surrogate"),
        (lambda: pytok.Tokenizer.from_pretrained("zh-32k").with_normalizer("width"), "pipeline: "),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_option_is_named(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"token": 5, "standard": "乙"}, "token: 5"),
        ({"token": "甲", "standard": 5}, "standard: 5"),
        ({"token": "甲", "standard": "乙", "scope": 5}, "scope: 5"),
        ({"token": "甲", "standard": "乙", "region": "Wu"}, "the region 'Wu'"),
        ({"token": "甲", "standard": "乙", "region": "hokkien"}, "expected 'wu'"),
        ({"token": "甲" * 9, "standard": "乙"}, "1 to 8 characters"),
        ({"token": "甲 丁", "standard": "乙"}, "without spaces"),
        ({"token": "甲\x00", "standard": "乙"}, "control characters"),
        ({"token": "甲\n", "standard": "乙"}, "without spaces"),
        ({"token": "甲", "standard": "乙 丙"}, "without spaces"),
        ({"token": "甲", "standard": "丙|丙"}, "each once"),
        (5, "expected a DialectEntry"),
    ],
)
def test_a_row_that_is_none_is_named(row: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        zh.Pipeline([zh.Step("wu", {"entries": [row]})])


def test_what_a_row_says_of_itself_is_no_other_table(tmp_path: Path) -> None:
    def spec(row: DialectEntry) -> dict[str, Any]:
        return zh.Pipeline([zh.Step("wu", {"entries": [row]})]).spec()["steps"][0]["sha256"]

    assert spec(DialectEntry("甲", ("乙",))) == spec(
        DialectEntry("甲", ("乙",), example="甲。", source="x", region="wu")
    )
    assert spec(DialectEntry("甲", ("乙",))) != spec(DialectEntry("甲", ("丙",)))


@pytest.mark.parametrize(
    ("name", "option", "hint"),
    [
        ("width", "punctuations", "it has punctuation, symbols, space"),
        ("wu", "rows", "it has entries, contexts, unchecked"),
        ("width", "mode", "it has punctuation, symbols, space"),
    ],
)
def test_an_option_that_a_step_does_not_have_is_named_with_those_it_has(
    name: str, option: str, hint: str
) -> None:
    with pytest.raises(ConfigError, match=f"steps: {name}: no option '{option}'") as caught:
        zh.Pipeline([zh.Step(name, {option: True})])
    assert caught.value.hint == hint
