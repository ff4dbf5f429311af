"""A machine that a client stops: QEMU with GDB's stub, and a monitor that tells when it is ready and ends it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from typing import Any

from ..errors import SetupError
from ..host import children

START_TIMEOUT = 60.0    # seconds that QEMU may take to start
END_TIMEOUT = 10.0      # and to end
FOLDER_MAX = 96         # bytes of the path of a socket's folder; the socket's has at most 107


@contextmanager
def usable(folder: str) -> Iterator[str]:
    """A path to a folder for a socket's name, which is short, and has no comma: QEMU's options are lists."""
    if len(os.fsencode(folder)) <= FOLDER_MAX and "," not in folder:
        yield folder
        return
    file = os.open(folder, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/{os.getpid()}/fd/{file}"
    finally:
        os.close(file)


def stopped(stub: Path, history: int) -> list[str]:
    """QEMU's options for a machine that waits for a client at the socket `stub`, and goes back within so many bytes."""
    # -no-shutdown: the state at the machine's end can be inspected.
    return ["-S", "-no-shutdown", "-machine", f"history={history}", "-gdb", f"unix:{stub},server=on,wait=off"]


def start(line: Sequence[str], monitor: socket, **options: Any) -> subprocess.Popen[bytes]:
    """Starts QEMU with one end of a monitor, in a session of its own, with these options of Popen. SetupError."""
    line = [*line, "-chardev", f"socket,id=monitor,fd={monitor.fileno()}", "-mon", "chardev=monitor,mode=control"]
    try:
        return children.start(line, start_new_session=True, pass_fds=[monitor.fileno()], **options)
    except OSError as error:
        raise SetupError(f"QEMU does not start: {line[0]}: {error.strerror}.") from None


def listens(monitor: socket) -> bool:
    """Waits until QEMU answers on its monitor; then the stub listens too. False if QEMU has ended."""
    monitor.settimeout(START_TIMEOUT)
    said = b""
    try:
        monitor.sendall(b'{"execute": "qmp_capabilities"}')
        while b'"return"' not in said:
            data = monitor.recv(4096)
            if not data:
                return False
            said += data
    except TimeoutError:
        raise SetupError(f"QEMU is not ready {START_TIMEOUT:.0f} seconds after its start.") from None
    except OSError:
        return False
    return True


def end(qemu: subprocess.Popen[bytes], monitor: socket) -> int:
    """Ends QEMU and returns its status: the machine's if that has ended, otherwise 0."""
    try:
        monitor.sendall(b'{"execute": "quit"}')
    except OSError:
        pass                    # it has ended already
    try:
        return qemu.wait(END_TIMEOUT)
    except subprocess.TimeoutExpired:
        qemu.kill()
        return qemu.wait()
