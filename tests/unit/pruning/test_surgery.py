"""A checkpoint with fewer rows is the same model on the ids that are kept."""

import json
import os
import shutil
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from tiny_model import (
    ROWS,
    WIDTH,
    config,
    forward,
    greedy,
    read_arrays,
    read_raw,
    weights,
    write_checkpoint,
    write_raw,
    write_tensors,
)

from pytok import ConfigError, ExportError, FormatError, TokenizerNotFoundError, VocabError
from pytok.pruning.surgery import prune_model

# Specials (1, 2, 90) among them, not in order.
KEPT = np.array([0, 1, 2, 90, 3, 17, 33, 34, 35, 60, 61, 62, 80, 81, 95, 96, 5])
PROMPT = [1, 17, 34, 3]
VARIANTS = [
    {},
    {"tied": True},
    {"bias": True},
    {"tied": True, "bias": True},
]


def made(folder, *, dtype="float32", shards=1, tied=False, bias=False, **more):
    tensors = weights(dtype, tied=tied, bias=bias)
    write_checkpoint(folder, tensors, config(tied=tied, **more), shards=shards)
    return tensors


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize(("dtype", "tolerance"), [("float32", 1e-5), ("float64", 1e-12)])
def test_logits_and_text_of_the_kept_ids_stay(tmp_path, dtype, tolerance, variant, shards):
    old = made(tmp_path / "old", dtype=dtype, shards=shards, **variant)
    before = contents(tmp_path / "old")
    report = prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    assert contents(tmp_path / "old") == before
    new = read_arrays(tmp_path / "new")

    for name in ("model.embed_tokens.weight", "lm_head.weight", "lm_head.bias"):
        assert (name in new) == (name in old)
        if name in old:
            assert new[name][: len(KEPT)].tobytes() == old[name][KEPT].tobytes()
            assert len(new[name]) == 64
    assert {name: new[name].tobytes() for name in old if "layers" in name} == {
        name: old[name].tobytes() for name in old if "layers" in name
    }
    assert report.tied == variant.get("tied", False)

    places = {int(token): place for place, token in enumerate(KEPT)}
    want = forward(old, PROMPT)[:, KEPT]
    got = forward(new, [places[token] for token in PROMPT])[:, : len(KEPT)]
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance * np.abs(want).max())

    text = greedy(old, PROMPT, 12, allowed=KEPT)
    assert greedy(new, [places[token] for token in PROMPT], 12) == [places[t] for t in text]


def test_rows_that_pad_never_win(tmp_path):
    # All logits below zero: rows of zeros would.
    tensors = weights(bias=True)
    tensors["lm_head.bias"] -= 100
    write_checkpoint(tmp_path / "old", tensors, config())
    prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    logits = forward(read_arrays(tmp_path / "new"), range(len(KEPT)))
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    powers /= powers[:, : len(KEPT)].sum(-1, keepdims=True)
    assert (logits.argmax(-1) < len(KEPT)).all()
    assert (powers[:, len(KEPT) :] <= 1 / len(KEPT)).all()


@pytest.mark.parametrize("dtype", ["BF16", "F16", "F8_E4M3", "I8"])
def test_any_type_of_number_goes_through(tmp_path, dtype):
    rng = np.random.default_rng(1)
    size = 2 if dtype.endswith("16") else 1
    rows = rng.normal(size=(ROWS, WIDTH)).astype("<f4").view("<u2")[:, 1::2]
    data = np.ascontiguousarray(rows).view(np.uint8)[:, : WIDTH * size].copy()
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"vocab_size": ROWS}))
    file = folder / "model.safetensors"
    write_raw(file, "wte.weight", dtype, [ROWS, WIDTH], data.tobytes(), {"a": "b"})
    averaged = size == 2
    prune_model(folder, tmp_path / "new", KEPT, pad_to_multiple_of=8 if averaged else 1)
    new_dtype, shape, new = read_raw(tmp_path / "new")["wte.weight"]
    assert new_dtype == dtype
    assert shape == (24 if averaged else len(KEPT), WIDTH)
    assert new[: len(KEPT) * WIDTH * size] == data[KEPT].tobytes()
    with safe_open(tmp_path / "new" / "model.safetensors", "numpy") as file:
        assert file.metadata() == {"a": "b"}
    if not averaged:
        with pytest.raises(ConfigError, match="cannot be averaged"):
            prune_model(folder, tmp_path / "padded", KEPT)
        assert not (tmp_path / "padded").exists()


