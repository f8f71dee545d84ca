"""Where and how a report was made: versions, machine, time, command."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from pytok.eval.json_text import JsonValue

__all__ = ["Provenance"]

_PACKAGES = ("pytok-tokenizers", "numpy", "jieba", "rjieba", "thulac", "spacy-pkuseg")


@dataclass(frozen=True)
class Provenance:
    """What is needed, beside the files and seeds of the report, to make it again.

    Parameters
    ----------
    started
        Time of the start, UTC, ISO 8601.
    seconds
        Wall time of the run.
    command
        The command line; empty when the library was called.
    python
        Implementation and version.
    packages
        Versions of the packages that compute or cut, those that are installed.
    platform
        Operating system, its version and the architecture.
    processor
        Name of the processor, "" where the system does not say.
    cpus
        Logical processors that the process may use.

    """

    started: str
    seconds: float
    command: tuple[str, ...]
    python: str
    packages: Mapping[str, str]
    platform: str
    processor: str
    cpus: int

    @classmethod
    def of(cls, started: datetime, command: tuple[str, ...] = ()) -> Provenance:
        """Describe this process and machine.

        Parameters
        ----------
        started
            When the run began, with a time zone.
        command
            The command line.

        Examples
        --------
        >>> Provenance.of(datetime(2020, 1, 1, tzinfo=timezone.utc)).started
        '2020-01-01T00:00:00+00:00'

        """
        seconds = (datetime.now(timezone.utc) - started).total_seconds()
        return cls(
            started=started.isoformat(timespec="seconds"),
            seconds=round(seconds, 3),
            command=command,
            python=f"{platform.python_implementation()} {platform.python_version()}",
            packages={name: found for name in _PACKAGES if (found := _version(name))},
            platform=platform.platform(),
            processor=_processor(),
            cpus=_cpus(),
        )

    def to_json(self) -> dict[str, JsonValue]:
        """All fields."""
        return {**asdict(self), "command": list(self.command)}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    except OSError:
        pass
    return platform.processor()


def _cpus() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS or Windows
        return os.cpu_count() or 1
