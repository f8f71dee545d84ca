"""What `AutoTokenizer` makes of our folders, by model type and by what else is there.

Each cell is a process of its own. The ids are what matters: a tokenizer of
another class with the same ids is fine, one with other ids is not.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

transformers = pytest.importorskip("transformers")

from small import PROBE, ROLES, small_backend  # noqa: E402

from pytok.hf import PytokTokenizer  # noqa: E402

MAJOR = int(transformers.__version__.split(".")[0])
MODEL_TYPES = [None, "pytok", "llama", "qwen3", "mistral", "qwen2", "deepseek_v3"]
# With these the ways below are enough: they behave as qwen3 does.
FURTHER_TYPES = ["gemma", "bert", "gpt2", "t5", "xlm-roberta"]
# How the folder was written, and what the process does before it loads it.
WAYS = {
    "plain": {"auto_map": False},
    "registered": {"auto_map": False, "register": True},
    "auto_map": {"auto_map": True},
    "registered, tokenizer.json alone": {"auto_map": False, "register": True, "alone": True},
    "auto_map, registered": {"auto_map": True, "register": True},
    "auto_map, trusted": {"auto_map": True, "trust": True},
    "portable": {"profile": "portable"},
}
CELLS = [(model_type, way) for model_type in MODEL_TYPES for way in WAYS] + [
    (model_type, way)
    for model_type in FURTHER_TYPES
    for way in ("auto_map", "auto_map, registered", "auto_map, trusted", "portable")
]
OURS = "PytokTokenizer"
STOCK = "TokenizersBackend" if MAJOR == 5 else "PreTrainedTokenizerFast"
# Model types for which transformers 5 takes a class of its own and drops the
# normalizer and pre-tokenizer of tokenizer.json; nothing but auto_map stops it.
REPLACED = {"qwen2"}
# It loads these from tokenizer.json whatever class the folder names.
IGNORED = {"mistral"}
# It has no tokenizer for these, and asks before it runs the shim.
UNKNOWN = {None, "pytok", "llama", "deepseek_v3"}


def expected(model_type, way):
    """Class that loads the folder, or "error"; and whether the ids are right."""
    if way.startswith("auto_map,"):
        return OURS, True
    if MAJOR == 4:
        if way == "portable":
            return STOCK, True
        if way.startswith("registered"):
            return OURS, True
        return "error", None
    if model_type in REPLACED and not way.startswith("auto_map"):
        return "Qwen2Tokenizer", False
    if way.startswith("registered") and model_type not in IGNORED:
        return OURS, True
    if way == "auto_map" and model_type in UNKNOWN:
        return "error", None
    return STOCK, True


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    backend = small_backend()
    tokenizer = PytokTokenizer(tokenizer_object=backend, **ROLES)
    root = tmp_path_factory.mktemp("matrix")
    for profile in ("native", "portable"):
        tokenizer.save_pretrained(root / profile, profile=profile)
    cells = {}
    for model_type, way in CELLS:
        settings = WAYS[way]
        folder = root / f"{model_type}-{way}".replace(", ", "-")
        shutil.copytree(root / settings.get("profile", "native"), folder)
        if settings.get("alone"):
            (folder / "pytok.json").unlink()
        if not settings.get("auto_map", True):
            config = json.loads((folder / "tokenizer_config.json").read_text())
            del config["auto_map"]
            (folder / "tokenizer_config.json").write_text(json.dumps(config))
        if model_type is not None:
            (folder / "config.json").write_text(json.dumps({"model_type": model_type}))
        cells[model_type, way] = {
            "folder": str(folder),
            "text": PROBE,
            "register": settings.get("register", False),
            "trust": settings.get("trust", False),
        }
    script = Path(__file__).with_name("load_cells.py")
    (root / "cells.json").write_text(json.dumps(list(cells.values())))
    subprocess.run([sys.executable, str(script), root / "cells.json", root / "out"], check=True)
    outcomes = json.loads((root / "out").read_text())
    found = dict(zip(cells, outcomes, strict=True))
    return found, backend.encode(PROBE).ids


@pytest.mark.parametrize(("model_type", "way"), CELLS)
def test_a_folder_loads_with_the_ids_it_was_saved_with(outcomes, model_type, way):
    found, ids = outcomes
    outcome = found[model_type, way]
    name, right = expected(model_type, way)
    if name == "error":
        assert outcome.get("error") == "ValueError", outcome
        return
    assert outcome.get("class") == name, outcome
    assert (outcome["ids"] == ids) == right
