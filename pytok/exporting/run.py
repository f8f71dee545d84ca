"""`pytok.export`: a tokenizer in the format of another library, checked with that library."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pytok._files import check_folder, write_files
from pytok._train_inputs import Inputs, open_sources
from pytok.errors import ConfigError, ExportError
from pytok.exporting.parts import Parts
from pytok.exporting.plan import Plan
from pytok.exporting.to_gguf import plan_gguf
from pytok.exporting.to_hf import plan_hf
from pytok.exporting.to_sentencepiece import plan_sentencepiece
from pytok.exporting.to_tekken import plan_tekken
from pytok.exporting.to_tiktoken import plan_tiktoken
from pytok.exporting.verify import Check, verify
from pytok.tokenizer import Tokenizer

__all__ = ["ExportReport", "Target", "carry_out", "export", "plan_export"]

Target: TypeAlias = Literal["hf", "sentencepiece", "tiktoken", "tekken", "gguf"]
Profile: TypeAlias = Literal["portable", "native"]

ID_MAP = "id_map.json"
# What pytok would rather load from a folder than what is written to it.
_OTHERS = ("pytok.json", "tekken.json")


@dataclass(frozen=True)
class ExportReport:
    """What was exported, and what was checked.

    Parameters
    ----------
    target
        As given.
    exact
        Whether the ids of every text are the same.
    inexact
        What the target cannot hold, so that ids of some texts are others.
    losses
        What the target does not have although the ids of a text are the same.
    renumbered
        How many tokens have another id in the target; id_map.json has them.
    files
        What was written; empty when the check failed.
    checks
        What each of the target's libraries gave.

    """

    target: str
    exact: bool
    inexact: tuple[str, ...]
    losses: tuple[str, ...]
    renumbered: int
    files: tuple[Path, ...]
    checks: tuple[Check, ...]

    @property
    def first_difference(self) -> Check | None:
        """The first check that found a difference; None when there is none."""
        return next((check for check in self.checks if not check.same), None)

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        record = asdict(self) | {"files": [str(path) for path in self.files]}
        for entry, check in zip(record["checks"], self.checks, strict=True):
            entry["share"] = check.share
        return record


def export(
    tokenizer: Tokenizer,
    output: str | os.PathLike[str],
    *,
    to: Target,
    profile: Profile = "portable",
    verify: Inputs | None = None,
    allow_inexact: bool = False,
    renumber: bool = False,
) -> ExportReport:
    """Write a tokenizer in the format of another library, with the same ids.

    What is written is loaded with the library itself first and its ids are compared;
    when one differs, nothing is written.

    Parameters
    ----------
    tokenizer
        The tokenizer.
    output
        A folder; made when it does not exist.
    to
        ``"hf"``: tokenizer.json and tokenizer_config.json; ``"tiktoken"``: ranks, with
        pattern and special tokens in tiktoken.json; ``"sentencepiece"``:
        tokenizer.model; ``"tekken"``: tekken.json; ``"gguf"``: a vocabulary for
        llama.cpp, tokenizer.gguf.
    profile
        Of ``"hf"``: ``"portable"`` loads without pytok, ``"native"`` as
        `pytok.hf.PytokTokenizer`.
    verify
        Files, folders or texts, as in `train`, that are compared besides built-in
        probes.
    allow_inexact
        Write although some texts get other ids; the report has their share.
    renumber
        Write although the format numbers tokens in its own way; id_map.json then
        has the new id of each old one.

    Raises
    ------
    ConfigError
        When an option has no such value.
    ExportError
        When the format cannot hold the tokenizer, with what it cannot hold; when
        a library is missing; when ids differ; when the folder cannot be written.
    CorpusError
        When a file of `verify` cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> tokenizer = Tokenizer.from_pretrained("zh-32k")
    >>> try:
    ...     export(tokenizer, "out", to="tiktoken")
    ... except ExportError as error:
    ...     print(str(error)[:60])
    zh-32k: tiktoken cannot hold: scores: the format knows merge

    """
    plan = plan_export(tokenizer, to, profile)
    report = carry_out(
        tokenizer, plan, output, texts=verify, allow_inexact=allow_inexact, renumber=renumber
    )
    failed = report.first_difference
    if failed is not None and failed.first is not None and not report.files:
        first = failed.first
        raise ExportError(
            f"{failed.library} gives other ids, first at {first.text!r}: expected "
            f"{list(first.expected)}, found {list(first.found)}",
            hint="nothing was written",
        )
    return report


def plan_export(tokenizer: Tokenizer, to: str, profile: str = "portable") -> Plan:
    """Say what an export will be, without writing anything.

    Raises
    ------
    ConfigError, ExportError
        As `export`; what is inexact is not refused here.

    """
    if not isinstance(tokenizer, Tokenizer):
        raise ConfigError(f"tokenizer: {type(tokenizer).__name__}, expected a pytok.Tokenizer")
    parts = Parts.of(tokenizer)
    if to == "hf":
        return plan_hf(tokenizer, parts, profile)
    plans: dict[str, Callable[[Parts], Plan]] = {
        "sentencepiece": plan_sentencepiece,
        "tiktoken": plan_tiktoken,
        "tekken": plan_tekken,
        "gguf": lambda parts: plan_gguf(tokenizer, parts),
    }
    if to not in plans:
        raise ConfigError(f"to: {to!r}, expected one of hf, {', '.join(plans)}")
    if profile != "portable":
        raise ConfigError(f"profile: {profile!r}, which is for hf only")
    return plans[to](parts)


def carry_out(
    tokenizer: Tokenizer,
    plan: Plan,
    output: str | os.PathLike[str],
    *,
    texts: Inputs | None = None,
    allow_inexact: bool = False,
    renumber: bool = False,
) -> ExportReport:
    """Check an export and write it; the report has no files when ids differ.

    Raises
    ------
    ExportError, CorpusError
        As `export`, but not for ids that differ.

    """
    folder = Path(output)
    if plan.inexact and not allow_inexact:
        raise ExportError(
            f"{tokenizer.name}: {plan.target} cannot hold: {'; '.join(plan.inexact)}",
            hint=plan.hint
            or "allow_inexact (--allow-inexact) writes it all the same, and "
            "measures how many texts differ",
        )
    if plan.id_map is not None and not renumber:
        raise ExportError(
            f"{tokenizer.name}: {plan.target} numbers tokens in its own way: all ids would change",
            hint="renumber (--renumber) writes it, with the new ids in id_map.json",
        )
    if texts is not None:
        open_sources(texts)  # what is missing is said before the work
    files = dict(plan.files)
    if plan.id_map is not None:
        text = json.dumps({str(old): new for old, new in sorted(plan.id_map.items())})
        files[ID_MAP] = text.encode()
    _check_place(folder, files)
    with tempfile.TemporaryDirectory() as place:
        for name, content in files.items():
            Path(place, name).write_bytes(content)
        checks = tuple(verify(tokenizer, plan, Path(place), texts))
    if allow_inexact or all(check.same for check in checks):
        write_files(folder, files)
        written = tuple(folder / name for name in files)
    else:
        written = ()
    return ExportReport(
        target=plan.target,
        exact=plan.exact,
        inexact=plan.inexact,
        losses=plan.losses,
        renumbered=0 if plan.id_map is None else len(plan.id_map),
        files=written,
        checks=checks,
    )


def _check_place(folder: Path, files: dict[str, bytes]) -> None:
    check_folder(folder, files)
    for name in _OTHERS:
        if name not in files and (folder / name).exists():
            raise ExportError(
                f"{folder}: holds the {name} of another tokenizer, which would be loaded instead",
                hint="export to an empty folder",
            )
