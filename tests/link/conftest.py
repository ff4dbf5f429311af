"""Fixtures of runs in which a script takes the place of a process."""

from link_machine import begin, false_hub, params

__all__ = ["begin", "false_hub", "params"]
