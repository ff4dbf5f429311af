"""Shows the table that test_attackers.py has measured, behind the results."""

from __future__ import annotations

from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the lines that a test has recorded as `attackers`."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.stats.get(outcome, []):
            for name, lines in getattr(report, "user_properties", ()):
                if name == "attackers":
                    terminalreporter.write_line(lines)
