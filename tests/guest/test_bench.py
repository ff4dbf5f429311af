"""The benchmarks compute the right results, on this machine's nodes and on QEMU's leon3_generic."""

import re
import struct
import subprocess

import pytest

SIZE = 64


def lu_checksum(reps):
    """Does what bench/lu.c does, operation by operation: doubles give the same results on all machines."""
    total = 0
    for rep in range(reps):
        a = [[float(((i + j + rep) & 7) - 3) for j in range(SIZE)] for i in range(SIZE)]
        for i in range(SIZE):
            a[i][i] = 256.0 + i
        for k in range(SIZE):
            for i in range(k + 1, SIZE):
                a[i][k] = factor = a[i][k] / a[k][k]
                for j in range(k + 1, SIZE):
                    a[i][j] -= factor * a[k][j]
        checksum = 0
        for i in range(SIZE):
            high, low = struct.unpack(">II", struct.pack(">d", a[i][i]))
            checksum = (checksum << 1 & 0xFFFFFFFF | checksum >> 31) ^ high ^ low
        total ^= checksum
    return total


def queens_sum(reps):
    return 352 * reps           # nine queens have 352 placements


def numbers(stdout):
    """(repetitions, result, cycles) that node 0 prints."""
    found = re.search(r"^\w+: (\d+) repetitions, result (0x[0-9a-f]+)\n  [0-9,]+ instructions, ([0-9,]+) cycles",
                      stdout, re.MULTILINE)
    assert found, stdout
    return int(found[1]), int(found[2], 16), int(found[3].replace(",", ""))


# Cycles of one repetition, counted over the code that bench_instructions counts.
@pytest.mark.parametrize("program, result, cycles",
                         [("int", queens_sum, 251_139), ("fp", lu_checksum, 2_530_181)])
def test_results_and_cycles_on_nodes(machine, program, result, cycles):
    few = numbers(machine(program, "reps=2", nodes=1).check(0).stdout)
    more = numbers(machine(program, "reps=5", nodes=4).check(0).stdout)

    assert few[:2] == (2, result(2))
    assert more[:2] == (5, result(5))
    assert more[2] - few[2] == 3 * cycles


@pytest.mark.parametrize("program, reps, result", [("int", 400, queens_sum), ("fp", 100, lu_checksum)])
def test_results_on_leon3(qemu, guest_dir, program, reps, result):
    done = subprocess.run([qemu, "-M", "leon3_generic", "-nodefaults", "-display", "none", "-monitor", "none",
                           "-serial", "stdio", "-kernel", guest_dir / f"{program}-leon3.elf"],
                          capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    assert f"{program}: {reps} repetitions, result 0x{result(reps):08x}\n" in done.stdout


def test_spin_ends_after_its_turns(machine):
    result = machine("spin", "turns=1000", nodes=1).check(0)
    assert result.stdout == "spin: 1,000 turns, 10,000 instructions\n"
