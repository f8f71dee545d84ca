"""The largest memory of this process during a piece of work, on Linux."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

__all__ = ["peak_memory"]

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


def peak_memory(work: Callable[[], object]) -> int | None:
    """Run `work` and give the largest resident memory meanwhile, in bytes.

    None where the system cannot say (it needs ``/proc/self/clear_refs``).
    """
    try:
        _CLEAR.write_text("5")
    except OSError:
        work()
        return None
    work()
    found = re.search(r"^VmHWM:\s*(\d+) kB", _STATUS.read_text(), re.MULTILINE)
    return None if found is None else int(found[1]) * 1024
