"""A dynamic vocabulary on a stream of domains: size, inflation, adaptation, cost.

    python bench/python/prune_dynamic.py SHARED -o bench/results/prune-dynamic-DATE

The stream is news -> code -> classical -> news, in blocks of lines that are not
seen twice. For each vocabulary and cap, after each block: pieces in use, and the
inflation of the block against the whole vocabulary, measured on the ids that the
block was really given (before it was learnt from). A domain has been adapted to
when the inflation of a block is at most a tenth above the mean of the last
quarter of its blocks; the tokens until then are the time to adapt.

Cost, CPU seconds of one thread, the least of all rounds for each block, which is
what a busy machine distorts least. Over the blocks of news: a dynamic vocabulary idle
(learning off) and one learning without decisions, beside the tokenizer that
is behind it, in an order by chance. *With decisions*: the whole stream, again and again
for two epochs of the default options; a tokenizer with the same pieces, made anew
after each decision, encodes each block too. What a block took longer when a decision
was made in it is the decision's; *a decision* is the mean of them.
*Batch*: `encode_batch_ids` of a block; *one by one*: `encode_ids` of each text.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import platform
import random
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

import pytok
from pytok import _pytok
from pytok.pruning.dynamic.options import DynamicOptions

DOMAINS = ("news", "code", "classical", "news")
FILES = {
    "news": ("news/icorpus-tw-news.txt", "news/gov-reports.txt.xz"),
    "code": ("code/python.txt.xz", "code/go.txt.xz"),
    "classical": ("classical/zuozhuan-punctuated.txt.xz", "classical/kanripo-zibu-misc.txt.xz"),
}
VOCABULARIES: dict[str, dict[str, str]] = {
    "qwen": {"file": "qwen.tiktoken.xz", "encoding": "qwen"},
    "deepseek": {"file": "deepseek-tokenizer.json.xz"},
}
CAPS = (50_000, 15_000)
BLOCK_BYTES = 40_000
# A short stream needs quick decisions; the costs are measured with the defaults.
STREAM: dict[str, Any] = {"epoch": 100_000, "half_life": 400_000, "probe": 1 / 8}
OPTIONS: dict[str, Any] = {"special": "text", "add_special_tokens": False}
ENCODE: dict[str, Any] = OPTIONS | {"threads": 1}


def text_of(path: Path) -> str:
    opener: Any = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return str(file.read())


def blocks_of(root: Path, kind: str) -> list[list[str]]:
    """Lines of the files of a kind, file after file, in blocks of about `BLOCK_BYTES`."""
    blocks: list[list[str]] = []
    for name in FILES[kind]:
        block: list[str] = []
        size = 0
        for line in text_of(root / "data" / name).split("\n"):
            if not line.strip():
                continue
            block.append(line)
            size += len(line.encode())
            if size >= BLOCK_BYTES:
                blocks.append(block)
                block, size = [], 0
    return blocks


def domains_of(root: Path, megabytes: float) -> list[tuple[str, list[list[str]]]]:
    """The stream: for each domain, blocks that no earlier one had."""
    wanted = round(megabytes * 1e6 / BLOCK_BYTES)
    unread = {kind: iter(blocks_of(root, kind)) for kind in FILES}
    return [
        (kind, [block for block, _ in zip(unread[kind], range(wanted), strict=False)])
        for kind in DOMAINS
    ]


def load(root: Path, name: str) -> pytok.Tokenizer:
    entry = VOCABULARIES[name]
    path = root / "data" / "vocab" / entry["file"]
    return pytok.Tokenizer.from_file(path, encoding=entry.get("encoding"))


def adaptation(points: list[dict[str, Any]]) -> dict[str, Any]:
    """Tokens until a domain is adapted to, and how it begins and ends."""
    inflations = [point["inflation"] for point in points]
    settled = statistics.fmean(inflations[-max(1, len(inflations) // 4) :])
    tokens = 0
    for point in points:
        if point["inflation"] <= 1.1 * settled:
            break
        tokens += point["tokens"]
    return {
        "first": inflations[0],
        "highest": max(inflations),
        "settled": settled,
        "tokens_to_adapt": tokens,
    }


def demonstrate(
    whole: pytok.Tokenizer, domains: list[tuple[str, list[list[str]]]], cap: int
) -> dict[str, Any]:
    start = time.perf_counter()
    vocab = pytok.DynamicVocab(whole, cap=cap, floor=cap, **STREAM)
    made = time.perf_counter() - start
    parts = []
    for kind, blocks in domains:
        points = []
        for block in blocks:
            full, _ = whole.encode_batch_ids(block, **ENCODE)
            before = vocab.version
            ids, _ = vocab.encode_batch_ids(block, **ENCODE)
            assert vocab.decode_bytes(ids) == "".join(block).encode(), "not the same text"
            points.append(
                {
                    "tokens": len(full),
                    "inflation": len(ids) / len(full) - 1,
                    "active": vocab.statistics().active,
                    "version": before,
                }
            )
        parts.append({"domain": kind, "points": points, **adaptation(points)})
    events = list(vocab.events(since=0))
    return {
        "cap": cap,
        "seconds_to_make": made,
        "snapshots": vocab.version + 1,
        "switched_on": sum(event.active for event in events),
        "switched_off": sum(not event.active for event in events),
        "domains": parts,
    }


def documents(blocks: list[list[str]]) -> list[list[str]]:
    """The lines of each block put together to texts of 2 kB."""
    whole = []
    for block in blocks:
        texts = [""]
        for line in block:
            if len(texts[-1].encode()) >= 2_000:
                texts.append("")
            texts[-1] += line + "\n"
        whole.append(texts)
    return whole


def cost(
    whole: pytok.Tokenizer, blocks: list[list[str]], rounds: int, is_batch: bool
) -> dict[str, Any]:
    """CPU seconds of the blocks, of each the least of all rounds."""
    epoch = 10**9
    idle, learning = (
        pytok.DynamicVocab(whole, cap=CAPS[0], floor=CAPS[0], epoch=epoch) for _ in range(2)
    )
    idle.learning = False
    # Each beside the very tokenizer that is behind it: where in memory the tables of
    # another lie can make more of a difference than all that is measured here.
    plain = idle.snapshot().encoder
    runs: dict[str, Any] = {
        "tokenizer": plain,
        "idle": idle,
        "learning": learning,
        "tokenizer behind it": learning.snapshot().encoder,
    }

    def encode(one: Any, block: list[str]) -> list[int]:
        if is_batch:
            return one.encode_batch_ids(block, **ENCODE)[0].tolist()
        return [number for text in block for number in one.encode_ids(text, **OPTIONS)]

    for block in blocks:
        assert encode(plain, block) == encode(idle, block) == encode(learning, block)
    tokens = sum(len(plain.encode_batch_ids(block, **ENCODE)[0]) for block in blocks)
    least = {name: [float("inf")] * len(blocks) for name in runs}
    rng = random.Random(0)
    for _ in range(rounds):
        for number, block in enumerate(blocks):
            # Whoever comes after its twin finds the tables in the caches: by chance.
            for name in rng.sample(list(runs), len(runs)):
                spent = timed(runs[name], block, is_batch)
                least[name][number] = min(least[name][number], spent)
    seconds = {name: sum(values) for name, values in least.items()}
    return {
        "cpu_seconds": seconds,
        "tokens": tokens,
        "idle_over_tokenizer": seconds["idle"] / seconds["tokenizer"],
        "learning_over_tokenizer": seconds["learning"] / seconds["tokenizer behind it"],
        "rounds": rounds,
    }


def timed(one: Any, block: list[str], is_batch: bool) -> float:
    # The interpreter remembers one class for each place where a method is looked up.
    encode = one.encode_batch_ids if is_batch else one.encode_ids
    start = time.thread_time()
    if is_batch:
        encode(block, **ENCODE)
    else:
        for text in block:
            encode(text, **OPTIONS)
    return time.thread_time() - start


def with_decisions(
    whole: pytok.Tokenizer, blocks: list[list[str]], is_batch: bool
) -> dict[str, Any]:
    """CPU seconds of the default options, and of a tokenizer with the same pieces."""
    vocab = pytok.DynamicVocab(whole, cap=CAPS[0], floor=CAPS[0])
    pruner = _pytok.Pruner(whole._core, [], "stable")
    ids = pruner.ids().astype(np.int64)
    tokenizer, made = whole, -1
    least = {name: [float("inf")] * len(blocks) for name in ("tokenizer", "learning")}
    decided: list[tuple[int, float]] = []
    passes = 0
    while vocab.statistics().tokens < 2 * DynamicOptions().epoch:
        for number, block in enumerate(blocks):
            if made != vocab.version:
                made = vocab.version
                core = pruner.encoder(np.setdiff1d(ids, vocab.active_ids()))
                assert core is not None
                tokenizer = pytok.Tokenizer._of(core, "the same pieces")
            pair: list[tuple[str, Any]] = [("tokenizer", tokenizer), ("learning", vocab)]
            for name, one in pair if (number + passes) % 2 else pair[::-1]:
                spent = timed(one, block, is_batch)
                if name == "learning" and vocab.version != made:
                    decided.append((number, spent))
                else:
                    least[name][number] = min(least[name][number], spent)
        passes += 1
    decisions = [spent - least["learning"][number] for number, spent in decided]
    encoding = {name: passes * sum(values) for name, values in least.items()}
    return {
        "decisions": decisions,
        "decisions_tokens": vocab.statistics().tokens,
        "passes": passes,
        "with_decisions_over_tokenizer": (encoding["learning"] + sum(decisions))
        / encoding["tokenizer"],
    }


def plot(results: dict[str, Any], path: Path) -> None:
    from matplotlib.figure import Figure

    runs = [(name, run) for name, found in results.items() for run in found["runs"]]
    figure = Figure(figsize=(11, 3.2 * len(runs)), layout="constrained")
    for row, (name, run) in enumerate(runs):
        axes = figure.add_subplot(len(runs), 1, row + 1)
        at = 0.0
        for part in run["domains"]:
            tokens = np.cumsum([point["tokens"] for point in part["points"]]) / 1e6 + at
            axes.plot(tokens, [100 * point["inflation"] for point in part["points"]], label=None)
            axes.axvline(at, color="0.7", linewidth=0.8)
            axes.text(at, 1.01, f" {part['domain']}", transform=axes.get_xaxis_transform())
            at = float(tokens[-1])
        axes.set_title(f"{name}, cap {run['cap']:,}", loc="right")
        axes.set_ylabel("inflation, %")
        axes.set_ylim(bottom=0)
    axes.set_xlabel("million tokens of the whole vocabulary")
    figure.savefig(path)


def table(results: dict[str, Any]) -> str:
    lines = [
        "| vocabulary | cap | domain | first block | settled | tokens to adapt |",
        "|---|--:|---|--:|--:|--:|",
    ]
    for name, found in results.items():
        for run in found["runs"]:
            lines += [
                f"| {name} | {run['cap']:,} | {part['domain']} | {part['first']:.1%} "
                f"| {part['settled']:.1%} | {part['tokens_to_adapt']:,} |"
                for part in run["domains"]
            ]
    lines += [
        "",
        "| vocabulary | texts | tokenizer, ns a token | idle | learning "
        "| with decisions | a decision, CPU ms |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    for name, found in results.items():
        lines += [
            f"| {name} | {texts} | {1e9 * spent['cpu_seconds']['tokenizer'] / spent['tokens']:.0f} "
            f"| {spent['idle_over_tokenizer'] - 1:+.1%} "
            f"| {spent['learning_over_tokenizer'] - 1:+.1%} "
            f"| {spent['with_decisions_over_tokenizer'] - 1:+.1%} "
            f"| {1000 * statistics.fmean(spent['decisions']):.0f} |"
            for texts, spent in found["cost"].items()
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("--megabytes", type=float, default=1.6, help="of each domain")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("-o", "--output", type=Path, required=True, help="without a suffix")
    arguments = parser.parse_args()
    domains = domains_of(arguments.shared, arguments.megabytes)
    lines = [block for _, blocks in domains for block in blocks]
    results: dict[str, Any] = {}
    for name in VOCABULARIES:
        whole = load(arguments.shared, name)
        results[name] = {
            "vocab_size": len(whole),
            "runs": [demonstrate(whole, domains, cap) for cap in CAPS],
            "cost": {
                f"{texts}, {way}": cost(whole, news, arguments.rounds, way == "batch")
                | with_decisions(whole, stream, way == "batch")
                for texts, news, stream in (
                    ("lines", domains[0][1], lines),
                    ("texts of 2 kB", documents(domains[0][1]), documents(lines)),
                )
                for way in ("batch", "one by one")
            },
        }
    about = {
        "megabytes_of_each_domain": arguments.megabytes,
        "blocks": [len(blocks) for _, blocks in domains],
        "files": FILES,
        "options_of_the_stream": STREAM,
        "pytok": pytok.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
    }
    output = arguments.output
    output.with_suffix(".json").write_text(
        json.dumps({"about": about, "results": results}, indent=1) + "\n", "utf-8"
    )
    text = (
        f"{__doc__}\n{arguments.megabytes} MB of each domain; Python {about['python']}, "
        f"{about['cores']} cores, load {about['load']:.1f}.\n\n{table(results)}"
    )
    output.with_suffix(".md").write_text(text, "utf-8")
    plot(results, output.with_suffix(".svg"))
    print(table(results))


if __name__ == "__main__":
    main()
