"""Tests that are programs, collected beside those in Python: qtests, and unit tests on the host.

FUGU_QTEST_DIR and FUGU_BUILD say where the built programs are.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fugu.paths import ROOT


class TapItem(pytest.Item):
    """A program that reports in TAP, or by its exit status alone."""

    def __init__(self, *, command: list[str], env: dict[str, str], bound: float, **rest: Any) -> None:
        super().__init__(**rest)
        self.command, self.env, self.bound = command, env, bound

    def runtest(self) -> None:
        try:
            done = subprocess.run(self.command, capture_output=True, text=True, errors="replace",
                                  stdin=subprocess.DEVNULL, timeout=self.bound, env=os.environ | self.env)
        except subprocess.TimeoutExpired:
            pytest.fail(f"still running after {self.bound:.0f} s: {' '.join(self.command)}", pytrace=False)
        except OSError as error:
            pytest.fail(f"{self.command[0]}: {error.strerror}", pytrace=False)
        points = re.findall(r"^\s*((?:not )?ok\b.*)$", done.stdout, re.MULTILINE)
        bad = [point for point in points if point.startswith("not ok") and "# TODO" not in point]
        if bad or done.returncode:
            how = f"status {done.returncode}: {' '.join(self.command)}"
            pytest.fail("\n".join([*bad, how, done.stdout[-4000:], done.stderr[-4000:]]), pytrace=False)
        if points and all(re.search(r"# SKIP", point, re.IGNORECASE) for point in points):
            pytest.skip(points[0])

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, self.name


class QtestFile(pytest.File):
    """tests/hw/FOLDER/NAME-test.c: one test for each path that the built program lists, and with --long for those that it
    lists as slow."""

    def collect(self) -> Iterator[pytest.Item]:
        folder = os.environ.get("FUGU_QTEST_DIR")
        exe = Path(folder or "", self.path.stem)
        env = {"QTEST_QEMU_BINARY": os.environ.get("FUGU_QEMU", ""),
               "FUGU_CORPUS": str(ROOT / "tests" / "fuzz" / "corpus" / "ni"),
               "FUGU_CORPUS_SHRIMP": str(ROOT / "tests" / "fuzz" / "corpus" / "shrimp")}
        if not folder or not exe.exists():
            raise self.CollectError(f"{self.path.name} is not built: run the tests with ./run.sh test")
        mode, bound = (["-m", "slow"], 3600) if self.config.getoption("--long", default=False) else ([], 120)
        listed = subprocess.run([exe, *mode, "-l"], capture_output=True, text=True, timeout=60,
                                stdin=subprocess.DEVNULL, env=os.environ | env)
        paths = [line for line in listed.stdout.splitlines() if line.startswith("/")]
        if listed.returncode or not paths:
            raise self.CollectError(f"{exe} -l lists no tests\n{listed.stdout}{listed.stderr}")
        for path in paths:
            item = TapItem.from_parent(self, name=path, env=env, bound=bound,
                                       command=[str(exe), *mode, "--tap", "-k", "-p", path])
            item.add_marker(pytest.mark.timeout(bound + 60))
            yield item


class UnitFile(pytest.File):
    """tests/unit/meson.build: one test for each unit test that meson knows."""

    def collect(self) -> Iterator[pytest.Item]:
        info = Path(os.environ.get("FUGU_BUILD", ""), "meson-info", "intro-tests.json")
        if not info.exists():
            raise self.CollectError(f"there is no {info}: run the tests with ./run.sh test")
        for test in json.loads(info.read_text()):
            if any(suite.rpartition(":")[2] == "unit" for suite in test["suite"]):
                yield TapItem.from_parent(self, name=test["name"], command=test["cmd"], env=test["env"],
                                          bound=float(test["timeout"] or 120))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    folder = file_path.parent.relative_to(ROOT) if file_path.is_relative_to(ROOT) else None
    if folder and folder.parent == Path("tests/hw") and file_path.name.endswith("-test.c"):
        return QtestFile.from_parent(parent, path=file_path)
    if folder == Path("tests/unit") and file_path.name == "meson.build":
        return UnitFile.from_parent(parent, path=file_path)
    return None
