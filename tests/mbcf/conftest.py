"""Fixtures of sessions of ./run.sh debug."""

from gdb_session import environment, session

__all__ = ["environment", "session"]
