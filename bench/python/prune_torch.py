"""Surgery on models of transformers: are logits and text of the kept ids the same?

Small models with weights drawn at random, of several architectures, are saved,
pruned and loaded again. Per model and precision: whether the kept rows are
equal, the largest difference of a logit (as a share of the largest logit), and
whether greedy text is the same where the whole model may choose among the kept
ids only. Then the cost of the surgery on matrices of Qwen3-0.6B's size, and
what the product with the output matrix takes.

Needs torch and transformers, which are no extras of the package: the torch of
the registry is a build of several gigabytes.

    python bench/python/prune_torch.py -o bench/results/prune-torch.md
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import torch
import transformers
from transformers import AutoModelForCausalLM

import pytok
from pytok.pruning.surgery import prune_model
from pytok.pruning.surgery.safetensors import TensorInfo, write_header

ROWS, KEPT, STEPS = 32_000, 8_000, 32
SMALL = {"vocab_size": ROWS, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
LLAMA = {
    "hidden_size": 64,
    "intermediate_size": 128,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}
FULL = {**LLAMA, "num_key_value_heads": 4}
MODELS = {
    "Llama": ("Llama", LLAMA),
    "Llama, tied": ("Llama", {**LLAMA, "tie_word_embeddings": True}),
    "Qwen3, tied": ("Qwen3", {**LLAMA, "head_dim": 16, "tie_word_embeddings": True}),
    "Mistral": ("Mistral", LLAMA),
    "Phi (output bias)": ("Phi", FULL),
    "GPT-2, tied": ("GPT2", {"n_embd": 64, "n_layer": 3, "n_head": 4}),
    "GPT-NeoX": ("GPTNeoX", {**FULL, "tie_word_embeddings": False}),
    "Bloom, tied": ("Bloom", {"hidden_size": 64, "n_layer": 3, "n_head": 4}),
    "Mamba, tied": ("Mamba", {"hidden_size": 64, "state_size": 8, "num_hidden_layers": 3}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    output = parser.parse_args().output
    torch.manual_seed(0)
    rows = [agreement(name, dtype) for name in MODELS for dtype in (torch.float32, torch.float64)]
    lines = [
        "# Models of transformers after surgery",
        "",
        f"`python bench/python/prune_torch.py`: {ROWS:,} rows to {KEPT:,} (and padding), "
        f"{STEPS} greedy tokens. CPython {platform.python_version()}, torch {torch.__version__} "
        f"on the processor, transformers {transformers.__version__}, pytok {pytok.__version__}.",
        "",
        "| model | precision | kept rows equal | largest difference of a logit | greedy text |",
        "|---|---|---|--:|---|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        *cost(),
        "",
        *product(),
    ]
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")


@torch.no_grad()
def agreement(name: str, dtype: torch.dtype) -> list[str]:
    kind, settings = MODELS[name]
    rng = np.random.default_rng(1)
    others = rng.choice(np.arange(3, ROWS), size=KEPT - 3, replace=False)
    kept = np.concatenate([[0, 1, 2], np.sort(others)])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        config = getattr(transformers, f"{kind}Config")(**SMALL, **settings)
        model = AutoModelForCausalLM.from_config(config).to(dtype)
        for parameter in model.parameters():
            parameter.data += 0.1 * torch.randn_like(parameter)
        model.save_pretrained(place / "old", max_shard_size="5MB")
        prune_model(place / "old", place / "new", kept)
        old, new = (
            AutoModelForCausalLM.from_pretrained(place / part, dtype=dtype).eval()
            for part in ("old", "new")
        )
    same = new.get_input_embeddings().weight[:KEPT].equal(old.get_input_embeddings().weight[kept])
    same &= (
        new.get_output_embeddings().weight[:KEPT].equal(old.get_output_embeddings().weight[kept])
    )
    prompt = [1, *rng.integers(3, KEPT, size=15).tolist()]
    want = old(torch.tensor([kept[prompt].tolist()])).logits[..., kept]
    got = new(torch.tensor([prompt])).logits[..., :KEPT]
    difference = ((got - want).abs().max() / want.abs().max()).item()
    text, masked = list(prompt), list(prompt)
    for _ in range(STEPS):
        text.append(int(new(torch.tensor([text])).logits[0, -1].argmax()))
        logits = old(torch.tensor([kept[masked].tolist()])).logits[0, -1, kept]
        masked.append(int(logits.argmax()))
    precision = str(dtype).removeprefix("torch.")
    equal = "the same" if text == masked else "differs"
    return [name, precision, "yes" if same else "no", f"{difference:.1e}", equal]


def cost() -> list[str]:
    """Time and memory of the surgery on an embedding and an output matrix of 311 MB each."""
    rows, width, kept = 151_936, 1_024, 10_000
    block = np.random.default_rng(0).normal(size=(1_187, width)).astype("<f4").view("<u2")
    block = np.ascontiguousarray(block[:, 1::2])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "old"
        place.mkdir()
        (place / "config.json").write_text(json.dumps({"vocab_size": rows}))
        size = rows * width * 2
        tensors = [
            TensorInfo("lm_head.weight", "BF16", (rows, width), 0, size),
            TensorInfo("model.embed_tokens.weight", "BF16", (rows, width), size, 2 * size),
        ]
        with (place / "model.safetensors").open("wb") as file:
            write_header(file, tensors, {"format": "pt"})
            for _ in range(2 * rows // len(block)):
                file.write(block.data)
        with Peak() as peak:
            start, wall = time.process_time(), time.perf_counter()
            prune_model(place, Path(folder) / "new", np.arange(5, 5 + 15 * kept, 15))
            used, passed = time.process_time() - start, time.perf_counter() - wall
    return [
        f"**Cost**: two matrices of {rows:,} x {width:,} in bfloat16 (622 MB) to {kept:,} rows: "
        f"{used:.1f} s of processor time ({passed:.1f} s on a busy machine), "
        f"at most {peak.bytes / 1e6:.0f} MB of memory beside pages of the file.",
    ]


class Peak:
    """The most memory of this process above what it had, pages of files left out."""

    def __enter__(self) -> Peak:
        self._first, self.bytes, self._over = anonymous(), 0, False
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._over:
            self.bytes = max(self.bytes, anonymous() - self._first)
            time.sleep(0.002)

    def __exit__(self, *error: object) -> None:
        self._over = True
        self._thread.join()


def anonymous() -> int:
    """Bytes of memory that are not pages of files (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(row for row in lines if row.startswith("RssAnon")).split()[1]) * 1024


@torch.no_grad()
def product() -> list[str]:
    """Median time of one token's logits, whole and sliced, one thread."""
    torch.set_num_threads(1)
    hidden = torch.randn(1, 1_024)
    medians = []
    for rows in (151_936, 10_048):
        head = torch.randn(rows, 1_024)
        times = []
        for _ in range(15):
            start = time.perf_counter()
            hidden @ head.T
            times.append(time.perf_counter() - start)
        medians.append(sorted(times)[len(times) // 2] * 1e3)
    return [
        f"**The output product** of one token (1,024 wide, float32, one thread): "
        f"{medians[0]:.1f} ms with 151,936 rows, {medians[1]:.2f} ms with 10,048.",
    ]


if __name__ == "__main__":
    main()
