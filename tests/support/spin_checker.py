"""Builds checkers from models in SPIN's language, and runs them.

A folder of tests/ has a model: its files *.pml and rules.h. The environment variable BROKEN tells a checker which rule
of rules.h to forget.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MEMORY = 8000           # MiB


@dataclass(frozen=True)
class Model:
    folder: Path
    main: str                           # the file that includes the others
    depth: int                          # steps of the longest run

    def rules(self) -> list[tuple[str, str, str]]:
        """Name, number and bounds of each rule."""
        return re.findall(r"^#define (\w+) +(\d+) +/\* ([\w-]+): ", self._rules_h(), re.MULTILINE)

    def check_rules(self, used_by_name: set[str]) -> None:
        """Fails if two rules have the same number, or if the model does not use a rule."""
        lines = re.findall(r"^#define \w+ +\d", self._rules_h(), re.MULTILINE)
        assert len(self.rules()) == len(lines) == len({number for _, number, _ in self.rules()})
        text = "".join(file.read_text() for file in self.folder.glob("*.pml"))
        assert {rule for rule, _, _ in self.rules()} <= set(re.findall(r"\w+", text)) | used_by_name

    def _rules_h(self) -> str:
        return (self.folder / "rules.h").read_text()


def run(model: Model, built: Path, defines: Mapping[str, int], work: Path, *, rule: int = 0,
        gcc: Sequence[str] = ("-DSAFETY",), pan: Sequence[str] = (), fast: bool = False) -> str:
    """Returns the output of the checker with that rule forgotten.

    Builds it as built/pan if it is not there; all workers of pytest-xdist share that folder. `work` is for the trail.
    """
    built.parent.mkdir(exist_ok=True)
    with open(f"{built}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (built / "pan").exists():
            _build(model, built, defines, gcc, fast)
    done = subprocess.run([built / "pan", f"-m{model.depth}", "-n", *pan], cwd=work, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env=os.environ | {"BROKEN": str(rule)})
    return done.stdout + done.stderr


def _build(model: Model, folder: Path, defines: Mapping[str, int], gcc: Sequence[str], fast: bool) -> None:
    shutil.rmtree(folder, ignore_errors=True)       # left by a build that failed
    folder.mkdir()
    for file in (*model.folder.glob("*.pml"), model.folder / "rules.h"):
        (folder / file.name).symlink_to(file)
    optimise = "-O1" if fast else "-O0"             # for small bounds -O1 takes longer than it saves
    for command in (["spin", *(f"-D{name}={value}" for name, value in defines.items()), "-a", model.main],
                    ["gcc", optimise, "-w", *gcc, f"-DMEMLIM={MEMORY}", "-o", "pan.part", "pan.c"]):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    (folder / "pan.part").rename(folder / "pan")


def must_hold(output: str) -> int:
    """Fails unless the checker visited every state without an error. Returns the number of states."""
    assert "errors: 0" in output, output
    assert "Search not completed" not in output and "max search depth too small" not in output, output
    states = re.search(r"^ *(\S+) states, stored", output, re.MULTILINE)
    assert states, output
    return int(float(states[1]))
