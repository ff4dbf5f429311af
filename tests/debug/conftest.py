"""Fixtures of sessions of ./run.sh debug."""

from gdb_session import environment, session  # noqa: F401: fixtures
