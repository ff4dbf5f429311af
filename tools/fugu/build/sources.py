"""The sources of QEMU and of the toolchain: fetched once, kept in the cache."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ..errors import SetupError
from ..host.progress import Display
from ..host import storage
from ..host.storage import Stamp
from .apt import SUITE, Apt

# Debian's source packages, and the series of upstream releases that this
# project supports (? is any digit). Point releases replace each other in a
# suite, so the exact version does not matter.
SERIES = {"qemu": ("QEMU", "10.0"), "binutils": ("binutils", "2.4?"), "gcc-14": ("GCC", "14.2"),
          # Programs that tests/ports builds.
          "bzip2": ("bzip2", "1.0"), "lua5.4": ("Lua", "5.4"), "zlib": ("zlib", "1.?")}
# What a user can give instead. Without the others, tests are skipped.
OWN = {"qemu": "FUGU_QEMU_SRC=DIR names a source tree"} | dict.fromkeys(
    ("binutils", "gcc-14"), "FUGU_TOOLCHAIN=PREFIX names a sparc-elf toolchain")


@dataclass
class Source:
    """A source package that has been fetched."""

    package: str
    version: str
    files: list[Path]

    def file(self, pattern: str) -> Path:
        """The one file whose name matches; SetupError if there is none."""
        for path in self.files:
            if re.search(pattern, path.name):
                return path
        raise SetupError(f"the source package {self.package} {self.version} has no file {pattern!r}, "
                         "so set-up cannot use it.")


def check_series(package: str, version: str) -> None:
    """Raises SetupError if the version is not of the supported series."""
    name, wanted = SERIES[package]
    upstream = version.rpartition(":")[2]
    if not re.match(re.escape(wanted).replace(r"\?", r"\d") + r"(?!\d)", upstream):
        own = f", or give your own: {OWN[package]}" if package in OWN else ""
        raise SetupError(f"Debian's suite {SUITE} has {name} {upstream}, and this project is made for "
                         f"{name} {wanted}.\nAn older or newer mirror may have it (FUGU_DEBIAN_MIRROR){own}.")


class Store:
    """The fetched source packages in the cache."""

    def __init__(self, cache: Path, display: Display) -> None:
        self.cache, self.display = cache, display
        self.apt = Apt(cache / "apt", cache / "logs" / "sources.log")
        self.prepared = False

    def get(self, package: str) -> Source:
        """A source package, which is fetched unless it is complete. SetupError."""
        return self.kept(package) or self._fetched(package, self.cache / "downloads" / package)

    def kept(self, package: str) -> Source | None:
        """A source package that is complete in the cache, or None."""
        return self._kept(package, storage.entry(self.cache, "downloads", package))

    def _stamp(self, folder: Path) -> Stamp:
        return Stamp(folder / "complete.json")

    def _kept(self, package: str, folder: Path) -> Source | None:
        record = self._stamp(folder).read()
        if not record:
            return None
        files = [folder / name for name in record["files"]]
        for path in files:
            if not path.exists() or path.stat().st_size != record["files"][path.name]:
                return None
        return Source(package, record["version"], files)

    def _fetched(self, package: str, folder: Path) -> Source:
        with self.display.step(f"fetching the sources of {SERIES[package][0]}") as step:
            if not self.prepared:
                self.apt.prepare()
                self.prepared = True
            sizes = self.apt.files(package)
            version = version_of(package, list(sizes))
            check_series(package, version)
            self._drop_others(folder, sizes)

            def tick() -> None:
                step.update(sum(p.stat().st_size for n in sizes if (p := folder / n).exists()),
                            sum(sizes.values()))
            self.apt.fetch(package, folder, tick)
            sizes = {name: (folder / name).stat().st_size for name in sizes if (folder / name).exists()}
        self._stamp(folder).write({"version": version, "files": sizes})
        return Source(package, version, [folder / name for name in sizes])

    def _drop_others(self, folder: Path, sizes: dict[str, int]) -> None:
        """Removes files of other versions. Partial files of this version stay."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            if path.name not in sizes:
                path.unlink()


def version_of(package: str, names: list[str]) -> str:
    """The version in a source package's file names. SetupError."""
    for name in names:
        if found := re.fullmatch(rf"{re.escape(package)}_(.*)\.dsc", name):
            return found[1]
    raise SetupError(f"the source package {package} has no .dsc file among {', '.join(names)}.")
