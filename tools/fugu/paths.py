"""Paths: the checkout, its build directory, the cache."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import SetupError

ROOT = Path(__file__).resolve().parents[2]


def build_dir() -> Path:
    """The checkout's build directory; FUGU_BUILD overrides it."""
    named = os.environ.get("FUGU_BUILD")
    return Path(named).absolute() if named else ROOT / "build"


def cache_dir() -> Path:
    """The cache that this user writes, outside the checkout. It may not exist yet.

    Raises SetupError if there is no place for the cache, or if its path has a
    character that the build systems of GCC and QEMU reject.
    """
    named = os.environ.get("FUGU_CACHE")
    path = Path(named).absolute() if named and not shared_cache() else _users_cache()
    if any(c.isspace() or c in ":\"'$#" for c in str(path)):
        raise SetupError(
            f"the cache would be in {str(path)!r}, and GCC and QEMU cannot be built "
            "in a path with blanks, colons, quotes, $ or #.\n"
            "Name another place: FUGU_CACHE=/some/directory")
    return path


def shared_cache() -> Path | None:
    """The cache that FUGU_CACHE names, if it is a cache that this user can only read; otherwise None.

    What is complete there is used. Everything else goes to cache_dir().
    """
    named = os.environ.get("FUGU_CACHE")
    if not named or os.access(named, os.W_OK) or not os.path.exists(os.path.join(named, "CACHEDIR.TAG")):
        return None
    return Path(named).absolute()


def _users_cache() -> Path:
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        return Path(xdg).absolute() / "fugu"
    home = os.path.expanduser("~")
    if home == "~":
        raise SetupError("HOME is not set, so there is no place for the cache.\n"
                         "Name one: FUGU_CACHE=/some/directory")
    return Path(home).absolute() / ".cache" / "fugu"


def program_name(file: Path | str) -> str:
    """The name by which kernel, reports and debugger know the program in a file: my.elf is my, a.out is a.out."""
    return Path(file).name.removesuffix(".elf")


def tests_dir(build: Path | None = None) -> Path:
    """The folder of the tests' built programs."""
    return (build or build_dir()) / "tests"


def guest_dir(build: Path | None = None) -> Path:
    """The folder of the built programs for the bare machine (NAME.elf)."""
    return tests_dir(build) / "guest"


def apps_dir(build: Path | None = None) -> Path:
    """The folder of the built apps (NAME.elf)."""
    return (build or build_dir()) / "apps"


def kernel_file(build: Path | None = None) -> Path:
    """The built kernel of the operating system."""
    return (build or build_dir()) / "guest-os" / "kernel" / "kernel.elf"


def server_file(build: Path | None = None) -> Path:
    """The built server of the scheduler."""
    return (build or build_dir()) / "guest-os" / "sched" / "sched.elf"


def images_dir(build: Path | None = None) -> Path:
    """The folder of boot images."""
    return (build or build_dir()) / "images"
