"""`pytok prune`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pytok

CORPORA = Path(__file__).resolve().parents[2] / "corpora"


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from pytok.cli import main; main()", *map(str, arguments)]
    # Not from the checkout, whose source folder would hide the built package.
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", cwd=Path(__file__).parent
    )


def corpus(*kinds: str) -> list[str | Path]:
    return ["prune", "zh-32k", "--corpus", *(CORPORA / kind for kind in kinds)]


def test_a_folder_with_fewer_pieces_and_the_id_map(tmp_path: Path) -> None:
    arguments = [*corpus("news", "code"), "--target-size", "9000"]
    result = run(*arguments, "-o", tmp_path / "new", "--protect", "螺蛳粉", "--json")
    assert result.returncode == 0, result.stderr
    record = json.loads(result.stdout)
    before = pytok.Tokenizer.from_pretrained("zh-32k")
    after = pytok.Tokenizer.from_pretrained(tmp_path / "new")
    kinds = {kind: [CORPORA / kind] for kind in ("news", "code")}
    same = pytok.prune(before, kinds, target_size=9000, protect=["螺蛳粉"])
    assert same.tokenizer == after
    assert record["report"] == json.loads(json.dumps(same.report.to_json()))
    assert record["plan"] == same.plan.to_json()
    pairs = np.load(tmp_path / "new/id_map.npy")
    assert pairs[:, 1].tolist() == list(range(9000))
    written = json.loads((tmp_path / "new/id_map.json").read_text())
    assert {int(old): new for old, new in written.items()} == same.id_map == dict(pairs.tolist())

    shown = run(*arguments, "-o", tmp_path / "again", "--stable", "--special-id", "x=y")
    assert shown.returncode == 2
    assert "TOKEN=ID" in shown.stderr


def test_a_dry_run_prints_the_plan_and_the_curve_and_writes_nothing_else(tmp_path: Path) -> None:
    plot = tmp_path / "curve.svg"
    result = run(
        *corpus("news", "classical"), "--max-inflation", "0.01", "--dry-run", "--plot", plot
    )
    assert result.returncode == 0, result.stderr
    for expected in ("size against inflation", "dearest pieces", "news", "classical", "as before"):
        assert expected in result.stdout
    dearest = result.stdout.split("dearest pieces")[1]
    assert any("一" <= character <= "鿿" for character in dearest)  # text, not its bytes
    assert list(tmp_path.iterdir()) == [plot]
    assert plot.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["prune", "zh-32k", "--target-size", "9"], "--corpus"),
        ([*corpus("news"), "-o", "x"], "--target-size"),
        ([*corpus("news"), "--target-size", "9000"], "--output"),
        ([*corpus("nothing"), "--target-size", "9000", "--dry-run"], "no such file"),
        ([*corpus("news"), "--target-size", "9", "--dry-run"], "expected at least"),
        ([*corpus("news"), "--target-size", "9000", "--dry-run", "--plot", "a.txt"], "plot"),
    ],
)
def test_what_is_missing_or_impossible_is_said(arguments: list[str], expected: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert expected in result.stderr
