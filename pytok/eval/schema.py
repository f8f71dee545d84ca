"""The form of a report as JSON, and the check that a file has it.

The form is a JSON Schema (draft 2020-12) that is part of the package. The
check knows the keywords that this schema uses, so that reading a report needs
no other package, and names the field that is wrong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pytok.errors import FormatError
from pytok.eval.json_text import JsonValue

__all__ = ["KEYWORDS", "check_report", "report_schema"]

KEYWORDS = frozenset(
    """
    $schema $id title description $defs $ref anyOf type const enum pattern minimum items required
    properties additionalProperties
    """.split()  # noqa: SIM905 - one keyword per string takes twenty lines
)
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (Mapping,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


@cache
def _schema() -> dict[str, Any]:
    text = files("pytok.eval").joinpath("report.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def report_schema() -> dict[str, Any]:
    """Return the JSON Schema of what ``pytok eval --json`` prints.

    Examples
    --------
    >>> report_schema()["properties"]["schema"]["const"]
    'pytok.eval/1'

    """
    copy: dict[str, Any] = json.loads(json.dumps(_schema()))
    return copy


def check_report(value: JsonValue) -> None:
    """Check that a value has the form of a report.

    Raises
    ------
    FormatError
        With the first field that is wrong, and what was expected.

    Examples
    --------
    >>> check_report({"schema": "pytok.eval/1"})
    Traceback (most recent call last):
    pytok.errors.FormatError: the report: no field 'root'

    """
    for problem in _problems(value, _schema(), ""):
        raise FormatError(problem)


def _problems(value: JsonValue, schema: Mapping[str, Any], path: str) -> Iterator[str]:
    """All that is wrong; the first is the one that matters."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from _problems(value, _schema()["$defs"][name], path)
        return
    if "anyOf" in schema:
        found = [list(_problems(value, choice, path)) for choice in schema["anyOf"]]
        if all(found):
            yield from found[0]
        return
    where = path or "the report"
    if "type" in schema and not _is(value, schema["type"]):
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        yield f"{where}: expected {' or '.join(names)}, not {_shown(value)}"
        return
    for allowed in ([schema["const"]] if "const" in schema else [], schema.get("enum", [])):
        if allowed and value not in allowed:
            yield f"{where}: expected {' or '.join(map(repr, allowed))}, not {_shown(value)}"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        yield f"{where}: expected a string like {schema['pattern']}, not {_shown(value)}"
    if isinstance(value, int | float) and value < schema.get("minimum", value):
        yield f"{where}: expected at least {schema['minimum']}, not {value}"
    if isinstance(value, Mapping):
        yield from _field_problems(value, schema, path)
    elif isinstance(value, list) and "items" in schema:
        # Sums per document are most of a file.
        if schema["items"] == {"type": "number"} and {*map(type, value)} <= {int, float}:
            return
        for at, item in enumerate(value):
            yield from _problems(item, schema["items"], f"{where}[{at}]")


def _field_problems(
    value: Mapping[str, JsonValue], schema: Mapping[str, Any], path: str
) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path or 'the report'}: no field {name!r}"
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    for name, item in value.items():
        yield from _problems(item, properties.get(name, others), f"{path}.{name}".lstrip("."))


def _is(value: JsonValue, types: str | list[str]) -> bool:
    names = [types] if isinstance(types, str) else types
    if isinstance(value, bool):
        return "boolean" in names
    if isinstance(value, float) and value.is_integer() and "integer" in names:
        return True
    return any(isinstance(value, _TYPES[name]) for name in names)


def _shown(value: JsonValue) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 60 else shown[:60] + " …"
