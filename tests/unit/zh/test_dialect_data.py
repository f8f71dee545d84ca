"""The tables of dialect words are in the form that their README describes."""

import csv
import importlib
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

tomllib = importlib.import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

FOLDER = Path(__file__).parents[3] / "pytok" / "zh" / "dialect" / "data"
LEAST = {"cantonese": 300, "hokkien": 300, "wu": 150, "sichuanese": 150, "northeastern": 150}
HEADER = ["token", "standard", "region", "scope", "context", "example", "source"]
SCOPES = {"any", "dialect", "honorific"}
LISTS = {"sentence", "not_sentence", "document", "next", "not_next", "prev", "not_prev"}
SOURCE_FIELDS = {"title", "author", "year", "licence", "address", "taken"}
SOURCE_FILES = ("sources.toml", "sources-mainland.toml")
WITHOUT_MANDARIN = {"rime-cantonese", "ctcpc"}
"""Works that have words of a dialect, and no Mandarin beside them."""


def lines_of(region):
    text = (FOLDER / f"{region}.tsv").read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert "\r" not in text
    return [line for line in text.split("\n")[:-1] if not line.startswith("#")]


def rows_of(region):
    reader = csv.DictReader(lines_of(region), delimiter="\t", quoting=csv.QUOTE_NONE)
    return list(reader)


def toml_of(name):
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


ROWS = {region: rows_of(region) for region in LEAST}
CONTEXTS = toml_of("contexts.toml")
SOURCES = {name: toml_of(name) for name in SOURCE_FILES}

each_region = pytest.mark.parametrize("region", LEAST)


def wrong(rows, is_right):
    return [row for row in rows if not is_right(row)]


@each_region
def test_every_line_has_the_columns_of_the_header(region):
    header, *lines = lines_of(region)
    assert header.split("\t") == HEADER
    assert [line for line in lines if line.count("\t") != len(HEADER) - 1] == []
    assert [line for line in lines if '"' in line or line != line.strip()] == []


@each_region
def test_there_are_enough_checked_rows(region):
    checked = {row["token"] for row in ROWS[region] if row["source"] not in ("parts", "unchecked")}
    assert len(checked) >= LEAST[region]


@each_region
def test_a_checked_row_names_a_work_that_has_mandarin(region):
    assert wrong(ROWS[region], lambda row: set(row["source"].split()) - WITHOUT_MANDARIN) == []


@each_region
def test_the_readme_counts_the_rows(region):
    tokens = {row["token"] for row in ROWS[region] if row["source"] != "unchecked"}
    parts = {row["token"] for row in ROWS[region] if row["source"] == "parts"}
    unchecked = sum(row["source"] == "unchecked" for row in ROWS[region])
    line = f"| {region.capitalize()} | {len(tokens)} | {len(parts) or ''} | {unchecked} |"
    assert line.replace("|  |", "| |") in (FOLDER / "README.md").read_text("utf-8")


@each_region
def test_what_is_unchecked_names_no_work(region):
    for row in ROWS[region]:
        keys = row["source"].split()
        assert len(keys) == 1 or not {"parts", "unchecked"} & set(keys), row


@each_region
def test_region_and_scope_are_of_the_closed_sets(region):
    assert wrong(ROWS[region], lambda row: row["region"] == region) == []
    assert wrong(ROWS[region], lambda row: row["scope"] in SCOPES) == []


@each_region
def test_tokens_are_short_and_without_spaces(region):
    def is_right(row):
        token = row["token"]
        return 1 <= len(token) <= 8 and not any(map(str.isspace, token)) and "|" not in token

    assert wrong(ROWS[region], is_right) == []


@each_region
def test_standards_are_other_words_each_once(region):
    def is_right(row):
        standards = row["standard"].split("|")
        return (
            all(standards)
            and not any(map(str.isspace, row["standard"]))
            and len(set(standards)) == len(standards)
            and row["token"] not in standards
            and all(word == "∅" or "∅" not in word for word in standards)
        )

    assert wrong(ROWS[region], is_right) == []


@each_region
def test_examples_contain_their_token(region):
    assert wrong(ROWS[region], lambda row: row["token"] in row["example"]) == []
    assert wrong(ROWS[region], lambda row: row["example"] != row["token"]) == []


