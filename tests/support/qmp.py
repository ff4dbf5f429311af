"""A client of QEMU's machine protocol, for tests that stop, save and load a machine."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path
from typing import Any


class Qmp:
    """One connection to `-qmp unix:PATH,server=on,wait=off`."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        deadline = time.monotonic() + 10
        while True:
            try:
                self.socket.connect(str(path))
                break
            except (FileNotFoundError, ConnectionRefusedError):
                assert time.monotonic() < deadline
                time.sleep(0.01)
        self.file = self.socket.makefile("rw")
        self.file.readline()
        self.ask("qmp_capabilities")

    def ask(self, command: str, **arguments: Any) -> Any:
        """Returns what the command returns. An error fails the test."""
        answer = self._answer(command, arguments)
        assert "error" not in answer, answer
        return answer["return"]

    def refusal(self, command: str, **arguments: Any) -> str:
        """Returns why the command is refused. The test fails if it is not."""
        answer = self._answer(command, arguments)
        assert "error" in answer, answer
        return str(answer["error"]["desc"])

    def _answer(self, command: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The answer to the command, without events before it."""
        self.file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.file.flush()
        while not {"return", "error"} & (answer := json.loads(self.file.readline())).keys():
            pass
        return dict(answer)

    def human(self, command: str) -> str:
        """The answer of the monitor for people."""
        return str(self.ask("human-monitor-command", **{"command-line": command}))
