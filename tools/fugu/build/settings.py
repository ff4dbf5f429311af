"""The user's choices: those that `./run.sh setup` remembers, and environment variables."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from ..errors import SetupError, owner
from ..paths import cache_dir, shared_cache


@dataclass
class Settings:
    """The user's own parts, used in place of those that set-up would fetch and build."""

    qemu_source: str | None = None      # a QEMU 10.0 source tree
    toolchain: str | None = None        # a prefix with bin/sparc-elf-gcc

    def context(self) -> dict[str, str | None]:
        """The settings as part of a build's record: with other settings the record does not hold."""
        return asdict(self) | {"cache": str(cache_dir())}


FILE = "settings.json"


def remembered() -> Settings:
    """The settings that `./run.sh setup` has saved, else those of a shared cache.

    Raises SetupError if their file is damaged or cannot be read.
    """
    own = _read(cache_dir())
    shared = shared_cache()
    return own or (_read(shared) if shared else None) or Settings()


def _read(cache: Path) -> Settings | None:
    file = cache / FILE
    try:
        return Settings(**json.loads(file.read_text()))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        raise SetupError(f"the cache {cache} cannot be read: {error.strerror}{owner(file)}.\n"
                         "Name another place: FUGU_CACHE=/some/directory") from None
    except (ValueError, TypeError, OSError) as error:
        raise SetupError(f"{file} is damaged ({error}).\nRemove it and try again.") from None


def current() -> Settings:
    """The settings in force. Environment variables come before remembered settings."""
    settings = remembered()
    if source := os.environ.get("FUGU_QEMU_SRC"):
        settings.qemu_source = os.path.abspath(source)
    if toolchain := os.environ.get("FUGU_TOOLCHAIN"):
        settings.toolchain = os.path.abspath(toolchain)
    return settings


def remember(settings: Settings) -> None:
    """Saves the settings for later runs."""
    from ..host.storage import write_atomically

    cache_dir().mkdir(parents=True, exist_ok=True)
    write_atomically(cache_dir() / FILE, json.dumps(asdict(settings), indent=2) + "\n")
