"""Snapshots: whoever saves and loads the machine changes nothing in it.

A run that was saved, and each run that goes on from one of its snapshots, in
another process or in the same one, ends with the digest of the run that
nobody touched.
"""

import contextlib
import hashlib
import random
import re
import resource
import socket
import struct
import subprocess
import time

import pytest
import qcow2
from qmp import Qmp

SECTOR = 512
SECTORS = 64

# Program, arguments, options of the machine. Little memory: less to write.
CASES = {
    "ring": ((), {}),
    "ring, 13 nodes, quantum 7": (("rounds=8",), {"nodes": 13, "quantum": 7}),
    "alltoall": (("messages=40",), {"nodes": 8}),
    "alltoall, small queues": (("messages=20",), {"nodes": 5, "input-queue": 16, "source-space": 32}),
    "alltoall, no cache": (("messages=20",), {"nodes": 4, "cache": False}),
    "backpressure": ((), {"nodes": 4}),
    "second": ((), {"nodes": 2}),
    "dma": ((), {"nodes": 2}),
    "idle": ((), {"nodes": 3}),
    "contexts": ((), {"nodes": 2}),
    "atomicity": ((), {"nodes": 2}),
    "traps": ((), {"nodes": 2}),
    "timing": ((), {"nodes": 1}),
    "cache": ((), {"nodes": 2}),
    "fp": (("reps=1",), {"nodes": 2}),
    "disk": ((f"sectors={SECTORS}",), {"nodes": 1}),
    "deadlock": ((), {"nodes": 4}),
}


# Each end of a stretch of a processor, in a file.
STOPS = ("-trace", "enable=fugu_node_stop", "-D")


def stops_in(log):
    """(node, pc, time) of a trace, without the stops that the host asked for."""
    found = re.findall(r"^fugu_node_stop node (\d+): why 0x(\w+), pc 0x(\w+) @(\d+)$", log.read_text(), re.MULTILINE)
    assert found
    return [(node, pc, int(time)) for node, why, pc, time in found if why in (STRETCH, YIELD)]


DEBUG, YIELD, STRETCH = "10002", "10004", "10006"       # QEMU's EXCP_...


