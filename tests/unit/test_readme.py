"""The examples of the README that need no files of your own show what they say."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
OTHERS = (
    "from_file",
    "EncodeError",
    "TrainConfig",
    "extend(",
    "prune(",
    "prune_vocabulary(",
    "hf.",
)
RUNNABLE = [block for block in BLOCKS if not any(part in block for part in OTHERS)]


def said(comment: str) -> list[object]:
    """Return the value with which a comment begins, if it begins with one."""
    for end in range(len(comment), 0, -1):
        inside = end < len(comment) and comment[end] not in " :,;"
        if inside or comment[:end].endswith((",", " ")):
            continue
        try:
            return [ast.literal_eval(comment[:end].strip())]
        except (ValueError, SyntaxError):
            continue
    return []


def test_examples_show_what_they_say(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Examples may save to a folder of the reader's.
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    shown = 0
    for block in RUNNABLE:
        exec(block, names)
        for line in block.splitlines():
            code, _, comment = line.partition("  #")
            value = said(comment.strip())
            if value and code.strip() and "=" not in code.replace("==", ""):
                assert eval(code, names) == value[0], line
                shown += 1
    capsys.readouterr()
    assert shown >= 5
