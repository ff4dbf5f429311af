"""QEMU itself refuses bad options of the machine and bad images, without the launcher's checks."""

import shutil
import struct
import subprocess
from pathlib import Path

import pytest

# Options of the machine, and a part of the message.
REFUSED = [
    ("nodes=0", "nodes=0: must be 1 to 1024"),
    ("nodes=1025", "nodes=1025: must be 1 to 1024"),
    ("nodes=many", "expects integer"),
    ("quantum=0", "quantum=0: must be 1 to"),
    ("quantum=65", "quantum of 65 cycles is longer than the main network's smallest latency of 64"),
    ("quantum=100,mesh-base=99", "longer than the main network's smallest latency of 99"),
    ("quantum=300,mesh-base=300", "longer than the second network's smallest latency of 256"),
    ("mesh=3x3", "a 3x3 mesh has room for 9 nodes, but there are 8"),
    ("mesh=4", "mesh=4: must be WIDTHxHEIGHT"),
    ("mesh=0x8", "mesh=0x8: must be WIDTHxHEIGHT"),
    ("mesh-base=0", "base latency of 0 cycles"),
    ("mesh-word=0", "latency a word of 0 cycles"),
    ("mesh-hop=1000001", "latency a hop of 1000001 cycles"),
    ("second-base=0", "base latency of 0 cycles"),
    ("input-queue=15", "input-queue=15: must be 16 to"),
    ("source-space=15", "source-space=15: must be 16 to"),
    ("atomicity=Soft", "atomicity=Soft: must be hard or soft"),
    ("network-interface=shrump", "network-interface=shrump: must be fugu, m-machine, none or shrimp"),
    ("network-interface=fugu-system", "network-interface=fugu-system: must be fugu, m-machine, none or shrimp"),
    ("network-interface=", "network-interface=: must be fugu, m-machine, none or shrimp"),
    ("network-interface=none,atomicity=soft", "atomicity: network-interface=none has no such option"),
    ("input-queue=128,network-interface=none", "input-queue: network-interface=none has no such option"),
    ("network-interface=none,source-space=32", "source-space: network-interface=none has no such option"),
    ("network-interface=none,mesh-base=64", "mesh-base: network-interface=none has no such option"),
    ("network-interface=none,mesh-hop=2", "mesh-hop: network-interface=none has no such option"),
    ("mesh-word=4,network-interface=none", "mesh-word: network-interface=none has no such option"),
    ("network-interface=shrimp,input-queue=128", "input-queue: network-interface=shrimp has no such option"),
    ("network-interface=shrimp,source-space=64", "source-space: network-interface=shrimp has no such option"),
    ("network-interface=shrimp,atomicity=hard", "atomicity: network-interface=shrimp has no such option"),
    ("packet-max=64", "packet-max: network-interface=fugu has no such option"),
    ("incoming-word=1,network-interface=none", "incoming-word: network-interface=none has no such option"),
    ("write-through=1", "write-through: network-interface=fugu has no such option"),
    ("pin-cycles=1", "pin-cycles: network-interface=fugu has no such option"),
    ("network-interface=m-machine,pin-cycles=1000001", "pin-cycles=1000001: must be 0 to 1000000"),
    ("network-interface=shrimp,write-through=1000001", "write-through=1000001: must be 0 to 1000000"),
    ("network-interface=shrimp,packet-max=0", "packet-max=0: must be 8 to 496"),
    ("network-interface=shrimp,packet-max=504", "packet-max=504: must be 8 to 496"),
    ("network-interface=shrimp,packet-max=12", "packet-max=12: must be a multiple of 8"),
    ("network-interface=shrimp,incoming-word=1000001", "incoming-word=1000001: must be 0 to 1000000"),
    ("network-interface=shrimp,quantum=65", "longer than the main network's smallest latency of 64"),
    ("network-interface=none,quantum=257", "longer than the second network's smallest latency of 256"),
    ("network-interface=none,dma-word=0", "dma-word: network-interface=none has no such option"),
    ("cache-size=98304", "cache-size=98304: must be a power of two"),
    ("cache-size=2048", "cache-size=2048: must be 4096 to"),
    ("cache-size=2097152", "must be 4096 to 1048576"),
    ("node-ram=100000", "node-ram=100000: must be whole pages of 4 KiB"),
    ("node-ram=4096", "node-ram=4096: must be 65536 to"),
    ("timeout=-5", "timeout=18446744073709551611: must be 0 to"),
    (f"timeout={(1 << 57) + 1}", f"timeout={(1 << 57) + 1}: must be 0 to {1 << 57}"),
    ("console=nobody", "console=nobody: there is no such chardev"),
    ("colour=blue", "colour' not found"),
]


