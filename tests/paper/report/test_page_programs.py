"""The programs on pages of docs/ do what the pages say: an experiment, the plot of a sweep, the headers of UDM."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from run_sh import run_sh

from fugu.host import python_tools
from fugu.paths import ROOT

DOCS = ROOT / "docs"


def code(page: str, language: str) -> list[str]:
    """The programs of a page in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (DOCS / page).read_text(), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def python():
    """Runs a program of Python that may import matplotlib."""
    if reason := os.environ.get("FUGU_NO_BROWSER"):
        pytest.skip(f"no matplotlib: {reason}")
    tools = python_tools.environment(python_tools.PAGE, "matplotlib")

    def run(*words, **popen):
        return subprocess.run([tools.bin("python"), *words], capture_output=True, text=True, timeout=200, **popen)
    return run


def test_the_experiment_runs_from_any_folder(tmp_path, python):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    for folder in (home, elsewhere):
        folder.mkdir()
    (home / "token.c").write_text(code("experiments.md", "c")[0])
    (home / "skew.py").write_text("".join(code("experiments.md", "python")))
    assert run_sh("cc", "-O2", "token.c", "-o", "token.elf", cwd=home).returncode == 0
    done = python(home / "skew.py", "30", cwd=elsewhere, env=os.environ | {"FUGU": str(ROOT)})
    assert done.returncode == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["0", "5", "10", "20", "40"] and rows[0][1:] == ["1.000"] * 3
    assert "<svg" in (home / "skew.svg").read_text() and not list(elsewhere.iterdir())


def test_the_plot_of_a_sweep(tmp_path, python):
    (program,) = code("sweeps.md", "python")
    (tmp_path / "lu-results").mkdir()
    (tmp_path / "lu-results" / "results.csv").write_text(
        "line,app,arguments,nodes,atomicity,status,cycles\n3,lu,60 10,2,hard,0,900\n3,lu,60 10,4,hard,0,500\n"
        "3,lu,60 10,8,hard,124,\n4,barrier,100,8,hard,0,7\n")
    done = python("-c", program, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "<svg" in (tmp_path / "lu.svg").read_text()


def test_the_headers_that_a_program_includes(tmp_path):
    """Those of the page compile, alone and together; the page lists all that are for programs."""
    table = (DOCS / "udm.md").read_text().partition("## What to include\n")[2].partition("\n## ")[0]
    headers = list(dict.fromkeys(re.findall(r'"[\w-]+\.h"', table)))
    ours = {f'"{path.name}"' for path in (ROOT / "guest-os" / "include" / "lib").glob("*.h")} - {'"crl-report.h"'}
    ours |= {f'"{path.name}"' for path in (ROOT / "guest-os" / "include").glob("udm*.h")}
    assert ours <= set(headers) <= ours | {'"glaze-calls.h"'}
    for included in ([[header] for header in headers] + [headers]):
        (tmp_path / "x.c").write_text("".join(f"#include {header}\n" for header in included) + "int main(void) { return 0; }\n")
        done = run_sh("cc", "-Wall", "-Werror", "-c", "x.c", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
