"""Packages of this host: which ones are missing, and installing them."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from ..errors import SetupError
from . import execute
from .progress import Display

# Debian's names; Ubuntu has the same ones.
PACKAGES = {
    "base": ["gcc", "g++", "libc6-dev", "make", "m4", "patch", "xz-utils", "pkg-config", "python3",
             "python3-venv", "ca-certificates"],
    "QEMU": ["libglib2.0-dev", "libpixman-1-dev", "zlib1g-dev", "flex", "bison"],
    "toolchain": ["libgmp-dev", "libmpfr-dev", "libmpc-dev", "zlib1g-dev", "flex", "bison", "m4"],
    "fuzzing": ["clang", "libclang-rt-dev"],
    "arm64": ["gcc-aarch64-linux-gnu", "qemu-user"],
    "fetch": ["debian-archive-keyring"],
    "debug": ["gdb-multiarch"],
    "model": ["spin"],
    "floors": ["universal-ctags"],
    "macros": ["m4"],
    "cluster": ["slurmctld", "slurmd", "slurm-client", "munge", "openmpi-bin"],
    "browser": ["chromium"],
}


def ensure_packages(parts: list[str], logs: Path, display: Display) -> None:
    """Installs the missing packages of these parts (keys of PACKAGES).

    Raises SetupError, with the command to type, if the user may not install
    packages. FUGU_NO_APT=1 means that the user provides everything.
    """
    if os.environ.get("FUGU_NO_APT"):
        return
    wanted = list(dict.fromkeys(p for part in ["base", *parts] for p in PACKAGES[part]))
    if "fetch" in parts and distribution() != "debian":
        wanted.append("debootstrap")        # names a Debian mirror (build/apt.py)
    missing = missing_packages(wanted)
    if missing:
        install(missing, logs, display)


def missing_packages(wanted: list[str]) -> list[str]:
    """The packages that are not installed, as dpkg knows them. SetupError without dpkg."""
    if not shutil.which("dpkg-query") or not shutil.which("apt-get"):
        raise SetupError(
            "this machine has no dpkg and apt-get, so packages cannot be installed automatically.\n"
            "Debian 12 is supported; Debian 13 and Ubuntu 24.04 should work as well.\n"
            "Elsewhere: install what these packages contain, provide the sources (FUGU_QEMU_SRC) and the\n"
            "toolchain (FUGU_TOOLCHAIN) yourself, and set FUGU_NO_APT=1.\n"
            "Packages: " + " ".join(wanted))
    known = execute.output(["dpkg-query", "-W", "-f", "${db:Status-Status} ${Package} ${Provides}\n"]) or ""
    have: set[str] = set()
    for line in known.splitlines():
        status, _, names = line.partition(" ")
        if status == "installed":
            # "Provides: pkg-config (= 1.8.1)" counts: newer releases rename packages.
            have.update(word.strip(",") for word in names.split() if not word.startswith("("))
    return [package for package in wanted if package not in have]


def install(packages: list[str], logs: Path, display: Display) -> None:
    """Installs packages with apt-get."""
    by_hand = "apt-get install --no-install-recommends " + " ".join(packages)
    prefix = privilege(by_hand)
    log = logs / "packages.log"
    env = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"]
    with display.step("installing packages") as step:
        # One of the host's package sources may be broken and our packages may
        # be available all the same, so only the installation must succeed.
        execute.attempt([*prefix, *env, "apt-get", "-q", "update"], log)
        seen = 0

        def on_line(line: str) -> None:
            nonlocal seen
            seen += line.startswith(("Get:", "Unpacking", "Setting up"))
            step.update(seen, 3.5 * len(packages) + 60)
        execute.run([*prefix, *env, "apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=300", "install",
                     "--no-install-recommends", *packages], log, what="installing packages",
                    on_line=on_line, hint=f"By hand, as root: {by_hand}")


def privilege(by_hand: str) -> list[str]:
    """The words to put before a command so that it runs as root.

    Raises SetupError if the user cannot become root. The message names
    `by_hand`, the command to type as root.
    """
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        if execute.output(["sudo", "-n", "true"]) is not None:
            return ["sudo", "-n"]
        if sys.stdin.isatty():
            print("fugu: packages are missing; sudo may ask for your password", file=sys.stderr)
            import subprocess

            # sudo asks here, on the terminal. Later commands run without one.
            if subprocess.run(["sudo", "-v"]).returncode == 0:
                return ["sudo", "-n"]
    raise SetupError("packages are missing, and installing them takes root.\n"
                     f"Run this command as root, then try again:\n  {by_hand}")


def distribution() -> str:
    """The ID in /etc/os-release, such as debian or ubuntu; empty if it is not known."""
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return ""
    return next((line[3:].strip('"') for line in lines if line.startswith("ID=")), "")
