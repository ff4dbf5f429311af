"""docs/ has what the ABI's headers offer to programs, and its example of both runs."""

from __future__ import annotations

import re
from pathlib import Path

from run_sh import run_sh

from fugu.abi import GLAZE
from fugu.paths import ROOT

UDM, GLAZE_PAGE = (ROOT / "docs" / name for name in ("udm.md", "glaze.md"))


def test_information_page_is_documented():
    """Each word, with its offset."""
    text = GLAZE_PAGE.read_text()
    words = {name: offset for name, offset in GLAZE.group("I_").items() if name != "ARGS_MAX"}
    assert len(words) > 10
    assert [name for name, offset in words.items() if f"0x{offset:02x} `I_{name}`" not in text] == []


def test_clock_is_documented():
    functions = re.findall(r"\b(udm_cycles\w*)\(void\)", (ROOT / "guest-os" / "include" / "udm.h").read_text())
    assert len(functions) == 2
    assert [name for name in functions if f"| `{name}()` |" not in UDM.read_text()] == []


def test_example_runs(tmp_path: Path):
    """The program of docs/udm.md that uses the clock and the information page."""
    program = UDM.read_text().partition("## The clock")[2].partition("```c\n")[2].partition("```")[0]
    (tmp_path / "trip.c").write_text(program)
    done = run_sh("cc", "-Wall", "-Werror", "trip.c", "-o", "trip.elf", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run_sh("-n", "2", "./trip.elf", cwd=tmp_path)
    found = re.fullmatch(r"round trip: (\d+) cycles, (\d+) messages buffered\n", done.stdout)
    assert done.returncode == 0 and found and 100 < int(found[1]) < 2000 and found[2] == "0", done.stdout
