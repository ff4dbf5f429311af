"""The handshake: the hub turns strangers away, and waits for a process no longer than --link-timeout.

The hub is real; a script connects to it (link_protocol.py).
"""

import os
import re
import signal
import socket
import struct
import subprocess
import time

import link_protocol as wire
import pytest
from link_machine import BOUND, TRANSPORTS, all_end, ended, reasons
from link_protocol import Gone, Link, Peer
from run_sh import COMMAND

from fugu.paths import ROOT

# ---- strangers ------------------------------------------------------------------

@pytest.fixture
def door(begin, params):
    """door() -> (running, stranger): a hub on TCP that waits for process 1; stranger() connects to it."""
    opened = []

    def make(**options):
        running = begin(without=1, transport="tcp", **options)
        opened.append(running)
        address = running.link.getpeername()

        def stranger():
            sock = socket.create_connection(address, timeout=10)
            opened.append(sock)
            return Link(sock)
        return running, stranger
    yield make
    for one in opened:
        one.__exit__(None, None, None)


def gets_in(running, params):
    """Checks that the true process 1 can join, and that the machine then runs."""
    peer = Peer(Link(running.link))
    wire.join(peer.link, 1, params, running.secret)
    peer.play(5)
    assert running.processes[0].poll() is None


def is_turned_away(link):
    """Checks that the hub refuses the connection or closes it. Returns the reason that it gave, or ""."""
    try:
        kind, text = link.receive()
        assert kind == wire.REFUSE
        with pytest.raises(Gone):
            link.receive()
    except Gone:
        text = b""
    return text.decode()


@pytest.mark.parametrize("comes", ["first", "last"])
def test_silent_strangers_keep_no_process_out(door, params, comes):
    """More silent strangers than the hub listens to at a time do not keep process 1 out."""
    running, stranger = door(link_timeout="60")
    address = running.link.getpeername()
    silent = []
    for _ in range(150):
        silent.append(socket.socket())
        silent[-1].setblocking(False)
        silent[-1].connect_ex(address)
    if comes == "last":
        running.link.close()
        running.link = socket.create_connection(address, timeout=50)
    for _ in range(20):
        try:
            gets_in(running, params)
            break
        except Gone:            # the hub closed the connection before the greeting
            running.link.close()
            running.link = socket.create_connection(address, timeout=50)
    else:
        pytest.fail("the hub closed its connection each time")
    for sock in silent:
        sock.close()


def test_process_connects_again(false_hub):
    """A process connects again when the hub closes the connection that the launcher made for it."""
    running, link = false_hub(transport="tcp", link_timeout="60")
    for _ in range(3):
        link.close()
        link = Link(running.link.accept()[0])
        link.expect(wire.HELLO)
    running.link.close()        # no hub listens any more
    link.close()
    all_end(running)
    assert running.result().status == 120
    assert running.result().stderr == "fugu: the hub hung up\n"


def test_process_that_has_greeted_keeps_its_place(door, params):
    """Later strangers take the places of earlier strangers, and not that of a process that has sent its HELLO."""
    running, stranger = door(link_timeout="60")
    peer = Peer(Link(running.link))
    nonce = os.urandom(wire.NONCE)
    greeting = wire.hello(1, params, nonce)
    peer.link.send(wire.HELLO, greeting)
    hub_nonce = peer.link.expect(wire.CHALLENGE)[:wire.NONCE]
    silent = [stranger()]
    for _ in range(400):
        sock = socket.socket()
        sock.setblocking(False)
        sock.connect_ex(running.link.getpeername())
        silent.append(Link(sock))
    with pytest.raises(Gone):
        silent[0].receive()             # the oldest stranger is closed first
    peer.link.send(wire.PROOF, wire.proof(b"P", running.secret, nonce, hub_nonce, greeting))
    peer.link.expect(wire.WELCOME)
    peer.play(5)
    for link in silent:
        link.close()


