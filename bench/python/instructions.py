"""Instructions of each stage, counted under callgrind: stable enough to compare commits.

    python bench/python/instructions.py [--baseline FILE] [--write] [--binary FILE]

Builds the example `stages` of pytok-core and runs each of its stages once, on
generated text, in valgrind, which counts what the processor would execute. No
timing, so a busy machine counts the same; another compiler, CPU feature or
allocator does not. Prints each count beside the baseline and always exits with 0 when
it could count; without valgrind it says so and exits with 0 too. `--write` makes what
was counted the new baseline.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BASELINE = REPOSITORY / "bench" / "results" / "instructions.json"
CHANGED = 0.01


def build() -> Path:
    """Build the example and give its path, from cargo's own messages."""
    command = ["cargo", "build", "--release", "--locked", "-p", "pytok-core"]
    command += ["--example", "stages", "--message-format", "json-render-diagnostics"]
    ran = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True)
    messages = [json.loads(line) for line in ran.stdout.splitlines()]
    return next(Path(m["executable"]) for m in messages if m.get("executable"))


def count(binary: Path, stage: str) -> int:
    """Count the instructions of a stage, without those of its preparation."""
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=*measured*"]
    command += ["--callgrind-out-file=/dev/null", str(binary), "run", stage]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return collected(ran.stderr)


def collected(messages: str) -> int:
    """Read the count in what callgrind says at the end."""
    found = re.search(r"Collected : (\d+)", messages)
    if found is None or int(found[1]) == 0:
        raise RuntimeError(f"callgrind counted nothing: {messages.strip()[-300:]}")
    return int(found[1])


def difference(new: int, old: int | None) -> str:
    """Say what changed; less than one percent is nothing to look at."""
    if old is None:
        return "new"
    change = new / old - 1
    return "" if abs(change) < CHANGED else f"{change:+.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--baseline", type=Path, default=BASELINE)
    parser.add_argument("--write", action="store_true", help="make this the baseline")
    parser.add_argument("--binary", type=Path, help="the example, already built")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("valgrind is not installed: no instructions were counted")
        return
    binary = arguments.binary or build()
    listed = subprocess.run([binary, "list"], capture_output=True, text=True, check=True)
    baseline = {}
    if arguments.baseline.exists():
        baseline = json.loads(arguments.baseline.read_text(encoding="utf-8"))["instructions"]
    counts: dict[str, int] = {}
    print(f"{'stage':26} {'instructions':>14} {'baseline':>14}")
    for stage in listed.stdout.split():
        try:
            counts[stage] = count(binary, stage)
        except RuntimeError as error:
            print(f"{stage:26} {error}")
            continue
        old = baseline.get(stage)
        beside = "" if old is None else f"{old:,}"
        print(f"{stage:26} {counts[stage]:14,} {beside:>14} {difference(counts[stage], old)}")
        sys.stdout.flush()
    if arguments.write:
        compiler = subprocess.run(
            ["rustc", "--version"], capture_output=True, text=True, check=True
        )
        record = {"compiler": compiler.stdout.strip(), "instructions": counts}
        text = json.dumps(record, indent=1)
        arguments.baseline.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
