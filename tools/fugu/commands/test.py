"""`./run.sh test`: builds everything, runs pytest, and counts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..build.everything import everything, paths
from ..host import capacity, execute, on_demand
from ..host.python_tools import PythonTools
from ..paths import ROOT, cache_dir

TESTS = ROOT / "tests"
TOOLS = (on_demand.GDB, on_demand.SPIN, on_demand.CTAGS)
KEPT = ("HOME", "PATH", "TERM", "TMPDIR")       # the environment variables that the tests see, with FUGU_*


def main(words: list[str]) -> int:
    """Status 0 when at least one test ran and none failed.

    The last line of output is "N passed, N failed", with ", N skipped" when
    there are any. Errors of fixtures and of collection count as failed, and
    so does a set-up that does not come up.
    """
    execute.terminate_like_interrupt()
    try:
        outputs = everything(long="--long" in words)
        for tool in TOOLS:
            on_demand.ensure(tool)
    except Exception:
        # The message follows on standard error, from whoever catches it.
        print(summary({"passed": 0, "failed": 1, "skipped": 0}), flush=True)
        raise
    with tempfile.TemporaryDirectory(prefix="fugu-test-") as folder:
        report = Path(folder) / "counts.json"
        env = bare(os.environ) | paths(outputs) | {"FUGU_TEST_REPORT": str(report)}
        status = subprocess.run(_command(words), env=env).returncode
        counts = _counts(report)
    if counts is None:
        # pytest came to no end: its own message says why.
        counts = {"passed": 0, "failed": 1, "skipped": 0}
    sys.stderr.flush()
    print(summary(counts), flush=True)
    return status if status else int(counts["failed"] > 0 or counts["passed"] == 0)


def bare(environ: Mapping[str, str]) -> dict[str, str]:
    """What of an environment the tests get: set-up may need all of it, the tests nothing more.

    So a test passes for everybody or for no one: variables such as PYTHONUNBUFFERED, LANG, COLUMNS
    or PYTEST_ADDOPTS change what programs do that are tested, or test.
    """
    return {name: value for name, value in environ.items() if name in KEPT or name.startswith("FUGU_")}


def _command(words: list[str]) -> list[str]:
    tools = PythonTools(cache_dir())
    command = [str(tools.bin("python")), "-m", "pytest", "-c", str(TESTS / "pytest.ini"),
               f"--rootdir={TESTS}", *words]
    if not any(word.startswith(("-n", "--numprocesses", "--pdb")) for word in words):
        command += ["-n", str(capacity.jobs())]
    return command if _names_tests(words) else [*command, str(TESTS)]


def _names_tests(words: list[str]) -> bool:
    """Whether the user says which files to run; else it is all of them."""
    # `-k hw` is no path, though there is a directory hw.
    takes_value = {"-k", "-m", "-n", "-p", "-o", "-W", "-r", "--maxfail", "--timeout", "--durations", "--tb"}
    return any(os.path.exists(word.split("::")[0]) for before, word in zip(["", *words], words, strict=False)
               if before not in takes_value and not word.startswith("-"))


def _counts(report: Path) -> dict[str, int] | None:
    try:
        counts: dict[str, int] = json.loads(report.read_text())
    except (OSError, ValueError):
        return None
    return counts


def summary(counts: dict[str, int]) -> str:
    """The last line."""
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    return line + (f", {counts['skipped']} skipped" if counts["skipped"] else "")
