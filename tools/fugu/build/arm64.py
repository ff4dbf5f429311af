"""QEMU for hosts with 64-bit ARM processors, built and run on other hosts, for tests of the code that it generates.

Debian's cross compiler builds it, with Debian's libraries for arm64, which are
only unpacked, not installed. qemu-aarch64 runs it.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from ..host import execute, storage
from ..host.progress import Display
from .apt import SUITE, Apt
from .qemu import Qemu
from .sources import Store

# What QEMU is compiled and linked with, each with the packages that it needs for that.
LIBRARIES = ["libc6", "libc6-dev", "linux-libc-dev", "libgcc-s1", "libatomic1", "libglib2.0-0t64", "libglib2.0-dev",
             "libgio-2.0-dev", "libpcre2-8-0", "libpcre2-dev", "libsysprof-capture-4-dev", "libpixman-1-0",
             "libpixman-1-dev", "zlib1g", "zlib1g-dev"]
RUNNER = "qemu-aarch64"


class Arm64:
    """QEMU for ARM hosts, in the cache. Caller of ensure() must hold the cache's lock."""

    def __init__(self, cache: Path, qemu: Qemu) -> None:
        self.qemu = qemu
        self.apt = Apt(cache / "apt-arm64", cache / "logs" / "arm64.log", "arm64")
        self.libraries = storage.entry(cache, "arm64", storage.key(SUITE, LIBRARIES))

    def ensure(self, store: Store | None, display: Display) -> dict[str, str]:
        """Builds what is missing. Returns the path `qemu` of a script that runs QEMU on this host. SetupError."""
        if not (self.libraries / "complete.json").exists():
            with display.step("fetching libraries for ARM hosts"):
                self._unpack()
        binary = self.qemu.ensure_arm64(store, display, self.libraries)
        script = binary.with_name(f"run-{binary.name}")
        storage.write_atomically(script, f"#!/bin/sh\nexec {RUNNER} -L {shlex.quote(str(self.libraries))} "
                                         f'{shlex.quote(str(binary))} "$@"\n')
        script.chmod(0o755)
        return {"qemu": str(script)}

    def _unpack(self) -> None:
        storage.fresh_dir(self.libraries)
        packages = storage.fresh_dir(self.libraries / "packages")
        (self.libraries / "usr" / "lib").mkdir(parents=True)
        # The packages contain usr/lib alone, and the dynamic linker's path is /lib/ld-linux-aarch64.so.1.
        (self.libraries / "lib").symlink_to("usr/lib")
        self.apt.prepare()
        self.apt.fetch_binaries(LIBRARIES, packages, lambda: None)
        for package in sorted(packages.glob("*.deb")):
            execute.run(["dpkg-deb", "-x", package, self.libraries], self.apt.log, what=f"unpacking {package.name}")
        storage.remove(packages)
        storage.Stamp(self.libraries / "complete.json").write()
