"""Fixtures of runs in which a script takes the place of a process."""