def test_ids_of_the_configuration_move(tmp_path):
    nested = {"vocab_size": 12, "pad_token_id": 7}
    made(
        tmp_path / "old",
        image_token_index=95,
        vision={"vocab_size": ROWS, "start_token_id": 96},
        codec=nested,
    )
    report = prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    new = json.loads((tmp_path / "new" / "config.json").read_text())
    assert (new["vocab_size"], new["vision"]["vocab_size"]) == (64, 64)
    assert (new["bos_token_id"], new["eos_token_id"], new["pad_token_id"]) == (1, [2, 3], None)
    assert (new["image_token_index"], new["vision"]["start_token_id"]) == (14, 15)
    assert new["codec"] == nested
    generation = json.loads((tmp_path / "new" / "generation_config.json").read_text())
    assert generation == {"bos_token_id": 1, "eos_token_id": [2, 3], "suppress_tokens": [4, 16]}
    assert report.config_ids["config.json: eos_token_id"] == ([2, 90], [2, 3])
    assert json.loads(json.dumps(report.to_json()))["rows_after"] == 64


def test_an_index_of_shards_stays_true(tmp_path):
    made(tmp_path / "old", shards=4)
    prune_model(tmp_path / "old", tmp_path / "new", KEPT, pad_to_multiple_of=1)
    index = json.loads((tmp_path / "new" / "model.safetensors.index.json").read_text())
    tensors = read_raw(tmp_path / "new")
    assert index["metadata"]["total_size"] == sum(len(data) for _, _, data in tensors.values())
    assert set(index["weight_map"]) == set(tensors)
    assert tensors["lm_head.weight"][1] == (len(KEPT), WIDTH)


@pytest.mark.parametrize("form", ["array", "mapping", "npy", "pairs", "json", "list"])
def test_forms_of_the_id_map(tmp_path, form):
    made(tmp_path / "old")
    mapping = {int(old): new for new, old in enumerate(KEPT)}
    np.save(tmp_path / "ids.npy", KEPT)
    np.save(tmp_path / "pairs.npy", list(mapping.items())[::-1])
    (tmp_path / "ids.json").write_text(json.dumps(mapping))
    given = {
        "array": KEPT,
        "mapping": mapping,
        "npy": tmp_path / "ids.npy",
        "pairs": tmp_path / "pairs.npy",
        "json": str(tmp_path / "ids.json"),
        "list": KEPT.tolist(),
    }[form]
    prune_model(tmp_path / "old", tmp_path / "new", given)
    prune_model(tmp_path / "old", tmp_path / "want", KEPT)
    assert contents(tmp_path / "new") == contents(tmp_path / "want")


