"""Snapshots that cannot be loaded or saved: the message says why, and the status is that of a refusal."""

import hashlib
import random
import re
import resource
import subprocess

import pytest
from snapshot_case import SECTOR, SECTORS, Case, Tools, controlled

REFUSED = 121               # status: a file cannot be read or written
NOT_STARTED = 122           # status: QEMU does not start

# A value of each parameter that the saved machine does not have.
OTHERS = {"nodes": 5, "quantum": 32, "ram": 2 << 20, "mesh": (4, 1), "mesh-base": 65, "mesh-hop": 3, "mesh-word": 5,
          "second-base": 255, "second-hop": 3, "second-word": 31, "input-queue": 127, "source-space": 63,
          "dma-word": 2, "atomicity": "soft", "cache": False, "cache-size": 32 << 10, "cache-miss": 11}


@pytest.fixture(scope="module")
def saved(tmp_path_factory, run, line, digest_of):
    """A machine of four nodes, saved in a file and by savevm: (case, file)."""
    case = Case(Tools(tmp_path_factory.mktemp("saved"), run, line, digest_of), ("ring",), {"nodes": 4})
    files, words = case.saves([case.cycles // 2])
    case.run(*words)
    with controlled(case) as (process, monitor):
        assert monitor.human("savevm start") == ""
        process.kill()
    return case, next(iter(files.values()))


@pytest.mark.parametrize("name", OTHERS)
def test_machine_with_another_parameter(saved, run, name):
    """--load and -loadvm both name the parameter that differs."""
    case, file = saved
    property_name = {"ram": "node-ram"}.get(name, name)
    options = case.options | {name: OTHERS[name]}
    words = case.tools.line(*case.words, **options)
    words[words.index("-M") + 1] += f",load={file}"
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == REFUSED
    assert re.fullmatch(rf"fugu: {file}: the snapshot is of a machine with {property_name}=.*, "
                        rf"and this one has {property_name}=.*\n", done.stderr)
    store = f"if=none,id=store,format=qcow2,file={case.tools.tmp_path}/store.qcow2"
    done = run(*case.words, more=("-drive", store, "-loadvm", "start"), **options)
    assert done.returncode == NOT_STARTED
    assert f"the snapshot is of a machine with {property_name}=" in done.stderr


def test_running_machine_survives_a_refused_snapshot(saved):
    """The machine goes on answering its monitor, and can be quit."""
    case, _ = saved
    with controlled(case, loaded=True, nodes=3) as (process, monitor):
        assert "nodes=4, and this one has nodes=3" in monitor.human("loadvm start")
        monitor.ask("quit")
        assert process.wait(60) == 0


DAMAGES = {
    "empty": lambda data: b"",
    "a text": lambda data: b"no snapshot at all\n" * 99,
    "its first line": lambda data: data[:data.index(b"\n") + 1],
    "half a head": lambda data: data[:100],
    "no state": lambda data: data[:data.index(b"QEVM")],
    "half": lambda data: data[:len(data) // 2],
    "all but a byte": lambda data: data[:-1],
    "a byte too many": lambda data: data + b"\n",
    "a bit of the head": lambda data: data[:30] + bytes([data[30] ^ 1]) + data[31:],
    "a bit of the state": lambda data: data[:50000] + bytes([data[50000] ^ 1]) + data[50001:],
    "another version": lambda data: re.sub(rb"snapshot \d+\n", b"snapshot 99\n", data, count=1),
    "the last version": lambda data: re.sub(rb"snapshot \d+\n", b"snapshot 1\n", data, count=1),
    "no version": lambda data: re.sub(rb"snapshot \d+\n", b"snapshot x\n", data, count=1),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_snapshot(saved, tmp_path, name):
    case, file = saved
    other = tmp_path / "damaged.snap"
    other.write_bytes(DAMAGES[name](file.read_bytes()))
    done = case.load(other)
    assert done.returncode == REFUSED
    assert re.fullmatch(rf"fugu: {other}: (is|the snapshot) .*\n", done.stderr), done.stderr
    assert done.stdout == ""


def with_its_sum(state):
    """The state with its check sum, as a snapshot file ends."""
    return state + hashlib.sha256(state).hexdigest().encode() + b"\n"


# Offsets in a node's state, from the node's name on. Header and timer come
# first, then the console: two fifos of 256 bytes, and the script's length.
FIFO_HEAD = len("fugu-node") + 8 + 17 + 1 + 256
SCRIPT_LENGTH = FIFO_HEAD + 8 + 264
FORGED = {"a place in a fifo": FIFO_HEAD, "a number in a fifo": FIFO_HEAD + 4, "the length of a script": SCRIPT_LENGTH}


@pytest.mark.parametrize("name", FORGED)
def test_forged_state_is_refused(saved, tmp_path, name):
    """The check sum is right, but a value of the state is impossible."""
    case, file = saved
    state = bytearray(file.read_bytes()[:-65])
    place = state.index(b"fugu-node") + FORGED[name]
    assert state[place:place + 4] == bytes(4)
    state[place] = 0x80
    other = tmp_path / "forged.snap"
    other.write_bytes(with_its_sum(bytes(state)))
    done = case.load(other)
    assert done.returncode == REFUSED, done.stderr
    assert done.stdout == ""
    assert re.search(rf"^fugu: {other}: ", done.stderr, re.MULTILINE)


def forged_at_random(saved, tmp_path, times):
    """Changes random bytes of the nodes' state, `times` times.

    Each snapshot is refused, or is that of another machine, which must end
    as machines do: no signal ends QEMU.
    """
    case, file = saved
    state = file.read_bytes()[:-65]
    nodes = [found.start() for found in re.finditer(b"fugu-node", state)]
    rng = random.Random(times)
    other = tmp_path / "forged.snap"
    for _ in range(times):
        forged = bytearray(state)
        for _ in range(rng.choice([1, 1, 2])):
            forged[rng.choice(nodes) + rng.randrange(17, 4000)] = rng.choice([0, 1, 0x7f, 0x80, 0xff])
        other.write_bytes(with_its_sum(bytes(forged)))
        done = case.load(other, timeout=case.cycles)
        assert done.returncode >= 0, done.stderr


def test_random_state_does_not_crash(saved, tmp_path):
    forged_at_random(saved, tmp_path, 25)


@pytest.mark.long
def test_random_states_do_not_crash(saved, tmp_path):
    forged_at_random(saved, tmp_path, 1000)


def test_file_that_cannot_be_read(saved, tmp_path):
    case, _ = saved
    for other in (tmp_path / "none.snap", tmp_path):
        done = case.load(other)
        assert done.returncode == REFUSED
        assert re.fullmatch(rf"fugu: {other}: cannot be read: .*\n", done.stderr)


def test_only_snapshots_are_overwritten(case_of, tmp_path):
    case = case_of("ring")
    for other in (tmp_path / "text", tmp_path):
        if not other.exists():
            other.write_text("precious\n")
        done = case.run("-device", f"fugu-save,cycle=100,file={other}")
        assert done.returncode == NOT_STARTED
        assert "is there and is no snapshot: it is not overwritten" in done.stderr
    assert (tmp_path / "text").read_text() == "precious\n"


def test_save_into_no_directory(case_of, tmp_path):
    """The run ends with status 121 at the cycle of the save."""
    case = case_of("ring")
    done = case.run("-device", f"fugu-save,cycle=100,file={tmp_path}/none/my.snap")
    assert done.returncode == REFUSED
    assert re.search(rf"^fugu: {tmp_path}/none/my.snap cannot be written: .*No such file", done.stderr, re.MULTILINE)


def test_save_without_room_keeps_the_old_file(case_of, tmp_path):
    """No part of the new file is left."""
    case = case_of("ring")
    files, words = case.saves([case.cycles // 2])
    file = next(iter(files.values()))
    case.run(*words)
    before = file.read_bytes()
    words = case.tools.line(*case.words, digest=True, more=tuple(words), **case.options)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          restore_signals=False,        # else the limit would raise SIGXFSZ
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000)))
    assert done.returncode == REFUSED, done.stderr
    assert re.search(rf"^fugu: {file} cannot be written: .*too large", done.stderr, re.MULTILINE)
    assert file.read_bytes() == before
    assert not list(tmp_path.glob(f"{file.name}.*"))


def test_save_touches_no_other_file(case_of, tmp_path):
    """Neither a file whose name is like the snapshot's, nor what a link of such a name leads to."""
    case = case_of("ring")
    files, words = case.saves([case.cycles // 2])
    file = next(iter(files.values()))
    for name in ("target", f"{file.name}.part"):
        (tmp_path / name).write_text("precious\n")
    for name in (f"{file.name}.tmp", f"{file.name}~"):
        (tmp_path / name).symlink_to("target")
    before = sorted(tmp_path.iterdir())
    case.run(*words)
    assert sorted([*before, file]) == sorted(tmp_path.iterdir())
    assert (tmp_path / "target").read_text() == (tmp_path / f"{file.name}.part").read_text() == "precious\n"
    case.check(case.load(file))


def test_save_replaces_a_link(case_of, tmp_path):
    """What the link leads to stays as it was, though it is a snapshot."""
    case = case_of("ring")
    files, words = case.saves([case.cycles // 2])
    file, other = next(iter(files.values())), tmp_path / "other.snap"
    case.run(*words)
    file.rename(other)
    before = other.read_bytes()
    file.symlink_to(other)
    case.run(*words)
    assert not file.is_symlink() and other.read_bytes() == before
    case.check(case.load(file))


def test_save_after_the_end_has_a_status_of_its_own(case_of):
    """The run is what it would be without it, but a script that goes on with the snapshot must not."""
    case = case_of("ring")
    files, words = case.saves([case.cycles // 2, case.cycles * 2])
    done = case.run(*words)
    assert case.expected.returncode == 0 and done.returncode == REFUSED
    assert case.tools.digest_of(done.stdout) == case.digest
    there, file = files.values()
    assert re.search(rf"^fugu: the run ended at cycle \d+, before cycle {case.cycles * 2}: "
                     rf"{file} was not saved$", done.stderr, re.MULTILINE)
    assert there.exists() and not file.exists()


def test_raw_disk_cannot_be_saved(case_of, tmp_path):
    case = case_of("ring")
    raw = tmp_path / "raw.img"
    raw.write_bytes(bytes(SECTOR * SECTORS))
    _, words = case.saves([100])
    done = case.run(*words, disk=[(0, str(raw))])
    assert done.returncode == NOT_STARTED
    assert f"the disk of node 0, {raw}, is no qcow2 image" in done.stderr
    assert "qemu-img convert -O qcow2" in done.stderr


def test_disk_without_the_snapshot(case_of):
    case = case_of("disk")
    files, words = case.saves([case.cycles // 2])
    case.run(*words)
    case.disk()                                 # a new one, without snapshots
    done = case.load(next(iter(files.values())))
    assert done.returncode == REFUSED
    assert "a disk has no snapshot fugu-" in done.stderr
