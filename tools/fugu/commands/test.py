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
from ..errors import SetupError
from ..host import capacity, execute, on_demand, python_tools
from ..host.python_tools import PythonTools
from ..paths import ROOT, cache_dir

TESTS = ROOT / "tests"
TOOLS = (on_demand.GDB, on_demand.SPIN, on_demand.CTAGS)
OPTIONAL = (on_demand.CHROMIUM,)                # without them, tests are skipped
KEPT = ("HOME", "PATH", "TERM", "TMPDIR")       # environment variables that the tests see, beside FUGU_*


def main(words: list[str]) -> int:
    """Returns 0 if at least one test ran and none failed.

    The last line of output is "N passed, N failed", with ", N skipped" if some
    were skipped. Errors of fixtures and of collection count as failed, and so
    does a set-up that fails.
    """
    execute.terminate_like_interrupt()
    try:
        outputs = everything(long="--long" in words)
        for tool in TOOLS:
            on_demand.ensure(tool)
        python_tools.on_demand(python_tools.TIMELINE, "Perfetto's format")
        lacking = _browser()
    except Exception:
        # The caller prints the error's message.
        print(summary({"passed": 0, "failed": 1, "skipped": 0}), flush=True)
        raise
    with tempfile.TemporaryDirectory(prefix="fugu-test-") as folder:
        report = Path(folder) / "counts.json"
        env = bare(os.environ) | paths(outputs) | lacking | {"FUGU_TEST_REPORT": str(report)}
        status = subprocess.run(_command(words), env=env).returncode
        counts = _counts(report)
    if counts is None:
        # pytest was interrupted or crashed, and has printed why.
        counts = {"passed": 0, "failed": 1, "skipped": 0}
    sys.stderr.flush()
    print(summary(counts), flush=True)
    return status if status else int(counts["failed"] > 0 or counts["passed"] == 0)


def _browser() -> dict[str, str]:
    """Installs what looks at pages. If that fails, those tests are skipped, for the reason in the result."""
    try:
        for tool in OPTIONAL:
            on_demand.ensure(tool)
        python_tools.on_demand(python_tools.PAGE, "matplotlib")
        python_tools.on_demand(python_tools.BROWSER, "Playwright")
    except SetupError as error:
        return {"FUGU_NO_BROWSER": str(error)}
    return {}


def bare(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment variables that the tests get. Set-up may need others, the tests do not.

    So tests have the same result for every user: variables such as
    PYTHONUNBUFFERED, LANG, COLUMNS or PYTEST_ADDOPTS change how pytest and the
    tested programs behave.
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
    """Whether the words name test files or folders. Otherwise all tests run."""
    # In `-k hw`, hw is no path, though there is a directory of that name.
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
    """The last line of output."""
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    return line + (f", {counts['skipped']} skipped" if counts["skipped"] else "")
