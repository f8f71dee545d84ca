"""Make `pytok/data/zh-32k/tokenizer.json`, the tokenizer that ships in the wheel.

    python bench/models/train_zh_32k.py TRAINING_FOLDER -o pytok/data/zh-32k

TRAINING_FOLDER holds the `.txt.xz` files named in the model card
(`pytok/data/zh-32k/MODEL_CARD.md`). The Python part of the text is the standard
library of the interpreter that runs the script. The same text gives the same
file, byte for byte: the trainer of `tokenizers` breaks ties by id, and every
list below is sorted.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

VOCAB_SIZE = 32_000
SPECIAL_TOKENS = ["<|endoftext|>", "<|pad|>", "<|im_start|>", "<|im_end|>"]
STANDARD_LIBRARY_BYTES = 8_000_000

# The pattern published with Qwen's tokenizers: digits one by one, Latin words
# with one leading character, runs of punctuation, runs of space.
QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def corpus_lines(folder: Path) -> Iterator[str]:
    """Yield the training text line by line, files in sorted order."""
    for path in sorted(folder.glob("*.txt.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as handle:
            yield from handle


def standard_library_lines() -> Iterator[str]:
    """Yield up to 8 MB of the standard library's source, in sorted order."""
    root = Path(sysconfig.get_path("stdlib"))
    taken = 0
    for path in sorted(root.glob("*.py")) + sorted(root.glob("[a-z]*/*.py")):
        parts = path.relative_to(root).parts
        if parts[0] in {"site-packages", "test", "idlelib", "lib2to3", "encodings"}:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        taken += len(text.encode("utf-8"))
        if taken > STANDARD_LIBRARY_BYTES:
            return
        yield from text.splitlines(keepends=True)


def train(folder: Path) -> Tokenizer:
    """Train the byte-level BPE model."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(QWEN_PATTERN), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCAB_SIZE,
        special_tokens=SPECIAL_TOKENS,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        min_frequency=2,
        show_progress=False,
    )

    def lines() -> Iterator[str]:
        yield from corpus_lines(folder)
        yield from standard_library_lines()

    tokenizer.train_from_iterator(lines(), trainer)
    return tokenizer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-o", "--output", type=Path, required=True)
    arguments = parser.parse_args()
    if not any(arguments.folder.glob("*.txt.xz")):
        sys.exit(f"error: {arguments.folder}: expected a folder with .txt.xz files")
    tokenizer = train(arguments.folder)
    arguments.output.mkdir(parents=True, exist_ok=True)
    target = arguments.output / "tokenizer.json"
    tokenizer.save(str(target), pretty=False)
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    print(f"{target}\t{tokenizer.get_vocab_size()} pieces\tsha256 {digest}")


if __name__ == "__main__":
    main()
