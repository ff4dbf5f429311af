"""Tries one mistake: makes it in a copy of the checkout, builds what it concerns, and runs tests until one fails."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..build import relink
from ..build.copies import Copy
from ..build.everything import up_to_date
from ..build.qemu import BINARY
from ..errors import SetupError
from .draw import Mutant

NOTICED, SURVIVED, UNREACHED, NOT_BUILT = "noticed", "survived", "not reached", "does not build"
FAILS_ANYWAY = "fails anyway"   # the test fails without the mistake too, so nothing is known
GUESTS = ("kernel", "libraries")
# Seconds of processor time: a loaded host makes no test fail.
BUILT = 120.0           # for a build and the start of the tests
ALONE = 1200.0          # for a build and one test
SLOWER = 4.0            # times the noted time, which tests may take with a mistake


@dataclass(frozen=True)
class Outcome:
    """What became of a mistake. `test` has failed; `tests` is how many were to run."""

    mutant: Mutant
    result: str
    test: str = ""
    tests: int = 0


class Bench:
    """A copy of the checkout in which mistakes are tried, one after the other."""

    def __init__(self, name: str, base: relink.Base | None, root: Path) -> None:
        """`base` is what QEMU is linked from; None if no mistake is made in hw/."""
        self.copy, self.base, self.root = Copy(name, root), base, root
        self.started: Callable[[subprocess.Popen[bytes]], None] = lambda child: None
        self.sound: set[str] = set()            # tests that have passed without a mistake

    def prepare(self) -> None:
        """Builds everything without a mistake. SetupError."""
        self.copy.refresh()
        if self.base:
            # A QEMU of the copy's own, to which a mistake adds one object.
            self._usual_qemu()
        output = self.copy.folder / "output"
        # Collecting no test builds what tests need.
        status = self.copy.run(["test", "-n0", "tests/unit", "-k", "nothing-has-this-name"], output, 1800, started=self.started)
        if status is None or "0 passed, 0 failed" not in output.read_text(errors="replace"):
            raise SetupError(f"the copy in {self.copy.tree} cannot be built; see {output}.")

    def attempt(self, mutant: Mutant, tests: list[str], seconds: float) -> Outcome:
        """Makes the mistake, runs the tests, and takes it back. Tests that go on for too long count as failed."""
        if not tests:
            return Outcome(mutant, UNREACHED)
        file = self.copy.tree / mutant.file
        text = file.read_text()
        output = self.copy.folder / "output"
        try:
            file.write_text(mutant.apply(text))
            if mutant.area == "hw" and not self._mutated_qemu(mutant):
                return Outcome(mutant, NOT_BUILT)
            status = self.copy.run(["test", "-n0", "-x", "--tb=line", *tests], output, BUILT + SLOWER * seconds,
                                   self._environment(), self.started)
        finally:
            file.write_text(text)
            if mutant.area == "hw":
                self._usual_qemu()
        said = output.read_text(errors="replace")
        if status is None:
            return Outcome(mutant, NOTICED, "no test failed, but they do not end", len(tests))
        if status == 0:
            return Outcome(mutant, SURVIVED, "", len(tests))
        if failed := _failed(said, tests):
            return Outcome(mutant, NOTICED if self._is_sound(failed) else FAILS_ANYWAY, failed, len(tests))
        if status == 3 and mutant.area in GUESTS:
            return Outcome(mutant, NOT_BUILT)
        return Outcome(mutant, NOTICED, f"./run.sh test itself: {said.strip().rpartition(chr(10))[2]}", len(tests))

    def _environment(self) -> dict[str, str]:
        """A directory of its own for temporary files: with a mistake, a run may hold the lock on all folders there."""
        folder = self.copy.folder / "tmp"
        folder.mkdir(exist_ok=True)
        return {"TMPDIR": str(folder)}

    def _is_sound(self, test: str) -> bool:
        """Whether a test that has failed passes without a mistake."""
        if test not in self.sound:
            status = self.copy.run(["test", "-n0", "--tb=line", f"tests/{test}"], self.copy.folder / "sound", ALONE,
                                   self._environment(), self.started)
            if status != 0:
                return False
            self.sound.add(test)
        return True

    def _usual_qemu(self) -> None:
        """The QEMU without a mistake, which the checkout has."""
        outputs = up_to_date(("qemu", "qtest"))["qtest"]
        self.copy.use_qemu(Path(outputs["qemu"]), outputs["qtests"])

    def _mutated_qemu(self, mutant: Mutant) -> bool:
        assert self.base
        objects = self.base.objects(mutant.file.removeprefix("hw/"))
        target = self.copy.folder / "qemu" / BINARY
        try:
            self.base.link(self.copy.tree / "hw", objects, target)
        except SetupError:
            return False
        self.copy.use_qemu(target, up_to_date(("qtest",))["qtest"]["qtests"])
        return True


def _failed(said: str, tests: list[str]) -> str:
    """The test, as seen from tests/, of the first line of pytest's that says that one has failed; empty if none does.

    pytest names it as seen from the checkout, and its name may have blanks.
    """
    found = re.search(r"^(?:FAILED|ERROR) (?:tests/)?(.*)$", said, re.MULTILINE)
    if not found:
        return ""
    names = (test.removeprefix("tests/") for test in tests)
    return max((name for name in names if f"{found[1]} ".startswith(f"{name} ")), key=len, default=found[1].partition(" ")[0])
