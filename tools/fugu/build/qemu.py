"""QEMU: the pristine source with our patches and devices, built in the cache.

There is one tree for each source version and set of options. Patches and
devices are copied into it where contents differ. Each result is kept under a
key of everything that it was built from, so a second checkout with the same
contents builds nothing.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from ..errors import SetupError
from ..host import capacity, execute, storage
from ..host.progress import Display, Step
from ..host.python_tools import PythonTools
from ..paths import ROOT
from . import tree
from .patches import PatchedTree, read_series, touched_files
from .sources import Store

SERIES = "10.0"
COMMON = ["--target-list=sparc-softmmu", "--without-default-features", "--enable-system", "--enable-tcg",
          "--enable-plugins", "--enable-pixman", "--enable-trace-backends=log", "--disable-docs",
          "--disable-install-blobs", "--disable-fdt",
          # Of debug information, names and lines alone: the rest takes a tenth of the build.
          "--disable-debug-info", "--extra-cflags=-g1"]
# QEMU clears registers at the end of each function, against gadgets that a hostile guest could use. The machine's
# translator is no security boundary, and a twelfth of all instructions of `alltoall` were these.
OPTIONS = [*COMMON, "--extra-cflags=-fzero-call-used-regs=skip"]
BINARY = "qemu-system-sparc"
KEPT = 24       # binaries that the cache keeps, and as many sets of qtests

# For fuzzing: another build of the same source. The sanitizers' reports name
# lines, which takes line tables and no other debug information.
FUZZ_OPTIONS = [*COMMON, "--enable-fuzzing", "--enable-asan", "--enable-ubsan", "--extra-cflags=-gline-tables-only"]
FUZZ_BINARY = "qemu-fuzz-sparc"

# For hosts with 64-bit ARM processors: a cross build, with the libraries of arm64.py.
ARM64 = "aarch64-linux-gnu-"
ARM64_OPTIONS = [*OPTIONS, f"--cross-prefix={ARM64}", "--cpu=aarch64"]

# A release tarball contains these. A git checkout fetches them on demand.
SUBPROJECTS = ("keycodemapdb", "berkeley-softfloat-3", "berkeley-testfloat-3")


class Qemu:
    """QEMU for this checkout. Caller of the methods ensure...() must hold the cache's lock."""

    def __init__(self, cache: Path, tools: PythonTools, own_source: str | None) -> None:
        self.cache, self.tools = cache, tools
        self.own = Path(own_source) if own_source else None
        self.log = cache / "logs" / "qemu.log"
        # Read once, so that an edit during the build affects only the next one.
        self.patches = read_series(ROOT / "qemu-patches")
        self.devices = tree.snapshot(ROOT / "hw")
        self.tests = tree.snapshot(ROOT / "tests" / "hw")
        self.targets = tree.snapshot(ROOT / "tests" / "fuzz" / "qemu")

    def ensure(self, store: Store | None, display: Display, qtests: bool) -> dict[str, str]:
        """Builds what is missing. Returns the paths `qemu` and, with `qtests`, `qtests`. SetupError."""
        source = self._source_key(store)
        base = self._base(source, OPTIONS)
        binary = storage.entry(self.cache, "qemu", "bin", storage.key(base))
        tests = storage.entry(self.cache, "qemu", "qtests", storage.key(base, storage.digests(self.tests)))
        wanted = [binary] + ([tests] if qtests else [])
        if not all((folder / "complete.json").exists() for folder in wanted):
            self._build(source, store, display, binary, tests if qtests else None)
        for folder in wanted:
            if folder.is_relative_to(self.cache):
                os.utime(folder)
                drop_oldest(folder.parent)
        return {"qemu": str(binary / BINARY)} | ({"qtests": str(tests)} if qtests else {})

    def ensure_fuzzer(self, store: Store | None, display: Display) -> Path:
        """Builds QEMU for fuzzing if it is missing. Returns the folder of its binary. SetupError."""
        source = self._source_key(store)
        binary = self.cache / "qemu" / "fuzz" / storage.key(
            self._base(source, FUZZ_OPTIONS), storage.digests(self.tests), storage.digests(self.targets))
        if not (binary / "complete.json").exists():
            folder = self._unpacked(source, store, display)
            with display.step("building QEMU for fuzzing") as step:
                self._bring(folder)
                self._configure(folder / "src", folder / "fuzz", FUZZ_OPTIONS, "clang")
                self._ninja(folder / "fuzz", [FUZZ_BINARY], step)
                _keep(binary, [folder / "fuzz" / FUZZ_BINARY])
        os.utime(binary)
        drop_oldest(binary.parent)
        return binary

    def ensure_arm64(self, store: Store | None, display: Display, libraries: Path) -> Path:
        """Builds QEMU for ARM hosts if it is missing, with these libraries. Returns the binary's path. SetupError."""
        source = self._source_key(store)
        options = [*ARM64_OPTIONS, f"--extra-cflags=--sysroot={libraries}", f"--extra-ldflags=--sysroot={libraries}"]
        binary = self.cache / "qemu" / "arm64" / storage.key(self._base(source, options))
        if not (binary / "complete.json").exists():
            folder = self._unpacked(source, store, display)
            found = [libraries / "usr" / "lib" / "aarch64-linux-gnu" / "pkgconfig", libraries / "usr/share/pkgconfig"]
            with display.step("building QEMU for ARM hosts") as step:
                self._bring(folder)
                self._configure(folder / "src", folder / "arm64", options, f"{ARM64}gcc", {
                    "PKG_CONFIG": "pkg-config", "PKG_CONFIG_SYSROOT_DIR": str(libraries),
                    "PKG_CONFIG_LIBDIR": os.pathsep.join(map(str, found))})
                self._ninja(folder / "arm64", [BINARY], step)
                _keep(binary, [folder / "arm64" / BINARY])
        os.utime(binary)
        drop_oldest(binary.parent)
        return binary / BINARY

    def built_tree(self, store: Store | None, display: Display) -> Path:
        """Brings the tree up to date. Returns its folder, with src and build, which the next build changes. SetupError."""
        folder = self._unpacked(self._source_key(store), store, display)
        with display.step("building QEMU") as step:
            self._bring(folder)
            self._configure(folder / "src", folder / "build", OPTIONS, "cc")
            self._ninja(folder / "build", [BINARY], step)
        return folder

    def _base(self, source: str, options: list[str]) -> list[object]:
        """What every binary is built from, for its key."""
        return [source, options, *self.contents]

    @property
    def contents(self) -> list[object]:
        """What the checkout adds to QEMU's source: patches and devices."""
        return [list(self.patches), storage.digests(self.patches), storage.digests(self.devices)]

    def needs_source(self) -> bool:
        """Whether Debian's source package is needed: not if the user names a source tree."""
        return self.own is None

    # ---- the source ----

    def _source_key(self, store: Store | None) -> str:
        if self.own:
            return "own-" + storage.key(str(self.own.resolve()), _fingerprint(check_source(self.own)))
        assert store
        return store.get("qemu").version

    def _unpack(self, store: Store | None, src: Path) -> None:
        part = src.with_name("src.part")
        if self.own:
            storage.remove(part)
            shutil.copytree(self.own, part, symlinks=True, ignore=_ignored)
        else:
            assert store
            storage.fresh_dir(part)
            execute.run(["tar", "-xf", store.get("qemu").file(r"\.orig\.tar"), "-C", part, "--strip-components=1",
                         "--no-same-owner"], self.log, what="unpacking QEMU")
        check_source(part)
        part.rename(src)

    # ---- the build ----

    def _build(self, source: str, store: Store | None, display: Display, binary: Path,
               tests: Path | None) -> None:
        folder = self._unpacked(source, store, display)
        build = folder / "build"
        with display.step("building QEMU") as step:
            self._bring(folder)
            self._configure(folder / "src", build, OPTIONS, "cc")
            self._ninja(build, [BINARY], step)
            _keep(binary, [build / BINARY])
            if tests:
                names = self._qtest_names()
                if names:
                    self._ninja(build, [f"tests/qtest/fugu/{name}" for name in names], step)
                _keep(tests, [build / "tests" / "qtest" / "fugu" / name for name in names])

    def _unpacked(self, source: str, store: Store | None, display: Display) -> Path:
        """The folder of the tree, whose subfolder src has the unpacked source."""
        folder = self.cache / "qemu" / "trees" / storage.key(source, OPTIONS, self.tools.key)
        if not (folder / "src").exists():
            with display.step("unpacking QEMU"):
                folder.mkdir(parents=True, exist_ok=True)
                self._unpack(store, folder / "src")
        return folder

    def _bring(self, folder: Path) -> None:
        """Brings patches, devices and tests into the source."""
        src = folder / "src"
        PatchedTree(src, folder / "pristine", self.log).apply(self.patches)
        tree.mirror(self.devices, src / "hw" / "fugu")
        # The patched meson.build files always enter these folders.
        tree.mirror({"meson.build": b""} | self.tests, src / "tests" / "qtest" / "fugu")
        tree.mirror({"meson.build": b""} | self.targets, src / "tests" / "qtest" / "fuzz" / "fugu")

    def _qtest_names(self) -> list[str]:
        """The qtests to build. Empty if no patch makes QEMU's build enter their folder."""
        if "tests/qtest/meson.build" not in touched_files(self.patches):
            return []
        return sorted(Path(name).stem for name in self.tests if name.endswith("-test.c"))

    def _configure(self, src: Path, build: Path, options: list[str], compiler: str,
                   env: Mapping[str, str] | None = None) -> None:
        """Runs configure, with `env` in its environment, unless that is done. ninja notices later changes."""
        stamp = storage.Stamp(build / "configured.json")
        chosen = [f"--cc={compiler}"] if compiler != "cc" else []
        if stamp.read() == chosen:
            return
        storage.fresh_dir(build)
        # All packages are installed, so the build need not download anything.
        execute.run([src / "configure", *options, *chosen, f"--python={self.tools.bin('python')}",
                     f"--ninja={self.tools.bin('ninja')}", "--disable-download"],
                    self.log, what="configuring QEMU", cwd=build, env=self._environment() | dict(env or {}))
        stamp.write(chosen)

    def _ninja(self, build: Path, targets: list[str], step: Step) -> None:
        def on_line(line: str) -> None:
            if found := re.match(r"\[(\d+)/(\d+)\]", line):
                step.update(int(found[1]), int(found[2]))
        execute.run([self.tools.bin("ninja"), f"-j{capacity.jobs()}", *targets], self.log, cwd=build,
                    env=self._environment(), on_line=on_line, what="building QEMU")

    def _environment(self) -> dict[str, str]:
        return execute.environment(path_first=[self.tools.path / "bin"])


