"""Fixtures of sessions of ./run.sh debug. All runs here check that the kernel flushes the MMU: views come and go."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from gdb_session import environment, session
from machine_runs import Result

__all__ = ["environment", "session"]


@pytest.fixture(scope="session")
def machine(checked_machine: Callable[..., Result]) -> Callable[..., Result]:
    """machine(program, *args, ...) -> Result: see machine_runs.run_machine."""
    return checked_machine
