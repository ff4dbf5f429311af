"""Notes which lines each test reaches, for `./run.sh test --coverage`. Without FUGU_COVER it does nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fugu.host.python_tools import COVERAGE, PythonTools
from fugu.paths import cache_dir

FOLDER = os.environ.get("FUGU_COVER")
if FOLDER:
    PythonTools(cache_dir(), COVERAGE).activate()
    from fugu.cover.record import Recorder

    recorder = Recorder(Path(FOLDER))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
        recorder.begin()
        before = time.monotonic()
        item.stash[FAILED] = False
        try:
            return (yield)
        finally:
            recorder.end(item.nodeid, time.monotonic() - before, not item.stash[FAILED])

    FAILED = pytest.StashKey[bool]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
        report = yield
        # Skipped tests and failed ones reach nothing that one could rely on.
        item.stash[FAILED] |= not report.passed
        return report
