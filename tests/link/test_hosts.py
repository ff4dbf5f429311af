"""Runs over several hosts: one starts with --hosts, and the others run the command that the first one prints.

The hosts are loopback addresses, and network namespaces with a cable between
them where this user may create namespaces.
"""

import contextlib
import os
import re
import selectors
import socket
import subprocess
import threading
import time
from pathlib import Path

import link_protocol as wire
import pytest
from files import SECRET
from two_hosts import Hosts

from fugu.paths import ROOT


@pytest.fixture(params=["namespaces", "loopback", "IPv6"])
def hosts(request):
    """Two hosts of each kind. Loopback takes the place of namespaces and of IPv6 where there are none."""
    if request.param == "IPv6" and has_ipv6():
        return Hosts([[], []], ["[::1]", "[::1]"])
    loopback = Hosts([[], []], ["127.0.0.1", "127.0.0.2"])
    return request.getfixturevalue("namespaces") or loopback if request.param == "namespaces" else loopback


def has_ipv6():
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.fixture
def shell(tmp_path):
    """shell(prefix, words) starts a command on a host, with output in files. All are killed after the test."""
    started = []

    class Shell:
        def __init__(self, prefix, words):
            number = len(started)
            self.out, self.err = tmp_path / f"{number}.out", tmp_path / f"{number}.err"
            with self.out.open("wb") as out, self.err.open("wb") as err:
                self.process = subprocess.Popen([*prefix, *map(str, words)], cwd=ROOT, stdin=subprocess.DEVNULL,
                                                stdout=out, stderr=err)
            started.append(self)

        def end(self, seconds=60):
            """Waits for the end. Returns (status, standard output, standard error)."""
            return self.process.wait(seconds), self.out.read_text(), self.err.read_text()

        def says(self, pattern, seconds=60):
            """Waits until standard error has a match of the pattern. Returns the match."""
            deadline = time.monotonic() + seconds
            while not (found := re.search(pattern, self.err.read_text(), re.MULTILINE)):
                assert self.process.poll() is None, self.err.read_text()
                assert time.monotonic() < deadline, self.err.read_text()
                time.sleep(0.01)
            return found
    yield Shell
    for one in started:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()


@pytest.fixture
def run_on(shell, secret):
    """run_on(hosts, "here:2,there:2", *words) -> (hub, {host: the command that the hub prints for it})"""
    def start(hosts, names, *words, listen=None):
        listen = listen or f"{hosts.addresses[0]}:0"
        hub = shell(hosts.prefixes[0], ["./run.sh", "--hosts", names, "--listen", listen, "--secret-file", secret,
                                        *words])
        others = [name.partition(":")[0] for name in names.split(",")[1:]]
        commands = {name: hub.says(rf"start on {name}, within .* s:\n  (.*)\n")[1] for name in others}
        return hub, commands
    return start


def test_two_hosts_make_the_same_run(machine, hosts, run_on, shell):
    """The run that the printed command joins is the same as that of one process."""
    one = machine("crossing", "rounds=1", nodes=7, digest=True).check(0)
    hub, commands = run_on(hosts, "here:2,there:2", "-n", "7", "--digest", "crossing", "rounds=1")
    there = shell(hosts.prefixes[1], ["sh", "-c", commands["there"]])
    status, out, _ = hub.end()
    assert (status, out) == (0, one.stdout)
    assert there.end() == (0, "", "")


def test_three_hosts_make_the_same_run(machine, run_on, shell):
    one = machine("crossing", "rounds=1", nodes=9, digest=True).check(0)
    hosts = Hosts([[]], ["127.0.0.1"])
    hub, commands = run_on(hosts, "a:1,b:3,c:2", "-n", "9", "--digest", "crossing", "rounds=1")
    others = [shell([], ["sh", "-c", commands[name]]) for name in "cb"]
    assert hub.end()[:2] == (0, one.stdout)
    assert [other.end() for other in others] == [(0, "", "")] * 2


# What srun and mpirun tell task NUMBER of two, each on its own host, where ADDRESS is the launcher's host.
TASKS = {
    "slurm": ["SLURM_PROCID={number}", "SLURM_STEP_NUM_TASKS=2", "SLURM_STEP_NUM_NODES=2", "SLURM_JOB_ID=1",
              "SLURM_STEP_ID=0", "SLURM_LAUNCH_NODE_IPADDR={address}"],
    "mpi": ["OMPI_COMM_WORLD_RANK={number}", "OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_LOCAL_SIZE=1",
            "OMPI_MCA_orte_hnp_uri=1.0;tcp://127.0.0.1,{address}:57899"],
}