@each_region
def test_examples_show_that_their_row_applies(region):
    certain = {row["token"] for row in ROWS[region] if row["scope"] == "any"}

    def is_right(row):
        gated = row["scope"] == "dialect"
        return holds_somewhere(row) and (
            not gated or any(token in row["example"] for token in certain)
        )

    assert wrong(ROWS[region], is_right) == []


def holds_somewhere(row):
    """Whether the contexts of a row hold at a place of the token in its example."""
    token, text = row["token"], row["example"]
    contexts = [CONTEXTS[name] for name in row["context"].split()]
    starts = [start for start in range(len(text)) if text.startswith(token, start)]
    return any(
        all(holds(context, text, start, start + len(token)) for context in contexts)
        for start in starts
    )


def holds(context, text, start, end):
    def has(name, test):
        return any(map(test, context[name])) if name in context else None

    found = {
        "sentence": has("sentence", text.__contains__),
        "document": has("document", text.__contains__),
        "next": has("next", text[end:].startswith),
        "prev": has("prev", text[:start].endswith),
        "not_sentence": has("not_sentence", text.__contains__),
        "not_next": has("not_next", text[end:].startswith),
        "not_prev": has("not_prev", text[:start].endswith),
    }
    return not any(value is name.startswith("not_") for name, value in found.items())


@each_region
def test_contexts_and_sources_of_rows_are_known(region):
    known = {key for sources in SOURCES.values() for key in sources}

    def is_right(row):
        names, keys = row["context"].split(), row["source"].split()
        return (
            set(names) <= set(CONTEXTS)
            and set(keys) <= known
            and keys
            and len(set(names)) == len(names)
            and len(set(keys)) == len(keys)
        )

    assert wrong(ROWS[region], is_right) == []


@each_region
def test_forms_of_address_have_a_context(region):
    assert wrong(ROWS[region], lambda row: row["scope"] != "honorific" or row["context"]) == []


@each_region
def test_no_row_stands_twice_or_contradicts_another(region):
    places = Counter(
        (row["token"], frozenset(row["context"].split()), row["scope"]) for row in ROWS[region]
    )
    assert [place for place, count in places.items() if count > 1] == []


@each_region
def test_no_chain_of_rows_leads_back(region):
    answers = defaultdict(set)
    for row in ROWS[region]:
        answers[row["token"]] |= set(row["standard"].split("|"))
    for token in list(answers):
        reached, waiting = set(), [token]
        while waiting:
            for word in answers.get(waiting.pop(), set()) - reached:
                reached.add(word)
                waiting.append(word)
        assert token not in reached, token


def test_hokkien_addresses_a_party_of_a_contract_with_respect():
    addresses = {
        (row["scope"], row["context"]): row["standard"].split("|")[0]
        for row in ROWS["hokkien"]
        if row["token"] == "恁"
    }
    assert addresses["dialect", ""] == "你們"
    assert addresses["honorific", "contract-party"] == "您"
    assert addresses["honorific", "contract-object"] == "您"
    assert addresses["honorific", "liability-clause"] == "您"


@pytest.mark.parametrize("name", CONTEXTS)
def test_a_context_has_lists_of_strings_and_a_reason(name):
    context = dict(CONTEXTS[name])
    assert context.pop("why")
    assert context
    assert set(context) <= LISTS
    for strings in context.values():
        assert strings
        assert all(isinstance(string, str) and string for string in strings)
        assert len(set(strings)) == len(strings)


def test_every_context_is_used():
    used = {name for rows in ROWS.values() for row in rows for name in row["context"].split()}
    assert set(CONTEXTS) - used == set()


@pytest.mark.parametrize("name", SOURCE_FILES)
def test_sources_are_described(name):
    for key, source in SOURCES[name].items():
        assert set(source) == SOURCE_FIELDS, key
        assert isinstance(source["year"], int), key
        assert all(str(value).strip() for value in source.values()), key


def test_every_source_is_used_and_stands_in_one_file():
    used = {key for rows in ROWS.values() for row in rows for key in row["source"].split()}
    counts = Counter(key for sources in SOURCES.values() for key in sources)
    assert set(counts) - used == set()
    assert [key for key, count in counts.items() if count > 1] == []


def test_the_folder_has_no_other_tables():
    assert {path.stem for path in FOLDER.glob("*.tsv")} == set(LEAST)