@pytest.fixture
def refused(qemu):
    """refused(options, ELF, *more) -> the reason that QEMU gives. QEMU must end with 122."""
    def message(options, kernel, *more):
        done = subprocess.run([qemu, "-M", ",".join(["fugu", *options]), "-nodefaults", "-display", "none",
                               "-monitor", "none", "-serial", "none", *(["-kernel", kernel] if kernel else []), *more],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
        assert done.returncode == 122, done.stderr
        assert done.stdout == ""
        # The last line but one gives the reason; QEMU's loader may have printed others before it.
        *_, why, last = done.stderr.splitlines()
        assert last == "fugu: the machine did not start"
        return why
    return message


@pytest.mark.parametrize("options, says", REFUSED, ids=[options for options, _ in REFUSED])
def test_bad_option_is_refused(refused, guest_dir, options, says):
    assert says in refused([options], guest_dir / "whoami.elf")


def test_options_of_other_machines_are_refused(refused, guest_dir):
    """Options that would have no effect are refused, not ignored."""
    hello = guest_dir / "whoami.elf"
    assert "-cpu: the nodes have Sparcle" in refused([], hello, "-cpu", "LEON3")
    assert "-m: memory is given by node" in refused([], hello, "-m", "64")


# ---- Images ------------------------------------------------------------------

def elf(tmp_path, *, machine=2, data=b"\1\0\0\0", address=0, size=None):
    """The path of an ELF file with one segment."""
    header = struct.pack(">4s3B9xHHIIIIIHHHHHH", b"\x7fELF", 1, 2, 1, 2, machine, 1, address, 52, 0, 0, 52, 32, 1,
                         0, 0, 0)
    segment = struct.pack(">8I", 1, 84, address, address, len(data), size or len(data), 5, 4)
    path = tmp_path / "my.elf"
    path.write_bytes(header + segment + data)
    return path


def test_machine_without_a_program_is_refused(refused):
    assert "no program" in refused([], None)


def test_missing_file_is_refused(refused, tmp_path):
    assert f"cannot load '{tmp_path}/none.elf'" in refused([], tmp_path / "none.elf")


def test_text_is_refused(refused, tmp_path):
    path = tmp_path / "text.elf"
    path.write_text("no program at all\n" * 100)
    assert f"cannot load '{path}'" in refused([], path)


def test_program_for_another_processor_is_refused(refused, tmp_path):
    assert "cannot load" in refused([], elf(tmp_path, machine=8))


def test_program_for_the_host_is_refused(refused):
    assert "cannot load" in refused([], Path(shutil.which("true")).resolve())


def test_truncated_program_is_refused(refused, tmp_path, guest_dir):
    path = tmp_path / "half.elf"
    path.write_bytes((guest_dir / "whoami.elf").read_bytes()[:3000])
    assert "cannot load" in refused([], path)


@pytest.mark.parametrize("address, size", [(0, 0xfff004), (0x01000000, 4), (0x40000000, 4), (0xffff0000, 4)])
def test_program_beyond_the_image_is_refused(refused, tmp_path, address, size):
    assert "boot image ends at 0xfff000" in refused([], elf(tmp_path, address=address, size=size))


def test_long_arguments_are_refused(refused, guest_dir):
    assert "5000 bytes; at most" in refused([], guest_dir / "whoami.elf", "-append", "x" * 5000)


def test_smp_is_refused(refused, guest_dir):
    """-smp does not set the number of nodes."""
    assert "fugu" in refused([], guest_dir / "whoami.elf", "-smp", "2")


def test_icount_is_refused(refused, guest_dir):
    done = refused([], guest_dir / "whoami.elf", "-icount", "shift=0")
    assert "tcg" in done
