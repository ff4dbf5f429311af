"""Console input and the disk."""

import re
import struct

import pytest

SECTOR = 512


def test_echo(machine):
    result = machine("echo", nodes=2, stdin="first line\nsecond\nthird, longer line\nend\nnever read\n")
    assert result.check(0).stdout.splitlines() == [
        "polled: first line", "interrupted: second", "interrupted: third, longer line"]


def test_no_input_is_deadlock_of_the_reader(machine):
    """Input that ends before "end" leaves a node that waits for ever."""
    machine("echo", nodes=1, stdin="only one\n").check(125)


@pytest.mark.parametrize("sectors", [5, 64])
def test_disk(machine, tmp_path, sectors):
    image = tmp_path / "disk.img"
    image.write_bytes(b"".join(struct.pack(">I", number) * (SECTOR // 4) for number in range(sectors)))
    result = machine("disk", f"sectors={sectors}", nodes=1, disk=[f"0={image}"])

    assert "FAIL" not in result.stdout, result.report()
    result.check(0)
    assert len(re.findall(r"^ok ", result.stdout, re.MULTILINE)) == 13
    assert image.read_bytes()[-SECTOR:] == struct.pack(">I", 0x5EED) * (SECTOR // 4)