@pytest.mark.parametrize("kind", TASKS)
def test_tasks_on_two_hosts_make_the_same_run(machine, namespaces, shell, tmp_path, kind):
    """Task 0 listens where the other host reaches it."""
    if not namespaces:
        pytest.skip("network namespaces are not allowed here")
    one = machine("crossing", "rounds=1", nodes=7, digest=True).check(0)
    task = []
    for number in (0, 1):
        names = [text.format(number=number, address=namespaces.addresses[0]) for text in TASKS[kind]]
        task.append(shell(namespaces.prefixes[number], ["env", *names, "./run.sh", "--hosts", kind, "--meet", tmp_path / "m",
                                                        "-n", "7", "--digest", "crossing", "rounds=1"]))
    assert [one_task.end() for one_task in task] == [(0, one.stdout, ""), (0, "", "")]


@pytest.mark.parametrize("status, words", [
    (9, ("exitstatus", "status=9", "node=6")), (125, ("deadlock",)), (126, ("errormode", "node=7")),
    (124, ("--timeout", "20000", "spin"))], ids=lambda value: str(value))
def test_status_is_the_same_on_all_hosts(hosts, run_on, shell, status, words):
    hub, commands = run_on(hosts, "here,there:3", *words)
    there = shell(hosts.prefixes[1], ["sh", "-c", commands["there"]])
    assert hub.end()[0] == status
    assert there.end()[0] == status
    assert "cycle" in hub.err.read_text()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_joining_process_may_start_first(run_on, shell, secret):
    """A process tries to join until its --link-timeout is over."""
    port = free_port()
    hosts = Hosts([[], []], ["127.0.0.1", "127.0.0.1"])
    there = shell([], ["./run.sh", "--join", f"127.0.0.1:{port}", "--process", "1", "--processes", "2",
                       "--secret-file", secret, "-n", "4", "whoami"])
    time.sleep(1)
    hub, _ = run_on(hosts, "here,there", "-n", "4", "whoami", listen=f"127.0.0.1:{port}")
    assert hub.end()[0] == 0, hub.err.read_text()
    assert there.end() == (0, "", "")


