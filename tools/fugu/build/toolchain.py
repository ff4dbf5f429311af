"""The cross toolchain: binutils, GCC (C alone) and newlib for sparc-elf.

Built from Debian's source packages, or the user's own (FUGU_TOOLCHAIN).
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import ClassVar

from ..errors import SetupError
from ..host import execute, storage
from ..host.progress import Display, Step
from . import tree
from .from_source import Build
from .sources import Source, Store

TARGET = "sparc-elf"
NEWLIB_SERIES = "4.4"
MAKEFILES = Path(__file__).parent / "makefiles"     # what set-up puts into GCC's build directory

COMMON = [f"--target={TARGET}", "--disable-nls", "--disable-shared", "--with-system-zlib", "MAKEINFO=true",
          # Little optimisation: building the tools takes longer than using them.
          "CFLAGS=-Og", "CXXFLAGS=-Og"]
BINUTILS = [*COMMON, "--disable-gdb", "--disable-sim", "--disable-gprof", "--disable-gprofng",
            "--disable-libctf", "--disable-werror"]
GCC = [*COMMON, "--enable-languages=c", "--with-newlib", "--with-cpu=v7", "--disable-multilib",
       # Programs that take part in the build use the host's libiberty and libcpp (MAKE_GCC).
       "--with-build-libsubdir=.",
       "--disable-bootstrap", "--disable-analyzer", "--disable-gcov", "--disable-libssp", "--disable-lto",
       "--disable-plugin", "--disable-libcc1", "--disable-libquadmath", "--disable-libgomp",
       # newlib: all of C99's formats, POSIX's %2$s, and UTF-8 for those who ask for it (setlocale).
       "--enable-newlib-io-long-long", "--enable-newlib-io-c99-formats", "--enable-newlib-io-pos-args",
       "--enable-newlib-io-long-double", "--enable-newlib-mb",
       # Nothing in the libraries depends on where the cache is: assert() has names of source files.
       "CFLAGS_FOR_TARGET=-O2 -ffile-prefix-map={work}/="]
# Without libgloss, which does not compile with GCC 14 and is not needed.
GCC_PARTS = ("gcc", "target-libgcc", "target-newlib")
# What make takes for built: a second libiberty and libcpp, for programs that run on the host during the build.
MAKE_GCC = ["--assume-old=all-build-libiberty", "--assume-old=all-build-libcpp"]
# What of GCC's source is not unpacked: test suites, except testsuite/selftests; most of other languages; libraries
# and tools that C does not need. GCC's configure script leaves out what is not there.
LEFT_OUT = [f"--exclude=gcc-*/{name}" for name in (
    "gcc/testsuite/[a-fh-r]*", "gcc/testsuite/g*", "gcc/ada/*.ad[abs]", "gcc/d/*.d", "gcc/m2/*.mod", "gcc/po/*.po",
    "ChangeLog*", "c++tools", "contrib", "fixincludes", "gnattools", "gotools", "libada", "libcody", "libffi",
    "libgfortran", "libgm2", "libgo", "libgomp", "libgrust", "libitm", "libobjc", "libphobos", "libsanitizer",
    "libstdc++-v3", "libvtv")]


class Toolchain(Build):
    """The toolchain in the cache, named by a key of its options."""

    expected: ClassVar = {"binutils": 2100, "gcc": 4500}

    def __init__(self, cache: Path) -> None:
        self.makefiles = tree.snapshot(MAKEFILES)
        super().__init__(cache, "toolchain", storage.key(BINUTILS, GCC, GCC_PARTS, MAKE_GCC, LEFT_OUT,
                                                         storage.digests(self.makefiles)), "building the toolchain")

    def ensure(self, store: Store, display: Display) -> None:
        """Builds the toolchain unless it is complete. SetupError."""
        if self:
            return
        binutils, gcc = store.get("binutils"), store.get("gcc-14")
        self.continue_with([binutils.version, gcc.version])
        with display.step(self.what) as step:
            self.once("binutils", lambda: self._build_binutils(binutils, step))
            self.once("gcc", lambda: self._build_gcc(gcc, step))
            check(self.prefix)
        self.stamp.write({"binutils": binutils.version, "gcc": gcc.version})
        storage.remove(self.work)

    def _build_binutils(self, source: Source, step: Step) -> None:
        src = self.work / "binutils"
        self.once("unpack-binutils", lambda: self.unpack(source.file(r"\.orig\.tar"), src))
        self.configure(src, "binutils", BINUTILS)
        self.make("binutils", step, 0.0, 0.12, [])
        self.make_install("binutils", ["install-strip"])
        storage.remove(src)

    def _build_gcc(self, source: Source, step: Step) -> None:
        self.once("unpack-gcc", lambda: self._unpack_gcc(source))
        self.configure(self.work / "gcc", "gcc", GCC)
        for name, content in self.makefiles.items():
            tree.write_if_different(self.work / "build-gcc" / name, content)
        self.make("gcc", step, 0.12, 1.0, [*MAKE_GCC, *(f"all-{part}" for part in GCC_PARTS)])
        self.make_install("gcc", [*MAKE_GCC, "install-strip-gcc", *(f"install-{part}" for part in GCC_PARTS[1:])])

    def _unpack_gcc(self, source: Source) -> None:
        """Unpacks GCC, and links newlib into its tree."""
        newlib = unpack_gcc(self, source, LEFT_OUT)
        self.unpack(newlib, self.work / "newlib")
        storage.remove(newlib.parent)
        (self.work / "gcc" / "newlib").symlink_to("../newlib/newlib")


def unpack_gcc(build: Build, source: Source, left_out: list[str]) -> Path:
    """Unpacks GCC into the folder `gcc` of a build, without some files. SetupError.

    Debian's tarball contains tarballs of GCC and newlib. Returns newlib's, in a folder of its own.
    """
    outer = build.work / "gcc-source"
    build.unpack(source.file(r"\.orig\.tar"), outer)
    newlib = next(outer.glob("newlib-*.tar.*"), None)
    gcc = next(outer.glob("gcc-*.tar.*"), None)
    if not newlib or not gcc or not newlib.name.startswith(f"newlib-{NEWLIB_SERIES}"):
        raise SetupError(f"Debian's GCC source {source.version} does not contain newlib {NEWLIB_SERIES} as "
                         f"expected, but {newlib.name if newlib else 'none'}.\n"
                         "Use your own toolchain: FUGU_TOOLCHAIN=PREFIX.")
    build.unpack(gcc, build.work / "gcc", *left_out)
    debian = build.work / "debian"
    build.unpack(source.file(r"\.debian\.tar"), debian)
    # Debian's tarball lacks the GFDL files. Debian's patch lets GCC build
    # without them.
    build.run(["patch", "-p2", "-f", "-i", debian / "patches" / "gcc-gfdl-build.diff"], build.work / "gcc")
    return newlib


def check(prefix: Path, own: bool = False) -> None:
    """Checks a toolchain by compiling a small program with newlib. SetupError says what is wrong.

    `own`: the user named the toolchain, and the message says where.
    """
    whose = f"the toolchain in {prefix}" + (" (FUGU_TOOLCHAIN or --toolchain)" if own else "")
    gcc = prefix / "bin" / f"{TARGET}-gcc"
    if not gcc.exists():
        raise SetupError(f"{whose} has no bin/{TARGET}-gcc.\n"
                         "Name the prefix under which the toolchain was installed.")
    program = "#include <stdio.h>\n#include <string.h>\nint f(char *a) { return printf(a, strlen(a)); }\n"
    try:
        done = subprocess.run([gcc, "-mcpu=v7", "-O", "-x", "c", "-c", "-", "-o", "/dev/null"], input=program,
                              capture_output=True, text=True, errors="replace")
        libc = subprocess.run([gcc, "-print-file-name=libc.a"], capture_output=True, text=True, errors="replace")
    except OSError as error:
        raise SetupError(f"{whose} does not run: {error.strerror}.") from None
    if done.returncode:
        raise SetupError(f"{whose} does not compile for SPARC V7 with newlib:\n" +
                         "\n".join("| " + line for line in done.stderr.splitlines()[-8:]))
    # Without newlib, GCC prints the name without a path.
    if not Path(libc.stdout.strip()).is_absolute():
        raise SetupError(f"{whose} has no newlib (libc.a).")
    for tool in ("ld", "ar", "objcopy", "objdump", "strip"):
        if not shutil.which(prefix / "bin" / f"{TARGET}-{tool}"):
            raise SetupError(f"{whose} has no bin/{TARGET}-{tool}: binutils are missing.")


def version(prefix: Path) -> str:
    """The version and target that the compiler prints, as part of a key for what it has built."""
    text = execute.output([prefix / "bin" / f"{TARGET}-gcc", "-dumpfullversion", "-dumpmachine"])
    return re.sub(r"\s+", " ", text or "unknown").strip()
