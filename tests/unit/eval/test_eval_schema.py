import copy
import json
import random
import sys
from pathlib import Path

import pytest

from pytok.errors import FormatError
from pytok.eval import EvalConfig, TokenizerSystem, evaluate
from pytok.eval.json_text import json_text
from pytok.eval.perturb import chosen
from pytok.eval.saved import read_report
from pytok.eval.schema import KEYWORDS, check_report, report_schema

sys.path.append(str(Path(__file__).parent))

from fake_tokenizer import FakeTokenizer

PIECES = ["北京", "天气", "很", "好"]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    for name, text in {
        "news/a.txt": "北京天气很好。\n\n天气龘。\n\n好。",
        "gold/news.seg.txt": "北京 天气 很 好 。\n天气 龘 。\n" * 30,
        "code/a.py": "x = 1\n",
        "lost/a.jsonl": "{}\n",
        "parallel/pair/zh.txt": "北京\n天气\n",
        "parallel/pair/en.txt": "Peking\nweather\n",
        "parallel/bad/zh.txt": "北京\n天气\n",
        "parallel/bad/en.txt": "Peking\n",
    }.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    systems = [
        TokenizerSystem(FakeTokenizer(PIECES)),
        TokenizerSystem(FakeTokenizer(PIECES, name="bad", fails_on="龘")),
        TokenizerSystem(FakeTokenizer(["天"], name="unknown", unknown=True)),
    ]
    config = EvalConfig(resamples=100, perturb=chosen("typo,nopunct"), command=("pytok", "eval"))
    return evaluate(folder, systems, config=config)


@pytest.fixture(scope="module")
def data(report):
    return json.loads(json_text(report.to_json()))


def validator():
    kind = pytest.importorskip("jsonschema").Draft202012Validator
    kind.check_schema(report_schema())
    return kind(report_schema())


def test_every_report_has_the_form_of_its_schema(data):
    check_report(data)
    validator().validate(data)
    assert {kind["kind"] for kind in data["kinds"]} == {"news", "code", "lost"}
    assert len(data["parallel"]) == 2


def described(schema):
    """All objects of the schema that list their fields."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for part in schema.values():
            yield from described(part)


def test_the_schema_describes_every_field_of_a_report(data):
    def undescribed(value, schema, path):
        if "$ref" in schema:
            schema = report_schema()["$defs"][schema["$ref"].split("/")[-1]]
        if "anyOf" in schema:
            return undescribed(value, schema["anyOf"][0], path)
        if isinstance(value, dict) and "properties" in schema:
            known = schema["properties"]
            return [f"{path}.{name}" for name in value if name not in known] + [
                found
                for name, item in value.items()
                for found in undescribed(item, known.get(name, {}), f"{path}.{name}")
            ]
        if isinstance(value, list) and "items" in schema:
            return [
                found for item in value for found in undescribed(item, schema["items"], path + "[]")
            ]
        return []

    assert undescribed(data, report_schema(), "") == []
    for schema in described(report_schema()):
        assert set(schema["required"]) <= set(schema["properties"])


def test_the_check_knows_every_keyword_of_the_schema():
    def keywords(schema):
        found = set(schema)
        for name in ("properties", "$defs"):
            for part in schema.get(name, {}).values():
                found |= keywords(part)
        for part in schema.get("anyOf", []):
            found |= keywords(part)
        for name in ("items", "additionalProperties"):
            if name in schema:
                found |= keywords(schema[name])
        return found

    assert keywords(report_schema()) <= KEYWORDS


def places(value, path=()):
    yield path
    items = []
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield from places(item, (*path, key))


def changed(data, path, generator):
    """A copy with another value, or without the field, at a place."""
    copied = copy.deepcopy(data)
    parent = copied
    for key in path[:-1]:
        parent = parent[key]
    if isinstance(parent, dict) and generator.random() < 0.3:
        del parent[path[-1]]
    else:
        others = [
            None,
            True,
            -1,
            2,
            2.0,
            0.5,
            "",
            "x",
            "low",
            "f" * 64,
            [],
            {},
            [1],
            ["a"],
            {"a": 1},
        ]
        parent[path[-1]] = generator.choice(others)
    return copied


def small(data):
    """The same report with two numbers a system and short lists."""
    reduced = copy.deepcopy(data)
    for part in (*reduced["kinds"], *reduced["parallel"]):
        for system in part["systems"]:
            system["numbers"] = dict(list(system["numbers"].items())[:2])
            for sums in (system["text_sums"], system["word_sums"]):
                if sums:
                    sums["columns"] = dict(list(sums["columns"].items())[:2])
        for name in ("comparisons", "differences", "perturbed"):
            part[name] = part.get(name, [])[:1] if name in part else []
            if name not in part or not part[name]:
                part.pop(name)
    return reduced


def test_the_check_agrees_with_jsonschema_on_damaged_reports(data):
    generator = random.Random(5)
    reduced = small(data)
    everywhere = [path for path in places(reduced) if path]
    reference = validator()
    verdicts = set()
    for _ in range(400):
        damaged = changed(reduced, generator.choice(everywhere), generator)
        try:
            check_report(damaged)
            found = True
        except FormatError:
            found = False
        verdicts.add(found)
        assert found == reference.is_valid(damaged)
    assert verdicts == {True, False}


def test_a_report_reads_back(report, data, tmp_path):
    path = tmp_path / "report.json"
    path.write_text(json_text(report.to_json()), encoding="utf-8")
    saved = read_report(path)
    assert saved.path == str(path)
    for old, new in zip(report.kinds, saved.report.kinds, strict=True):
        assert (old.kind, old.files, old.gold, old.skipped) == (
            new.kind,
            new.files,
            new.gold,
            new.skipped,
        )
        for before, after in zip(old.systems, new.systems, strict=True):
            assert before.numbers == after.numbers
            assert (before.text_sums, before.word_sums) == (after.text_sums, after.word_sums)
            assert (before.failure, before.worst_characters) == (
                after.failure,
                after.worst_characters,
            )
    for old, new in zip(report.parallel, saved.report.parallel, strict=True):
        assert (old.name, old.sides, old.problem) == (new.name, new.sides, new.problem)
    assert saved.metrics["oov_char"].better == "low"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda data: data.pop("seed"), "the report: no field 'seed'"),
        (
            lambda data: data["kinds"][0].update(documents="many"),
            'kinds[0].documents: expected integer, not "many"',
        ),
        (
            lambda data: data["kinds"][2]["systems"][1]["numbers"]["tokens"].update(better="up"),
            "kinds[2].systems[1].numbers.tokens.better: expected 'low' or 'high' or '', not \"up\"",
        ),
        (lambda data: data.update(resamples=0), "resamples: expected at least 1, not 0"),
        (
            lambda data: data.update(schema="pytok.eval/2"),
            "schema: expected 'pytok.eval/1', not 'pytok.eval/2'",
        ),
        (lambda data: data.pop("schema"), "schema: expected 'pytok.eval/1', not None"),
    ],
)
def test_a_damaged_report_is_refused_with_its_field(data, tmp_path, change, error):
    damaged = copy.deepcopy(data)
    change(damaged)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(damaged), encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_report(path)
    assert str(caught.value) == f"{path}: {error}"
    assert caught.value.hint


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"{", "is not JSON"),
        (b"\xff", "is not JSON"),
        (b'{"seed": NaN}', "NaN is not a JSON number"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "schema: expected 'pytok.eval/1', not None"),
        (None, "No such file"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path, content, error):
    path = tmp_path / "report.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FormatError, match=r"report\.json") as caught:
        read_report(path)
    assert error in str(caught.value)
