"""Set-up: brings up what is missing, in order.

The cache's lock is held while the cache changes, the build directory's lock
while guest programs are built, another lock of the cache while C++ is built. So a checkout that needs guest programs alone
does not wait for the QEMU or toolchain of another one.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from ..host import capacity, execute, lock, packages
from ..host.progress import Display, Lines, display
from ..host.python_tools import PythonTools
from ..host.storage import make_cache
from ..paths import build_dir, cache_dir, shared_cache
from . import cplusplus, fingerprint, settings, toolchain
from .arm64 import Arm64
from .cplusplus import LOCK as CPLUSPLUS_LOCK
from .cplusplus import CPlusPlus
from .fuzzers import Fuzzers
from .guest import Guest
from .qemu import Qemu, check_source
from .sources import Store
from .toolchain import Toolchain

# How much lower the priority of the second and later of several builds is. The toolchain, which comes first, has
# steps that keep one core busy; QEMU has none, and takes what is left.
NICENESS = 10
# Memory that a compiler may take at its peak, in MiB.
MEMORY_PER_JOB = 750


def bring_up(parts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Builds these parts (keys of fingerprint.INPUTS) and everything that they need.

    Returns the outputs of each part. Raises SetupError. Steps that are done
    already cost little; an interrupted set-up continues where it stopped.
    """
    execute.terminate_like_interrupt()
    return _Setup(make_cache(cache_dir()), set(parts)).run()


