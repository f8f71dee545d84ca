"""Pruning ahead of time: a vocabulary without the pieces that a text does not need."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from pytok import _pytok
from pytok._train import OnProgress, TrainProgress, WordCounts
from pytok._train_checks import LARGEST_SIZE, check_choice, check_number
from pytok._train_inputs import Inputs
from pytok.errors import ConfigError, CorpusError
from pytok.pruning.id_map import write_id_map
from pytok.pruning.measure import Corpus, Usage, corpus_of_counts, corpus_of_texts
from pytok.pruning.plan import KindChange, PrunePlan, PruneReport
from pytok.pruning.rounds import Rounds
from pytok.tokenizer import Tokenizer

__all__ = ["PruneResult", "prune"]

Counts: TypeAlias = npt.ArrayLike | WordCounts | os.PathLike[str] | str


@dataclass(frozen=True, eq=False)
class PruneResult:
    """A pruned tokenizer, and how it came about.

    Parameters
    ----------
    tokenizer
        The tokenizer.
    id_map
        From every old id that stays to its new id; no two are the same.
    plan
        The pieces that went.
    report
        What changed.

    """

    tokenizer: Tokenizer
    id_map: Mapping[int, int]
    plan: PrunePlan
    report: PruneReport

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write the tokenizer, as `Tokenizer.save` does, and the id map beside it.

        ``id_map.json`` is an object of old ids (as text) and new ids;
        ``id_map.npy`` is an int64 array of shape (n, 2), old and new ids, by new id:
        in compact mode ``weights[id_map[:, 0]]`` are the rows of the pruned model.
        `pytok.pruning.surgery.prune_model` takes either file.

        Raises
        ------
        ExportError
            When a file cannot be written.

        """
        path = self.tokenizer.save(folder)
        write_id_map(self.id_map, path)
        return path


