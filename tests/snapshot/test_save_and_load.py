"""--save and --load change nothing in a run.

A run that was saved, and each run that goes on from one of its snapshots, ends
with the digest of the undisturbed run.
"""

import contextlib
import os
import random
import subprocess
from pathlib import Path

import pytest

from fugu.run.snapshot import MAGIC


def test_saved_run_and_loaded_runs_have_one_digest(case):
    """Saves at four cycles of one run, and goes on from each in a process of its own."""
    rng = random.Random(case.words[0])
    case.saved_and_loaded([1, *rng.sample(range(2, case.cycles), 3)])


@pytest.mark.long
def test_twenty_snapshots_have_one_digest(case):
    rng = random.Random(case.words[0])
    case.saved_and_loaded(rng.sample(range(1, case.cycles), 20))


# Jobs whose nodes wait for interrupts, for messages and for space in the network, and where in their run.
BUSY = [(("agent", "server", "+", "agent", "client"), {"nodes": 4}, 248_000),
        (("pingpong", "20", "+", "null", "2000000"), {"nodes": 2, "timeslice": 3000}, 300_000)]


def each_round(machine, tmp_path, words, options, rounds, loads):
    """Saves at the end of each of these rounds, and goes on from those in `loads`.

    Before it saves, the machine checks what it would check after a load, and
    would end with another status.
    """
    files = {number: tmp_path / f"{number}.snap" for number in rounds}
    whole = machine(*words, digest=True, timeout="2G", save=[f"{file}@{number * 64}" for number, file in files.items()],
                    **options).check(0)
    for number, file in files.items():
        if number in loads:
            assert machine(None, load=file, digest=True, timeout="2G").check(0).digest == whole.digest
        file.unlink()


@pytest.mark.parametrize(("words", "options", "cycle"), BUSY, ids=["agent", "slots"])
def test_machine_loads_what_it_has_saved(machine, tmp_path, words, options, cycle):
    """A node that goes idle in the last cycle of a round has got the cycles of that instruction back."""
    rounds = range(cycle // 64 + 14, cycle // 64 + 22)
    each_round(machine, tmp_path, words, options, rounds, rounds)


@pytest.mark.long
@pytest.mark.parametrize(("words", "options", "cycle"), BUSY, ids=["agent", "slots"])
def test_machine_loads_each_round_of_a_range(machine, tmp_path, words, options, cycle):
    for first in range(cycle // 64, cycle // 64 + 2000, 100):
        each_round(machine, tmp_path, words, options, range(first, first + 100), range(first, first + 100, 10))


def test_loaded_machine_can_be_saved_again(case_of):
    """A snapshot of a loaded machine is loaded, and that machine is saved again."""
    case = case_of("alltoall")
    cycles = [case.cycles * part // 4 for part in (1, 2, 3)]
    files, words = case.saves(cycles)
    case.check(case.run(*words[:2]))
    case.check(case.load(files[cycles[0]], *words[2:4]))
    case.check(case.load(files[cycles[1]], *words[4:]))
    case.check(case.load(files[cycles[2]]))


def test_same_cycle_same_state(case_of):
    """A machine saves the same state at a cycle whether or not it was loaded before."""
    case = case_of("ring")
    cycles = [case.cycles // 3, case.cycles // 2]
    files, words = case.saves(cycles)

    def state():
        """The saved state without two parts that depend on the host.

        QEMU cuts the RAM into pieces by the host's time, and saves a clock of
        the host's that this machine does not read.
        """
        saved = files[cycles[1]].read_bytes()
        clock = saved.rindex(b"\x05timer")
        return saved[clock + 40:-65]
    case.run(*words)
    first = state()
    case.load(files[cycles[0]], *words[2:])
    assert state() == first


def test_flags_that_no_program_has_read_are_saved(case_of):
    """cexc is saved even if it is still to be computed: 12 rounds, in most of which a node executes FPops."""
    case = case_of("arithmetic")
    case.saved_and_loaded(range(case.cycles // 2, case.cycles // 2 + 12 * case.quantum, case.quantum))


@pytest.mark.parametrize("filters", [(",line-filter=off", ""), ("", ",line-filter=off")], ids=["saved", "loaded"])
def test_line_filter_is_not_part_of_the_state(case_of, filters):
    """The cache's contents are the machine's; how QEMU looks them up may change between save and load."""
    case = case_of("alltoall")
    files, words = case.saves([case.cycles // 2])
    case.check(case.run(*words, accel=filters[0]))
    case.check(case.load(*files.values(), accel=filters[1]))


def test_snapshot_has_the_disk_of_its_time(case_of):
    """Later writes to the disk, of the saved run and of loaded runs, do not reach the snapshot."""
    case = case_of("disk")
    files, words = case.saves([1, case.cycles - 200])
    case.check(case.run(*words))
    for file in [*files.values(), *files.values()]:
        case.check(case.load(file))


def test_skipping_idle_time_stops_for_a_save(case_of):
    case = case_of("disk")
    files, words = case.saves([1000 * 64])
    assert f"fugu: saved at cycle 64000: {files[64000]}" in case.run(*words).stderr


# ---- the console ---------------------------------------------------------------

SCRIPT = '0 20000 "one\\n"\n0 300000 "two\\n"\n0 300000 "end\\n"\n'


def test_untyped_part_of_a_script_is_saved(case_with, tmp_path):
    script = tmp_path / "script"
    script.write_text(SCRIPT)
    case_with("echo", nodes=2, more=("-global", f"fugu-console.script={script}")).saved_and_loaded([10_000, 100_000])


def open_files(process):
    """What the process has open, by its links in /proc. What has no name any more, or none yet, ends with (deleted)."""
    found = []
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            found.append(os.readlink(link))
    return found


@pytest.mark.parametrize("before", [None, b"old"], ids=["new", "replaced"])
def test_killed_save_leaves_nothing(line, tmp_path, before):
    """SIGKILL comes while the file is being written."""
    file, seen = tmp_path / "my.snap", False
    if before:
        file.write_bytes(MAGIC + before)
    words = line("ring", nodes=64, ram=8 << 20, more=("-device", f"fugu-save,cycle=2000,file={file}"))
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        try:
            while not seen and process.poll() is None:
                seen = any(one.startswith(f"{tmp_path}/") for one in open_files(process))
        finally:
            process.kill()
    assert seen, "the process ended before it could be killed"
    assert [path.name for path in tmp_path.iterdir()] == (["my.snap"] if before else [])
    assert not before or file.read_bytes() == MAGIC + before
