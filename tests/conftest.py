"""Settings of the test session: Hypothesis profiles, and tests that need the shared texts.

Environment
-----------
PYTOK_HYPOTHESIS
    ``fast`` (default) or ``slow``: how many examples the property tests try.
PYTOK_SHARED
    The folder of texts and files too large for the repository; by default the
    folder ``shared`` beside the checkout.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import pytok

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("PYTOK_SHARED", ROOT.parent / "shared"))

COMMON = {
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
}
settings.register_profile("fast", max_examples=60, **COMMON)
settings.register_profile("slow", max_examples=1000, **COMMON)
settings.load_profile(os.environ.get("PYTOK_HYPOTHESIS", "fast"))


@pytest.fixture(scope="session")
def tokenizer() -> pytok.Tokenizer:
    """The tokenizer that ships with the package."""
    return pytok.Tokenizer.from_pretrained("zh-32k")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared texts; only for tests marked ``needs_shared``."""
    return SHARED


class SharedTests:
    """Tests that need the shared texts run whenever the texts are there.

    Without the folder they are skipped by name. With it a skip of any of them
    fails the session: a test that quietly stopped running tests nothing.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.ran: set[str] = set()
        self.skipped: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        for item in items:
            if item.get_closest_marker("needs_shared") is None:
                continue
            self.names.add(item.nodeid)
            if not SHARED.is_dir():
                reason = f"{item.name} needs the folder {SHARED}; set PYTOK_SHARED"
                item.add_marker(pytest.mark.skip(reason=reason))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.nodeid not in self.names:
            return
        if report.skipped:
            self.skipped.add(report.nodeid)
        elif report.when == "call":
            self.ran.add(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if SHARED.is_dir() and self.skipped and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.names:
            return
        terminalreporter.write_line(
            f"needs_shared: {len(self.ran)} run, {len(self.skipped)} skipped, folder {SHARED}"
        )
        if SHARED.is_dir():
            for name in sorted(self.skipped):
                terminalreporter.write_line(f"FAILED: skipped although the folder exists: {name}")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs_shared: needs the folder of shared texts")
    config.pluginmanager.register(SharedTests(), "pytok-shared-tests")
