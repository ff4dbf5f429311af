"""What is inside the page of a timeline."""

from __future__ import annotations

import base64
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any


class Inside(HTMLParser):
    """The elements of a page that have data, and all references to other places."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.packed, self.pieces, self.run, self.references = b"", 0, "", []
        self.open: dict[str, str | None] = {}
        self.feed(file.read_text())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open = dict(attrs) if tag == "script" else {}
        self.references += [value for name, value in attrs if name in ("href", "src", "action", "data")]

    def handle_data(self, data: str) -> None:
        if self.open.get("class") == "events":
            self.packed += base64.b64decode(data, validate=True)
            self.pieces += 1
        elif self.open.get("id") == "run":
            self.run += data

    def handle_endtag(self, tag: str) -> None:
        self.open = {}

    @property
    def facts(self) -> Any:
        """What the page knows beside the events."""
        return json.loads(self.run)
