"""GCC's C++ compiler and library, built when a command first needs them.

They are an addition to the toolchain, in a folder of their own: a copy of the
toolchain, whose files are links to the same contents, with another driver, which
knows C++, the compiler proper and libstdc++. The C compiler proper, newlib and
binutils are the toolchain's, so C is compiled as without C++.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import ClassVar

from ..errors import SetupError
from ..host import storage
from ..host.progress import Display, Step
from . import toolchain, tree
from .from_source import Build
from .sources import Source, Store
from .toolchain import LEFT_OUT, MAKE_GCC, TARGET, Toolchain

LOCK = "cplusplus-lock"          # in the cache, held while C++ is built there

GCC = ["--enable-languages=c,c++" if option == "--enable-languages=c" else option for option in toolchain.GCC]
# What of GCC is built: what its own directory needs, and then this of it. It would build the C compiler again.
NEEDED = ("configure-gcc", "all-libiberty", "all-libcpp", "all-libcody", "all-libdecnumber", "all-libbacktrace")
PROGRAMS = {"xgcc": f"bin/{TARGET}-gcc", "xg++": f"bin/{TARGET}-g++", "cc1plus": None}
LIBRARY = [f"--host={TARGET}", f"--target={TARGET}", "--with-target-subdir=.", "--disable-nls", "--disable-shared",
           "--with-newlib", "--disable-multilib", "--disable-libstdcxx-pch", "--disable-libstdcxx-filesystem-ts",
           "--enable-libstdcxx-backtrace=no", "--with-libstdcxx-zoneinfo=no", "--enable-threads=single",
           f"CC={TARGET}-gcc", f"CXX={TARGET}-g++",
           "CFLAGS=-O2 -ffile-prefix-map={work}/=", "CXXFLAGS=-O2 -ffile-prefix-map={work}/="]
# Of libstdc++'s source, its tests and its manual are not unpacked.
WITHOUT = [*(word for word in LEFT_OUT if not word.endswith(("/c++tools", "/libcody", "/libstdc++-v3"))),
           *(f"--exclude=gcc-*/libstdc++-v3/{name}" for name in ("testsuite/[0-9]*", "doc/html", "doc/xml"))]


class CPlusPlus(Build):
    """C++ for the cache's toolchain. Caller of ensure() must hold LOCK."""

    expected: ClassVar = {"gcc": 1700, "libstdc++": 570}

    def __init__(self, cache: Path, base: Toolchain) -> None:
        self.base = base
        super().__init__(cache, "cplusplus", storage.key(base.key, GCC, NEEDED, PROGRAMS, LIBRARY, WITHOUT),
                         "building C++")

    def ensure(self, store: Store, display: Display) -> None:
        """Builds it unless it is complete. The toolchain must be complete. SetupError."""
        if self:
            return
        source = store.get("gcc-14")
        self._check_version(source)
        self.continue_with([source.version])
        with display.step(self.what) as step:
            self.once("copy", self._copy_toolchain)
            self.once("gcc", lambda: self._build_compiler(source, step))
            self.once("libstdc++", lambda: self._build_library(step))
            check(self.prefix)
        self.stamp.write({"gcc": source.version})
        storage.remove(self.work)

    def _check_version(self, source: Source) -> None:
        """SetupError if the toolchain was built from another release of GCC."""
        built = str((self.base.stamp.read() or {}).get("gcc", source.version))
        if built.partition("-")[0] != source.version.partition("-")[0]:
            raise SetupError(f"the toolchain is of GCC {built}, and C++ would be of {source.version}.\n"
                             f"Remove {self.base.prefix}, and set-up builds both.")

    def _copy_toolchain(self) -> None:
        storage.remove(self.prefix)
        shutil.copytree(self.base.prefix, self.prefix, symlinks=True, copy_function=_link,
                        ignore=shutil.ignore_patterns("complete.json"))

    def _build_compiler(self, source: Source, step: Step) -> None:
        self.once("unpack", lambda: storage.remove(toolchain.unpack_gcc(self, source, WITHOUT).parent))
        self.configure(self.work / "gcc", "gcc", GCC)
        for name, content in self.base.makefiles.items():
            tree.write_if_different(self.work / "build-gcc" / name, content)
        self.make("gcc", step, 0.02, 0.12, [*MAKE_GCC, *NEEDED])
        self.make("gcc", step, 0.12, 0.6, ["-C", "gcc", *PROGRAMS])
        for name, place in PROGRAMS.items():
            file = self.prefix / place if place else self._proper(name)
            storage.remove(file)            # it may be the toolchain's own file
            self.run(["install", "-s", self.work / "build-gcc" / "gcc" / name, file], self.work)

    def _proper(self, name: str) -> Path:
        """The place of a compiler proper: beside the toolchain's for C."""
        return next((self.prefix / "libexec" / "gcc" / TARGET).glob("*/cc1")).with_name(name)

    def _build_library(self, step: Step) -> None:
        machine = subprocess.run([self.work / "gcc" / "config.guess"], capture_output=True, text=True).stdout.strip()
        self.configure(self.work / "gcc" / "libstdc++-v3", "libstdc++", [
            *LIBRARY, f"--build={machine}", f"--with-cross-host={machine}",
            f"--with-toolexeclibdir={self.prefix / TARGET / 'lib'}",
            f"--with-gxx-include-dir={self._headers()}"])
        self.make("libstdc++", step, 0.6, 1.0, [])
        self.make_install("libstdc++", ["install-strip"])

    def _headers(self) -> Path:
        """Where the compiler looks for the library's headers."""
        version = self._proper("cc1plus").parent.name
        return self.prefix / TARGET / "include" / "c++" / version


def _link(source: str, target: str) -> None:
    """Gives a file a second name, or copies it where the file systems allow no such name."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def check(prefix: Path, own: bool = False) -> None:
    """Checks that a toolchain has C++, by compiling a small program. SetupError says what is wrong.

    `own`: the user named the toolchain, and the message says where.
    """
    whose = f"the toolchain in {prefix}" + (" (FUGU_TOOLCHAIN or --toolchain)" if own else "")
    compiler = prefix / "bin" / f"{TARGET}-g++"
    if not compiler.exists():
        raise SetupError(f"{whose} has no C++: there is no bin/{TARGET}-g++.\n"
                         "Build its GCC with --enable-languages=c,c++, or name no toolchain.")
    program = "#include <string>\nint f(std::string &s) { try { s += 'x'; } catch (...) { return 1; } return 0; }\n"
    try:
        done = subprocess.run([compiler, "-mcpu=v7", "-O", "-x", "c++", "-c", "-", "-o", "/dev/null"], input=program,
                              capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise SetupError(f"{whose} does not run: {error.strerror}.") from None
    if done.returncode:
        raise SetupError(f"{whose} does not compile C++ for SPARC V7:\n" +
                         "\n".join("| " + line for line in done.stderr.splitlines()[-8:]))