@given(st.sets(st.integers(0, ROWS - 1), min_size=1), st.randoms(), st.integers(1, 70))
@settings(max_examples=25)
def test_rows_are_those_of_numpy_whatever_is_kept(tmp_path_factory, ids, random, multiple):
    folder = tmp_path_factory.mktemp("any")
    kept = list(ids)
    random.shuffle(kept)
    ours = {"bos_token_id": None, "eos_token_id": None}
    old = made(folder / "old", bias=True, **ours)
    (folder / "old" / "generation_config.json").unlink()
    prune_model(folder / "old", folder / "new", kept, pad_to_multiple_of=multiple)
    new = read_arrays(folder / "new")
    for name in ("model.embed_tokens.weight", "lm_head.weight", "lm_head.bias"):
        assert len(new[name]) == -(-len(kept) // multiple) * multiple
        assert new[name][: len(kept)].tobytes() == old[name][kept].tobytes()
        mean = old[name][kept].astype(np.float64).mean(axis=0).astype(np.float32)
        np.testing.assert_allclose(
            new[name][len(kept) :], np.broadcast_to(mean, new[name][len(kept) :].shape), rtol=1e-6
        )


def test_memory_is_bounded_by_blocks_of_rows(tmp_path):
    rows, width = 40_000, 512  # 80 MB of embedding
    tensors = {"wte.weight": np.ones((rows, width), dtype=np.float32)}
    write_checkpoint(tmp_path / "old", tensors, {"vocab_size": rows})
    del tensors
    tracemalloc.start()
    prune_model(tmp_path / "old", tmp_path / "new", [1, 2, 90, *range(91, rows, 2)])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 << 20


def test_a_bias_along_the_second_axis(tmp_path):
    tensors = {
        "model.shared.weight": np.ones((ROWS, WIDTH), dtype=np.float32),
        "final_logits_bias": np.arange(ROWS, dtype=np.float32)[None],
        "projection": np.arange(3.0 * ROWS).reshape(3, ROWS, 1),
    }
    write_checkpoint(tmp_path / "old", tensors, {"vocab_size": ROWS})
    prune_model(
        tmp_path / "old",
        tmp_path / "new",
        KEPT,
        pad_to_multiple_of=1,
        tensors={"projection": 1},
    )
    new = read_arrays(tmp_path / "new")
    assert new["final_logits_bias"].tolist() == [KEPT.tolist()]
    assert (new["projection"] == tensors["projection"][:, KEPT]).all()


def test_files_of_the_old_vocabulary_are_left_out_and_named(tmp_path):
    made(tmp_path / "old")
    for name in ("README.md", "modeling_x.py", "chat_template.jinja"):
        (tmp_path / "old" / name).write_text("x")
    gone = ["merges.txt", "original", "pytorch_model.bin", "qwen.tiktoken", "tokenizer.json"]
    for name in gone:
        if name == "original":
            (tmp_path / "old" / name).mkdir()
        else:
            (tmp_path / "old" / name).write_text("x")
    report = prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    assert report.copied == ("README.md", "chat_template.jinja", "modeling_x.py")
    assert report.left_out == tuple(gone)
    assert not any((tmp_path / "new" / name).exists() for name in gone)


def corrupt(folder, what):
    """Break a checkpoint in one way."""
    path = folder / "model.safetensors"
    if what == "no config":
        (folder / "config.json").unlink()
    elif what == "no weights":
        path.unlink()
    elif what == "cut short":
        path.write_bytes(path.read_bytes()[:-5])
    elif what == "no header":
        path.write_bytes(b"\xff" * 40)
    elif what == "config is a list":
        (folder / "config.json").write_text("[]")


@pytest.mark.parametrize(
    ("what", "error", "message"),
    [
        ("no config", TokenizerNotFoundError, r"no config\.json"),
        ("no weights", TokenizerNotFoundError, r"neither model\.safetensors nor"),
        ("cut short", FormatError, r"model\.safetensors: \d+ bytes of tensors, expected"),
        ("no header", FormatError, r"not a safetensors file"),
        ("config is a list", FormatError, r"config\.json: expected an object"),
    ],
)
def test_a_damaged_checkpoint_is_refused(tmp_path, what, error, message):
    made(tmp_path / "old")
    corrupt(tmp_path / "old", what)
    with pytest.raises(error, match=message):
        prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_missing_shards_and_tensors_are_named(tmp_path):
    tensors = made(tmp_path / "old", shards=3)
    shard = tmp_path / "old" / "model-00002-of-00003.safetensors"
    shard.unlink()
    with pytest.raises(FormatError, match=r"1 of 3 shards missing: model-00002-of-00003"):
        prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    write_tensors(shard, {"other": np.ones(3, dtype=np.float32)})
    with pytest.raises(FormatError, match=r"model-00002-of-00003.*'\S+' of the index is missing"):
        prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    index = tmp_path / "old" / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": {"a": "../secret.safetensors"}}))
    with pytest.raises(FormatError, match="not the name of a file in the folder"):
        prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    assert tensors


@pytest.mark.parametrize("tied", [True, False])
def test_a_tied_flag_that_lies_is_refused(tmp_path, tied):
    write_checkpoint(tmp_path / "old", weights(tied=not tied), config(tied=tied))
    message = "true, but lm_head.weight differs" if tied else "false, but there is no output"
    with pytest.raises(FormatError, match=message):
        prune_model(tmp_path / "old", tmp_path / "new", KEPT)


def test_a_tied_matrix_that_is_written_twice_stays_twice(tmp_path):
    tensors = weights(tied=True)
    tensors["lm_head.weight"] = tensors["model.embed_tokens.weight"]
    write_checkpoint(tmp_path / "old", tensors, config(tied=True))
    prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    new = read_arrays(tmp_path / "new")
    assert new["lm_head.weight"].tobytes() == new["model.embed_tokens.weight"].tobytes()


def test_shapes_that_disagree_are_refused(tmp_path):
    tensors = weights()
    write_checkpoint(tmp_path / "config", tensors, config(rows=ROWS + 1))
    with pytest.raises(FormatError, match=r"vocab_size is 98, .*has 97 rows"):
        prune_model(tmp_path / "config", tmp_path / "new", KEPT)
    tensors["lm_head.weight"] = tensors["lm_head.weight"][:-1].copy()
    write_checkpoint(tmp_path / "head", tensors, config())
    with pytest.raises(FormatError, match=r"lm_head\.weight has 96 rows, .* has 97"):
        prune_model(tmp_path / "head", tmp_path / "new", KEPT)


def test_a_tensor_that_may_belong_to_the_vocabulary_is_asked_about(tmp_path):
    tensors = weights() | {"extra.scale": np.ones((ROWS, 1), dtype=np.float32)}
    write_checkpoint(tmp_path / "old", tensors, config())
    with pytest.raises(ConfigError, match=r"extra\.scale of shape \[97, 1\] may have rows"):
        prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    prune_model(tmp_path / "old", tmp_path / "left", KEPT, tensors={"extra.scale": None})
    prune_model(tmp_path / "old", tmp_path / "sliced", KEPT, tensors={"extra.scale": 0})
    assert read_arrays(tmp_path / "left")["extra.scale"].shape == (ROWS, 1)
    assert read_arrays(tmp_path / "sliced")["extra.scale"].shape == (64, 1)
    tensors = weights() | {"model.embed_tokens_per_layer.weight": np.ones((90, 2), np.float32)}
    write_checkpoint(tmp_path / "layers", tensors, config())
    with pytest.raises(ConfigError, match=r"embed_tokens_per_layer\.weight of shape \[90, 2\]"):
        prune_model(tmp_path / "layers", tmp_path / "new", KEPT)


@pytest.mark.parametrize(
    ("kept", "message"),
    [
        ([], "expected at least one id"),
        ([0, 0], "an id is there twice"),
        ([0, ROWS], "id 97, but the model has rows for 0 to 96"),
        ([-1], "id -1"),
        ([0.5], "expected at least one id"),
        ({3: 1, 4: 2}, "expected the numbers from 0 to 1"),
        ([[3, 0], [3, 1]], "expected the numbers from 0 to 0"),
        ([0, 1, 2], r"config\.json: eos_token_id is 90, an id that is not kept"),
    ],
)
def test_ids_that_do_not_fit_are_refused(tmp_path, kept, message):
    made(tmp_path / "old")
    with pytest.raises(VocabError, match=message):
        prune_model(tmp_path / "old", tmp_path / "new", kept)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("place", ["old", "old/inside", "file", "full"])
def test_nothing_is_overwritten(tmp_path, place):
    made(tmp_path / "old")
    (tmp_path / "file").write_text("x")
    made(tmp_path / "full")
    before = contents(tmp_path / "old"), contents(tmp_path / "full")
    with pytest.raises(ExportError):
        prune_model(tmp_path / "old", tmp_path / place, KEPT)
    assert (contents(tmp_path / "old"), contents(tmp_path / "full")) == before


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    made(tmp_path / "old")
    real = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: real._replace(free=10))
    with pytest.raises(ExportError, match="10 are free on the disk"):
        prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    monkeypatch.undo()

    def fails(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(ExportError, match="No space left on device"):
        prune_model(tmp_path / "old", tmp_path / "new", KEPT)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize("multiple", [0, -1, 1.5, True, None])
def test_a_multiple_out_of_range_is_refused(tmp_path, multiple):
    with pytest.raises(ConfigError, match="pad_to_multiple_of"):
        prune_model(tmp_path, tmp_path / "new", KEPT, pad_to_multiple_of=multiple)
