"""`./run.sh test`: builds everything, runs pytest, and counts."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from ..build import cplusplus, settings
from ..build.everything import everything, paths, up_to_date
from ..errors import SetupError, UsageError
from ..host import capacity, children, execute, on_demand, python_tools, scratch
from ..host.python_tools import PythonTools
from ..paths import ROOT, cache_dir

TESTS = ROOT / "tests"
TOOLS = (on_demand.GDB, on_demand.SPIN, on_demand.CTAGS, on_demand.M4)
OPTIONAL = (on_demand.CHROMIUM,)                # without them, tests are skipped
CLUSTER = (on_demand.SLURM, on_demand.MPI)      # without one of them, its tests are skipped
ARM64 = (on_demand.ARM64_COMPILER, on_demand.ARM64_RUNNER)      # for long tests; the same
# Options of pytest whose value is a word that follows. In `-k hw`, hw is no path, though there is such a folder.
TAKE_VALUE = {"-k", "-m", "-n", "-p", "-o", "-W", "-r", "--maxfail", "--timeout", "--durations", "--tb", "--costs"}
KEPT = ("HOME", "PATH", "TERM", "TMPDIR")       # environment variables that the tests see, beside FUGU_*


def main(words: list[str]) -> int:
    """Returns 0 if at least one test ran and none failed.

    The last line of output is "N passed, N failed", with ", N skipped" if some
    were skipped. Errors of fixtures and of collection count as failed, and so
    does a set-up that fails. With --changed, it is also 0 where nothing has changed.
    """
    if words and words[0] == "--coverage":
        from ..cover import command as cover

        return cover.coverage(words[1:])
    if words and words[0] == "--mutants":
        from ..mutants import command as mutants

        return mutants.mutants(words[1:])
    from ..affected import command as affected

    since, words = affected.revision(words), affected.without(words)
    _check(words)
    if since and _named(words):
        raise UsageError("test --changed chooses the files of tests: name none, or leave out --changed.")
    execute.terminate_like_interrupt()
    try:
        without = _without_cplusplus()
        outputs = everything(fuzzers=_long(words, "fuzz"), cplusplus=not without and _reaches(words, "cpp"))
        if since and (files := affected.affected(since)) is not None:
            if not files:
                print(f"fugu: nothing has changed since {since}", file=sys.stderr)
                print(summary({"passed": 0, "failed": 0, "skipped": 0}), flush=True)
                return 0
            words = [*words, *(str(ROOT / file) for file in files)]
        for tool in TOOLS:
            on_demand.ensure(tool)
        python_tools.on_demand(python_tools.TIMELINE, "Perfetto's format")
        python_tools.environment(python_tools.SNAKEMAKE, "Snakemake")
        lacking = without | _browser() | (_arm64() if _long(words, "arm64") else {})
        _cluster()
    except Exception:
        # The caller prints the error's message.
        print(summary({"passed": 0, "failed": 1, "skipped": 0}), flush=True)
        raise
    with scratch.folder() as folder:
        report = Path(folder) / "counts.json"
        env = bare(os.environ) | paths(outputs) | lacking | {"FUGU_TEST_REPORT": str(report)}
        status = children.run(_command(words), env=env)
        counts = _counts(report)
    if counts is None:
        # pytest was interrupted or crashed, and has printed why.
        counts = {"passed": 0, "failed": 1, "skipped": 0}
    sys.stderr.flush()
    print(summary(counts), flush=True)
    return status if status else int(counts["failed"] > 0 or counts["passed"] == 0)


def _without_cplusplus() -> dict[str, str]:
    """Empty, except where the user's own toolchain has no C++: then those tests are skipped, for the reason in the result."""
    try:
        if own := settings.current().toolchain:
            cplusplus.check(Path(own), own=True)
    except SetupError as error:
        return {"FUGU_NO_CPLUSPLUS": str(error)}
    return {}


def _cluster() -> None:
    """Installs what starts runs on clusters. If that fails, those tests are skipped."""
    for tool in CLUSTER:
        try:
            on_demand.ensure(tool)
        except SetupError as error:
            print(f"fugu: {tool.purpose} will be skipped: {str(error).partition(chr(10))[0]}", file=sys.stderr)


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


def _arm64() -> dict[str, str]:
    """Builds QEMU for ARM hosts. Where its tools cannot be had, its tests are skipped, for the reason in the result.

    A build that fails is an error: it compiles what an ARM host would compile.
    """
    if platform.machine() == "aarch64":
        return {"FUGU_NO_ARM64": "this host is one: all other tests show that QEMU works on it"}
    try:
        for tool in ARM64:
            on_demand.ensure(tool)
    except SetupError as error:
        return {"FUGU_NO_ARM64": str(error)}
    return {"FUGU_ARM64_QEMU": up_to_date(("arm64",))["arm64"]["qemu"]}


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
    return command if _named(words) else [*command, str(TESTS)]


def _free(words: list[str]) -> list[str]:
    """The words that are neither options nor their values."""
    return [word for before, word in zip(["", *words], words, strict=False)
            if before not in TAKE_VALUE and not word.startswith("-")]


def _named(words: list[str]) -> list[Path]:
    """The test files and folders that the words name. If there are none, all tests run."""
    paths = [Path(word.split("::")[0]) for word in _free(words)]
    return [path.resolve() for path in paths if os.path.exists(path)]


def _reaches(words: list[str], folder: str) -> bool:
    """Whether tests of a folder of tests/ may run. Some need minutes of building that others do not."""
    tests, named = TESTS / folder, _named(words)
    return not named or any(path.is_relative_to(tests) or tests.is_relative_to(path) for path in named)


def _long(words: list[str], folder: str) -> bool:
    """Whether long tests of a folder of tests/ may run."""
    return "--long" in words and _reaches(words, folder)


def _check(words: list[str]) -> None:
    """UsageError if a test file or folder is named that does not exist. With -n, pytest would run nothing in silence."""
    for word in _free(words):
        path = word.split("::")[0]
        if ("/" in path or path.endswith(".py")) and not os.path.exists(path):
            raise UsageError(f"there is no test file or folder {path}.\n"
                             "Name one as seen from this folder, or choose tests by -k WORD.")


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