class Case:
    """A case, its run without any snapshot, and ways to run it otherwise."""

    def __init__(self, name, tmp_path, run, line, digest_of, undisturbed=True):
        args, options = CASES[name]
        self.words = (name.partition(",")[0], *args)
        self.options = {"ram": 1 << 20} | options
        self.tmp_path, self.plain_run, self.line, self.digest_of = tmp_path, run, line, digest_of
        if not undisturbed:
            return
        log = tmp_path / "rounds"
        self.expected = self.run("-trace", "enable=fugu_rounds_end", "-D", str(log))
        self.digest = digest_of(self.expected.stdout)
        self.cycles = int(re.search(r"fugu_rounds_end.*?(\d+)", log.read_text())[1])

    def disk(self):
        """The options for a new disk, if the case wants one."""
        if "disk" not in self.words:
            return {}
        content = b"".join(struct.pack(">I", number) * (SECTOR // 4) for number in range(SECTORS))
        return {"disk": [(0, str(qcow2.make(self.tmp_path / "disk.qcow2", content)))]}

    def run(self, *more, **options):
        return self.plain_run(*self.words, more=more, digest=True, **self.options | self.disk() | options)

    def saves(self, cycles):
        """QEMU's words for a save at each of the cycles, and the files."""
        files = {cycle: self.tmp_path / f"{cycle}.snap" for cycle in cycles}
        return files, [word for cycle, file in files.items()
                       for word in ("-device", f"fugu-save,cycle={cycle},file={file}")]

    def load(self, file, *more, accel="", **run):
        """Goes on from a file in a new process."""
        options = self.options | run | ({"disk": [(0, str(self.tmp_path / "disk.qcow2"))]} if self.disk_file() else {})
        words = self.line(*self.words, digest=True, accel=accel, more=more, **options)
        words[words.index("-M") + 1] += f",load={file}"
        del words[words.index("-kernel"):][:2]
        if "-append" in words:
            del words[words.index("-append"):][:2]
        return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    def stops(self):
        """Where all stretches of the run end: (node, pc, time)."""
        log = self.tmp_path / "stops"
        self.run(*STOPS, str(log))
        return stops_in(log)

    def disk_file(self):
        return "disk" in self.words

    def check(self, done):
        """It ended as the run that nobody touched did."""
        assert done.returncode == self.expected.returncode, done.stderr
        assert self.digest_of(done.stdout) == self.digest
        assert self.expected.stdout.endswith(done.stdout)


@pytest.fixture
def case_of(tmp_path, run, line, digest_of):
    return lambda name, **options: Case(name, tmp_path, run, line, digest_of, **options)


@pytest.fixture(params=CASES)
def case(request, case_of):
    return case_of(request.param)


# ---- By --save and --load ---------------------------------------------------

def saved_and_loaded(case, cycles, **ways):
    files, words = case.saves(cycles)
    done = case.run(*words)
    case.check(done)
    assert done.stdout == case.expected.stdout
    for cycle, file in files.items():
        saved = int(re.search(rf"fugu: saved at cycle (\d+): {file}", done.stderr)[1])
        assert cycle <= saved < cycle + case.options.get("quantum", 64)
        case.check(case.load(file, **ways))


def test_one_digest(case):
    """In one process at three cycles, and on from each in three others."""
    rng = random.Random(case.words[0])
    saved_and_loaded(case, [1, *rng.sample(range(2, case.cycles), 3)])


@pytest.mark.long
def test_one_digest_often(case):
    rng = random.Random(case.words[0])
    saved_and_loaded(case, rng.sample(range(1, case.cycles), 20))


def test_saved_again(case_of):
    """A snapshot of a machine that was loaded, and of that one."""
    case = case_of("alltoall")
    cycles = [case.cycles * part // 4 for part in (1, 2, 3)]
    files, words = case.saves(cycles)
    case.check(case.run(*words[:2]))
    case.check(case.load(files[cycles[0]], *words[2:4]))
    case.check(case.load(files[cycles[1]], *words[4:]))
    case.check(case.load(files[cycles[2]]))


def test_same_cycle_same_state(case_of):
    """What is saved after a load is what is saved without one."""
    case = case_of("ring")
    cycles = [case.cycles // 3, case.cycles // 2]
    files, words = case.saves(cycles)

    def state():
        """All but the RAM, whose pieces QEMU cuts by the host's time, and a clock
        of the host's that QEMU saves, and this machine does not look at."""
        saved = files[cycles[1]].read_bytes()
        clock = saved.rindex(b"\x05timer")
        return saved[clock + 40:-65]
    case.run(*words)
    first = state()
    case.load(files[cycles[0]], *words[2:])
    assert state() == first


@pytest.mark.parametrize("filters", [(",line-filter=off", ""), ("", ",line-filter=off")], ids=["saved", "loaded"])
def test_without_line_filter(case_of, filters):
    """What the cache holds is the machine's; how it is looked up is the host's."""
    case = case_of("alltoall")
    files, words = case.saves([case.cycles // 2])
    case.check(case.run(*words, accel=filters[0]))
    case.check(case.load(*files.values(), accel=filters[1]))


def test_disk(case_of):
    """A snapshot has the disk of its time, whatever was written since."""
    case = case_of("disk")
    files, words = case.saves([1, case.cycles - 200])
    case.check(case.run(*words))
    for file in [*files.values(), *files.values()]:
        case.check(case.load(file))


def test_idle_time_is_not_skipped(case_of):
    """The machine jumps over idle time, but not over a save."""
    case = case_of("disk")
    files, words = case.saves([1000 * 64])
    assert f"fugu: saved at cycle 64000: {files[64000]}" in case.run(*words).stderr


# ---- By the monitor ----------------------------------------------------------

@contextlib.contextmanager
def controlled(case, *more, loaded=False, **options):
    """The case's machine, stopped before its first cycle: (process, monitor)."""
    path = case.tmp_path / "qmp"
    path.unlink(missing_ok=True)
    store = case.tmp_path / "store.qcow2"
    if not loaded:
        qcow2.make(store, size=1 << 28)
    drive = [] if case.disk_file() else ["-drive", f"if=none,id=store,format=qcow2,file={store}"]
    disk = {"disk": [(0, str(case.tmp_path / "disk.qcow2"))]} if loaded and case.disk_file() else case.disk()
    words = case.line(*case.words, digest=True, **case.options | disk | options,
                      more=("-S", "-qmp", f"unix:{path},server=on,wait=off", *drive, *more))
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as process:
        try:
            yield process, Qmp(path)
        finally:
            if process.poll() is None:
                process.kill()


def end(case, process):
    output, errors = process.communicate(timeout=60)
    assert process.returncode == case.expected.returncode, errors
    assert case.digest_of(output) == case.digest


def resume_to_end(case, name, stops=None):
    """-loadvm in a process of its own. Given all `stops` of the run, the last of
    them must come again: a difference shows there first."""
    log = case.tmp_path / "loaded"
    log.unlink(missing_ok=True)
    with controlled(case, "-loadvm", name, *(STOPS if stops else ()), *([str(log)] if stops else []),
                    loaded=True) as (process, monitor):
        monitor.ask("cont")
        end(case, process)
    if stops:
        again = stops_in(log)
        assert again == stops[-len(again):]


def saved_at_random(case, times, **options):
    """savevm at times that are the host's; loadvm of all, here and elsewhere."""
    rng = random.Random()
    names = []
    with controlled(case, **options) as (process, monitor):
        for i in range(times):
            monitor.ask("cont")
            time.sleep(rng.random() * 0.004)
            monitor.ask("stop")
            assert monitor.human(f"savevm s{i}") == ""
            names.append(f"s{i}")
        for name in reversed(names):
            assert monitor.human(f"loadvm {name}") == ""
            monitor.ask("cont")
            time.sleep(rng.random() * 0.002)
            monitor.ask("stop")
        monitor.ask("cont")
        end(case, process)
    for name in names:
        resume_to_end(case, name)


# Programs, with what makes them long enough not to end while they are saved
# so many times.
RUNNING = {"alltoall": "messages={}000", "fp": "reps={}"}


def test_monitor(running):
    saved_at_random(running(5), 3)


@pytest.mark.long
@pytest.mark.parametrize("accel", ["", ",tb-size=1", ",one-insn-per-tb=on"])
def test_monitor_often(running, accel):
    """With little room for translated code, the host stops processors anywhere."""
    saved_at_random(running(3 if "one" in accel else 12), 20, accel=accel)


@pytest.fixture(params=RUNNING)
def running(request, monkeypatch, case_of):
    """running(factor): a case of that length."""
    def make(factor):
        name = request.param
        monkeypatch.setitem(CASES, name, ((RUNNING[name].format(factor),), {"nodes": 4}))
        return case_of(name)
    return make


@pytest.mark.parametrize("nodes", [2, 16])
def test_loading_flushes_once(monkeypatch, case_of, nodes):
    """Translated code is dropped for all processors together, and not once for each."""
    monkeypatch.setitem(CASES, "alltoall", (("messages=100000",), {"nodes": nodes}))
    case = case_of("alltoall", undisturbed=False)

    def flushes():
        return int(re.search(r"^TB flush count +(\d+)\s*$", monitor.human("info jit"), re.MULTILINE)[1])
    with controlled(case) as (process, monitor):
        monitor.ask("cont")
        time.sleep(0.2)                         # translates code
        monitor.ask("stop")
        assert monitor.human("savevm here") == ""
        before = flushes()
        assert monitor.human("loadvm here") == ""
        assert flushes() - before == 1
        assert monitor.human("loadvm here") == ""
        assert flushes() - before == 1
        process.kill()


# ---- In the middle of a round -------------------------------------------------

class Debugger:
    """As much of GDB's protocol as stops a machine in the middle of a round."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))

    def send(self, text):
        packet = f"${text}#{sum(text.encode()) & 0xff:02x}"
        self.socket.sendall(packet.encode())

    def receive(self):
        """The next packet, acknowledged."""
        data = b""
        while not re.search(rb"#..", data):
            part = self.socket.recv(4096)
            assert part
            data += part
        self.socket.sendall(b"+")
        return re.search(rb"\$(.*?)#", data)[1].decode()

    def ask(self, text):
        self.send(text)
        answer = self.receive()
        assert not answer.startswith("E"), (text, answer)
        return answer


@pytest.fixture
def address_of(cross, guest_dir):
    def find(program, symbol):
        listed = subprocess.run([cross("nm"), guest_dir / f"{program}.elf"], capture_output=True, text=True,
                                check=True).stdout
        return int(re.search(rf"^(\w+) \w {symbol}$", listed, re.MULTILINE)[1], 16)
    return find


@contextlib.contextmanager
def debugged(case, *more):
    path = case.tmp_path / "gdb"
    with controlled(case, "-chardev", f"socket,id=gdb,path={path},server=on,wait=off",
                    "-gdb", "chardev:gdb", *more) as (process, monitor):
        yield process, monitor, Debugger(path)


def test_at_a_breakpoint(case_of, address_of):
    """Some nodes have had their turn and some not; what those have sent is on no
    link yet, and in no queue."""
    case = case_of("alltoall")
    place = f"0,{address_of('alltoall', 'arrives'):x},4"
    names = []
    with debugged(case) as (process, monitor, debugger):
        for i in range(8):
            debugger.ask(f"Z{place}")
            debugger.ask("c")
            debugger.ask(f"z{place}")
            assert monitor.ask("query-status")["status"] == "debug"
            assert monitor.human(f"savevm s{i}") == ""
            names.append(f"s{i}")
            debugger.ask("Qqemu.sstep=1")
            for _ in range(50):
                debugger.ask("s")
        for name in names[::3]:
            assert monitor.human(f"loadvm {name}") == ""
        debugger.send("D")
        end(case, process)
    stops = case.stops()
    for name in names:
        resume_to_end(case, name, stops)


def stepped_to_round_ends(case, count):
    """Names of snapshots at which node 0 had run all its cycles of a round."""
    log = case.tmp_path / "steps"
    names = []
    with debugged(case, *STOPS, str(log)) as (process, monitor, debugger):
        debugger.ask("Qqemu.sstep=1")
        before = 0
        while len(names) < count:
            debugger.ask("s")
            now = int(re.findall(rf"node 0: why 0x{DEBUG}, .* @(\d+)$", log.read_text()[-2000:], re.MULTILINE)[-1])
            if now // 64 > before // 64:
                names.append(f"s{len(names)}")
                assert monitor.human(f"savevm {names[-1]}") == ""
            before = now
        debugger.send("D")
        end(case, process)
    return names


def test_at_the_end_of_a_stretch(case_of):
    """A processor that was stepped may have no cycles left, and not be where it
    may stop; or it is, and has not been told to."""
    case = case_of("alltoall")
    names = stepped_to_round_ends(case, 12)
    stops = case.stops()
    for name in names:
        resume_to_end(case, name, stops)


# ---- The console ---------------------------------------------------------------

SCRIPT = '0 20000 "one\\n"\n0 300000 "two\\n"\n0 300000 "end\\n"\n'


def test_script(monkeypatch, case_of, tmp_path):
    """What has not been typed yet is part of the machine."""
    script = tmp_path / "script"
    script.write_text(SCRIPT)
    monkeypatch.setitem(CASES, "echo", ((), {"nodes": 2}))
    monkeypatch.setattr(Case, "run", lambda case, *more, **options: case.plain_run(
        *case.words, more=(*more, "-global", f"fugu-console.script={script}"), digest=True, **case.options | options))
    case = case_of("echo")
    saved_and_loaded(case, [10_000, 100_000])


def test_typed(monkeypatch, case_of):
    """So is what has been typed, and has no time yet."""
    monkeypatch.setitem(CASES, "echo", ((), {"nodes": 1}))
    case = case_of("echo", undisturbed=False)   # without input, it has no end
    with controlled(case) as (process, monitor):
        process.stdin.write("one\ntwo\nend\n")
        process.stdin.flush()
        time.sleep(0.5)
        assert monitor.human("savevm typed") == ""
    with controlled(case, "-loadvm", "typed", loaded=True) as (process, monitor):
        monitor.ask("cont")
        output, _ = process.communicate(timeout=60)
    assert output.splitlines()[:-1] == ["polled: one", "interrupted: two"]
    assert process.returncode == 0


# ---- What is refused -------------------------------------------------------------

OTHERS = {"nodes": 5, "quantum": 32, "ram": 2 << 20, "mesh": (4, 1), "mesh-base": 65, "mesh-hop": 3, "mesh-word": 5,
          "second-base": 255, "second-hop": 3, "second-word": 31, "input-queue": 127, "source-space": 63,
          "dma-word": 2, "atomicity": "soft", "cache": False, "cache-size": 32 << 10, "cache-miss": 11}


@pytest.fixture(scope="module")
def saved(tmp_path_factory, run, line, digest_of):
    """A snapshot in a file and one of savevm: (case, file)."""
    case = Case("ring", tmp_path_factory.mktemp("saved"), run, line, digest_of)
    case.options["nodes"] = 4
    case.expected = case.run()
    files, words = case.saves([case.cycles // 2])
    case.run(*words)
    with controlled(case) as (process, monitor):
        assert monitor.human("savevm start") == ""
        process.kill()
    return case, next(iter(files.values()))


@pytest.mark.parametrize("name", OTHERS)
def test_another_machine(saved, run, name):
    """It says which parameter is another, by either way."""
    case, file = saved
    property_name = {"ram": "node-ram"}.get(name, name)
    options = case.options | {name: OTHERS[name]}
    words = case.line(*case.words, **options)
    words[words.index("-M") + 1] += f",load={file}"
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == 121
    assert re.fullmatch(rf"fugu: {file}: the snapshot is of a machine with {property_name}=.*, "
                        rf"and this one has {property_name}=.*\n", done.stderr)
    store = f"if=none,id=store,format=qcow2,file={case.tmp_path}/store.qcow2"
    done = run(*case.words, more=("-drive", store, "-loadvm", "start"), **options)
    assert done.returncode == 122
    assert f"the snapshot is of a machine with {property_name}=" in done.stderr


def test_monitor_survives_another_machine(saved):
    """A running machine that refuses a snapshot stays, and can be left."""
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
def test_damaged(saved, tmp_path, name):
    case, file = saved
    other = tmp_path / "damaged.snap"
    other.write_bytes(DAMAGES[name](file.read_bytes()))
    done = case.load(other)
    assert done.returncode == 121
    assert re.fullmatch(rf"fugu: {other}: (is|the snapshot) .*\n", done.stderr), done.stderr
    assert done.stdout == ""


def with_its_sum(state):
    return state + hashlib.sha256(state).hexdigest().encode() + b"\n"


# In the state of a node, from its name on: header, timer, console (its fifos of 256 bytes, the script's length).
FIFO_HEAD = len("fugu-node") + 8 + 17 + 1 + 256
SCRIPT_LENGTH = FIFO_HEAD + 8 + 264
FORGED = {"a place in a fifo": FIFO_HEAD, "a number in a fifo": FIFO_HEAD + 4, "the length of a script": SCRIPT_LENGTH}


@pytest.mark.parametrize("name", FORGED)
def test_forged(saved, tmp_path, name):
    """The check sum is right: it is refused for what it says."""
    case, file = saved
    state = bytearray(file.read_bytes()[:-65])
    place = state.index(b"fugu-node") + FORGED[name]
    assert state[place:place + 4] == bytes(4)
    state[place] = 0x80
    other = tmp_path / "forged.snap"
    other.write_bytes(with_its_sum(bytes(state)))
    done = case.load(other)
    assert done.returncode == 121, done.stderr
    assert done.stdout == ""
    assert re.search(rf"^fugu: {other}: ", done.stderr, re.MULTILINE)


def forged_at_random(saved, tmp_path, times):
    """Bytes of the nodes' own state are others: it is refused, or it is another machine, which ends as machines do."""
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


def test_forged_at_random(saved, tmp_path):
    forged_at_random(saved, tmp_path, 25)


@pytest.mark.long
def test_forged_at_random_often(saved, tmp_path):
    forged_at_random(saved, tmp_path, 1000)


def test_no_file(saved, tmp_path):
    case, _ = saved
    for other in (tmp_path / "none.snap", tmp_path):
        done = case.load(other)
        assert done.returncode == 121
        assert re.fullmatch(rf"fugu: {other}: cannot be read: .*\n", done.stderr)


def test_file_that_is_no_snapshot(case_of, tmp_path):
    """Nothing but a snapshot is overwritten by one."""
    case = case_of("ring")
    for other in (tmp_path / "text", tmp_path):
        if not other.exists():
            other.write_text("precious\n")
        done = case.run("-device", f"fugu-save,cycle=100,file={other}")
        assert done.returncode == 122
        assert "is there and is no snapshot: it is not overwritten" in done.stderr
    assert (tmp_path / "text").read_text() == "precious\n"


def test_no_directory(case_of, tmp_path):
    """Found out when it is due: the run ends with a status of its own."""
    case = case_of("ring")
    done = case.run("-device", f"fugu-save,cycle=100,file={tmp_path}/none/my.snap")
    assert done.returncode == 121
    assert re.search(rf"^fugu: {tmp_path}/none/my.snap cannot be written: .*No such file", done.stderr, re.MULTILINE)


def test_no_room(case_of, tmp_path, monkeypatch):
    """What was there stays, and nothing is left beside it."""
    case = case_of("ring")
    files, words = case.saves([case.cycles // 2])
    file = next(iter(files.values()))
    case.run(*words)
    before = file.read_bytes()
    words = case.line(*case.words, digest=True, more=tuple(words), **case.options)
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          restore_signals=False,        # or the limit would be a signal's
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000)))
    assert done.returncode == 121, done.stderr
    assert re.search(rf"^fugu: {file} cannot be written: .*too large", done.stderr, re.MULTILINE)
    assert file.read_bytes() == before
    assert not list(tmp_path.glob("*.part"))


def test_beyond_the_end(case_of):
    """A warning; the run is what it is."""
    case = case_of("ring")
    files, words = case.saves([case.cycles * 2])
    done = case.run(*words)
    case.check(done)
    file = next(iter(files.values()))
    assert re.search(rf"^fugu: warning: the run ended at cycle \d+, before cycle {case.cycles * 2}: "
                     rf"{file} was not saved$", done.stderr, re.MULTILINE)
    assert not file.exists()


def test_raw_disk(case_of, tmp_path):
    case = case_of("ring")
    raw = tmp_path / "raw.img"
    raw.write_bytes(bytes(SECTOR * SECTORS))
    _, words = case.saves([100])
    done = case.run(*words, disk=[(0, str(raw))])
    assert done.returncode == 122
    assert f"the disk of node 0, {raw}, is no qcow2 image" in done.stderr
    assert "qemu-img convert -O qcow2" in done.stderr


def test_another_disk(case_of):
    """A disk that has no such snapshot is not the one that was saved."""
    case = case_of("disk")
    files, words = case.saves([case.cycles // 2])
    case.run(*words)
    case.disk()                                 # made anew
    done = case.load(next(iter(files.values())))
    assert done.returncode == 121
    assert "a disk has no snapshot fugu-" in done.stderr
