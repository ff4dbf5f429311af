"""Answers QEMU's questions about nodes, on standard input, which is a socket: see hw/report/reporter.c.

Its argument is the file that QEMU has booted.
"""

from __future__ import annotations

import os
import socket
import struct
import sys

# Python puts the directory that it runs on the path. The package is found from
# the directory of tools.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from fugu.abi import REPORTER  # noqa: E402
from fugu.report.memory import Memory  # noqa: E402
from fugu.report.processes import Kernel, Section  # noqa: E402

WORDS = struct.Struct(">II")
WINDOW = 4 * REPORTER["WINDOW_WORDS"]
TEXT = REPORTER["IS_TEXT"]


class Link:
    """The connection to QEMU."""

    def __init__(self, file: socket.socket) -> None:
        self.file = file

    def receive(self, length: int) -> bytes:
        """That many bytes. EOFError if QEMU has closed the connection."""
        data = b""
        while len(data) < length:
            part = self.file.recv(length - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def read(self, address: int, length: int) -> bytes | None:
        """Bytes of the physical memory of the node that QEMU asks about. None if not all of them are there."""
        self.file.sendall(WORDS.pack(address, length))
        count = int.from_bytes(self.receive(4), "big")
        return self.receive(count) if count else None

    def answer(self, text: str) -> None:
        """Sends the text about the node."""
        data = text.encode()[:REPORTER["TEXT_MAX"]]
        self.file.sendall(WORDS.pack(TEXT, len(data)) + data)


def main(boot: str) -> None:
    """Answers until QEMU closes the connection."""
    with socket.socket(fileno=os.dup(0)) as file:
        link = Link(file)
        kernel = Kernel(boot)
        while True:
            _, pc = WORDS.unpack(link.receive(WORDS.size))
            sp, count = WORDS.unpack(link.receive(WORDS.size))
            windows = [link.receive(WINDOW) for _ in range(count)]
            uac, queued = WORDS.unpack(link.receive(WORDS.size))
            since = int.from_bytes(link.receive(WORDS.size), "big", signed=True)
            section = Section(uac, queued, since if since >= 0 else None)
            link.answer(kernel.text(Memory(link.read), pc, sp, windows, section))


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except (EOFError, OSError):
        pass                    # QEMU has heard all that it wants, or has gone
