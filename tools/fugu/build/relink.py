"""QEMU with some of hw/ compiled anew: one compiler and one linker call, in folders of its own.

The cache's tree belongs to all checkouts, and each build changes it. So its build is copied once, and
never changed from then on. What hw/ holds is compiled with the commands of that build, from whatever checkout,
and linked with the copied objects.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..errors import SetupError
from ..host import execute, lock, storage
from ..host.progress import Lines
from ..host.python_tools import PythonTools
from ..paths import cache_dir
from . import settings
from .qemu import BINARY, Qemu
from .sources import Store


class Base:
    """The copy of a build of QEMU, from which others are linked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder.with_name(f"{folder.name}.log")
        self.build = folder / "build"

    def ensure(self) -> None:
        """Copies the build of this checkout's QEMU, unless the copy is one of the same contents. SetupError."""
        tools = PythonTools(cache_dir())
        qemu = Qemu(cache_dir(), tools, settings.current().qemu_source)
        stamp = storage.Stamp(self.folder / "complete.json")
        made_of = storage.key(*qemu.contents)
        if stamp.read() == made_of:
            return
        with lock.held(cache_dir() / "lock"):
            if stamp.read() == made_of:         # another process has made it meanwhile
                return
            display = Lines()
            try:
                tree = qemu.built_tree(Store(cache_dir(), display) if qemu.needs_source() else None, display)
            finally:
                display.close()
            storage.remove(self.folder)
            shutil.copytree(tree, self.folder, symlinks=True, ignore=shutil.ignore_patterns("roms", "pristine"))
            ninja = [tools.bin("ninja"), "-C", self.build, "-t", "compdb", "-x", "c_LINKER", "c_LINKER_RSP"]
            linked = [one for one in json.loads(execute.output(ninja) or "[]") if one["output"] == BINARY]
            compiled = json.loads((self.build / "compile_commands.json").read_text())
            ours = [one for one in compiled if "/hw/fugu/" in one["file"]]
            if not linked or not ours:
                raise SetupError(f"{self.build} has no commands that build {BINARY}; see {self.log}.")
            # The commands name the tree that was copied.
            (self.folder / "commands.json").write_text(json.dumps(
                {"link": linked[0]["command"], "objects": {one["output"]: one["command"] for one in ours},
                 "files": {one["output"]: one["file"].partition("/hw/fugu/")[2] for one in ours}}
            ).replace(str(tree), str(self.folder)))
            stamp.write(made_of)

    def made_of(self) -> str:
        """Names the contents of the copied build. Caller has called ensure()."""
        return str(storage.Stamp(self.folder / "complete.json").read())

    def objects(self, file: str | None = None) -> list[str]:
        """The objects that are compiled from a file of hw/ (with its path from there), or include it. All without it."""
        files = self._commands()["files"]
        if file is None:
            return list(files)
        if file.endswith(".c"):
            return [name for name, source in files.items() if source == file]
        return self._depending(f"/hw/fugu/{file}")

    def link(self, hw: Path, objects: Iterable[str], target: Path, flags: Sequence[str] = ()) -> None:
        """Compiles these objects from the sources in `hw`, and links QEMU as `target`. SetupError.

        `flags` are added to the compiler's and to the linker's. Objects are kept in the folder objects/ beside `target`.
        """
        commands = self._commands()
        made = target.parent / "objects"
        made.mkdir(parents=True, exist_ok=True)
        over = target.parent / "over"
        (over / "hw").mkdir(parents=True, exist_ok=True)
        (over / "hw" / "fugu").unlink(missing_ok=True)
        (over / "hw" / "fugu").symlink_to(hw)
        link = f" {commands['link']} "
        for name in objects:
            new = made / Path(name).name
            words = shlex.split(commands["objects"][name])
            words = [str(new) if word == name else str(new) + ".d" if word == f"{name}.d" else
                     word.replace("../src/hw/fugu/", f"{over}/hw/fugu/") for word in words]
            # Headers of hw/ are found in this checkout's before the copied ones.
            words[1:1] = ["-iquote", str(over)]
            execute.run([*words, *flags], self.log, what=f"compiling hw/{commands['files'][name]}", cwd=self.build)
            link = link.replace(f" {name} ", f" {new} ")
        link = re.sub(rf" -o {BINARY} ", f" -o {target} ", link)
        execute.run([*shlex.split(link), *flags], self.log, what="linking QEMU", cwd=self.build)

    def _commands(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = json.loads((self.folder / "commands.json").read_text())
        return found

    def _depending(self, end: str) -> list[str]:
        """The objects whose files include the one whose path ends so, as ninja has recorded it."""
        tools, found = PythonTools(cache_dir()), []
        for name in self._commands()["files"]:
            listed = execute.output([tools.bin("ninja"), "-C", self.build, "-t", "deps", name]) or ""
            if any(line.endswith(end) for line in listed.splitlines()):
                found.append(name)
        return found
