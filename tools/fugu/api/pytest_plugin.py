"""Fixtures of pytest for the tests of one's own programs: `pip install -e tools`, or `pytest -p fugu.api.pytest_plugin`.

A test that fails shows where its machines are, and what they have printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ..errors import FuguError
from . import whole
from .machine import Machine

MACHINES = pytest.StashKey[list[Machine]]()


@pytest.fixture
def fugu_machine(request: pytest.FixtureRequest) -> Iterator[Callable[..., Machine]]:
    """fugu_machine("my.elf", nodes=4) -> a fugu.api.Machine, which ends with the test."""
    machines = request.node.stash.setdefault(MACHINES, [])
    with ExitStack() as started:
        def start(*words: object, **options: object) -> Machine:
            machine = started.enter_context(Machine(*words, **options))        # type: ignore[arg-type]
            machines.append(machine)
            return machine
        yield start


@pytest.fixture(scope="session")
def fugu_run() -> Callable[..., whole.Result]:
    """fugu_run("my.elf", nodes=4) -> a fugu.api.Result: a whole run."""
    return whole.run


@pytest.fixture(scope="session")
def fugu_compile(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """fugu_compile("my.c", "-O3") -> the path of the program, compiled as `./run.sh cc` does."""
    def build(*words: object) -> Path:
        program = tmp_path_factory.mktemp("fugu") / Path(str(words[0])).with_suffix(".elf").name
        whole.compile_program(*map(str, words), "-o", program)
        return program
    return build


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    if report.failed:           # type: ignore[attr-defined]
        for number, machine in enumerate(item.stash.get(MACHINES, [])):
            report.sections.append((f"machine {number}", machine.summary()))        # type: ignore[attr-defined]
    return report
