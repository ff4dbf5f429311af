"""Sessions of GDB, for tests that look into the kernel."""

from __future__ import annotations

from gdb_session import environment, session

__all__ = ["environment", "session"]
