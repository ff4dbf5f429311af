"""Fixtures of runs in which a script stands in for a process."""

from link_machine import begin, false_hub, params  # noqa: F401: fixtures
