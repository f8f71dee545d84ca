import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pytok
from pytok import errors


@pytest.mark.parametrize("name", errors.__all__)
def test_every_error_is_a_pytok_error_with_a_message_and_an_optional_hint(name):
    kind = getattr(errors, name)
    with_hint = kind("what happened", hint="what to do")
    assert isinstance(with_hint, errors.PytokError)
    assert (str(with_hint), with_hint.hint) == ("what happened", "what to do")
    assert kind("what happened").hint is None


@pytest.mark.parametrize(
    "name", ["ConfigError", "VocabError", "FormatError", "EncodeError", "CorpusError"]
)
def test_errors_about_values_are_value_errors(name):
    assert issubclass(getattr(errors, name), ValueError)


def test_the_hint_survives_pickling():
    error = pickle.loads(pickle.dumps(errors.VocabError("m", hint="h")))
    assert (type(error), str(error), error.hint) == (errors.VocabError, "m", "h")


def test_the_source_folder_says_that_its_core_is_not_built(tmp_path: Path) -> None:
    compiled = shutil.ignore_patterns("_pytok.*.so", "_pytok.*.pyd", "*.so", "__pycache__", "data")
    shutil.copytree(Path(pytok.__file__).parent, tmp_path / "pytok", ignore=compiled)
    result = subprocess.run(
        [sys.executable, "-c", "import pytok"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    message = result.stderr.strip().splitlines()[-1]
    assert message.startswith(f"ImportError: pytok: {tmp_path / 'pytok'} is the source")
    assert "maturin develop" in message