STRANGERS = {
    "a browser": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "zeros": bytes(1000),
    "a frame that is too long": struct.pack(">IHH", 1 << 20, wire.HELLO, 0) + bytes(2000),
    "a greeting of nothing": wire.frame(wire.HELLO),
    "a greeting cut short": wire.frame(wire.HELLO, wire.hello(1, b"")),
    "another magic": wire.frame(wire.HELLO, b"FUGA" + bytes(200)),
    "a proof without a greeting": wire.frame(wire.PROOF, bytes(32)),
    "a round": wire.frame(wire.ROUND, wire.round_payload(0)),
}


@pytest.mark.parametrize("kind", STRANGERS)
def test_stranger_is_turned_away(door, params, kind):
    running, stranger = door()
    link = stranger()
    link.write(STRANGERS[kind])
    is_turned_away(link)
    gets_in(running, params)


@pytest.mark.parametrize("secret", [b"", b"not the right one"])
def test_stranger_without_the_secret_is_turned_away(door, params, secret):
    """Everything that the stranger sends is right except for its proof."""
    running, stranger = door()
    link = stranger()
    greeting = wire.hello(1, params, os.urandom(wire.NONCE))
    link.send(wire.HELLO, greeting)
    challenge = link.expect(wire.CHALLENGE)
    link.send(wire.PROOF, wire.proof(b"P", secret, greeting[8:40], challenge[:32], greeting))
    assert "secret" in is_turned_away(link)
    gets_in(running, params)


def test_repeated_proofs_are_refused(door, params):
    """Neither the hub's own proof nor a proof for another connection is accepted."""
    running, stranger = door()
    one, two = stranger(), stranger()
    greeting = wire.hello(1, params, bytes(wire.NONCE))
    for link in (one, two):
        link.send(wire.HELLO, greeting)
    challenge, other = one.expect(wire.CHALLENGE), two.expect(wire.CHALLENGE)
    assert challenge[:32] != other[:32]
    one.send(wire.PROOF, challenge[32:])
    two.send(wire.PROOF, wire.proof(b"P", running.secret, greeting[8:40], challenge[:32], greeting))
    assert "secret" in is_turned_away(one) and "secret" in is_turned_away(two)
    gets_in(running, params)


def test_other_version_is_refused(door, params):
    """Both sides report the two versions, and the hub goes on waiting."""
    running, stranger = door()
    link = stranger()
    link.send(wire.HELLO, wire.hello(1, params, version=wire.VERSION + 1))
    text = is_turned_away(link)
    assert f"version {wire.VERSION + 1}" in text and f"version {wire.VERSION}" in text
    gets_in(running, params)
    assert f"version {wire.VERSION + 1}" in running.result().stderr


@pytest.mark.parametrize("process, says", [(2, "here already"), (0, "no process with its number"), (3, "no process with its number")])
def test_process_too_many_is_refused(door, params, process, says):
    running, stranger = door()
    time.sleep(1)               # process 2 has joined
    link = stranger()
    link.send(wire.HELLO, greeting := wire.hello(process, params, bytes(wire.NONCE)))
    challenge = link.expect(wire.CHALLENGE)
    link.send(wire.PROOF, wire.proof(b"P", running.secret, greeting[8:40], challenge[:32], greeting))
    assert says in is_turned_away(link)
    gets_in(running, params)


def test_strangers_do_not_extend_the_wait(door):
    """Strangers that come and go do not extend --link-timeout."""
    running, stranger = door(link_timeout="1.5")
    deadline = time.monotonic() + BOUND
    while running.processes[0].poll() is None and time.monotonic() < deadline:
        try:
            link = stranger()
            link.write(b"knock, knock")
            link.close()
        except (OSError, Gone):
            time.sleep(0.01)
    result = ended(running, [120, 120])
    assert (1, "did not come within 1.5 s") in reasons(result.stderr)


def test_long_timeout(door, params):
    """--link-timeout may be more microseconds than 32 bits hold."""
    running, stranger = door(link_timeout="4294.97")
    time.sleep(1)
    gets_in(running, params)


