"""What lies outside of the machine when it goes back: disks, and what was typed."""

from __future__ import annotations

import socket

import pytest

from fugu.run import rsp as remote
from fugu.run.rsp import BOUND

SECTORS, SECTOR = 64, 512


@pytest.fixture
def disk(tmp_path):
    """An image whose words are the numbers of their sectors, as the program disk wants it."""
    image = tmp_path / "disk.img"
    image.write_bytes(b"".join(number.to_bytes(4, "big") * (SECTOR // 4) for number in range(SECTORS)))
    return image


def test_disk_goes_back(traveller, disk):
    """Writes are undone, and done again when the machine runs forward again."""
    before = disk.read_bytes()
    there = traveller("disk", f"sectors={SECTORS}", nodes=1, disk=[(0, str(disk))])
    assert there.client.run().signal == remote.SIGQUIT
    state, after = there.state(), disk.read_bytes()
    assert there.get("state") == "ended with status 0" and after != before
    there.go_to(100, 0)
    assert disk.read_bytes() == before
    assert there.client.run().signal == remote.SIGQUIT
    assert there.state() == state
    assert disk.read_bytes() == after


def test_disk_goes_on(traveller, disk):
    """A later checkpoint has the disk's later contents, and from there the machine goes back and on as before."""
    before = disk.read_bytes()
    there = traveller("disk", f"sectors={SECTORS}", nodes=1, disk=[(0, str(disk))])
    assert there.client.run().signal == remote.SIGQUIT
    end = there.place().cycle
    seen = {}
    for cycle in (end // 3, end // 2, end - 100):       # leaves checkpoints at each
        there.go_to(cycle, 0)
        seen[cycle] = there.state(), disk.read_bytes()
    assert len({contents for _, contents in seen.values()}) == 3
    for cycle in (100, end // 2, 200, end - 100, end // 3, 100, end // 3, end // 2):
        there.go_to(cycle, 0)
        assert cycle not in seen or (there.state(), disk.read_bytes()) == seen[cycle]
    there.go_to(100, 0)
    assert disk.read_bytes() == before


class Terminal:
    """What is typed at a node's console, and what comes out."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(BOUND)
        self.socket.connect(str(path))
        self.said = b""

    def type(self, text, answer):
        """Types, and waits for the answer."""
        self.socket.sendall(text)
        while answer not in self.said:
            self.said += self.socket.recv(1000)


def test_typed_input_comes_again(traveller, tmp_path):
    """What was typed comes again at its cycles, and no output comes twice."""
    path = tmp_path / "console"
    there = traveller("echo", nodes=1, console=f"socket,id=console0,path={path},server=on,wait=off")
    terminal = Terminal(path)
    there.client.go()
    terminal.type(b"first line\n", b"polled: first line\n")
    terminal.type(b"second\nthird\n", b"interrupted: third\n")
    terminal.socket.sendall(b"end\n")
    assert there.client.wait().signal == remote.SIGQUIT
    end = there.state()
    assert there.get("state") == "ended with status 0"
    for cycle in (0, end[0].cycle // 2):
        there.go_to(cycle, 0)
        assert there.client.run().signal == remote.SIGQUIT
        assert there.state() == end
    terminal.socket.setblocking(False)
    with pytest.raises(BlockingIOError):
        terminal.socket.recv(1000)
    assert terminal.said == b"polled: first line\ninterrupted: second\ninterrupted: third\n"
