"""Encoding speed on unseen text, one thread, beside the reference libraries.

    python bench/python/encode.py [--rounds 5] [--megabytes 0.25] [-o results.json]

For each vocabulary and kind of text, every round takes another slice of the
corpus, checks that pytok and the reference give the same ids for it, and times
both on it: the check of one round never warms the text of the next, and which
library is timed first alternates. Timed is the call that gives the ids of a
list of lines in the form that the library has for it (pytok: two arrays;
others: lists), the call that does least besides; bringing them into one form to
compare them is not.
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
from pathlib import Path
from typing import Any

import numpy as np

import pytok

# Lines to ids, as one array or as one list a line.
Encode = Callable[[list[str]], Any]

KINDS = {
    "news": ["news/icorpus-tw-news.txt", "news/gov-reports.txt.xz"],
    "classical": ["classical/zuozhuan-punctuated.txt.xz", "classical/kanripo-zibu-misc.txt.xz"],
    "code": ["code/python.txt.xz", "code/go.txt.xz"],
}


def read(path: Path) -> str:
    data = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
    return data.decode("utf-8")


def slices(shared: Path, kind: str, size: int) -> Iterator[list[str]]:
    """Yield disjoint lists of lines of about `size` bytes."""
    lines: list[str] = []
    taken = 0
    for name in KINDS[kind]:
        for line in read(shared / "data" / name).splitlines():
            lines.append(line)
            taken += len(line.encode("utf-8"))
            if taken >= size:
                yield lines
                lines, taken = [], 0


def flat(ids: Any) -> np.ndarray:
    if isinstance(ids, np.ndarray):
        return ids
    return np.array([i for line in ids for i in line], dtype=np.uint32)


def pytok_encoder(tokenizer: pytok.Tokenizer) -> Encode:
    def encode(lines: list[str]) -> Any:
        ids, _ = tokenizer.encode_batch_ids(
            lines, special="text", add_special_tokens=False, threads=1
        )
        return ids

    return encode


def with_tiktoken(path: Path, pattern: str) -> Encode:
    import base64

    import tiktoken

    ranks = {}
    for line in read(path).splitlines():
        piece, rank = line.split()
        ranks[base64.b64decode(piece)] = int(rank)
    encoding = tiktoken.Encoding("bench", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    return lambda lines: [encoding.encode_ordinary(line) for line in lines]


def with_tokenizers(path: Path) -> Encode:
    from tokenizers import Tokenizer

    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as handle:
        handle.write(read(path))
        handle.flush()
        tokenizer = Tokenizer.from_file(handle.name)
    return lambda lines: [
        encoding.ids for encoding in tokenizer.encode_batch_fast(lines, add_special_tokens=False)
    ]


def with_sentencepiece(path: Path) -> Encode:
    import sentencepiece

    model = sentencepiece.SentencePieceProcessor(model_file=str(path))
    return lambda lines: [model.encode(line) for line in lines]


def contestants(shared: Path) -> Iterator[tuple[str, str, Encode, Encode]]:
    """Yield vocabulary, reference library, pytok's encoder, the reference's."""
    vocab = shared / "data" / "vocab"
    qwen = (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    )
    path = vocab / "qwen.tiktoken.xz"
    yield (
        "qwen",
        "tiktoken",
        pytok_encoder(pytok.Tokenizer.from_file(path, encoding="qwen")),
        with_tiktoken(path, qwen),
    )
    path = vocab / "deepseek-tokenizer.json.xz"
    yield (
        "deepseek",
        "tokenizers",
        pytok_encoder(pytok.Tokenizer.from_file(path)),
        with_tokenizers(path),
    )
    for name in ("mistral01.model", "chinese-llama-alpaca-chinese_sp.model"):
        path = vocab / name
        yield (
            path.stem,
            "sentencepiece",
            pytok_encoder(pytok.Tokenizer.from_file(path)),
            with_sentencepiece(path),
        )


def race(rounds: int, size: int, shared: Path) -> Iterator[dict[str, object]]:
    for vocabulary, rival, ours, theirs in contestants(shared):
        for kind in KINDS:
            seconds: dict[str, list[float]] = {"pytok": [], rival: []}
            sizes = []
            # Each library warms up on a slice that is not timed.
            supply = slices(shared, kind, size)
            warm = next(supply, None)
            if warm is not None and not np.array_equal(flat(ours(warm)), flat(theirs(warm))):
                sys.exit(f"error: {vocabulary}, {kind}: ids differ; nothing was timed")
            for number, lines in zip(range(rounds), supply, strict=False):
                entrants = [("pytok", ours), (rival, theirs)]
                results = []
                for name, encode in entrants if number % 2 else reversed(entrants):
                    start = time.perf_counter()
                    results.append(encode(lines))
                    seconds[name].append(time.perf_counter() - start)
                if not np.array_equal(*map(flat, results)):
                    sys.exit(f"error: {vocabulary}, {kind}: ids differ")
                sizes.append(sum(len(line.encode("utf-8")) for line in lines))
            if not sizes:
                continue
            speed = {
                name: statistics.median(b / s / 1e6 for b, s in zip(sizes, times, strict=True))
                for name, times in seconds.items()
            }
            yield {
                "vocabulary": vocabulary,
                "kind": kind,
                "rival": rival,
                "rounds": len(sizes),
                "bytes_per_round": round(statistics.median(sizes)),
                "pytok_mb_per_s": round(speed["pytok"], 2),
                "rival_mb_per_s": round(speed[rival], 2),
                "ratio": round(speed["pytok"] / speed[rival], 2),
            }


def machine() -> dict[str, object]:
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    packages = ("pytok-tokenizers", "tokenizers", "tiktoken", "sentencepiece", "numpy")
    return {
        "date": time.strftime("%Y-%m-%d"),
        "cpu": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in packages},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--megabytes", type=float, default=0.25, help="text per round")
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    default = Path(__file__).resolve().parents[2].parent / "shared"
    shared = Path(os.environ.get("PYTOK_SHARED", default))
    if not shared.is_dir():
        sys.exit(f"error: {shared}: no such folder; set PYTOK_SHARED")
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    print(f"{'vocabulary':40} {'text':10} {'pytok':>8} {'rival':>8} {'ratio':>6}  (MB/s, median)")
    rows = []
    for row in race(arguments.rounds, int(arguments.megabytes * 1e6), shared):
        rows.append(row)
        print(
            f"{row['vocabulary']:40} {row['kind']:10} {row['pytok_mb_per_s']:8.2f} "
            f"{row['rival_mb_per_s']:8.2f} {row['ratio']:6.2f}  {row['rival']}"
        )
    if arguments.output:
        record = {"machine": machine(), "threads": 1, "rows": rows}
        arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
