"""How likely two Unigram models make their training text: pytok's and SentencePiece's.

    python bench/python/training_text.py TEXT --megabytes 16
    python bench/python/unigram_likelihood.py TEXT [--vocab-size 32000] [-o FILE]

Both train on the same words with the same counts, to the same size: pytok counts
the words of the lines, and SentencePiece gets them as a table of words and counts,
with all splitting of its own turned off, spaces allowed anywhere, and pieces of at
least the length of pytok's. Tabs become spaces, and lines with a mark that
SentencePiece reserves for itself are left out of both.

Each model's piece probabilities are scaled to sum to 1. Two figures, in nats per
character, closer to 0 is better: `all` takes the probability of a word as the sum
over all its segmentations, `best` as that of the best one. SentencePiece must make
every character a piece (coverage 1), because its byte pieces have no probability.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from systems import texts_of

import pytok
from pytok.errors import PytokError

# What SentencePiece writes for a space and a word boundary, and what would
# break a line of its table.
RESERVED = frozenset("\0\r\u2581\u2585")
LONGEST_PIECE = 48
SEGMENTATION_OFF = {
    "add_dummy_prefix": False,
    "remove_extra_whitespaces": False,
    "allow_whitespace_only_pieces": True,
    "split_by_whitespace": False,
    "split_by_unicode_script": False,
    "split_by_number": False,
    "split_digits": False,
}


@dataclass(frozen=True)
class Likelihood:
    """Nats per character, and what they were measured on.

    `mass` is the sum of the piece probabilities as the model has them, before
    they are scaled to 1; `unsegmented` counts words that no pieces make up.
    """

    all: float
    best: float
    characters: int
    unsegmented: int
    pieces: int
    mass: float


def lines_of(folder: Path) -> Iterator[str]:
    for text in texts_of(folder):
        for line in text.replace("\t", " ").split("\n"):
            if line.strip() and RESERVED.isdisjoint(line):
                yield line


def pytok_pieces(counts: pytok.WordCounts, vocab_size: int) -> dict[bytes, float]:
    """Train pytok's Unigram; gives the log probability of each piece."""
    config = pytok.TrainConfig.from_mapping({"algorithm": "unigram", "vocab_size": vocab_size})
    tokenizer = pytok.train(counts=counts, config=config).tokenizer
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save(folder)
        return pieces_in_json(Path(folder) / "tokenizer.json")


def pieces_in_json(path: Path) -> dict[bytes, float]:
    """Read the pieces of a Unigram tokenizer.json."""
    tokenizer = pytok.Tokenizer.from_file(path)
    vocab = json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]
    return {tokenizer.token_bytes(number): score for number, (_, score) in enumerate(vocab)}


def sentencepiece_pieces(counts: pytok.WordCounts, vocab_size: int) -> dict[bytes, float]:
    """Train SentencePiece's Unigram on a table of the words."""
    import sentencepiece

    with tempfile.TemporaryDirectory() as name:
        table, prefix = Path(name) / "words.tsv", Path(name) / "model"
        with table.open("wb") as out:
            out.writelines(b"%b\t%d\n" % item for item in counts.items())
        sentencepiece.SentencePieceTrainer.train(
            input=str(table),
            input_format="tsv",
            model_prefix=str(prefix),
            model_type="unigram",
            vocab_size=vocab_size,
            normalization_rule_name="identity",
            character_coverage=1.0,
            byte_fallback=True,
            max_sentencepiece_length=LONGEST_PIECE,
            max_sentence_length=1 << 24,
            bos_id=-1,
            eos_id=-1,
            minloglevel=1,
            **SEGMENTATION_OFF,
        )
        model = sentencepiece.SentencePieceProcessor(model_file=f"{prefix}.model")
    return {
        model.id_to_piece(number).replace("\u2581", " ").encode(): model.get_score(number)
        for number in range(model.get_piece_size())
        if not (model.is_unknown(number) or model.is_control(number) or model.is_byte(number))
    }


