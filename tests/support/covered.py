"""Notes which lines each test reaches, for `./run.sh test --coverage`. Without FUGU_COVER it does nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from fugu.host.python_tools import COVERAGE, PythonTools
from fugu.paths import cache_dir

FOLDER = os.environ.get("FUGU_COVER")
if FOLDER:
    PythonTools(cache_dir(), COVERAGE).activate()
    from fugu.cover.record import Recorder
    from fugu.host.processor import spent

    recorder = Recorder(Path(FOLDER))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
        recorder.begin()
        before = spent()
        item.stash[FAILED] = False
        try:
            return (yield)
        finally:
            recorder.end(item.nodeid, spent() - before, fixtures_of(item), not item.stash[FAILED])

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> Iterator[object]:
        if fixturedef.scope == "function":
            return (yield)
        recorder.begin_shared()
        before = spent()
        try:
            return (yield)
        finally:
            recorder.end_shared(named(fixturedef), spent() - before)

    def named(fixturedef: pytest.FixtureDef[object]) -> str:
        """A fixture's name and the file or folder that has it: of several with this name, a test uses the nearest."""
        return f"{fixturedef.baseid}::{fixturedef.argname}"

    def fixtures_of(item: pytest.Item) -> Iterator[str]:
        """The fixtures that a test may use: for each of its names, those of its file and of all folders around it."""
        around = ["", *(str(node.nodeid) for node in item.listchain())]
        for name in getattr(item, "fixturenames", ()):      # programs, such as qtests, have none
            for place in reversed(around):
                if f"{place}::{name}" in recorder.shared:
                    yield f"{place}::{name}"
                    break

    FAILED = pytest.StashKey[bool]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
        report = yield
        # Skipped tests and failed ones reach nothing that one could rely on.
        item.stash[FAILED] |= not report.passed
        return report