def test_another_build_is_turned_away(door, params):
    """Even if the protocol's number is the same: its timing may be another. The launcher says which build it starts."""
    place = 8 * re.findall(r"^    X\((\w+),", (ROOT / "hw/wire/protocol.h").read_text(), re.MULTILINE).index("BUILD")
    assert params[place:place + 8] != bytes(8)
    running, stranger = door(link_timeout="60")
    peer = Link(running.link)
    other = params[:place] + bytes([params[place] ^ 1]) + params[place + 1:]
    with pytest.raises(AssertionError):
        wire.join(peer, 1, other, running.secret)
    all_end(running)
    assert reasons(running.result().stderr) == [(1, "has a different build of QEMU from the hub's")]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_other_children_of_the_hub_may_end(transport):
    """A shell may have started them before it became the launcher: they are no peers."""
    script = f'true & sleep 0.3 & exec "$0" --processes 2 --transport {transport} -n 2 hello'
    done = subprocess.run(["sh", "-c", script, COMMAND], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("hello from node") == 2


# ---- a process that never comes --------------------------------------------------

@pytest.mark.parametrize("transport", TRANSPORTS)
def test_process_that_never_comes(begin, transport):
    with begin(without=1, transport=transport, link_timeout="0.5") as running:
        result = ended(running, [120, 120])
    assert reasons(result.stderr) == [(1, "did not come within 0.5 s")], result.report()


@pytest.mark.parametrize("transport", ["shm", "unix"])
def test_process_that_dies_before_it_greets(begin, transport):
    """No other process can take the place of the one that has ended, so the hub does not wait."""
    with begin(without=1, transport=transport, link_timeout="600") as running:
        running.link.close()
        result = ended(running, [120, 120])
    assert reasons(result.stderr) == [(1, "has gone")]


def test_closed_connection_is_waited_for_again(door, params):
    """A closed TCP connection may have been a stranger's, so the hub goes on waiting."""
    running, stranger = door(link_timeout="60")
    address = running.link.getpeername()
    running.link.close()
    running.link = socket.create_connection(address, timeout=20)
    gets_in(running, params)


def test_process_that_leaves_while_others_are_awaited(begin):
    """The machine ends when the hub sees that a process has gone, and not only after the wait for the others."""
    with begin(without=1, transport="tcp", link_timeout="60") as running:
        time.sleep(1.5)
        running.processes[1].kill()
        result = ended(running, [120, -9])
    assert [number for number, _ in reasons(result.stderr)] == [2]


def test_process_that_is_joining_learns_why_the_machine_ends(door, params):
    """It may be one of our own, which must not report that the hub has gone. It need not have greeted yet."""
    running, stranger = door(link_timeout="2")
    silent, greeted = stranger(), stranger()
    greeted.send(wire.HELLO, wire.hello(1, params))
    greeted.expect(wire.CHALLENGE)
    told = struct.pack(">HH", 1, 120) + b"did not come within 2 s"
    assert [link.expect(wire.ABORT) for link in (silent, greeted)] == [told] * 2
    assert reasons(ended(running, [120, 120]).stderr) == [(1, "did not come within 2 s")]


@pytest.mark.parametrize("hung_up", [False, True])
@pytest.mark.parametrize("greeted", [False, True])
def test_hub_that_ends_may_say_why(false_hub, greeted, hung_up):
    """A process that is joining leaves the report to the hub, even if the hub no longer listens to it."""
    running, link = false_hub(link_timeout="60")
    if greeted:
        link.expect(wire.HELLO)
    link.send(wire.ABORT, struct.pack(">HH", 1, 120) + b"has gone")
    if hung_up:
        link.close()
    assert ended(running, [120]).stderr == ""


def test_hub_that_ends_with_nonsense_is_reported(false_hub):
    running, link = false_hub(link_timeout="60")
    link.send(wire.ABORT, struct.pack(">HH", 9, 120) + b"has gone")
    assert reasons(ended(running, [120]).stderr) == [(0, "sent nonsense: an end of no known kind")]


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_while_others_are_awaited(begin, who, number):
    with begin(without=1, link_timeout="60") as running:
        time.sleep(1.5)
        running.processes[who].send_signal(number)
        all_end(running)
        result = running.result()
    assert [result.status, *result.others][who] == 130, result.report()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_while_the_hub_is_awaited(false_hub, number):
    running, link = false_hub(link_timeout="60")
    link.expect(wire.HELLO)
    running.processes[0].send_signal(number)
    all_end(running)
    assert running.result().status == 130
