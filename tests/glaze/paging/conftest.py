"""All runs here check that the kernel flushes the MMU: pages come and go, and their rights change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from machine_runs import Result


@pytest.fixture(scope="session")
def machine(checked_machine: Callable[..., Result]) -> Callable[..., Result]:
    """machine(program, *args, ...) -> Result: see machine_runs.run_machine."""
    return checked_machine
