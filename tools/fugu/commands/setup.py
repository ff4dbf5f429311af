"""`./run.sh setup`: installs, fetches and builds everything; remembers the user's own parts."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from ..build import settings, sources, toolchain
from ..build.bring_up import bring_up
from ..build.cplusplus import CPlusPlus
from ..build.qemu import Qemu, check_source
from ..build.settings import Settings
from ..errors import UsageError
from ..host import storage
from ..host.python_tools import PythonTools
from ..host.storage import make_cache
from ..paths import cache_dir
from ..suggest import did_you_mean


def main(words: list[str]) -> int:
    """Checks and remembers the parts that the words name, then brings everything up to date. --key prints a key."""
    if words == ["--key"]:
        print(key())
        return 0
    chosen = _parse(words)
    if chosen.toolchain:
        toolchain.check(Path(chosen.toolchain), own=True)
    if chosen.qemu_source:
        check_source(Path(chosen.qemu_source))
    make_cache(cache_dir())
    settings.remember(chosen)
    found = bring_up(("qemu", "guest"))
    print(f"QEMU:            {found['qemu']['qemu']}")
    print(f"guest programs:  {found['guest']['build']}/apps")
    return 0


def key() -> str:
    """A name for what set-up would put into the cache for this checkout on this host."""
    cache, chosen = cache_dir(), settings.current()
    tools = PythonTools(cache)
    return storage.key(asdict(chosen), tools.key, CPlusPlus(cache, toolchain.Toolchain(cache)).key, sources.SERIES,
                       Qemu(cache, tools, None).contents)


def _parse(words: list[str]) -> Settings:
    chosen = settings.remembered()
    rest = list(words)
    while rest:
        name, given, value = rest.pop(0).partition("=")
        if name == "--forget":
            chosen = Settings()
            continue
        if name not in ("--qemu-source", "--toolchain"):
            known = ["--qemu-source", "--toolchain", "--forget", "--key"]
            raise UsageError(f"setup has no option {name}.{did_you_mean(name, known)}\n"
                             f"It takes: {', '.join(known)}.")
        if not given:
            value = rest.pop(0) if rest else ""
        if not value:
            raise UsageError(f"setup {name} needs a directory.")
        path = str(Path(value).expanduser().absolute())
        if name == "--toolchain":
            chosen.toolchain = path
        else:
            chosen.qemu_source = path
    return chosen