def test_disconnected_process_joins_again(shell, secret):
    """A disconnected process, as by a tunnel that leads nowhere yet, joins again. The process ends when no hub
    listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        there = shell([], ["./run.sh", "--join", f"127.0.0.1:{server.getsockname()[1]}", "--process", "1",
                           "--processes", "2", "--secret-file", secret, "-n", "4", "whoami"])
        for _ in range(3):
            link = wire.Link(server.accept()[0])
            link.expect(wire.HELLO)
            link.close()
        link = wire.Link(server.accept()[0])
        greeting = link.expect(wire.HELLO)
        link.send(wire.CHALLENGE, bytes(32) + wire.proof(b"H", SECRET.encode(), greeting[8:40], bytes(32), greeting))
        link.expect(wire.PROOF)
    link.close()
    status, out, err = there.end()
    assert (status, out) == (120, "")
    assert re.fullmatch(r"fugu: the hub at \S+ hung up\n", err), err


def test_join_without_a_hub_ends(shell, secret):
    there = shell([], ["./run.sh", "--join", f"127.0.0.1:{free_port()}", "--process", "1-2", "--processes", "3",
                       "--link-timeout", "0.5", "--secret-file", secret, "whoami"])
    status, out, err = there.end()
    assert (status, out) == (120, "")
    assert "fugu: " in err


def test_hub_without_others_ends(hosts, run_on):
    hub, _ = run_on(hosts, "here,there:2", "--link-timeout", "0.5", "-n", "6", "whoami")
    status, out, err = hub.end()
    assert (status, out) == (120, "")
    assert re.search(r"^fugu: process(es)? 1\b.*", err, re.MULTILINE), err


def listening(pid):
    """TCP addresses on which a process listens, as Linux writes them in /proc."""
    inodes = set()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):    # closed meanwhile
            found = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(entry))
            inodes |= {found[1]} if found else set()
    addresses = []
    for table in ("tcp", "tcp6"):
        path = Path(f"/proc/{pid}/net/{table}")
        for line in path.read_text().splitlines()[1:] if path.exists() else []:
            words = line.split()
            if words[3] == "0A" and words[9] in inodes:
                addresses.append(words[1].partition(":")[0])
    return addresses


def test_hub_listens_on_loopback_alone(shell, secret):
    """The hub listens on loopback alone, unless --listen gives another address."""
    for listen, address in (((), "0100007F"), (("--listen", "0.0.0.0:0"), "00000000")):
        hub = shell([], ["./run.sh", "--hosts", "here:2,there", "--secret-file", secret, *listen, "-n", "4", "whoami"])
        try:
            hub.says("start on there")
            deadline = time.monotonic() + 30
            while "qemu" not in os.readlink(f"/proc/{hub.process.pid}/exe"):
                assert time.monotonic() < deadline and hub.process.poll() is None, hub.err.read_text()
                time.sleep(0.01)
            assert listening(hub.process.pid) == [address]
        finally:
            hub.process.kill()
            hub.process.wait()


def test_wrong_secret_is_refused(hosts, run_on, shell, tmp_path, machine):
    """The hub turns away a process with a wrong secret, and the right process still joins."""
    one = machine("alltoall", "messages=9", nodes=4, digest=True).check(0)
    wrong = tmp_path / "wrong.secret"
    wrong.write_text(SECRET.upper())
    wrong.chmod(0o600)
    hub, commands = run_on(hosts, "here,there", "-n", "4", "--digest", "alltoall", "messages=9")
    stranger = shell(hosts.prefixes[1], ["sh", "-c", re.sub(r"--secret-file \S+", f"--secret-file {wrong}",
                                                            commands["there"])])
    status, out, err = stranger.end()
    assert (status, out) == (120, "")
    assert "secret" in err
    assert hub.process.poll() is None, hub.err.read_text()
    there = shell(hosts.prefixes[1], ["sh", "-c", commands["there"]])
    assert hub.end()[:2] == (0, one.stdout)
    assert there.end() == (0, "", "")


# Part of the printed command, what replaces it, and the name that the message has for it.
DIFFERENCES = {
    "nodes": ("-n 8", "-n 9", "nodes"),
    "quantum": ("-n 8", "-n 8 --quantum 32", "quantum"),
    "mesh": ("-n 8", "-n 8 --mesh 8x1", "mesh"),
    "mesh-base": ("-n 8", "-n 8 --mesh-base 65", "mesh-base"),
    "mesh-hop": ("-n 8", "-n 8 --mesh-hop 3", "mesh-hop"),
    "mesh-word": ("-n 8", "-n 8 --mesh-word 5", "mesh-word"),
    "second-base": ("-n 8", "-n 8 --second-base 300", "second-base"),
    "second-hop": ("-n 8", "-n 8 --second-hop 3", "second-hop"),
    "second-word": ("-n 8", "-n 8 --second-word 33", "second-word"),
    "input-queue": ("-n 8", "-n 8 --input-queue 64", "input-queue"),
    "source-space": ("-n 8", "-n 8 --source-space 32", "source-space"),
    "dma-word": ("-n 8", "-n 8 --dma-word 2", "dma-word"),
    "packet-max": ("-n 8", "-n 8 --ni shrimp --packet-max 64", "packet-max"),
    "incoming-word": ("-n 8", "-n 8 --ni shrimp --incoming-word 3", "incoming-word"),
    "write-through": ("-n 8", "-n 8 --ni shrimp --write-through 3", "write-through"),
    "pin-cycles": ("-n 8", "-n 8 --ni m-machine --pin-cycles 3", "pin-cycles"),
    "atomicity": ("-n 8", "-n 8 --atomicity soft", "soft atomicity"),
    "cache": ("-n 8", "-n 8 --cache off", "cache"),
    "cache-size": ("-n 8", "-n 8 --cache-size 4K", "cache-size"),
    "cache-miss": ("-n 8", "-n 8 --cache-miss 11", "cache-miss"),
    "ram": ("-n 8", "-n 8 --ram 4M", "node-ram"),
    "processes": ("--processes 2", "--processes 3", "processes"),
    "program": (" whoami", " ring", "program"),
    "arguments": (" whoami", " whoami x=1", "arguments"),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_difference_is_named_on_both_hosts(run_on, shell, name):
    """Both processes name the parameter that differs."""
    old, new, called = DIFFERENCES[name]
    hub, commands = run_on(Hosts([[], []], ["127.0.0.1", "127.0.0.1"]), "here,there", "-n", "8", "whoami")
    assert old in commands["there"]
    there = shell([], ["sh", "-c", commands["there"].replace(old, new)])
    for one in (hub, there):
        status, out, err = one.end()
        assert (status, out) == (120, ""), err
        assert re.search(rf"^fugu: .*\b{called}\b", err, re.MULTILINE), err


class Flood:
    """Strangers at a port, many at a time. Another comes for each that is closed or not accepted at once."""

    AT_A_TIME = 900
    PATIENCE = 0.1          # seconds after which a stranger gives up its connection

    def __init__(self, address, says):
        self.address, self.says = address, says
        self.came = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._come)
        self.thread.start()

    def end(self):
        self.over.set()
        self.thread.join()

    def _come(self):
        with contextlib.ExitStack() as stack:
            here = stack.enter_context(selectors.DefaultSelector())
            while not self.over.is_set():
                while len(here.get_map()) < self.AT_A_TIME and not self.over.is_set():
                    self._one(here)
                for key, events in here.select(0.01):
                    self._serve(here, key, events)
                for key in list(here.get_map().values()):
                    if key.data and key.data < time.monotonic():
                        self._leave(here, key)
            for key in list(here.get_map().values()):
                self._leave(here, key)

    def _one(self, here):
        sock = socket.socket()
        sock.setblocking(False)
        sock.connect_ex(self.address)
        here.register(sock, selectors.EVENT_WRITE, time.monotonic() + self.PATIENCE)
        self.came += 1

    def _leave(self, here, key):
        here.unregister(key.fileobj)
        key.fileobj.close()

    def _serve(self, here, key, events):
        """Sends the stranger's words when it is connected, and closes the connection when the hub has closed it."""
        try:
            if events & selectors.EVENT_WRITE:
                key.fileobj.send(self.says)
                here.modify(key.fileobj, selectors.EVENT_READ)
            elif not key.fileobj.recv(4096):
                self._leave(here, key)
        except OSError:
            self._leave(here, key)


