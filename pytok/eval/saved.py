"""Read what ``pytok eval --json`` wrote."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from pytok.errors import FormatError
from pytok.eval.kept import KeptSums
from pytok.eval.report import (
    SCHEMA,
    KindReport,
    Number,
    ParallelReport,
    Report,
    SourceFile,
    SystemReport,
)
from pytok.eval.schema import check_report

__all__ = ["SavedMetric", "SavedReport", "read_report"]

_HINT = "give a file that `pytok eval --json` wrote"


@dataclass(frozen=True)
class SavedMetric:
    """What a report says of a metric."""

    definition: str
    unit: str
    better: str


@dataclass(frozen=True)
class SavedReport:
    """A report that was read.

    Parameters
    ----------
    path
        The file.
    report
        The numbers, the sums per document and the files that were measured;
        examples, perturbations and comparisons are not read.
    metrics
        Definition, unit and direction of every metric, as they were.

    """

    path: str
    report: Report
    metrics: Mapping[str, SavedMetric]


def read_report(path: Path) -> SavedReport:
    """Read a report.

    Raises
    ------
    FormatError
        If the file cannot be read or is not a report that this version knows;
        the message names the file and the field.

    """
    try:
        data = json.loads(path.read_text("utf-8"), parse_constant=_refuse)
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror or error}", hint=_HINT) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is not JSON: {error}", hint=_HINT) from error
    schema = data.get("schema") if isinstance(data, dict) else None
    if schema != SCHEMA:
        raise FormatError(
            f"{path}: schema: expected {SCHEMA!r}, not {schema!r}",
            hint=_HINT if schema is None else "make the report again with this version of pytok",
        )
    try:
        check_report(data)
        _check_names(data)
        report = _report(data)
    except FormatError as error:
        raise FormatError(f"{path}: {error}", hint=_HINT) from error
    parts = [*data["kinds"], *data.get("parallel", ())]
    numbers = (
        number
        for part in parts
        for system in part["systems"]
        for number in system["numbers"].values()
    )
    metrics = {
        number["metric"]: SavedMetric(number["definition"], number["unit"], number["better"])
        for number in numbers
    }
    return SavedReport(str(path), report, metrics)


def _check_names(data: dict[str, Any]) -> None:
    """Refuse two parts or systems of one name: nobody could tell which is meant."""
    for field, name in (("kinds", "kind"), ("parallel", "name")):
        parts = data.get(field, ())
        _check_single(f"{field}[].{name}", [part[name] for part in parts])
        for part in parts:
            systems = [system["system"] for system in part["systems"]]
            _check_single(f"{field}[{part[name]}].systems[].system", systems)


def _check_single(field: str, names: list[str]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise FormatError(f"{field}: {name!r} is there {count} times, expected once")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _report(data: dict[str, Any]) -> Report:
    return Report(
        root=data["root"],
        version=data["pytok"],
        seed=data["seed"],
        resamples=data["resamples"],
        reference=data["reference"],
        kinds=tuple(map(_kind, data["kinds"])),
        parallel=tuple(map(_parallel, data.get("parallel", ()))),
    )


def _kind(data: dict[str, Any]) -> KindReport:
    return KindReport(
        kind=data["kind"],
        files=tuple(map(_file, data["files"])),
        gold=tuple(map(_file, data["gold"])),
        documents=data["documents"],
        characters=data["characters"],
        bytes=data["bytes"],
        words_from=data["words_from"],
        words_are_gold=data["words_are_gold"],
        words=data["words"],
        word_documents=data["word_documents"],
        word_characters=data["word_characters"],
        systems=tuple(map(_system, data["systems"])),
        skipped=tuple(data["skipped"]),
    )


def _parallel(data: dict[str, Any]) -> ParallelReport:
    return ParallelReport(
        name=data["name"],
        files=tuple(map(_file, data["files"])),
        sides=tuple(data["sides"]),
        lines=data["lines"],
        systems=tuple(map(_system, data["systems"])),
        problem=data["problem"],
    )


def _file(data: dict[str, Any]) -> SourceFile:
    return SourceFile(data["path"], data["sha256"], data["documents"], data["rule"])


def _system(data: dict[str, Any]) -> SystemReport:
    return SystemReport(
        system=data["system"],
        sha256=data["sha256"],
        vocab_size=data["vocab_size"],
        numbers={name: _number(number) for name, number in data["numbers"].items()},
        worst_characters=tuple(
            (found["character"], found["count"]) for found in data["worst_characters"]
        ),
        failure=data["failure"],
        text_sums=_sums(data.get("text_sums")),
        word_sums=_sums(data.get("word_sums")),
    )


def _number(data: dict[str, Any]) -> Number:
    return Number(
        metric=data["metric"],
        value=_float(data["value"]),
        low=_float(data["low"]),
        high=_float(data["high"]),
        interval=data["interval"],
        corpus=data["corpus"],
        documents=data["documents"],
        characters=data["characters"],
        tokenizer=data["tokenizer"],
        sha256=data["sha256"],
    )


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


def _sums(data: dict[str, Any] | None) -> KeptSums | None:
    if data is None:
        return None
    columns = {name: tuple(values) for name, values in data["columns"].items()}
    rows = -(-data["documents"] // data["documents_per_row"])
    for name, values in columns.items():
        if len(values) != rows:
            raise FormatError(
                f"sums: columns.{name} has {len(values)} values, expected {rows} for "
                f"{data['documents']} documents, {data['documents_per_row']} per row"
            )
    return KeptSums(data["documents"], data["documents_per_row"], columns)