def check_source(path: Path) -> Path:
    """Checks that the path is a complete source tree of our series. Returns the path. SetupError."""
    try:
        version = (path / "VERSION").read_text().strip()
    except OSError:
        raise SetupError(f"{path} is not a QEMU source tree: it has no VERSION file.\n"
                         "FUGU_QEMU_SRC and --qemu-source take the directory that contains QEMU's configure.") from None
    if not re.match(re.escape(SERIES) + r"(\.|$)", version):
        raise SetupError(f"{path} is QEMU {version}, but the patches are for {SERIES}.\n"
                         f"Use any {SERIES}.x release.")
    missing = [name for name in SUBPROJECTS if not (path / "subprojects" / name / "meson.build").exists()]
    if missing:
        raise SetupError(f"{path} lacks subprojects/{missing[0]}.\n"
                         "Use a release tarball, or in a git checkout: meson subprojects download "
                         + " ".join(missing))
    return path


def _ignored(folder: str, names: list[str]) -> set[str]:
    """The entries of the user's source tree that are not copied: history and build directories."""
    return {name for name in names if name in (".git", "__pycache__")
            or os.path.exists(os.path.join(folder, name, "build.ninja"))}


def _fingerprint(path: Path) -> list[list[object]]:
    """[file, size, time] of each file in the user's source tree, to notice changes."""
    found: list[list[object]] = []
    for folder, names, file_names in os.walk(path):
        names[:] = sorted(set(names) - _ignored(folder, names))
        for name in sorted(file_names):
            stat = os.lstat(os.path.join(folder, name))
            found.append([os.path.join(folder, name), stat.st_size, stat.st_mtime_ns])
    return found


def _keep(folder: Path, results: list[Path]) -> None:
    """Copies results into the cache. The stamp is written last."""
    if (folder / "complete.json").exists():
        return
    storage.fresh_dir(folder)
    for path in results:
        shutil.copy2(path, folder / path.name)
    storage.Stamp(folder / "complete.json").write()


def drop_oldest(folder: Path) -> None:
    """Removes all entries but the KEPT that were used last. A QEMU that is running is not harmed."""
    by_use = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in by_use[KEPT:]:
        storage.remove(path)
