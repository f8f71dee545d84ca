"""Train the model of the step `segment`.

    python bench/python/zh_segment_train.py [--shared FOLDER] -o pytok/zh/data/breaks.bin

What it is trained on is said by `bench/definitions/zh-segment.toml`. The model is
logistic regression over hashed patterns of characters (AdaGrad; Duchi, Hazan and
Singer, 2011), with scores of clause lengths. With the definition as it
is it takes half a minute on one core; the same definition and texts give the same file.

Of text without punctuation the known breaks are the places of interlinear notes
and spaces. All other places are learned as none, with a small weight, which ranks
places rightly when notes stand at breaks without preference (Elkan and Noto, 2008).
Notes do prefer, so words that begin or end clauses have their say (RULES). Then the
places of highest score, `rate` of them, are taken as breaks and learned, `rounds`
times.
"""

from __future__ import annotations

import argparse
import os
import struct
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from opencc import OpenCC

sys.path.insert(0, str(Path(__file__).parent))
import zh_segment_text as texts

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
PATTERNS = [
    (-1,), (0,), (-2,), (1,), (-3,), (2,),
    (-2, -1), (-1, 0), (0, 1), (-3, -2), (1, 2), (-2, 0), (-1, 1),
    (-3, -2, -1), (-2, -1, 0), (-1, 0, 1), (0, 1, 2),
    (-4, -3, -2, -1), (-2, -1, 0, 1), (0, 1, 2, 3),
]  # fmt: skip
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
OUTSIDE = -9
LENGTHS = 32
RULES = {
    "none_behind": "之於于以其不所而與為無有可能欲未弗莫非將乃使令自從",
    "none_before": "者也矣之哉耳乎",
    "behind": "也矣哉曰",
}

Ints = NDArray[Any]
Floats = NDArray[np.float32]


class Folding:
    """One form for the variants of a character, as code points.

    Texts to be divided may be in either script, whatever those of training are in.
    """

    def __init__(self, characters: set[str], witnesses: str) -> None:
        simplify, traditional = OpenCC("t2s").convert, OpenCC("s2t").convert
        # Of a character that stands for several, every one is folded by its own form.
        basic = {chr(code) for code in range(0x4E00, 0xA000)}
        characters = {c for c in basic if simplify(c) in characters} | characters
        characters |= {traditional(c) for c in characters if len(traditional(c)) == 1}
        self.of = {c: simplify(c) if len(simplify(c)) == 1 else c for c in sorted(characters)}
        # Differences of editions that are frequent are ways to write a character.
        for line in witnesses.splitlines()[1:]:
            first, second, count, *_ = line.split("\t")
            if int(count) >= 15 and first in self.of and second in self.of:
                self.of[first] = self.of[second]

    def codes(self, text: str | list[str]) -> Ints:
        return np.array([ord(self.of.get(c, c)) for c in text], np.uint32)

    def pairs(self) -> list[tuple[int, int]]:
        return [(ord(c), ord(form)) for c, form in sorted(self.of.items()) if c != form]


def packed(runs: list[texts.Run], folding: Folding) -> tuple[Ints, Ints]:
    """Return characters, runs apart, and what is known of the place before each."""
    characters: list[str] = []
    places: list[int] = []
    for run in runs:
        characters += ["\0"] * 4 + run.characters
        places += [OUTSIDE] * 5 + run.places[:-1]
    return folding.codes(characters), np.array(places, np.int8)


def hashes(codes: Ints, number: int) -> Ints:
    """Return the hash of one pattern for the place before each character."""
    count = len(codes)
    padded = np.concatenate(
        [np.zeros(4, np.uint64), codes.astype(np.uint64), np.zeros(4, np.uint64)]
    )
    hashed = np.full(count, np.uint64(number + 1))
    for place in PATTERNS[number]:
        hashed = (hashed ^ padded[4 + place : 4 + place + count]) * MULTIPLIER
        hashed ^= hashed >> np.uint64(29)
    return hashed * MULTIPLIER


def frequent(sources: list[Ints], least: int) -> Ints:
    """Return the hashes of the patterns that are frequent enough, sorted."""
    kept = []
    for number in range(len(PATTERNS)):
        found, counts = np.unique(
            np.concatenate([hashes(codes, number) for codes in sources]), return_counts=True
        )
        kept.append(found[counts >= least])
    return np.unique(np.concatenate(kept))


