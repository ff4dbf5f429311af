"""The handshake: strangers are turned away, and nobody is waited for longer than the bound.

The hub is real; who knocks is a script (link_protocol.py).
"""

import os
import signal
import socket
import struct
import time

import link_protocol as wire
import pytest
from link_machine import BOUND, TRANSPORTS, all_end, reasons
from link_protocol import Gone, Link, Peer

# ---- strangers ------------------------------------------------------------------

@pytest.fixture
def door(begin, params):
    """door(): a hub on TCP that waits for process 1, and a function that connects strangers to it."""
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
    """The right process 1 gets in, and the machine runs."""
    peer = Peer(Link(running.link))
    wire.join(peer.link, 1, params, running.secret)
    peer.play(5)
    assert running.processes[0].poll() is None


def is_turned_away(link):
    """It is told that, or just sent away, before the machine begins."""
    try:
        kind, text = link.receive()
        assert kind == wire.REFUSE
        with pytest.raises(Gone):
            link.receive()
    except Gone:
        text = b""
    return text.decode()


@pytest.mark.parametrize("comes", ["first", "last"])
def test_strangers_that_say_nothing(door, params, comes):
    """More of them than the hub listens to at a time. They do not keep the right one out."""
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
        except Gone:            # sent away before it had greeted: it comes again, as a process does
            running.link.close()
            running.link = socket.create_connection(address, timeout=50)
    else:
        pytest.fail("it was sent away each time")
    for sock in silent:
        sock.close()


def test_a_connection_that_was_handed_over_is_made_again(false_hub):
    """The launcher connects the processes of its host; the hub may send one away before it has begun to speak."""
    running, link = false_hub(transport="tcp", link_timeout="60")
    for _ in range(3):
        link.close()
        link = Link(running.link.accept()[0])
        link.expect(wire.HELLO)
    running.link.close()        # nobody listens any more
    link.close()
    all_end(running)
    assert running.result().status == 120
    assert running.result().stderr == "fugu: the hub hung up\n"


def test_who_has_greeted_stays(door, params):
    """The room that strangers take is that of strangers, though they came later."""
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
        silent[0].receive()             # it was the oldest
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
def test_a_stranger(door, params, kind):
    running, stranger = door()
    link = stranger()
    link.write(STRANGERS[kind])
    is_turned_away(link)
    gets_in(running, params)


@pytest.mark.parametrize("secret", [b"", b"not the right one"])
def test_a_stranger_without_the_secret(door, params, secret):
    """It says all the right things but the proof."""
    running, stranger = door()
    link = stranger()
    greeting = wire.hello(1, params, os.urandom(wire.NONCE))
    link.send(wire.HELLO, greeting)
    challenge = link.expect(wire.CHALLENGE)
    link.send(wire.PROOF, wire.proof(b"P", secret, greeting[8:40], challenge[:32], greeting))
    assert "secret" in is_turned_away(link)
    gets_in(running, params)


def test_a_stranger_that_repeats_what_it_hears(door, params):
    """Neither the hub's own proof nor one for another connection opens the door."""
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


def test_another_version(door, params):
    """Both sides hear of it; it is no reason to end for the hub."""
    running, stranger = door()
    link = stranger()
    link.send(wire.HELLO, wire.hello(1, params, version=wire.VERSION + 1))
    text = is_turned_away(link)
    assert f"version {wire.VERSION + 1}" in text and f"version {wire.VERSION}" in text
    gets_in(running, params)
    assert f"version {wire.VERSION + 1}" in running.result().stderr


@pytest.mark.parametrize("process, says", [(2, "here already"), (0, "none of"), (3, "none of")])
def test_a_process_too_many(door, params, process, says):
    running, stranger = door()
    time.sleep(1)               # process 2 is there
    link = stranger()
    link.send(wire.HELLO, greeting := wire.hello(process, params, bytes(wire.NONCE)))
    challenge = link.expect(wire.CHALLENGE)
    link.send(wire.PROOF, wire.proof(b"P", running.secret, greeting[8:40], challenge[:32], greeting))
    assert says in is_turned_away(link)
    gets_in(running, params)


def test_nobody_keeps_the_hub_waiting(door):
    """Strangers that come and go do not put the end of --link-timeout off."""
    running, stranger = door(link_timeout="1.5")
    deadline = time.monotonic() + BOUND
    while running.processes[0].poll() is None and time.monotonic() < deadline:
        try:
            link = stranger()
            link.write(b"knock, knock")
            link.close()
        except (OSError, Gone):
            time.sleep(0.01)
    all_end(running)
    result = running.result()
    assert [result.status, *result.others] == [120, 120], result.report()
    assert (1, "did not come within 1.5 s") in reasons(result.stderr)


def test_a_long_wait(door, params):
    """More microseconds than 32 bits hold."""
    running, stranger = door(link_timeout="4294.97")
    time.sleep(1)
    gets_in(running, params)


# ---- a process that never comes --------------------------------------------------

@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_process_that_never_comes(begin, transport):
    with begin(without=1, transport=transport, link_timeout="0.5") as running:
        all_end(running)
        result = running.result()
    assert [result.status, *result.others] == [120, 120], result.report()
    assert reasons(result.stderr) == [(1, "did not come within 0.5 s")], result.report()


@pytest.mark.parametrize("transport", ["shm", "unix"])
def test_a_process_that_dies_before_it_greets(begin, transport):
    """Nobody else can come in its place, so nobody is waited for."""
    with begin(without=1, transport=transport, link_timeout="600") as running:
        running.link.close()
        all_end(running)
        result = running.result()
    assert [result.status, *result.others] == [120, 120], result.report()
    assert reasons(result.stderr) == [(1, "has gone")]


def test_a_connection_that_is_given_up(door, params):
    """By TCP it may have been a stranger's: the wait goes on."""
    running, stranger = door(link_timeout="60")
    address = running.link.getpeername()
    running.link.close()
    running.link = socket.create_connection(address, timeout=20)
    gets_in(running, params)


def test_a_process_that_leaves_while_others_are_awaited(begin):
    """The end comes when it is seen, not when the wait for the others is over."""
    with begin(without=1, transport="tcp", link_timeout="60") as running:
        time.sleep(1.5)
        running.processes[1].kill()
        all_end(running)
        result = running.result()
    assert [result.status, *result.others] == [120, -9], result.report()
    assert [number for number, _ in reasons(result.stderr)] == [2]


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_others_are_awaited(begin, who, number):
    with begin(without=1, link_timeout="60") as running:
        time.sleep(1.5)
        running.processes[who].send_signal(number)
        all_end(running)
        result = running.result()
    assert [result.status, *result.others][who] == 130, result.report()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_hub_is_awaited(false_hub, number):
    running, link = false_hub(link_timeout="60")
    link.expect(wire.HELLO)
    running.processes[0].send_signal(number)
    all_end(running)
    assert running.result().status == 130
