"""docs/udm.md, "Where newlib differs from C": each row is what a run gives, so that a mended one leaves the table."""

from __future__ import annotations

import re

from fugu.paths import ROOT
from guest_programs import built

GIVES = """\
nextafter 0 0
tgamma inf 1
-0 0 0 0
-0.0 0 0 0
-0e5 0 0 0
-0x0 -0 -0 -0
strtod -0 -0
wcstol 0
0x1p1024 inf 0
0x1p-1075 0 0
percent 0
"""
CALLS = ("nextafter", "tgamma", "sscanf", "wcstol", "strtod", "sscanf")


def test_each_row_is_true(machine):
    result = machine(built("clib/differs"), nodes=1).check(0)
    assert GIVES in result.stdout, result.report()


def test_the_rows_are_those_that_run():
    section = re.search(r"^### Where newlib differs from C\n(.*?)^##", (ROOT / "docs" / "udm.md").read_text(),
                        re.M | re.S)
    assert tuple(re.findall(r"^\| `(\w+)\(", section[1], re.M)) == CALLS
