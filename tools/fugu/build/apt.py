"""Debian's source packages, and binary packages of other hosts, which apt fetches and verifies.

apt keeps its package lists and downloads in a folder of the cache. So the
host's package lists do not change, and the user needs no privileges. The
host's apt configuration (proxies, certificates) and its mirror are used; this
file names no mirror.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from ..errors import SetupError
from ..host import execute

SUITE = "trixie"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

CONFIGURATION = """\
Dir::Etc::sourcelist "{state}/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "{state}/state";
Dir::State::lists "{state}/lists";
Dir::Cache "{state}/cache";
# Not as the user _apt, who may have no access to our folder.
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::Retries "3";
# Hooks of the host's apt must not run here.
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
"""
# For binary packages of another architecture than the host's. Nothing is installed.
FOREIGN = """\
APT::Architecture "{architecture}";
APT::Architectures "{architecture}";
Dir::State::status "{state}/status";
"""


class Apt:
    """apt-get with its own lists and cache, in the folder `state`.

    It fetches source packages, or the binary packages of an `architecture`.
    """

    def __init__(self, state: Path, log: Path, architecture: str = "") -> None:
        self.state, self.log, self.architecture = state, log, architecture
        self.conf = state / "apt.conf"

    def prepare(self) -> None:
        """Makes the folder and fetches the package lists. SetupError."""
        for name in ("state", "lists/partial", "cache/archives/partial"):
            (self.state / name).mkdir(parents=True, exist_ok=True)
        text = CONFIGURATION + (FOREIGN if self.architecture else "")
        self.conf.write_text(text.format(state=self.state, architecture=self.architecture))
        (self.state / "status").touch()
        kind = "deb" if self.architecture else "deb-src"
        tried = []
        for site in sites():
            signed = f"[signed-by={KEYRING}] " if KEYRING.exists() else ""
            (self.state / "sources.list").write_text(f"{kind} {signed}{site} {SUITE} main\n")
            for _ in range(2):
                if self.update():
                    return
            tried.append(site)
        raise SetupError(f"no mirror gave the package lists of Debian's suite {SUITE}.\n"
                         f"Tried: {', '.join(tried)}; details in {self.log}.\n"
                         "Is the network up? To use another mirror: FUGU_DEBIAN_MIRROR=<address of a Debian mirror>")

    def update(self) -> bool:
        """Fetches the package lists. Returns whether that succeeded."""
        status, _ = execute.attempt(["apt-get", "-c", self.conf, "-q", "-o", "APT::Update::Error-Mode=any",
                                     "update"], self.log)
        return status == 0

    def files(self, package: str) -> dict[str, int]:
        """Names and sizes in bytes of a source package's files. SetupError."""
        listed = execute.output(["apt-get", "-c", self.conf, "-q", "--print-uris", "--only-source",
                                 "source", package], execute.environment())
        found = re.findall(r"^'[^']*' (\S+) (\d+) ", listed or "", re.MULTILINE)
        if not found:
            raise SetupError(f"Debian's suite {SUITE} has no source package {package}.\n"
                             f"Details: apt-get -c {self.conf} --print-uris source {package}")
        return {name: int(size) for name, size in found}

    def fetch(self, package: str, into: Path, on_tick: Callable[[], None]) -> None:
        """Downloads a source package's files, and continues those that are there in part. SetupError."""
        self._fetch(["--only-source", "--download-only", "source", package], f"the source package {package}",
                    into, on_tick)

    def fetch_binaries(self, packages: list[str], into: Path, on_tick: Callable[[], None]) -> None:
        """Downloads binary packages of the architecture, without those that they depend on. SetupError."""
        self._fetch(["download", *packages], f"packages of {self.architecture}", into, on_tick)

    def _fetch(self, words: list[str], what: str, into: Path, on_tick: Callable[[], None]) -> None:
        """Runs apt-get with these words in the folder `into`. SetupError.

        A mirror that is being updated may lack a file for a moment. So after a
        failure the lists are fetched again, and two more attempts follow.
        """
        hint = f"If it keeps failing, name another mirror: FUGU_DEBIAN_MIRROR=..., and remove {self.state}"
        for last in (False, False, True):
            with _Ticker(on_tick):
                status, tail = execute.attempt(["apt-get", "-c", self.conf, "-q", *words], self.log, cwd=into)
            if status == 0:
                return
            if last:
                raise execute.failure(f"downloading {what}", self.log, tail, status, hint)
            self.update()


def sites() -> list[str]:
    """The mirrors to try, as in apt's source lines. SetupError if there is none."""
    if named := os.environ.get("FUGU_DEBIAN_MIRROR"):
        return [named]
    found = _machine_sites() or _debootstrap_site()
    if not found:
        raise SetupError("apt on this machine knows no Debian mirror that has the sources of QEMU and GCC.\n"
                         "Name one: FUGU_DEBIAN_MIRROR=<address of a Debian mirror, ending in /debian>\n"
                         "(or install debootstrap: it knows one).")
    return found


def _machine_sites() -> list[str]:
    """The Debian mirrors in the host's apt configuration."""
    listed = execute.output(["apt-get", "indextargets", "--format", "$(SITE) $(ORIGIN)/$(LABEL)"]) or ""
    lines = list(dict.fromkeys(listed.splitlines()))
    by_origin = [line.split()[0] for line in lines if line.endswith(" Debian/Debian")]
    # Without package lists, only its address tells that a mirror is Debian's.
    by_name = [line.split()[0] for line in lines if re.search(r"/debian/? ", line)]
    return list(dict.fromkeys(by_origin + by_name))


def _debootstrap_site() -> list[str]:
    """The mirror that debootstrap installs Debian from. For Ubuntu, whose apt knows no Debian mirror."""
    try:
        script = Path("/usr/sbin/debootstrap").read_text(errors="replace")
    except OSError:
        return []
    return re.findall(r'^DEF_MIRROR="([^"]*/debian/?)"', script, re.MULTILINE)[:1]


class _Ticker:
    """Calls a function twice a second while a command runs."""

    def __init__(self, tick: Callable[[], None]) -> None:
        import threading

        self.tick = tick
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        while not self.ended.wait(0.5):
            self.tick()

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()
