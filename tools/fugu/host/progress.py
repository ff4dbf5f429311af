"""Shows the steps of set-up, how far each one is, and how long it takes.

On a terminal, if rich can be imported, each step is a bar. Otherwise it is
lines of text, one now and then while the step runs. All output goes to
standard error. Steps may run in several threads at once.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any, Protocol

LIFE_SIGN = 30.0        # seconds between two lines of a step


def duration(seconds: float) -> str:
    """0.4 s, 12 s, 3 min 05 s."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60:02d} s"


class Step(Protocol):
    """One step that is being shown; a context manager."""

    def update(self, done: float, total: float, detail: str = "") -> None:
        """Says how far the step is: `done` of `total`, in any unit."""

    def __enter__(self) -> Step: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None: ...


class Lines:
    """Plain lines: `fugu: NAME: 40 %`."""

    def step(self, name: str, quiet: bool = False) -> Step:
        """Starts a step; use it with `with`. A quiet one is shown from its first update() on."""
        return _LineStep(name, quiet)

    def note(self, text: str) -> None:
        """Prints a line that does not belong to a step."""
        print(f"fugu: {text}", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Ends the display."""


class _LineStep:
    def __init__(self, name: str, quiet: bool) -> None:
        self.name = name
        self.start = time.monotonic()
        self.share, self.detail = 0.0, ""
        self.shown = not quiet
        self.ended = threading.Event()

    def update(self, done: float, total: float, detail: str = "") -> None:
        self.share = min(done / total, 0.99) if total else 0.0
        self.detail = f", {detail}" if detail else ""
        if not self.shown:
            self.shown = True
            self._show()

    def __enter__(self) -> _LineStep:
        if self.shown:
            self._show()
        return self

    def _show(self) -> None:
        self._print("...")
        threading.Thread(target=self._signs, daemon=True).start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.ended.set()
        if self.shown:
            self._print("failed after" if kind else "done in", duration(time.monotonic() - self.start))

    def _signs(self) -> None:
        while not self.ended.wait(LIFE_SIGN):
            share = f"{self.share:.0%}, " if self.share else ""
            self._print(f"{share}{duration(time.monotonic() - self.start)} so far{self.detail}")

    def _print(self, *words: str) -> None:
        print(f"fugu: {self.name}:", *words, file=sys.stderr, flush=True)


class Bars:
    """Bars by rich. Finished steps stay as lines above the live ones."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn

        self.bars = Progress(SpinnerColumn(), TextColumn("{task.description}"), BarColumn(30),
                             TaskProgressColumn(), TimeElapsedColumn(), TextColumn("[dim]{task.fields[detail]}"),
                             console=Console(stderr=True), transient=True)
        self.bars.start()

    def step(self, name: str, quiet: bool = False) -> Step:
        """Starts a step; use it with `with`. A quiet one is shown from its first update() on."""
        return _BarStep(self.bars, name, quiet)

    def note(self, text: str) -> None:
        """Prints a line that does not belong to a step."""
        self.bars.print(text, markup=False, highlight=False)

    def close(self) -> None:
        """Ends the display."""
        self.bars.stop()


class _BarStep:
    def __init__(self, bars: Any, name: str, quiet: bool) -> None:
        self.bars, self.name, self.quiet = bars, name, quiet
        self.start = time.monotonic()
        self.task: Any = None

    def update(self, done: float, total: float, detail: str = "") -> None:
        self._show()
        self.bars.update(self.task, completed=min(done, total * 0.99), total=total or None, detail=detail[-30:])

    def __enter__(self) -> _BarStep:
        if not self.quiet:
            self._show()
        return self

    def _show(self) -> None:
        if self.task is None:
            self.task = self.bars.add_task(self.name, total=None, detail="")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self.task is None:
            return
        mark = "[red]✗" if kind else "[green]✓"
        self.bars.print(f"{mark}[/] {self.name} [dim]({duration(time.monotonic() - self.start)})")
        self.bars.remove_task(self.task)


Display = Lines | Bars


def display() -> Display:
    """Bars on a terminal if rich can be imported, otherwise lines."""
    if sys.stderr.isatty():
        try:
            return Bars()
        except ImportError:
            pass
    return Lines()
