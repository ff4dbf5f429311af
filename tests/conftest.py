"""Options of ./run.sh test for pytest, and the counts that it prints at the end."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from fugu.host.python_tools import TIMELINE, PythonTools
from fugu.paths import cache_dir

# Fixtures and collectors of tests/support, which all tests share.
pytest_plugins = ["costs", "pinned", "machine_runs", "qemu_runs", "debugged", "covered", "files", "browsers", "tap_programs",
                  "timings", "two_hosts"]


def pytest_configure() -> None:
    """Undoes the SIG_IGN that a shell gives to what it starts with `&`: commands that a test starts would inherit
    it, and tests that send SIGINT to them would fail."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


PythonTools(cache_dir(), TIMELINE).activate()


def span(text: str) -> range:
    """The numbers that "5" or "1-32" names."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also the tests that take minutes")
    parser.addoption("--fuzz-time", type=int, default=120, metavar="SECONDS",
                     help="how long each target is fuzzed, with --long")
    parser.addoption("--timings", type=span, metavar="FIRST-LAST",
                     help="other timings for the tests that go through several (support/timings.py)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: --long"))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the summaries of tests (record_property("summary", ...)), and writes the counts for ./run.sh test."""
    for one in getattr(terminalreporter, "stats", {}).get("passed", []):
        for name, text in one.user_properties:
            if name == "summary":
                terminalreporter.write_line(text)
    report = os.environ.get("FUGU_TEST_REPORT")
    if not report or not hasattr(terminalreporter, "stats"):
        return
    stats = terminalreporter.stats

    def count(*kinds: str) -> int:
        return sum(len(stats.get(kind, [])) for kind in kinds)
    Path(report).write_text(json.dumps({"passed": count("passed", "xfailed"), "skipped": count("skipped"),
                                        "failed": count("failed", "error", "xpassed")}))
