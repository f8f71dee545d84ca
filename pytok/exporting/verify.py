"""Whether the target's own library gives the same ids as the tokenizer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pytok._call import SpecialPolicy
from pytok._train_archives import PARQUET, plain_suffix
from pytok._train_inputs import Inputs, open_sources
from pytok.errors import ExportError, PytokError
from pytok.exporting.plan import Encode, Plan
from pytok.exporting.probes import probes
from pytok.tokenizer import Tokenizer

__all__ = ["Check", "Difference", "verify"]

# A text file is compared in parts of about so many characters, which end with a line.
PART_CHARACTERS = 4096
BATCH_TEXTS = 256
# Of a difference, so many characters and tokens are shown.
SHOWN_CHARACTERS = 60
SHOWN_TOKENS = 8


@dataclass(frozen=True)
class Difference:
    """A text that gets other ids.

    Parameters
    ----------
    text
        The text from the first token that differs, at most 60 characters.
    expected, found
        The ids from there on, at most 8: those of the tokenizer, numbered as in the
        target, and those of the target.
    pieces
        The bytes of the expected tokens as text.

    """

    text: str
    expected: tuple[int, ...]
    found: tuple[int, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True)
class Check:
    """What a library gave.

    Parameters
    ----------
    library
        Its name and version.
    probes, differing_probes
        Built-in texts on which libraries often disagree, and how many of them get
        other ids.
    texts, characters, differing
        The same of the texts that were given: documents of .jsonl and .parquet, parts
        of about 4,096 characters of other files.
    first
        The first of all that differ.

    """

    library: str
    probes: int
    differing_probes: int
    texts: int
    characters: int
    differing: int
    first: Difference | None

    @property
    def same(self) -> bool:
        """Whether all ids are the same."""
        return self.first is None

    @property
    def share(self) -> float:
        """The share of differing texts among those given, 0 to 1; 0 when there are none."""
        return self.differing / self.texts if self.texts else 0.0


def verify(tokenizer: Tokenizer, plan: Plan, folder: Path, texts: Inputs | None) -> list[Check]:
    """Load an export with the target's libraries and compare ids.

    Parameters
    ----------
    tokenizer
        What was exported.
    plan
        How.
    folder
        Where its files are.
    texts
        Files or texts, as in `pytok.train`; None for the probes alone.

    Raises
    ------
    ExportError
        When a library is missing, or refuses a file or a text.
    CorpusError
        When a file of `texts` cannot be read.

    """
    try:
        libraries = plan.reload(folder)
    except ImportError as error:
        raise ExportError(
            f"{plan.target}: the check needs {error.name}, which is not installed",
            hint="pip install 'pytok-tokenizers[export]', and [hf] for transformers",
        ) from error
    except PytokError:
        raise
    except Exception as error:
        raise ExportError(
            f"{plan.target}: its own library refuses the export: {error}",
            hint="nothing was written",
        ) from error
    tallies = [_Tally(name, encode) for name, encode in libraries.items()]
    own = probes(tokenizer)
    if plan.keeps_special_text:
        _compare(tokenizer, plan, tallies, [own], "text")
    if plan.finds_special:
        _compare(tokenizer, plan, tallies, [own], "special")
    for tally in tallies:
        tally.end_of_probes()
    if texts is not None:
        policy: SpecialPolicy = "special" if plan.finds_special else "text"
        _compare(tokenizer, plan, tallies, _batches(_parts(texts)), policy)
    return [tally.check() for tally in tallies]


class _Tally:
    """What a library gave so far."""

    def __init__(self, library: str, encode: Encode) -> None:
        self.library = library
        self.encode = encode
        self.texts = self.characters = self.differing = 0
        self.first: Difference | None = None
        self.probes = (0, 0)

    def end_of_probes(self) -> None:
        self.probes = self.texts, self.differing
        self.texts = self.characters = self.differing = 0

    def check(self) -> Check:
        counts = *self.probes, self.texts, self.characters, self.differing
        return Check(self.library, *counts, self.first)


def _compare(
    tokenizer: Tokenizer,
    plan: Plan,
    tallies: list[_Tally],
    batches: Iterable[list[str]],
    policy: SpecialPolicy,
) -> None:
    for texts in batches:
        expected = [_renumbered(ids, plan) for ids in _encoded(tokenizer, plan, texts, policy)]
        for tally in tallies:
            try:
                found = tally.encode(texts, policy == "special")
            except Exception as error:
                raise ExportError(
                    f"{tally.library} cannot encode what the tokenizer can: {error}"
                ) from error
            tally.texts += len(texts)
            tally.characters += sum(map(len, texts))
            for text, ids, other in zip(texts, expected, found, strict=True):
                if ids == other:
                    continue
                tally.differing += 1
                if tally.first is None:
                    tally.first = _difference(tokenizer, plan, text, (ids, other), policy)


def _encoded(
    tokenizer: Tokenizer, plan: Plan, texts: list[str], policy: SpecialPolicy
) -> list[list[int]]:
    return [
        tokenizer.encode_ids(text, special=policy, add_special_tokens=plan.adds_special)
        for text in texts
    ]


def _renumbered(ids: list[int], plan: Plan) -> list[int]:
    return ids if plan.id_map is None else [plan.id_map[token_id] for token_id in ids]


def _difference(
    tokenizer: Tokenizer,
    plan: Plan,
    text: str,
    ids: tuple[list[int], list[int]],
    policy: SpecialPolicy,
) -> Difference:
    expected, found = ids
    pairs = enumerate(zip(expected, found, strict=False))
    shorter = min(len(expected), len(found))
    first = next((place for place, (a, b) in pairs if a != b), shorter)
    encoding = tokenizer.encode(text, special=policy, add_special_tokens=plan.adds_special)
    start = encoding.offsets[first][0] if first < len(encoding.offsets) else len(text)
    shown = encoding.ids[first : first + SHOWN_TOKENS]
    return Difference(
        text=text[start : start + SHOWN_CHARACTERS],
        expected=tuple(expected[first : first + SHOWN_TOKENS]),
        found=tuple(found[first : first + SHOWN_TOKENS]),
        pieces=tuple(
            tokenizer.token_bytes(token).decode("utf-8", "backslashreplace") for token in shown
        ),
    )


def _parts(texts: Inputs) -> Iterator[str]:
    """Yield documents, and parts of text files that end with a line."""
    for path, documents in open_sources(texts).parts():
        whole = path is None or plain_suffix(path) in {".jsonl", PARQUET}
        for document in documents:
            yield from [document] if whole else _cut(document)


def _cut(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start + PART_CHARACTERS) + 1
        yield text[start : end or len(text)]
        start = end or len(text)


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for text in texts:
        batch.append(text)
        if len(batch) == BATCH_TEXTS:
            yield batch
            batch = []
    yield batch
