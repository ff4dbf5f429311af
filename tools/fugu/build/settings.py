"""What the user chose once and for all, and by environment variables."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from ..errors import SetupError
from ..paths import cache_dir


@dataclass
class Settings:
    """Own parts to use in place of those that set-up would fetch and build."""

    qemu_source: str | None = None      # a QEMU 10.0 source tree
    toolchain: str | None = None        # a prefix with bin/sparc-elf-gcc

    def context(self) -> dict[str, str | None]:
        """What makes records of other settings invalid."""
        return asdict(self) | {"cache": str(cache_dir())}


def _file() -> Path:
    return cache_dir() / "settings.json"


def remembered() -> Settings:
    """What `./run.sh setup` was told; SetupError if the file is damaged."""
    try:
        return Settings(**json.loads(_file().read_text()))
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except (ValueError, TypeError, OSError) as error:
        raise SetupError(f"{_file()} cannot be used ({error}).\nRemove it and try again.") from None


def current() -> Settings:
    """The settings in force: the environment, then what is remembered."""
    settings = remembered()
    if source := os.environ.get("FUGU_QEMU_SRC"):
        settings.qemu_source = os.path.abspath(source)
    if toolchain := os.environ.get("FUGU_TOOLCHAIN"):
        settings.toolchain = os.path.abspath(toolchain)
    return settings


def remember(settings: Settings) -> None:
    """Keeps the settings for later runs."""
    from ..host.storage import write_atomically

    cache_dir().mkdir(parents=True, exist_ok=True)
    write_atomically(_file(), json.dumps(asdict(settings), indent=2) + "\n")
