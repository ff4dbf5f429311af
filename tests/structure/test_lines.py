"""Lines of C and assembly end before column 88: an edit has rewrapped its paragraph."""

from __future__ import annotations

from fugu.paths import ROOT

LIMIT = 88
SUFFIXES = {".c", ".h", ".S", ".C", ".H"}
FILES = [path for name in ("apps", "guest-os", "hw") for path in sorted((ROOT / name).rglob("*")) if path.suffix in SUFFIXES]


def test_lines_are_short():
    long = [f"{path.relative_to(ROOT)}:{number}: {len(line)}" for path in FILES
            for number, line in enumerate(path.read_text().splitlines(), 1) if len(line) > LIMIT]
    assert not long, "\n".join(long)


def test_there_are_files():
    """Guards against a search that finds nothing."""
    assert len(FILES) > 400
