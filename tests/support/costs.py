"""What tests cost: the processor time of each, with the programs that it started. `./run.sh test --costs 30`."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

STARTED = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=int, metavar="N",
                     help="print the processor time of each folder, and of the N tests that took most")


def spent() -> float:
    """Seconds of processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[STARTED] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if call.when == "teardown":
        report.user_properties = [*report.user_properties, ("cost", spent() - item.stash[STARTED])]
    return report


@pytest.hookimpl
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    most = config.getoption("--costs")
    if most is None:
        return
    tests = {report.nodeid: value for reports in terminalreporter.stats.values() for report in reports
             for name, value in getattr(report, "user_properties", ()) if name == "cost"}
    for line in table(tests, most):
        terminalreporter.write_line(line)


def table(tests: dict[str, float], most: int) -> Iterator[str]:
    """Lines: seconds and number of the tests of each folder, the dearest first, and then the dearest `most` tests."""
    folders: dict[str, list[float]] = defaultdict(list)
    for name, seconds in tests.items():
        folders[name.partition("::")[0].rpartition("/")[0] or "."].append(seconds)
    yield f"{sum(tests.values()):9.2f} s of processor time, {len(tests)} tests"
    for folder, all_of_it in sorted(folders.items(), key=lambda one: -sum(one[1])):
        yield f"{sum(all_of_it):9.2f} s  {len(all_of_it):5} tests  {folder}"
    for name, seconds in sorted(tests.items(), key=lambda one: -one[1])[:most]:
        yield f"{seconds:9.2f} s  {name}"
