"""Where the time goes: normalising, splitting, the model, and the way to Python.

The first three and all of it in Rust are timed by the example `stages` of pytok-core;
what the same text costs more from Python is the boundary. Cycles are counted by `perf`
where the machine has the counter.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

from . import supply, timing, vocabularies
from .libraries import BUILDERS
from .rows import Row, Settings

NAMES = ("normalise", "pre-tokenise", "model", "all")


def binary() -> Path:
    """The example: PYTOK_STAGES, or built here."""
    given = os.environ.get("PYTOK_STAGES")
    if given:
        return Path(given)
    import instructions

    return instructions.build()


def rows(settings: Settings) -> Iterator[Row]:
    """MB/s of each stage alone; a row a vocabulary and kind."""
    program = binary()
    for name in settings.choose(("qwen", "deepseek", "zh-32k"), ["qwen"]):
        own = vocabularies.of_name(settings, name).own
        for kind in ("modern", "classical", "code", "english"):
            slices = list(supply.slices(settings, kind))[: settings.rounds]
            # A blank line ends a document of the example.
            documents = [
                re.sub(rb"\n{2,}", b"\n", document) for part in slices for document in part
            ]
            text = settings.cache / f"stages-{kind}.txt"
            text.write_bytes(b"\n\n".join(documents))
            command = [str(program), "time", str(own), str(text), str(settings.rounds)]
            ran = subprocess.run(command, capture_output=True, text=True, check=True)
            yield of_times(settings, name, kind, json.loads(ran.stdout), cycles(command))


def of_times(
    settings: Settings, name: str, kind: str, times: dict[str, list[float]], cycled: str
) -> Row:
    samples = {
        stage: [b / s / 1e6 for b, s in zip(times["bytes"], times[stage], strict=True)]
        for stage in NAMES
    }
    entrant = BUILDERS["pytok"](vocabularies.of_name(settings, name), 1)
    texts = supply.slices(settings, kind)
    from_python = timing.race([entrant], "flat", texts, settings.rounds, where=name)
    samples["from Python"] = from_python.speeds["pytok"]
    measured = {stage: statistics.median(speeds) for stage, speeds in samples.items()}
    boundary = 1 / measured["from Python"] - 1 / measured["all"]
    note = f"the way to Python {1e3 * boundary:.2f} ms a MB; {cycled}"
    return Row("stages", "stages alone", name, kind, "MB/s", measured, samples, note=note)


def cycles(command: list[str]) -> str:
    """Say how many cycles the whole run took, or that they cannot be counted."""
    try:
        counted = subprocess.run(
            ["perf", "stat", "-x", ",", "-e", "cycles:u", *command],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return "no perf here: no bytes per cycle"
    found = re.search(r"^(\d+),[^,]*,cycles", counted.stderr, re.MULTILINE)
    if found is None:
        return "no counter of cycles here: no bytes per cycle"
    return f"{int(found[1]):,} cycles with loading and all stages"
