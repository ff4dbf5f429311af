"""Fixtures of runs in which a script stands in for a process."""