def scaled(pieces: Mapping[bytes, float]) -> tuple[dict[bytes, float], float]:
    """Scale probabilities to sum to 1; gives their sum before, too."""
    mass = math.fsum(math.exp(score) for score in pieces.values())
    shift = math.log(mass)
    return {piece: score - shift for piece, score in pieces.items()}, mass


def with_prefixes(pieces: Mapping[bytes, float]) -> dict[bytes, float | None]:
    """Add the beginnings of all pieces, with None where they are no piece."""
    table: dict[bytes, float | None] = {
        piece[:end]: None for piece in pieces for end in range(1, len(piece))
    }
    table.update(pieces)
    return table


def log_add(first: float, second: float) -> float:
    high, low = (first, second) if first > second else (second, first)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def word_likelihood(word: bytes, table: Mapping[bytes, float | None]) -> tuple[float, float]:
    """Log probability of a word over all segmentations, and of the best.

    Goes forward once over the byte positions, and from each over the pieces that
    start there. Both are -inf for a word that no pieces make up.
    """
    n_bytes = len(word)
    over_all = [0.0] + [-math.inf] * n_bytes
    best = list(over_all)
    for start in range(n_bytes):
        if best[start] == -math.inf:
            continue
        for end in range(start + 1, n_bytes + 1):
            score = table.get(word[start:end], -math.inf)
            if score is None:
                continue
            if score == -math.inf:
                break
            over_all[end] = log_add(over_all[end], over_all[start] + score)
            best[end] = max(best[end], best[start] + score)
    return over_all[-1], best[-1]


def log_likelihood(counts: pytok.WordCounts, pieces: Mapping[bytes, float]) -> Likelihood:
    """Log-likelihood of words under a Unigram model, per character of the words."""
    probabilities, mass = scaled(pieces)
    table = with_prefixes(probabilities)
    over_all: list[float] = []
    best: list[float] = []
    characters = unsegmented = 0
    for word, count in counts.items():
        found = word_likelihood(word, table)
        if found[1] == -math.inf:
            unsegmented += 1
            continue
        over_all.append(count * found[0])
        best.append(count * found[1])
        characters += count * len(word.decode())
    return Likelihood(
        all=math.fsum(over_all) / characters,
        best=math.fsum(best) / characters,
        characters=characters,
        unsegmented=unsegmented,
        pieces=len(pieces),
        mass=mass,
    )


MODELS = {"pytok": pytok_pieces, "SentencePiece": sentencepiece_pieces}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path, help="a folder that training_text.py wrote")
    parser.add_argument("--vocab-size", type=int, default=32_000)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    if not (arguments.text / "train").is_dir():
        sys.exit(f"error: {arguments.text}: no folder train; run training_text.py first")
    counts = pytok.count_words(lines_of(arguments.text / "train"))
    print(f"{len(counts):,} words, {counts.text_bytes:,} bytes, {arguments.vocab_size:,} pieces")
    print(f"{'':14} {'all':>9} {'best':>9}  nats per character")
    results: dict[str, Likelihood] = {}
    failed = False
    for name, train in MODELS.items():
        try:
            results[name] = log_likelihood(counts, train(counts, arguments.vocab_size))
        except (PytokError, RuntimeError) as error:
            print(f"error: {name}: {error}", file=sys.stderr)
            failed = True
            continue
        found = results[name]
        print(
            f"{name:14} {found.all:9.5f} {found.best:9.5f}  {found.pieces:,} pieces, sum of "
            f"probabilities {found.mass:.6f}, {found.unsegmented} words left out"
        )
    if arguments.output:
        record = {
            "vocab_size": arguments.vocab_size,
            "words": len(counts),
            "text_bytes": counts.text_bytes,
            "results": {name: asdict(found) for name, found in results.items()},
        }
        arguments.output.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    if failed:
        sys.exit(2)


if __name__ == "__main__":
    main()
