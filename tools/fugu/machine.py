"""QEMU's command line for a `Run`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .options import OPTIONS
from .parse import Run


def command(qemu: Path | str, kernel: Path | str, run: Run) -> list[str]:
    """The whole command: one process, all nodes in one thread.

    Only what the user set is passed; the defaults are the machine's.
    """
    line = [str(qemu), "-M", _machine(run), "-accel", "tcg,thread=single",
            "-nodefaults", "-no-user-config", "-display", "none",
            "-monitor", "none", "-serial", "none",
            # signal=on: Control-C ends QEMU, and is not a byte for the guest.
            "-chardev", "stdio,id=console,signal=on"]
    if "load" not in run.options:
        line += ["-kernel", str(kernel)]
    if run.args:
        line += ["-append", " ".join(run.args)]
    for node, file in run.options.get("disk", []):
        # The board looks for the drive diskN.
        line += ["-drive", f"if=none,id=disk{node},format={disk_format(file)},file={_escaped(file)}"]
    for file, cycle in run.options.get("save", []):
        line += ["-device", f"fugu-save,cycle={cycle},file={_escaped(file)}"]
    for pattern in run.options.get("trace", []):
        line += ["-trace", f"enable={_escaped(pattern)}"]
    if "trace-file" in run.options:
        line += ["-D", run.options["trace-file"]]
    return [*line, *run.options.get("qemu-arg", [])]


def disk_format(file: str) -> str:
    """QEMU's name for the format of an image: qcow2 by its magic, or raw."""
    try:
        with open(file, "rb") as image:
            return "qcow2" if image.read(4) == b"QFI\xfb" else "raw"
    except OSError:
        return "raw"        # QEMU says what is wrong


def _escaped(text: str) -> str:
    """A comma is doubled for QEMU."""
    return text.replace(",", ",,")


def _machine(run: Run) -> str:
    settings = ["fugu"]
    for option in OPTIONS:
        if option.key not in run.options:
            continue
        if option.prop:
            settings.append(f"{option.prop}={_text(run.options[option.key])}")
        elif option.key == "mesh":
            settings.append("mesh={}x{}".format(*run.options["mesh"]))
    if "load" in run.options:
        settings.append(f"load={_escaped(run.options['load'])}")
    return ",".join([*settings, "console=console"])


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
