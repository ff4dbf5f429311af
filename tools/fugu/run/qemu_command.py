"""QEMU's command line for a `Run`."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..options.table import OPTIONS
from ..paths import ROOT
from .jobs import command_line
from .parse import Run

CHECKS = ("order", "races")     # values of --check that the launcher looks after, and not QEMU


@dataclass(frozen=True)
class Part:
    """What QEMU's command line has for one process of several."""

    process: int
    processes: int
    nodes: range
    transport: str
    link: str                   # QEMU's text of a socket address
    timeout: float              # seconds until all processes have connected
    secret: str | None = None   # the file with the secret
    quiet: bool = False         # another process on this host prints why the run ends
    build: int = 0              # names what QEMU was built from; 0: not known


def command(qemu: Path | str, kernel: Path | str, run: Run, part: Part | None = None) -> list[str]:
    """The whole command of one process, whose nodes run in one thread.

    Options that the user did not set are left out: the machine has their defaults.
    """
    # signal=on: Control-C ends QEMU instead of reaching the guest as a byte.
    console = "null,id=console" if part and part.process else "stdio,id=console,signal=on"
    line = [str(qemu), "-M", _machine(run, part), "-accel", "tcg,thread=single",
            "-nodefaults", "-no-user-config", "-display", "none",
            "-monitor", "none", "-serial", "none",
            "-chardev", console,
            "-machine", _settings(reporter=_reporter(str(kernel) or run.program))]
    if "load" not in run.options:
        line += ["-kernel", str(kernel)]
    if part and part.secret:
        line += ["-object", _settings("secret", id="link", file=part.secret)]
    if text := command_line(run):
        line += ["-append", text]
    for node, file in run.options.get("disk", []):
        if not part or node in part.nodes:
            # The board connects the drive diskN to node N.
            line += ["-drive", _settings(**{"if": "none"}, id=f"disk{node}", format=disk_format(file), file=_path(file))]
    for file, cycle in run.options.get("save", []):
        line += ["-device", _settings("fugu-save", cycle=cycle, file=file)]
    for pattern in run.options.get("trace", []):
        line += ["-trace", _settings(enable=pattern)]
    if "trace-file" in run.options:
        line += ["-D", trace_file(run.options["trace-file"], part)]
    return [*line, *run.options.get("qemu-arg", [])]


def trace_file(file: str, part: Part | None) -> str:
    """The trace file of a process: FILE.I with several processes, unless FILE is no regular file (such as a pipe)."""
    if not part or (os.path.exists(file) and not os.path.isfile(file)):
        return file
    return f"{file}.{part.process}"


def disk_format(file: str) -> str:
    """QEMU's name for the format of a disk image: qcow2 if the file begins with its magic, otherwise raw."""
    try:
        with open(file, "rb") as image:
            return "qcow2" if image.read(4) == b"QFI\xfb" else "raw"
    except OSError:
        return "raw"        # QEMU prints the error


def _settings(*first: str, **values: Any) -> str:
    """The value of one of QEMU's options: words, then NAME=VALUE for each of these values.

    All that comes from users and files passes here: a comma would begin another
    setting, so QEMU wants it doubled.
    """
    return ",".join([*first, *(f"{name}={_text(value).replace(',', ',,')}"
                               for name, value in values.items())])


def _path(file: str) -> str:
    """The path of an image, so that QEMU does not take NAME: at its beginning for a protocol."""
    return file if os.path.isabs(file) else os.path.join(".", file)


def _machine(run: Run, part: Part | None) -> str:
    settings: dict[str, Any] = {}
    if run.options.get("check") in CHECKS:
        raise UsageError(f"--check {run.options['check']} is for a run by itself: ./run.sh --check {run.options['check']} PROGRAM.")
    for option in OPTIONS:
        if option.key not in run.options:
            continue
        if option.prop:
            settings[option.prop] = run.options[option.key]
        elif option.key == "mesh":
            settings["mesh"] = "{}x{}".format(*run.options["mesh"])
    if part:
        settings |= _link(part)
    for key in ("load", "observe", "output"):
        if key in run.options:
            settings[key] = run.options[key]
    if run.options.get("progress") and not (part and part.process):
        settings["progress"] = True
    return _settings("fugu", **settings, console="console")


def _reporter(booted: str) -> str:
    """The command that QEMU runs for its report on the nodes (report/)."""
    # -B: several may start at the same time, and there is little to compile.
    return shlex.join([sys.executable, "-X", "utf8", "-S", "-E", "-B", str(ROOT / "tools" / "fugu" / "report"), booted])


def _link(part: Part) -> dict[str, Any]:
    settings: dict[str, Any] = {"processes": part.processes, "process": part.process, "link": part.link,
                                "transport": part.transport, "link-timeout": round(part.timeout * 1000)}
    if part.secret:
        settings["link-secret"] = "link"
    if part.quiet:
        settings["link-quiet"] = True
    if part.build:
        settings["link-build"] = part.build
    return settings


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
