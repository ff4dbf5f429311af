"""Keys are SipHash of what they open, with a secret of the run that programs cannot read: docs/mbcf.md, "Tasks"."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from guest_programs import built

from fugu.abi import IMAGE
from fugu.image import elf

KEYS = built("mbcf/mbcf-keys")
MASK = (1 << 64) - 1


def keys(machine, *more, **options):
    """The run, and the keys that jobs of mbcf-keys print, by node, in order."""
    result = machine(KEYS, *more, nodes=2, timeout="10M", **options).check(0)
    found = re.findall(r"^key of node (\d+): ([0-9a-f]{16})$", result.stdout, re.MULTILINE)
    return result, [[int(key, 16) for of, key in found if of == node] for node in "01"]


def siphash(key: tuple[int, int], message: bytes) -> int:
    """SipHash-2-4."""
    v = [key[k % 2] ^ word for k, word in
         enumerate((0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573))]

    def turn(k, by):
        v[k] = (v[k] << by | v[k] >> (64 - by)) & MASK

    def half(a, b, by):
        v[a] = (v[a] + v[b]) & MASK
        turn(b, by)
        v[b] ^= v[a]

    def rounds(count):
        for _ in range(count):
            half(0, 1, 13), turn(0, 32), half(2, 3, 16)
            half(0, 3, 21), half(2, 1, 17), turn(2, 32)

    blocks = message.ljust(len(message) // 8 * 8 + 7, b"\0") + bytes([len(message) & 0xFF])
    for (word,) in struct.iter_unpack("<Q", blocks):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def test_siphash_is_the_papers():
    """The value of its appendix A."""
    words = struct.unpack("<2Q", bytes(range(16)))
    assert siphash(words, bytes(range(15))) == 0xA129CA6149BE45E5


def test_keys_are_siphash_of_the_secret(machine):
    result, [[first], [second]] = keys(machine, seed=5)
    command = result.command
    image = Path(command[command.index("-kernel") + 1])
    line = command[command.index("-append") + 1]
    read = elf.read(image, image.read_bytes())
    data = read.segments[0].data
    at = next(k for k in range(0, len(data), 4096) if data[k:k + 8] == struct.pack(">2I", IMAGE["MAGIC"], IMAGE["VERSION"])) + 32
    secret = struct.unpack(">2Q", data[at:at + 16])
    run = tuple(siphash(secret, which.to_bytes(8, "little") + line.encode()) for which in (0, 1))
    assert [siphash(run, struct.pack("<3I", node, 1, 0)) for node in (0, 1)] == [first, second]


def test_keys_change_with_what_no_program_reads(machine):
    """The same job on the same node, with the same seed, beside other jobs and other files."""
    runs = [{}, {"seed": 1}, {"timeslice": 60000}]
    others = [("+", "null"), ("+", "null", 1)]
    found = [keys(machine, **options)[1][0][0] for options in runs]
    found += [keys(machine, *other)[1][0][0] for other in others]
    assert len({*found}) == len(runs) + len(others), found
    assert keys(machine)[1][0][0] == found[0]


def test_jobs_of_a_run_have_their_own(machine):
    _, by_node = keys(machine, "+", KEYS)
    assert len({key for of_node in by_node for key in of_node}) == 4
