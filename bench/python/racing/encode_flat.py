"""Ids of a batch as flat arrays, one thread: BPE, our own models, foreign Unigram models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from . import corpus, supply, timing, vocabularies
from .libraries import BUILDERS, Entrant, entrants, ids_of
from .rows import Row, Settings, Target, against_rival, medians

BPE = ("qwen", "deepseek", "kimi-k2", "cl100k", "gpt2", "mistral")
# GPT-2 and Mistral are beside: the promise names the other four.
NAMED = {"modern": Target(2, 3.5), "classical": Target(3, 5)}
FOR_LATIN = Target(1, 1.3)
AGAINST_TOKENIZERS = Target(20, 50)
OWN = ("zh-32k", "zh-32k-words", "zh-32k-wide", "zh-64k")
FOREIGN = ("chinese-llama", "cpm1", "xlnet")
T5_LIKE = ("xlnet-json", "cpm1-json")


def bpe(settings: Settings) -> Iterator[Row]:
    """BPE against the fastest exact rival, and against `tokenizers`."""
    order = ("pytok", "fastokens", "gigatoken", "tokenizers", "sentencepiece", "tiktoken")
    for name in settings.choose(BPE, ["qwen"]):
        vocabulary = vocabularies.of_name(settings, name)
        runners, failed = entrants(vocabulary, order)
        for kind in corpus.KINDS:
            where = f"bpe, {name}, {kind}"
            texts = supply.slices(settings, kind)
            times = timing.race(runners, "flat", texts, settings.rounds, where=where)
            fields = {
                "vocabulary": name,
                "text": kind,
                "unit": "MB/s",
                "measured": medians(times.speeds),
                "samples": times.speeds,
                "note": "; ".join(failed),
            }
            target = NAMED.get(kind, FOR_LATIN) if name in BPE[:4] else Target()
            row = Row("bpe", "ids, flat, one thread", **fields)
            yield against_rival(row, target if kind != "mixed" else Target(), inexact=times.inexact)
            if "tokenizers" in times.speeds and "tokenizers" not in times.inexact:
                row = Row("bpe", "ids, flat, one thread, against tokenizers", **fields)
                yield against_rival(row, AGAINST_TOKENIZERS, rival="tokenizers")


def unigram(settings: Settings) -> Iterator[Row]:
    """Our own models against SentencePiece with a model of its own of the same size."""
    trained = vocabularies.trained(settings)
    theirs = vocabularies.Vocabulary(vocabularies.TRAINED, trained, model=trained)
    for name in settings.choose(OWN, OWN[:1]):
        vocabulary = vocabularies.of_name(settings, name)
        ours = BUILDERS["pytok"](vocabulary, 1)
        checked = BUILDERS["tokenizers"](vocabulary, 1)
        rival = BUILDERS["sentencepiece"](theirs, 1)
        for kind in corpus.KINDS:
            texts = supply.slices(settings, kind)
            check_own([ours, checked], supply.slices(settings, kind), f"unigram, {name}, {kind}")
            runners = [ours, rival]
            times = timing.race(runners, "flat", texts, settings.rounds, where=name, same_ids=False)
            row = Row(
                "unigram",
                "ids, flat, one thread",
                name,
                kind,
                "MB/s",
                medians(times.speeds),
                times.speeds,
                note=f"sentencepiece with {vocabularies.TRAINED}; ids checked with tokenizers",
            )
            yield against_rival(row, Target(3.5 if kind in ("modern", "mixed") else 4.5, 7))


def check_own(pair: Sequence[Entrant], texts: Iterator[list[bytes]], where: str) -> None:
    """Compare on the first slice of the warm-up, the only one that both may see."""
    documents = corpus.fresh(next(texts))
    one, other = (ids_of(entrant.forms["flat"](documents)) for entrant in pair)
    if not np.array_equal(one, other):
        raise timing.DifferentIdsError(f"{where}: pytok and tokenizers differ")


def foreign(settings: Settings) -> Iterator[Row]:
    """Foreign float Unigram models against their own library, equal ids."""
    models = [(name, "sentencepiece") for name in settings.choose(FOREIGN, FOREIGN[:1])]
    files = [(name, "tokenizers") for name in settings.choose(T5_LIKE, ())]
    for name, library in [*models, *files]:
        vocabulary = vocabularies.of_name(settings, name)
        runners, failed = entrants(vocabulary, ("pytok", library))
        for kind in corpus.KINDS:
            where = f"foreign, {name}, {kind}"
            texts = supply.slices(settings, kind)
            times = timing.race(runners, "flat", texts, settings.rounds, where=where)
            row = Row(
                "foreign",
                "ids, flat, one thread, foreign Unigram",
                name,
                kind,
                "MB/s",
                medians(times.speeds),
                times.speeds,
                note="; ".join(failed),
            )
            yield against_rival(row, Target(1.5, 3), inexact=times.inexact)
