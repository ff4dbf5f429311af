"""docs/udm.md says which functions of POSIX there are: each name is compiled and linked."""

from __future__ import annotations

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fugu.commands import cc
from fugu.paths import ROOT, build_dir

HEADERS = ("stdio.h", "stdlib.h", "string.h", "unistd.h", "time.h", "sys/time.h", "sys/times.h", "sys/stat.h",
           "fcntl.h", "utime.h", "signal.h", "getopt.h", "locale.h", "sys/select.h", "sys/wait.h", "search.h",
           "sys/resource.h")
PRESENT, MISSING = "there", "missing"


def named() -> dict[str, set[str]]:
    """The names in the table's rows, by the first word of the row."""
    section = re.search(r"^### Functions of POSIX\n(.*?)^##", (ROOT / "docs" / "udm.md").read_text(), re.M | re.S)
    rows = re.findall(r"^\| (\w+)[^|]*\|(.*)\|$", section[1], re.MULTILINE)
    found: dict[str, set[str]] = {PRESENT: set(), MISSING: set()}
    for state, names in rows:
        found.setdefault(state, set()).update(re.findall(r"`(\w+)`", names))
    return found


@pytest.fixture(scope="module")
def links(tmp_path_factory):
    """links(name) -> whether a program that uses the function can be built."""
    folder = tmp_path_factory.mktemp("functions")
    includes = "#define _GNU_SOURCE\n" + "".join(f"#include <{header}>\n" for header in HEADERS)

    def build(name: str) -> bool:
        source = folder / f"{name}.c"
        source.write_text(f"{includes}\nint main(void)\n{{\n    return (int)(long)&{name};\n}}\n")
        words = [str(source), "-w", "-o", str(folder / f"{name}.elf")]
        line = cc.command(Path(os.environ["FUGU_TOOLCHAIN_PREFIX"]), words, build_dir())
        return subprocess.run(line, capture_output=True).returncode == 0
    return build


@pytest.mark.parametrize("state", [PRESENT, MISSING])
def test_the_table_is_right(links, state):
    names = sorted(named()[state])
    assert len(names) > 10
    with ThreadPoolExecutor(2) as pool:
        wrong = [name for name, found in zip(names, pool.map(links, names), strict=True)
                 if found != (state == PRESENT)]
    assert not wrong