def patterns(codes: Ints, known: Ints) -> Ints:
    """Return the number of each pattern before each character; the last one is no pattern."""
    rows = np.empty((len(codes), len(PATTERNS)), np.int32)
    for number in range(len(PATTERNS)):
        hashed = hashes(codes, number)
        place = np.minimum(np.searchsorted(known, hashed), len(known) - 1)
        rows[:, number] = np.where(known[place] == hashed, place, len(known))
    return rows


class Model:
    """Weights in nats, trained place by place."""

    def __init__(self, known: Ints) -> None:
        self.known = known
        self.weights = np.zeros(len(known) + 1, np.float32)
        self.bias = -1.5

    def learn(self, rows: Ints, is_break: Floats, weight: Floats, epochs: int, seed: int) -> None:
        generator = np.random.default_rng(seed)
        squares = np.full(len(self.weights), 0.05, np.float32)
        bias_square = 0.01
        for _ in range(epochs):
            order = generator.permutation(len(rows))
            for start in range(0, len(order), 16384):
                chosen = order[start : start + 16384]
                part = rows[chosen]
                likely = 1 / (1 + np.exp(-(self.weights[part].sum(1) + self.bias)))
                slope = ((likely - is_break[chosen]) * weight[chosen]).astype(np.float32)
                total = np.bincount(
                    part.ravel(), np.repeat(slope, part.shape[1]), len(self.weights)
                ).astype(np.float32)
                total[-1] = 0
                squares += total * total
                self.weights -= 0.15 * total / np.sqrt(squares)
                bias_square += float(slope.sum()) ** 2
                self.bias -= 0.15 * float(slope.sum()) / bias_square**0.5

    def scores(self, rows: Ints) -> Floats:
        parts = [self.weights[rows[i : i + 100_000]].sum(1) for i in range(0, len(rows), 100_000)]
        return np.concatenate(parts) + np.float32(self.bias)


def ruled(codes: Ints, places: Ints, folding: Folding) -> tuple[Floats, Floats, Ints, Ints]:
    """Return what to learn first of unpunctuated text: breaks, weights, rules for and against."""
    before = np.concatenate([[0], codes[:-1]])
    against = np.isin(before, folding.codes(RULES["none_behind"]))
    none_before = np.isin(codes, folding.codes(RULES["none_before"]))
    against |= none_before
    favour = np.isin(before, folding.codes(RULES["behind"])) & ~none_before
    known = places == texts.CLAUSE
    weight = np.where(places == OUTSIDE, 0, 0.3)
    weight[(favour | against) & (places != OUTSIDE)] = 1
    weight[known] = 3
    weight[known & against] = 0
    return (known | favour).astype(np.float32), weight.astype(np.float32), favour, against


def taken(scores: Floats, places: Ints, favour: Ints, against: Ints, rate: float) -> Ints:
    """Return the places that are taken as breaks: the best ones, no two side by side."""
    scores = scores + favour - 2 * against
    scores[places == texts.CLAUSE] = 9
    scores[places == OUTSIDE] = -99
    is_best = (scores >= np.roll(scores, 1)) & (scores > np.roll(scores, -1))
    inside = places != OUTSIDE
    bar = np.quantile(np.where(is_best, scores, -99)[inside], 1 - rate)
    return (scores > bar) & is_best


def length_scores(runs: list[texts.Run]) -> Floats:
    """Return nats for clauses of each length, beside what breaks alone make likely."""
    counts = np.ones(LENGTHS)
    for run in runs:
        length = 0
        for place in run.places:
            length += 1
            if place > 0:
                counts[min(length, LENGTHS) - 1] += 1
                length = 0
    share = counts / counts.sum()
    rate = 1 / (share * np.arange(1, LENGTHS + 1)).sum()
    alone = rate * (1 - rate) ** np.arange(LENGTHS)
    alone[-1] = 1 - alone[:-1].sum()
    return np.log(share / alone).astype(np.float32)


