"""Write the text of the training benchmarks: what trains, and what scores.

    python bench/python/training_text.py OUT [--megabytes 16]

Reads `bench/definitions/training.toml` and the shared folder, and writes

    OUT/train/SOURCE.txt          the training text, one file per source
    OUT/score/DOMAIN/SOURCE.txt   text not trained on, one folder per domain
    OUT/score/gold/NAME.seg.txt   gold words
    OUT/manifest.json             sizes and SHA-256 of all of them

Training lines that are a gold sentence, spaces aside, are left out: the Cantonese
source holds most of one gold file. The same definition and shared folder give the
same bytes. OUT must not be in the repository: the text has licences of its own.
With ``--megabytes`` the training text is thinned evenly, in blocks of 50 lines of
every source; what scores stays whole.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytok.eval.corpora import document_rule, documents

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = Path(__file__).resolve().parents[2]
DEFINITION = REPOSITORY / "bench" / "definitions" / "training.toml"
THINNING_LINES = 50
_PART = re.compile(r"^===== FILE ([^/\n]+)/.* =====\n", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """A file that is trained on, and what of it is held back for `domain`."""

    name: str
    file: str
    domain: str = ""
    held_back: float = 0.0
    packages: tuple[str, ...] = ()


@dataclass(frozen=True)
class Definition:
    """What `training.toml` says; `scored` maps a domain to its files."""

    sources: tuple[Source, ...]
    scored: dict[str, list[str]]
    gold: list[str]


def read_toml(path: Path) -> dict[str, Any]:
    with path.open("rb") as stream:
        return tomllib.load(stream)


def read_definition(path: Path = DEFINITION) -> Definition:
    table = read_toml(path)
    sources = tuple(
        Source(**{**entry, "packages": tuple(entry.get("packages", ()))})
        for entry in table["source"]
    )
    refused = tuple(table["never_trained_on"])
    for source in sources:
        if source.file.startswith(refused):
            sys.exit(f"error: {path}: {source.file} scores and must not be trained on")
        if (source.held_back or source.packages) and not source.domain:
            sys.exit(f"error: {path}: {source.name} holds text back without a domain")
    scored = {entry["domain"]: entry["files"] for entry in table["scored"]}
    gold = [name for entry in table["gold"] for name in entry["files"]]
    return Definition(sources, scored, gold)


def shared_data() -> Path:
    """Give the folder with the shared texts, or end with what to do."""
    shared = Path(os.environ.get("PYTOK_SHARED", REPOSITORY.parent / "shared")) / "data"
    if not shared.is_dir():
        sys.exit(f"error: {shared}: no such folder; set PYTOK_SHARED")
    return shared


def text_of(path: Path) -> Iterator[str]:
    """Yield the documents of a file; marker lines of parts are not text."""
    return documents(path, document_rule(path))


def split(source: Source, data: Path) -> tuple[str, str]:
    """Divide a file into what is trained on and what is held back."""
    path = data / source.file
    if source.packages:
        return split_packages(path, source.packages)
    texts = list(text_of(path))
    kept = len(texts) - math.ceil(len(texts) * source.held_back)
    return "".join(texts[:kept]), "".join(texts[kept:])


def split_packages(path: Path, packages: tuple[str, ...]) -> tuple[str, str]:
    """Divide parts by their package; held-back ones keep their marker lines.

    `pytok.eval` leaves out the marker lines, which name the packages, so the
    file is read as plain blocks and cut at the markers here.
    """
    text = "".join(documents(path, "20-line blocks"))
    marks = [*_PART.finditer(text)]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    trained: list[str] = []
    held_back: list[str] = []
    seen: set[str] = set()
    for mark, end in zip(marks, ends, strict=True):
        seen.add(mark[1])
        if mark[1] in packages:
            held_back.append(text[mark.start() : end])
        else:
            trained.append(text[mark.end() : end])
    if missing := set(packages) - seen:
        sys.exit(f"error: {path}: no package {', '.join(sorted(missing))}")
    return "".join(trained), "".join(held_back)


def gold_sentences(definition: Definition, data: Path) -> frozenset[str]:
    """Give all gold sentences without spaces."""
    lines = (
        line
        for name in definition.gold
        for text in text_of(data / name)
        for line in text.split("\n")
    )
    return frozenset(bare for line in lines if (bare := "".join(line.split())))


def without(text: str, sentences: frozenset[str]) -> tuple[str, int]:
    """Leave out lines that are scored; gives also how many."""
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if "".join(line.split()) not in sentences]
    return "".join(kept), len(lines) - len(kept)


def thin(text: str, share: float) -> str:
    """Keep about `share` of the text, in blocks spread evenly over it."""
    if share >= 1:
        return text
    lines = text.splitlines(keepends=True)
    blocks = range(0, len(lines), THINNING_LINES)
    return "".join(
        line
        for number, start in enumerate(blocks)
        if math.floor((number + 1) * share) > math.floor(number * share)
        for line in lines[start : start + THINNING_LINES]
    )


def write(target: Path, text: str, manifest: list[dict[str, object]], root: Path) -> None:
    data = text.encode()
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    name = target.relative_to(root).as_posix()
    manifest.append({"file": name, "bytes": len(data), "sha256": digest})
    print(f"{name:48} {len(data):>12,}  {digest}")


def write_all(out: Path, definition: Definition, data: Path, megabytes: float | None) -> None:
    manifest: list[dict[str, object]] = []
    halves = {source.name: split(source, data) for source in definition.sources}
    scored = gold_sentences(definition, data)
    left_out: dict[str, int] = {}
    for name, (trained, held_back) in halves.items():
        kept, left_out[name] = without(trained, scored)
        halves[name] = kept, held_back
    total = sum(len(trained.encode()) for trained, _ in halves.values())
    share = 1.0 if megabytes is None else megabytes * 1e6 / total
    for source in definition.sources:
        trained, held_back = halves[source.name]
        write(out / "train" / f"{source.name}.txt", thin(trained, share), manifest, out)
        if held_back:
            target = out / "score" / source.domain / f"{source.name}.txt"
            write(target, held_back, manifest, out)
    for domain, files in definition.scored.items():
        for name in files:
            plain = Path(name.removesuffix(".xz")).name
            text = "".join(text_of(data / name))
            write(out / "score" / domain / plain, text, manifest, out)
    for name in definition.gold:
        write(out / "score" / name, "".join(text_of(data / name)), manifest, out)
    record = {"megabytes": megabytes, "gold_lines_left_out": left_out, "files": manifest}
    (out / "manifest.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    trained_on = [int(str(row["bytes"])) for row in manifest if "train/" in str(row["file"])]
    print(f"{'training text, all':48} {sum(trained_on):>12,}")
    print(f"gold sentences left out of it: {sum(left_out.values())} lines")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--megabytes", type=float, help="thin the training text to this size")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    if out.is_relative_to(REPOSITORY):
        sys.exit(f"error: {out}: is in the repository; the text must stay outside")
    data = shared_data()
    for part in ("train", "score"):
        shutil.rmtree(out / part, ignore_errors=True)
    write_all(out, read_definition(), data, arguments.megabytes)


if __name__ == "__main__":
    main()
