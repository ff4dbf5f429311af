"""Fuzzing takes as long as it is told to: its tests' bound is set by that."""

from __future__ import annotations

import pytest

ROOM = 300      # seconds for the start, and for what the last input takes


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sets the bound of the tests that fuzz."""
    for item in items:
        if item.get_closest_marker("fuzzes"):
            item.add_marker(pytest.mark.timeout(config.getoption("--fuzz-time") + ROOM))
