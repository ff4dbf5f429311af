"""Guest programs and the host's unit tests, built by meson in the checkout."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from ..host import capacity, execute, storage
from ..host.progress import Display, Step
from ..host.python_tools import PythonTools
from ..paths import ROOT
from . import toolchain

CROSS_FILE = """\
# Made by run.sh: sparc-elf, without an operating system.
[binaries]
c = '{bin}-gcc'
ar = '{bin}-ar'
strip = '{bin}-strip'
objcopy = '{bin}-objcopy'
objdump = '{bin}-objdump'
nm = '{bin}-nm'

[properties]
# Guest programs do not run on this machine by themselves.
needs_exe_wrapper = true
skip_sanity_check = false

[host_machine]
system = 'none'
cpu_family = 'sparc'
cpu = 'v7'
endian = 'big'
"""


class Guest:
    """The meson build directory of this checkout. Caller of ensure() must hold its lock, .fugu/lock."""

    def __init__(self, build: Path, tools: PythonTools, prefix: Path) -> None:
        self.build, self.tools, self.prefix = build, tools, prefix
        self.log = build / ".fugu" / "guest.log"

    def ensure(self, display: Display, tests: bool) -> dict[str, str]:
        """Brings operating system, libraries and apps up to date, with `tests` also the programs of the tests. SetupError.

        Returns the path of the build directory under the key `build`.
        """
        with display.step("building guest programs", quiet=True) as step:
            self._set_up(step)

            def on_line(line: str) -> None:
                if found := re.match(r"\[(\d+)/(\d+)\]", line):
                    step.update(int(found[1]), int(found[2]))
            ninja = [self.tools.bin("ninja"), "-C", self.build, f"-j{capacity.jobs()}"]
            if not tests:
                # The list of what is built is of the checkout as it is now, not as it was at the last build.
                execute.run([*ninja, "build.ninja"], self.log, what="setting up the build of guest programs",
                            env=self._environment())
            execute.run([*ninja, *([] if tests else self._programs())], self.log,
                        what="building guest programs", on_line=on_line, env=self._environment())
        return {"build": str(self.build)}

    def _set_up(self, step: Step) -> None:
        """Runs `meson setup` unless it was run for the same toolchain, tools and checkout."""
        cross = CROSS_FILE.format(bin=self.prefix / "bin" / toolchain.TARGET)
        stamp = storage.Stamp(self.build / ".fugu" / "meson.json")
        made_with = [cross, toolchain.version(self.prefix), self.tools.key, str(ROOT)]
        if stamp.read() == made_with and (self.build / "build.ninja").exists():
            return
        step.update(0, 1)
        stamp.remove()
        # Not meson's --wipe, which would remove the cross file too.
        if (self.build / "meson-private").exists():
            self._wipe()
        file = self.build / ".fugu" / "sparc-elf.ini"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(cross)
        execute.run([self.tools.bin("meson"), "setup", "--cross-file", file, self.build, ROOT],
                    self.log, what="setting up the build of guest programs", env=self._environment())
        stamp.write(made_with)

    def _programs(self) -> list[str]:
        """What ninja builds of the operating system and the apps: no programs of the tests."""
        targets = json.loads((self.build / "meson-info" / "intro-targets.json").read_text())
        return sorted(os.path.relpath(file, self.build) for target in targets if target["build_by_default"]
                      and Path(target["defined_in"]).relative_to(ROOT).parts[0] != "tests" for file in target["filename"])

    def _wipe(self) -> None:
        """Empties the build directory, records of earlier builds included. The lock, which is held, stays."""
        for folder in (self.build / ".fugu", self.build):
            for path in folder.iterdir():
                if path.name not in (".fugu", "lock"):
                    storage.remove(path)

    def _environment(self) -> dict[str, str]:
        return execute.environment(path_first=[self.tools.path / "bin"])