FLOODS = {
    "silent": b"",
    "greeting": wire.frame(wire.HELLO, wire.hello(1, bytes(8 * wire.PARAMS))),
    "nonsense": b"GET / HTTP/1.1\r\n\r\n",
}


@pytest.mark.parametrize("kind", FLOODS)
def test_flood_of_strangers_keeps_no_process_out(run_on, shell, kind):
    """Strangers do not keep out a process that has the secret, and the log stays short."""
    hub, commands = run_on(Hosts([[]], ["127.0.0.1"]), "here,there", "--link-timeout", "30", "-n", "4", "whoami")
    address, port = re.search(r"--join (\S+):(\d+)", commands["there"]).groups()
    flood = Flood((address, int(port)), FLOODS[kind])
    try:
        time.sleep(1)           # the hub has as many connections as it takes
        there = shell([], ["sh", "-c", commands["there"]])
        assert there.end()[0] == 0, there.err.read_text()
        status, out, err = hub.end()
    finally:
        flood.end()
    assert (status, len(out.splitlines())) == (0, 4), err
    assert flood.came > flood.AT_A_TIME
    assert err.count("refused a process") <= 20


@pytest.mark.parametrize("who", ["hub", "other"])
def test_control_c_on_either_host_ends_all(hosts, run_on, shell, who):
    """Control-C at the hub ends all with 130. Elsewhere the hub ends with 120 for a process that has gone."""
    hub, commands = run_on(hosts, "here,there:2", "-n", "6", "ring", "laps=100000000")
    there = shell(hosts.prefixes[1], ["sh", "-c", "exec " + commands["there"]])
    deadline = time.monotonic() + 60
    while not hub.out.read_text():              # then all processes have joined
        assert hub.process.poll() is None and there.process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    (hub if who == "hub" else there).process.send_signal(2)
    assert hub.end(20)[0] == (130 if who == "hub" else 120)
    assert there.end(20)[0] == 130
    if who == "other":
        assert re.search(r"^fugu: process 1 \(nodes 2 to 3\)", hub.err.read_text(), re.MULTILINE)


@pytest.mark.long
def test_cut_cable_ends_all(namespaces, run_on, shell):
    """Without a closed connection and without data, TCP itself gives up after some ten seconds."""
    if not namespaces:
        pytest.skip("network namespaces are not allowed here")
    hub, commands = run_on(namespaces, "here,there", "-n", "4", "ring", "laps=100000000")
    there = shell(namespaces.prefixes[1], ["sh", "-c", "exec " + commands["there"]])
    deadline = time.monotonic() + 60
    while not hub.out.read_text():
        assert time.monotonic() < deadline and hub.process.poll() is None, hub.err.read_text()
        time.sleep(0.01)
    side = namespaces.prefixes[0][-1]
    subprocess.run(["ip", "-n", side, "link", "set", "cable", "down"], check=True)
    try:
        assert hub.end(60)[0] == there.end(60)[0] == 120
    finally:
        subprocess.run(["ip", "-n", side, "link", "set", "cable", "up"], check=True)
    assert "fugu: process 1 (nodes 2 to 3) has gone\n" in hub.err.read_text()
    assert "fugu: process 0 (nodes 0 to 1) has gone\n" in there.err.read_text()
