"""Ids to text, one thread."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from . import corpus, supply, timing, vocabularies
from .libraries import entrants
from .rows import Row, Settings, Target, against_rival, medians

ORDER = ("pytok", "fastokens", "gigatoken", "tokenizers", "sentencepiece", "tiktoken")


def rows(settings: Settings) -> Iterator[Row]:
    """Decode the ids of documents, against the fastest rival whose text is the same."""
    for name in settings.choose(
        ("qwen", "deepseek", "cl100k", "zh-32k", "chinese-llama"), ["qwen"]
    ):
        runners, failed = entrants(vocabularies.of_name(settings, name), ORDER)
        encode = runners[0].forms["single"]
        for kind in corpus.KINDS:
            speeds: dict[str, list[float]] = {entrant.name: [] for entrant in runners}
            inexact: set[str] = set()
            texts = supply.slices(settings, kind)
            for number in range(-supply.WARM_UP, settings.rounds):
                documents = next(texts)
                ids = [np.array(one, dtype=np.uint32) for one in encode(corpus.fresh(documents))]
                decoded = {}
                for entrant in timing.turns(runners, number):
                    copies = [array.copy() for array in ids]
                    decode = entrant.forms["decode"]
                    decoded[entrant.name], seconds = timing.timed(decode, copies, time.process_time)
                    if number >= 0:
                        size = sum(map(len, documents))
                        speeds[entrant.name].append(size / seconds / 1e6)
                expected = decoded[runners[-1].name]
                inexact.update(name for name, found in decoded.items() if found != expected)
            if "pytok" in inexact:
                raise timing.DifferentIdsError(f"decode, {name}, {kind}: other text")
            row = Row(
                "decode",
                "ids to text, one thread",
                name,
                kind,
                "MB/s",
                medians(speeds),
                speeds,
                note="; ".join(failed),
            )
            yield against_rival(row, Target(1, 1.5), inexact=sorted(inexact))
