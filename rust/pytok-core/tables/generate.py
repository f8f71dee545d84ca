"""Write the Unicode tables of the pre-tokenizers, as the reference libraries see Unicode.

Each regular-expression engine carries its own edition of the Unicode database,
so the tables are not taken from any standard library: every code point is put
through the engine itself (Oniguruma inside the ``tokenizers`` wheel,
``fancy-regex`` inside the ``tiktoken`` wheel), and its script through
``tokenizers``' ``UnicodeScripts``. Tests of the crate put every code point
through the linked engines again and compare.

    python rust/pytok-core/tables/generate.py

writes ``src/pretokenize/scan/tables_*.rs`` and
``src/pretokenize/script_table.rs``.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator

import tiktoken
import tokenizers
from tokenizers import Regex, pre_tokenizers

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "src" / "pretokenize"
CODE_POINTS = [chr(c) for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF]

# The values of the constants in scan/classes.rs; later lines win over earlier ones.
CLASSES = [
    (r"\p{Ll}", 1),
    (r"[\p{Lu}\p{Lt}]", 2),
    (r"[\p{Lm}\p{Lo}]", 3),
    (r"\p{M}", 4),
    (r"\p{N}", 5),
    (r"\p{P}", 6),
    (r"\p{S}", 7),
    (r"\s", 8),
    (r"[\r\n]", 9),
]
HAN = (r"\p{Han}", 16)
WORD = (r"\w", 32)
NUMERIC = 64


def matched_by_oniguruma(pattern: str) -> set[str]:
    """Find the code points that a one-character pattern matches in the ``tokenizers`` wheel."""
    splitter = pre_tokenizers.Split(Regex(pattern), "removed", invert=True)
    found: set[str] = set()
    for start in range(0, len(CODE_POINTS), 65536):
        block = "".join(CODE_POINTS[start : start + 65536])
        found.update(piece for piece, _ in splitter.pre_tokenize_str(block))
    return found


def matched_by_fancy_regex(pattern: str) -> set[str]:
    """Find the code points that a one-character pattern matches in the ``tiktoken`` wheel."""
    single_bytes = {bytes([b]): b for b in range(256)}
    encoding = tiktoken.Encoding(
        "probe", pat_str=pattern, mergeable_ranks=single_bytes, special_tokens={}
    )
    found: set[str] = set()
    for start in range(0, len(CODE_POINTS), 65536):
        block = "".join(CODE_POINTS[start : start + 65536])
        found.update(bytes(encoding.encode_ordinary(block)).decode("utf-8"))
    return found


def numeric() -> set[str]:
    """Find the code points that ``Digits`` takes apart (by Rust's standard library)."""
    splitter = pre_tokenizers.Digits(individual_digits=True)
    found: set[str] = set()
    for start in range(0, len(CODE_POINTS), 65536):
        block = "".join("a" + c for c in CODE_POINTS[start : start + 65536])
        found.update(p for p, _ in splitter.pre_tokenize_str(block) if len(p) == 1)
    return found - {"a"}


def runs(value_of: Callable[[str], int]) -> Iterator[tuple[int, int]]:
    """Yield the first code point of each run of equal values, with the value."""
    previous = -1
    for character in CODE_POINTS:
        value = value_of(character)
        if value != previous:
            yield ord(character), value
        previous = value


def write(path: pathlib.Path, purpose: str, name: str, table: list[tuple[int, int]]) -> None:
    """Write one table of runs as a Rust source file."""
    entries = [f"(0x{start:X}, {value})," for start, value in table]
    lines, line = [], ""
    for entry in entries:
        if len(line) + len(entry) + 5 > 100:
            lines.append(line)
            line = ""
        line = f"{line} {entry}" if line else entry
    lines.append(line)
    body = "\n".join(f"    {line}" for line in lines)
    path.write_text(
        f"//! {purpose}\n"
        "//!\n"
        "//! Written by `tables/generate.py`; do not edit.\n\n"
        "/// Where each run of equal values begins, and the value.\n"
        "#[rustfmt::skip]\n"
        f"pub(super) const {name}: &[(u32, u8)] = &[\n{body}\n];\n",
        encoding="utf-8",
    )


def write_classes(
    engine: str, matched: Callable[[str], set[str]], version: str, flags: list[tuple[set[str], int]]
) -> None:
    """Write the class table of one engine, with these flags besides Han."""
    sets = [(matched(pattern), value) for pattern, value in CLASSES]
    classes = dict.fromkeys(CODE_POINTS, 0)
    for members, value in sets:
        for character in members:
            classes[character] = value
    for flagged, bit in [(matched(HAN[0]), HAN[1]), *flags]:
        for character in flagged:
            classes[character] |= bit
    table = list(runs(classes.__getitem__))
    print(engine, len(table), "runs")
    write(
        SOURCES / "scan" / f"tables_{engine}.rs",
        f"The classes of all code points in the edition of Unicode of {version}.",
        "RUNS",
        table,
    )


def write_scripts() -> None:
    """Write the script table; a script's number is its place in order of first appearance."""
    splitter = pre_tokenizers.UnicodeScripts()

    def same(left: str, right: str) -> bool:
        return len(splitter.pre_tokenize_str(left + right)) == 1

    representatives: list[str] = ["a"]
    numbers: dict[str, int] = {}
    previous, previous_number = "", -1
    for character in CODE_POINTS:
        if same("a" + character, "a") and same("\u4e00" + character, "\u4e00"):
            number = 0  # belongs to every script
        elif previous and previous_number > 0 and same(previous, character):
            number = previous_number
        else:
            number = next(
                (i for i, known in enumerate(representatives, 1) if same(known, character)), 0
            )
            if number == 0:
                representatives.append(character)
                number = len(representatives)
        numbers[character] = number
        previous, previous_number = character, number
    table = list(runs(numbers.__getitem__))
    print("scripts", len(table), "runs,", len(representatives), "scripts")
    write(
        SOURCES / "script_table.rs",
        "The script of every code point, by number, for "
        f"`UnicodeScripts` of tokenizers {tokenizers.__version__}.",
        "SCRIPT_RUNS",
        table,
    )


if __name__ == "__main__":
    write_classes(
        "oniguruma",
        matched_by_oniguruma,
        f"Oniguruma (as in tokenizers {tokenizers.__version__})",
        flags=[],
    )
    write_classes(
        "regex_syntax",
        matched_by_fancy_regex,
        f"regex-syntax (as in tiktoken {tiktoken.__version__})",
        flags=[(matched_by_fancy_regex(WORD[0]), WORD[1]), (numeric(), NUMERIC)],
    )
    write_scripts()
