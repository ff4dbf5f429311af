"""Programs for fuzzing: QEMU's, and small ones for code that runs without QEMU.

They are built with clang, which has libFuzzer, for `./run.sh test --long`.
docs/testing.md says what they do.
"""

from __future__ import annotations

import os
from pathlib import Path

from ..host import execute, storage
from ..host.progress import Display
from ..paths import ROOT
from .qemu import FUZZ_BINARY, Qemu, drop_oldest
from .sources import Store

FLAGS = ["-std=gnu11", "-g", "-O1", "-Wall", "-Werror", "-fsanitize=fuzzer,address,undefined",
         "-fno-sanitize-recover=all", "-Itests/unit/stub", "-Ihw"]

# The sources of each small program. All headers count as inputs too.
PROGRAMS: dict[str, list[str]] = {
    "link-fuzz": ["tests/fuzz/link-fuzz.c", "tests/unit/link-frames.c", "hw/wire/codec.c"],
}


class Fuzzers:
    """All programs for fuzzing, in the cache. Caller of ensure() must hold the cache's lock."""

    def __init__(self, cache: Path, qemu: Qemu) -> None:
        self.cache, self.qemu = cache, qemu
        self.log = cache / "logs" / "fuzz.log"

    def ensure(self, store: Store | None, display: Display) -> dict[str, str]:
        """Builds what is missing. Returns the path of each program, by the environment variable of the tests."""
        paths = {"FUGU_FUZZ_QEMU": str(self.qemu.ensure_fuzzer(store, display) / FUZZ_BINARY)}
        with display.step("building other programs for fuzzing"):
            for name, sources in PROGRAMS.items():
                paths[f"FUGU_{name.upper().replace('-', '_')}"] = str(self._program(name, sources))
        return paths

    def _program(self, name: str, sources: list[str]) -> Path:
        inputs = [*sources, *sorted(str(path.relative_to(ROOT)) for folder in ("hw", "tests/unit")
                                    for path in (ROOT / folder).rglob("*.h"))]
        contents = {path: (ROOT / path).read_bytes() for path in inputs}
        file = self.cache / "fuzz" / storage.key(FLAGS, sources, storage.digests(contents)) / name
        if not file.exists():
            part = storage.fresh_dir(file.parent) / f"{name}.part"
            execute.run(["clang", *FLAGS, *sources, "-o", part], self.log, cwd=ROOT, what=f"building {name}")
            part.rename(file)
        os.utime(file.parent)
        drop_oldest(file.parent.parent)
        return file
