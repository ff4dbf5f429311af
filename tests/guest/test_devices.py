"""Console input and the disk."""

import struct

import pytest

SECTOR = 512


def test_echo_by_polling_and_by_interrupts(machine):
    result = machine("echo", nodes=2, stdin="first line\nsecond\nthird, longer line\nend\nnever read\n")
    assert result.check(0).stdout.splitlines() == [
        "polled: first line", "interrupted: second", "interrupted: third, longer line"]


def test_reader_without_input_is_a_deadlock(machine):
    """The program waits for a line "end" that never comes."""
    machine("echo", nodes=1, stdin="only one\n").check(125)


@pytest.mark.parametrize("sectors", [5, 64])
def test_disk_reads_and_writes_the_image(machine, tmp_path, sectors):
    image = tmp_path / "disk.img"
    image.write_bytes(b"".join(struct.pack(">I", number) * (SECTOR // 4) for number in range(sectors)))
    machine("disk", f"sectors={sectors}", nodes=1, disk=[f"0={image}"]).passed(13)
    assert image.read_bytes()[-SECTOR:] == struct.pack(">I", 0x5EED) * (SECTOR // 4)
