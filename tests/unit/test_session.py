"""The rules of the test session itself, on a small session of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).resolve().parent.parent / "conftest.py"
EXAMPLE = """
import pytest

@pytest.mark.needs_shared
def test_reads(shared):
    assert shared.is_dir()

@pytest.mark.needs_shared
def test_gives_up():
    pytest.skip("too lazy")
"""


def run(folder: Path, shared: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_bytes(CONFTEST.read_bytes())
    (folder / "test_example.py").write_text(EXAMPLE)
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", *arguments],
        cwd=folder,
        env={**os.environ, "PYTOK_SHARED": str(shared)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_the_folder_tests_are_skipped_by_name(tmp_path):
    result = run(tmp_path, tmp_path / "absent")
    assert result.returncode == 0
    assert "2 skipped" in result.stdout
    assert "test_reads needs the folder" in result.stdout
    assert "needs_shared: 0 run, 2 skipped" in result.stdout


def test_with_the_folder_a_skip_fails_the_session(tmp_path):
    result = run(tmp_path, tmp_path)
    assert result.returncode == pytest.ExitCode.TESTS_FAILED
    assert "needs_shared: 1 run, 1 skipped" in result.stdout
    assert "skipped although the folder exists: test_example.py::test_gives_up" in result.stdout


def test_with_the_folder_a_session_without_skips_passes(tmp_path):
    result = run(tmp_path, tmp_path, "-k", "reads")
    assert result.returncode == 0
    assert "needs_shared: 1 run, 0 skipped" in result.stdout