def prune(
    tokenizer: Tokenizer,
    corpus: Inputs | Mapping[str, Inputs] | None = None,
    *,
    counts: Counts | None = None,
    target_size: int | None = None,
    max_inflation: float | None = None,
    protect: Iterable[int | str] = (),
    mode: Literal["compact", "stable"] = "compact",
    special_ids: Mapping[str, int] | None = None,
    rounds: int = 4,
    threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> PruneResult:
    """Take the pieces out of a vocabulary that a text does without.

    The utility of a piece t is ``u(t) = c(t) (k(t) - 1)``: its uses in the text
    times the tokens that each costs more without it, k(t) being the pieces of its
    best alternative. The least useful go first, in rounds, after each of which the
    text is counted again. Of BPE vocabularies only pieces go of which no other is
    made (leaves: Purason et al., 2025), so every text whose ids all stay is encoded
    as before; that holds for Unigram and WordPiece, too (with stable ids of a Unigram
    tokenizer.json, for texts without unknown characters; of WordPiece, a word that
    was unknown may become known).

    Special and other added tokens stay, the unknown token, the 256 bytes (with
    Unigram and WordPiece all single characters that nothing else stands for), and
    what `protect` names. Pieces that no text is encoded to always go.

    Parameters
    ----------
    tokenizer
        The tokenizer; it is not changed. BPE, Unigram or WordPiece of a
        tokenizer.json, tiktoken ranks, tekken.json, or a SentencePiece model.
    corpus
        Texts like those to come, as in `train`; or a mapping from the name of a
        kind to its texts. They are read once a round: an iterator is kept in
        memory.
    counts
        Instead of a corpus: uses of each id, shape (largest id + 1,), for one round;
        or `WordCounts` or a file of them, whose words are encoded one by one.
    target_size
        Pieces in use afterwards, added tokens included.
    max_inflation
        Instead of a size: by which share there may be more tokens (0.02 is 2 %).
    protect
        Ids that stay, and texts whose tokens all stay.
    mode
        ``"compact"`` numbers the pieces again, from 0 on and in their old order.
        ``"stable"`` keeps ids: pieces that go lose their merges, get a score at which
        they never win or are marked unused, and are still decoded; of a rank file
        they are left out. WordPiece has no such mode.
    special_ids
        Special tokens and the ids that they get, below the new size; for
        ``"compact"``.
    rounds
        Rounds, 1 or more, on the way to a size.
    threads
        Threads that encode; None for one per core. The result is the same with any
        number.
    on_progress
        Called with a `TrainProgress` often; what it raises ends the run.

    Returns
    -------
    PruneResult
        The tokenizer, the map of ids, the plan and a report.

    Raises
    ------
    ConfigError
        When an option is out of its range, more must stay than `target_size`, or
        the tokenizer is of another kind.
    CorpusError
        When a file cannot be read, or the corpus has no text.

    Examples
    --------
    >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
    >>> result = prune(tokenizer, ["学而时习之，不亦说乎？"] * 9, target_size=10_000)
    >>> len(result.tokenizer), result.report.inflation
    (10000, 0.0)
    >>> ids = tokenizer.encode_ids("不亦说乎")
    >>> [result.id_map[id] for id in ids] == result.tokenizer.encode_ids("不亦说乎")
    True

    """
    _check(tokenizer, corpus, counts, target_size, max_inflation)
    check_choice("mode", mode, ("compact", "stable"))
    check_number("rounds", rounds, 1 << 10)
    check_number("threads", threads, 1 << 16, optional=True)
    specials = _special_ids(special_ids)
    pruner = _pytok.Pruner(tokenizer._core, _protected(tokenizer, protect), mode)
    done = 0

    def tell() -> None:
        nonlocal done
        done += 1
        if on_progress:
            on_progress(TrainProgress("prune", done, None))

    read = _corpus(corpus, counts, threads)
    usage = read.usage(tokenizer._core, pruner.ids(), tell) if read else _of_ids(counts, pruner)
    if not usage.total:
        raise CorpusError("corpus: has no text", hint="pass text like that to come")
    state = Rounds(pruner, read, usage, tell)
    if target_size is not None:
        if target_size > state.size:
            raise ConfigError(
                f"target_size: {target_size}, expected at most {state.size}, the present size"
            )
        state.to_size(target_size, rounds)
    if max_inflation is not None:
        state.to_inflation(max_inflation)
    core, old, new = pruner.apply(state.gone(), specials, mode)
    changes = read.changes(tokenizer._core, core, old, new) if read else ()
    return PruneResult(
        tokenizer=Tokenizer._of(core, f"{tokenizer.name}-{state.size}"),
        id_map=dict(zip(old.tolist(), new.tolist(), strict=True)),
        plan=_plan(tokenizer, state),
        report=_report(state, mode, changes),
    )


def _check(
    tokenizer: object,
    corpus: object,
    counts: object,
    target_size: int | None,
    max_inflation: float | None,
) -> None:
    if not isinstance(tokenizer, Tokenizer):
        raise ConfigError(f"tokenizer: {type(tokenizer).__name__}, expected a pytok.Tokenizer")
    if (corpus is None) == (counts is None):
        raise ConfigError("corpus, counts: expected one of the two")
    if (target_size is None) == (max_inflation is None):
        raise ConfigError("target_size, max_inflation: expected one of the two")
    check_number("target_size", target_size, LARGEST_SIZE, optional=True)
    if max_inflation is None:
        return
    is_number = isinstance(max_inflation, int | float) and not isinstance(max_inflation, bool)
    if not is_number or not 0 <= max_inflation < 1e6:
        raise ConfigError(f"max_inflation: {max_inflation!r}, expected a number of 0 or more")


def _special_ids(special_ids: Mapping[str, int] | None) -> list[tuple[str, int]]:
    for token, number in (special_ids or {}).items():
        if not isinstance(token, str):
            raise ConfigError(f"special_ids: {token!r}, expected the content of a token")
        check_number(f"special_ids[{token!r}]", number, LARGEST_SIZE, least=0)
    return list((special_ids or {}).items())


def _protected(tokenizer: Tokenizer, protect: Iterable[int | str]) -> list[int]:
    """Return the ids that are named, and those of the texts."""
    if isinstance(protect, str):
        raise ConfigError("protect: one str, expected an iterable of ids and texts")
    ids: set[int] = set()
    for item in protect:
        if isinstance(item, str):
            ids.update(tokenizer.encode_ids(item, special="text", add_special_tokens=False))
        elif isinstance(item, int | np.integer) and not isinstance(item, bool) and item >= 0:
            ids.add(int(item))
        else:
            raise ConfigError(f"protect: {item!r}, expected an id or a text")
    return sorted(ids)


def _corpus(
    corpus: Inputs | Mapping[str, Inputs] | None, counts: Counts | None, threads: int | None
) -> Corpus | None:
    """Return what can be counted again; None for counts of ids."""
    if corpus is not None:
        return corpus_of_texts(corpus, threads)
    if isinstance(counts, str | os.PathLike):
        counts = WordCounts.read(counts)
    return corpus_of_counts(counts, threads) if isinstance(counts, WordCounts) else None


def _of_ids(counts: Any, pruner: _pytok.Pruner) -> Usage:
    ids, found = pruner.ids(), np.asarray(counts)
    if found.ndim != 1 or found.dtype.kind not in "iu" or (found < 0).any():
        raise ConfigError(
            f"counts: an array of {found.dtype} and shape {found.shape}, expected whole numbers "
            "of 0 or more and shape (largest id + 1,)"
        )
    if len(found) > int(ids[-1]) + 1:
        raise ConfigError(
            f"counts: {len(found)} numbers, expected at most {int(ids[-1]) + 1}, one for each id"
        )
    whole = np.zeros(len(ids), dtype=np.uint64)
    known = ids < len(found)
    whole[known] = found[ids[known]]
    return Usage(whole, {"counts": int(whole.sum())})


def _plan(tokenizer: Tokenizer, state: Rounds) -> PrunePlan:
    steps = [np.full(len(part), step, np.uint32) for step, part in enumerate(state.removed, 1)]
    empty: Any = [np.zeros(0, np.uint32)]
    ids = np.concatenate(state.removed or empty)
    return PrunePlan(
        ids=ids,
        utilities=np.concatenate(state.utilities or empty).astype(np.uint64),
        rounds=np.concatenate(steps or empty),
        tokens=tuple(tokenizer.id_to_token(number) or "" for number in ids.tolist()),
    )


def _report(state: Rounds, mode: str, changes: tuple[KindChange, ...]) -> PruneReport:
    return PruneReport(
        mode=mode,
        size_before=len(state.ids),
        size_after=state.size,
        protected=len(state.pruner.protected()),
        unreachable=len(np.intersect1d(state.pruner.unreachable(), state.gone())),
        kinds=changes,
        curve=tuple(state.curve),
    )
