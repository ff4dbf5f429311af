"""Tables of results: drawn by rich on a terminal, otherwise plain text."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from ._samples import UNMEASURABLE, Figure


class Table:
    """Rows of text below a title; `show()` prints them."""

    def __init__(self, title: str, *columns: str) -> None:
        self.title, self.columns = title, columns
        self.rows: list[list[str]] = []
        self.notes: list[str] = []

    def row(self, *cells: object) -> None:
        """Adds a row with a cell for each column. If a figure has no value, a note below the table says why."""
        assert len(cells) == len(self.columns)
        self.rows.append([cell.text() if isinstance(cell, Figure) else str(cell) for cell in cells])
        for reason in dict.fromkeys(cell.reason for cell in cells if isinstance(cell, Figure) and cell.reason):
            name = " ".join(str(cell) for cell in cells[:2] if not isinstance(cell, Figure))
            self.note(f"{name}: {UNMEASURABLE}: {reason}.")

    def note(self, text: str) -> None:
        """Adds a line below the table."""
        self.notes.append(text)

    def show(self) -> None:
        """Prints the table: text is flush left, numbers flush right."""
        if sys.stdout.isatty():
            self._rich()
        else:
            for line in self._plain():
                print(line)
        sys.stdout.flush()

    def _numeric(self, column: int) -> bool:
        return all(not row[column] or row[column][0].isdigit() or row[column] == UNMEASURABLE for row in self.rows)

    def _rich(self) -> None:
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable

        table = RichTable(title=self.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD,
                          caption="\n".join(self.notes) or None, caption_justify="left", caption_style="")
        for number, name in enumerate(self.columns):
            table.add_column(name, justify="right" if self._numeric(number) else "left")
        for row in self.rows:
            table.add_row(*row)
        Console(highlight=False, markup=False).print(table)

    def _plain(self) -> Iterable[str]:
        widths = [max(map(len, column)) for column in zip(self.columns, *self.rows, strict=True)]

        def line(cells: Iterable[str]) -> str:
            return "  ".join(cell.rjust(width) if self._numeric(number) else cell.ljust(width)
                             for number, (cell, width) in enumerate(zip(cells, widths, strict=True))).rstrip()
        yield self.title
        yield ""
        yield line(self.columns)
        yield line("-" * width for width in widths)
        yield from map(line, self.rows)
        yield ""
        yield from self.notes
        if self.notes:
            yield ""
