"""Sets the time limit of the fuzzing tests according to --fuzz-time."""

from __future__ import annotations

import pytest

ROOM = 300      # seconds for the start and for the last input


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Gives the tests that fuzz their time limit."""
    for item in items:
        if item.get_closest_marker("fuzzes"):
            item.add_marker(pytest.mark.timeout(config.getoption("--fuzz-time") + ROOM))