def table(model: Model, unit: float, slots: int) -> bytes:
    """Return the slots: of patterns with the same slot, the one of the greatest weight."""
    whole = np.clip(np.rint(model.weights[:-1] / unit), -127, 127).astype(np.int8)
    order = np.argsort(np.abs(whole), kind="stable")
    place = (((model.known >> np.uint64(32)) * np.uint64(slots)) >> np.uint64(32)).astype(np.int64)
    content = np.zeros((slots, 2), np.uint8)
    content[place[order], 0] = (model.known & np.uint64(0xFF)).astype(np.uint8)[order]
    content[place[order], 1] = whole.view(np.uint8)[order]
    return content.tobytes()


def write(path: Path, model: Model, lengths: Floats, folding: Folding, slots: int) -> None:
    unit = float(np.quantile(np.abs(model.weights), 0.9999)) / 127
    pairs = folding.pairs()
    content = b"pytokbrk" + struct.pack("<IIfi", 1, slots, unit, round(model.bias / unit))
    content += struct.pack(f"<I{LENGTHS}i", LENGTHS, *(round(float(x) / unit) for x in lengths))
    content += struct.pack("<I", len(pairs)) + b"".join(struct.pack("<II", *pair) for pair in pairs)
    beside = path.with_suffix(".part")
    beside.write_bytes(content + table(model, unit, slots))
    beside.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(os.environ.get("PYTOK_SHARED", ROOT.parent / "shared"))
    parser.add_argument("--shared", type=Path, default=default)
    parser.add_argument(
        "--definition", type=Path, default=ROOT / "bench/definitions/zh-segment.toml"
    )
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    definition = tomllib.loads(options.definition.read_text(encoding="utf-8"))
    seed = definition["seed"]
    found = []
    for source in definition["train"]:
        text = texts.read(options.shared / "data" / source["path"])
        kept, _ = texts.divided(text, source, definition["held_out"], seed)
        found.append(
            (source, (texts.punctuated if source["kind"] == "punctuated" else texts.noted)(kept))
        )
    characters = {c for _, runs in found for run in runs for c in run.characters}
    witnesses = texts.read(options.shared / "data/variants/kanripo-witness-pairs.tsv")
    folding = Folding(characters, witnesses)
    model = trained([(s, *packed(r, folding)) for s, r in found], folding, definition)
    prose = [run for source, runs in found if source.get("lengths") for run in runs]
    lengths = length_scores(prose) if prose else np.zeros(LENGTHS, np.float32)
    if not prose:
        lengths[0] = -2  # where nothing is known, clauses of one character are rare
    write(options.output, model, lengths, folding, definition["slots"])


def trained(
    sources: list[tuple[dict[str, Any], Ints, Ints]], folding: Folding, definition: dict[str, Any]
) -> Model:
    """Return the model of these sources."""
    seed = definition["seed"]
    known = frequent([codes for _, codes, _ in sources], definition["least"])
    print(f"{len(known)} patterns", file=sys.stderr, flush=True)
    rows, breaks, weights, weak = [], [], [], []
    for source, codes, places in sources:
        inside = places != OUTSIDE
        rows.append(patterns(codes, known)[inside])
        if source["kind"] == "punctuated":
            breaks.append((places > 0)[inside].astype(np.float32))
            weights.append(np.full(inside.sum(), source["weight"], np.float32))
            weak.append(None)
        else:
            is_break, weight, favour, against = ruled(codes, places, folding)
            breaks.append(is_break[inside])
            weights.append(weight[inside] * source["weight"])
            weak.append((codes, places, favour, against, inside))
    everything = np.concatenate(rows)
    rounds = definition["rounds"] if any(part is not None for part in weak) else 0
    for number in range(rounds + 1):
        model = Model(known)
        epochs = definition["epochs"] if number == rounds else 1
        model.learn(
            everything, np.concatenate(breaks), np.concatenate(weights), epochs, seed + number
        )
        print(f"round {number}: bias {model.bias:.3f}", file=sys.stderr, flush=True)
        for place, part in enumerate(weak):
            if part is None or number == rounds:
                continue
            codes, places, favour, against, inside = part
            scores = np.full(len(codes), -99, np.float32)
            scores[inside] = model.scores(rows[place])
            chosen = taken(scores, places, favour, against, definition["rate"])
            breaks[place] = chosen[inside].astype(np.float32)
            weights[place] = np.full(inside.sum(), sources[place][0]["weight"], np.float32)
    return model


if __name__ == "__main__":
    main()
