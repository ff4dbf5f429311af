"""What set-up builds from source into a folder of its own in the cache: the cross compilers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from ..host import capacity, execute, storage
from ..host.progress import Step


class Build:
    """What is built from source into a folder of its own in the cache. The object is true if it is complete.

    An interrupted build is continued. `what` says in messages what is built.
    """

    # Lines that `make` prints, for each folder that is built. Only the progress bar depends on them.
    expected: ClassVar[dict[str, int]] = {}

    def __init__(self, cache: Path, name: str, key: str, what: str) -> None:
        self.key, self.what = key, what
        self.prefix = storage.entry(cache, name, key)
        self.work = cache / "work" / f"{name}-{key}"
        self.log = cache / "logs" / f"{name}.log"
        self.stamp = storage.Stamp(self.prefix / "complete.json")

    def __bool__(self) -> bool:
        return self.stamp.read() is not None

    def continue_with(self, versions: list[str]) -> None:
        """Makes the work folder. A build is only continued with the same versions of its sources.

        The versions are not in the key: a new point release does not cause a new build.
        """
        self.work.mkdir(parents=True, exist_ok=True)
        stamp = storage.Stamp(self.work / "versions.json")
        if stamp.read() != versions:
            storage.fresh_dir(self.work)
            storage.remove(self.prefix)
            stamp.write(versions)

    def once(self, name: str, action: Callable[[], None]) -> None:
        """Carries out a step of the build unless its stamp says that it is done."""
        stamp = storage.Stamp(self.work / f"{name}.done")
        if not stamp.read():
            action()
            stamp.write()

    def unpack(self, tarball: Path, into: Path, *options: str) -> None:
        """Unpacks a tarball without its top directory."""
        storage.fresh_dir(into)
        self.run(["tar", "-xf", tarball, "-C", into, "--strip-components=1", "--no-same-owner",
                   *options], self.work)

    def configure(self, src: Path, name: str, options: list[str]) -> None:
        def configure() -> None:
            build = storage.fresh_dir(self.work / f"build-{name}")
            filled = [option.replace("{work}", str(self.work)) for option in options]
            self.run([src / "configure", f"--prefix={self.prefix}", *filled], build)
        self.once(f"configure-{name}", configure)

    def make(self, name: str, step: Step, start: float, end: float, words: list[str]) -> None:
        count = 0

        def on_line(line: str) -> None:
            nonlocal count
            count += 1
            share = min(count / self.expected[name], 1.0)
            step.update(start + (end - start) * share, 1.0, name)
        self.run(["make", f"-j{capacity.jobs()}", "MAKEINFO=true", *words], self.work / f"build-{name}", on_line)

    def make_install(self, name: str, words: list[str]) -> None:
        # One after the other: parallel install targets race for directories.
        self.run(["make", "MAKEINFO=true", *words], self.work / f"build-{name}")

    def run(self, command: list[str | Path], cwd: Path, on_line: Callable[[str], None] | None = None) -> None:
        execute.run(command, self.log, what=self.what, cwd=cwd, on_line=on_line,
                    env=execute.environment(path_first=[self.prefix / "bin"]))