class _Setup:
    """One pass over all steps."""

    def __init__(self, cache: Path, parts: set[str]) -> None:
        self.cache, self.parts = cache, parts
        self.chosen = settings.current()
        self.tools = PythonTools(cache)
        self.toolchain = Toolchain(cache)
        self.cplusplus = CPlusPlus(cache, self.toolchain)
        self.display: Display = Lines()
        self.results: dict[str, dict[str, str]] = {}

    def run(self) -> dict[str, dict[str, str]]:
        self._check_own()
        try:
            if self._changes_cache():
                with lock.held(self.cache / "lock"):
                    self._fill_cache()
            if self.parts & {"guest", "tests"}:
                self._show()
                with lock.held(build_dir() / ".fugu" / "lock"):
                    self._build_guest()
            if "cplusplus" in self.parts:
                self._build_cplusplus()
                taken = fingerprint.inputs("cplusplus")
                self._done("cplusplus", taken, {"cplusplus": self.chosen.toolchain or str(self.cplusplus.prefix)})
        finally:
            self.display.close()
        return self.results

    def _check_own(self) -> None:
        """Checks the parts that the user named, before anything is done."""
        if self.chosen.toolchain:
            toolchain.check(Path(self.chosen.toolchain), own=True)
            if "cplusplus" in self.parts:
                cplusplus.check(Path(self.chosen.toolchain), own=True)
        if self.chosen.qemu_source:
            check_source(Path(self.chosen.qemu_source))

    def _show(self) -> None:
        """From here on, a package that the tools contain shows the progress."""
        self.tools.activate()
        self.display.close()
        self.display = display()

    # ---- what is needed ----

    def _changes_cache(self) -> bool:
        return self._wants_qemu() or self._builds_toolchain() or self._builds_cplusplus() or not self.tools

    def _wants_qemu(self) -> bool:
        return bool(self.parts & {"qemu", "qtest", "fuzz", "arm64"})

    def _builds_toolchain(self) -> bool:
        return bool(self.parts & {"guest", "tests", "cplusplus"}) and not self.chosen.toolchain and not self.toolchain

    def _builds_cplusplus(self) -> bool:
        return "cplusplus" in self.parts and not self.chosen.toolchain and not self.cplusplus

    def _to_build(self) -> list[str]:
        """The parts that need much disk space and are not built yet."""
        caches = (self.cache, shared_cache() or self.cache)

        def built(build: str) -> bool:
            return any(any(cache.glob(f"qemu/trees/*/{build}/configured.json")) for cache in caches)
        wanted = {"Python tools": not self.tools, "toolchain": self._builds_toolchain(),
                  "C++": self._builds_cplusplus(),
                  "QEMU": self._wants_qemu() and not built("build"),
                  "QEMU for fuzzing": "fuzz" in self.parts and not built("fuzz"),
                  "QEMU for ARM hosts": "arm64" in self.parts and not built("arm64")}
        return [name for name, needed in wanted.items() if needed]

    def _packages(self) -> None:
        groups = []
        if self._wants_qemu():
            groups.append("QEMU")
        if "fuzz" in self.parts:
            groups.append("fuzzing")
        if self._builds_toolchain() or self._builds_cplusplus():
            groups += ["toolchain", "fetch"]
        elif self._wants_qemu() and not self.chosen.qemu_source:
            groups.append("fetch")
        packages.ensure_packages(groups, self.cache / "logs", self.display)

    # ---- fetching and building ----

    def _fill_cache(self) -> None:
        """Caller must hold the cache's lock."""
        self._packages()
        capacity.check_room(self.cache, self._to_build())
        self.tools.ensure(self.display)
        self._show()
        store = Store(self.cache, self.display)
        qemu = Qemu(self.cache, self.tools, self.chosen.qemu_source) if self._wants_qemu() else None
        jobs: list[Callable[[], None]] = []
        # Fetched one after the other, before the builds run in parallel.
        if self._builds_toolchain():
            store.get("binutils")
        if self._builds_toolchain() or self._builds_cplusplus():
            store.get("gcc-14")
        if self._builds_toolchain():
            jobs.append(lambda: self.toolchain.ensure(store, self.display))
        if qemu:
            if qemu.needs_source():
                store.get("qemu")
            jobs.append(lambda: self._build_qemu(qemu, store))
        # Neither build keeps all cores busy all the time, so both together
        # are quicker if there is enough memory.
        if len(jobs) > 1 and capacity.memory() > 2 * capacity.jobs() * MEMORY_PER_JOB:
            _side_by_side(jobs)
        else:
            for job in jobs:
                job()

    def _build_qemu(self, qemu: Qemu, store: Store) -> None:
        parts = sorted(self.parts & {"qemu", "qtest"})
        taken = {part: fingerprint.inputs(part) for part in parts}
        outputs = qemu.ensure(store, self.display, qtests="qtest" in parts) if parts else {}
        for part in parts:
            self._done(part, taken[part], outputs)
        if "fuzz" in self.parts:
            taken_fuzz = fingerprint.inputs("fuzz")
            self._done("fuzz", taken_fuzz, Fuzzers(self.cache, qemu).ensure(store, self.display))
        if "arm64" in self.parts:
            taken_arm64 = fingerprint.inputs("arm64")
            self._done("arm64", taken_arm64, Arm64(self.cache, qemu).ensure(store, self.display))

    def _build_guest(self) -> None:
        prefix = Path(self.chosen.toolchain) if self.chosen.toolchain else self.toolchain.prefix
        parts = ["guest", *sorted(self.parts & {"tests"})]      # who builds the tests' programs builds the others too
        taken = {part: fingerprint.inputs(part) for part in parts}
        outputs = Guest(build_dir(), self.tools, prefix).ensure(self.display, tests="tests" in parts)
        outputs |= {"toolchain": str(prefix), "python": str(self.tools.bin("python"))}
        for part in parts:
            self._done(part, taken[part], outputs)

    def _build_cplusplus(self) -> None:
        """Builds C++ if it is missing. Under a lock of its own: other set-ups do not need it, and need not wait."""
        if self._builds_cplusplus():
            self._show()
            with lock.held(self.cache / CPLUSPLUS_LOCK):
                self.cplusplus.ensure(Store(self.cache, self.display), self.display)

    def _done(self, part: str, taken: list[list[object]], outputs: dict[str, str]) -> None:
        fingerprint.save(build_dir(), part, self.chosen.context(), taken, outputs)
        self.results[part] = outputs


def _side_by_side(jobs: list[Callable[[], None]]) -> None:
    """Runs jobs in threads, the first one before the others where cores are scarce.

    The first failure ends the other jobs, and is raised.
    """
    failures: list[BaseException] = []

    def guarded(job: Callable[[], None], niceness: int) -> None:
        try:
            # A priority of this thread alone, and of the commands that it starts.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), niceness)
            job()
        except BaseException as error:      # noqa: BLE001: raised below
            failures.append(error)
            execute.stop_all()
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    threads = [threading.Thread(target=guarded, args=(job, usual + NICENESS * (job is not jobs[0]))) for job in jobs]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        execute.stop_all()
        for thread in threads:
            thread.join()
        raise
    if failures:
        raise failures[0]
