"""How long all metrics take: 10 MB of text, five tokenizers and the baseline.

    python bench/python/eval_speed.py [--shared FOLDER] [--megabytes 10] [--rounds 3] [-o FILE]

News, code and classical text, a third each, and gold words in two further kinds, are put
into a temporary folder; every round is `pytok eval FOLDER --json` in a process of its own,
so that reading, jieba's dictionary and the bootstrap count. Peak memory is that of the
process. The limits are two minutes and 1 GB; `within` says of wall time, CPU time and
memory apart whether every round kept them. On a busy machine (`load_before`) the wall
time measures the others too, and has to be measured again on an idle one.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIMITS = {"seconds": 120, "cpu_seconds": 120, "peak_megabytes": 1000}
TEXTS = {
    "news": ["ntrex-zho-CN.txt", "ntrex-zho-TW.txt", "gov-reports.txt.xz", "icorpus-tw-news.txt"],
    "code": ["python.txt.xz", "go.txt.xz", "rust.txt.xz", "javascript-typescript.txt.xz"],
    "classical": [
        "shiji-punctuated.txt.xz",
        "zuozhuan-punctuated.txt.xz",
        "kanripo-shi-hanshu.txt.xz",
    ],
}
GOLD = ["ud-gsd-train-v1.seg.txt.xz", "ud-lzh-kyoto-train-part.seg.txt.xz"]
TOKENIZERS = ["zh-32k", "zh-64k", "zh-32k-words", "zh-32k-wide"]
FIFTH = "vocab/chinese-llama-alpaca-chinese_sp.model"


def read(path: Path) -> bytes:
    return lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()


def lay_out(shared: Path, folder: Path, size: int) -> dict[str, int]:
    """Write the texts; returns bytes by kind. Gold counts into the size."""
    sizes = {}
    (folder / "gold").mkdir()
    for name in GOLD:
        data = read(shared / "data" / "gold" / name)[: size // 20]
        data = data[: data.rfind(b"\n") + 1]
        (folder / "gold" / name.removesuffix(".xz")).write_bytes(data)
        sizes[f"gold/{name}"] = len(data)
    share = (size - sum(sizes.values())) // len(TEXTS)
    for kind, names in TEXTS.items():
        (folder / kind).mkdir()
        left = share
        for name in names:
            data = read(shared / "data" / kind / name)[:left]
            data = data.decode(errors="ignore").encode()
            (folder / kind / name.removesuffix(".xz")).write_bytes(data)
            left -= len(data)
        sizes[kind] = share - left
    return sizes


def one_round(folder: Path, tokenizers: list[str]) -> dict[str, float]:
    """Run the command once in a process of its own."""
    code = "import resource, sys; from pytok.cli import main\n"
    code += "try:\n    main()\nfinally:\n    "
    code += "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))"
    command = [sys.executable, "-P", "-c", code, "eval", str(folder), "--json"]
    command += [part for name in tokenizers for part in ("-t", name)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=True)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(done.stdout)
    assert all(len(kind["systems"]) == len(tokenizers) + 1 for kind in report["kinds"])
    assert not any(system["failure"] for kind in report["kinds"] for system in kind["systems"])
    return {
        "seconds": round(seconds, 2),
        "cpu_seconds": round(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2
        ),
        "peak_megabytes": round(int(done.stderr.split()[-1]) * 1024 / 1e6, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("PYTOK_SHARED", str(ROOT.parent / "shared"))
    parser.add_argument("--shared", type=Path, default=Path(default))
    parser.add_argument("--megabytes", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    load = os.getloadavg()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = lay_out(options.shared, folder, round(options.megabytes * 1e6))
        tokenizers = [*TOKENIZERS, str(options.shared / "data" / FIFTH)]
        rounds = []
        for _ in range(options.rounds):
            rounds.append(one_round(folder, tokenizers))
            print(rounds[-1], flush=True)
    result = {
        "command": "pytok eval FOLDER --json -t TOKENIZER (five, and jieba)",
        "tokenizers": [*TOKENIZERS, Path(FIFTH).name],
        "bytes": sizes,
        "total_bytes": sum(sizes.values()),
        "rounds": rounds,
        "within": {
            name: all(part[name] < limit for part in rounds) for name, limit in LIMITS.items()
        },
        "median_seconds": statistics.median(part["seconds"] for part in rounds),
        "peak_megabytes": max(part["peak_megabytes"] for part in rounds),
        "cores": os.cpu_count(),
        "load_before": load,
        "machine": platform.machine(),
        "python": platform.python_version(),
        "versions": {n: version(n) for n in ("pytok-tokenizers", "numpy", "jieba")},
    }
    text = json.dumps(result, ensure_ascii=False, indent=2) + "\n"
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
