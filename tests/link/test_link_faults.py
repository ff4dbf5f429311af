"""When a process dies, hangs up or sends nonsense, all processes end soon, with one line that names it.

The machine is real. The faulty process is killed, or a script takes its place
(link_protocol.py).
"""

import os
import random
import re
import signal
import struct
import time

import link_protocol as wire
import pytest
from link_machine import (
    BOUND,
    ENDLESS_WITH_A_TITLE,
    NODES,
    PROCESSES,
    SOON,
    TRANSPORTS,
    all_end,
    ended,
    nonsense_of,
    reasons,
)
from link_protocol import Gone, Link, Peer
from qmp import Qmp

TRIES = 20                  # starts of a machine whose processes make the same socket


@pytest.fixture
def impostor(begin, params):
    """impostor(transport) -> (running, link, peer): a machine, and a script that has joined it as process 1."""
    opened = []

    def make(transport="unix"):
        running = begin(without=1, transport=transport)
        opened.append(running)
        link = Link(running.link)
        wire.join(link, 1, params, running.secret)
        return running, link, Peer(link)
    yield make
    for running in opened:
        running.__exit__()


# ---- random times ------------------------------------------------------------

def kill(begin, params, rng):
    """Kills any process, at any time from its start on."""
    with begin(transport=rng.choice(TRANSPORTS)) as running:
        victim = rng.randrange(PROCESSES)
        time.sleep(rng.uniform(0, 1.5))
        running.processes[victim].kill()
        took = all_end(running)
        result = running.result()
    statuses = [result.status, *result.others]
    assert statuses.pop(victim) == -9
    assert statuses == [120] * (PROCESSES - 1), result.report()
    # The hub reports for all. If the hub itself was killed, each other process
    # reports; one that had not joined yet names the hub by its address.
    said = re.sub(r"^fugu: the hub( at \S+)? hung up$", "process 0 (node 0) hung up", result.stderr, flags=re.MULTILINE)
    assert [number for number, _ in reasons(said)] == [victim] * (1 if victim else PROCESSES - 1), result.report()
    return took


def misbehave(begin, params, rng, act):
    """Takes part as process 1 for a while, and then does `act`."""
    with begin(without=1, transport=rng.choice(TRANSPORTS)) as running:
        link = Link(running.link)
        wire.join(link, 1, params, running.secret)
        peer = Peer(link)
        until = time.monotonic() + rng.uniform(0, 0.5)
        while time.monotonic() < until:
            peer.play(rng.randrange(1, 50))
        act(link, peer, rng)
        took = all_end(running)
        result = running.result()
    assert [result.status, *result.others] == [120] * (PROCESSES - 1), result.report()
    assert [number for number, _ in reasons(result.stderr)] == [1], result.report()
    return took


def hang_up(link, peer, rng):
    """Hangs up at any place in a frame."""
    whole = wire.frame(wire.ROUND, wire.round_payload(peer.start, output=wire.piece(b"x" * 100)))
    link.write(whole[:rng.randrange(len(whole))])
    link.close()


def garbage(link, peer, rng):
    """Sends random bytes, or a frame with some random bytes, and then hangs up."""
    link.seconds = 1.0          # the hub may wait for the rest of a frame
    link.socket.settimeout(link.seconds)
    try:
        if rng.random() < 0.5:
            link.write(rng.randbytes(rng.randrange(8, 5000)))
        else:
            sent = wire.packet(peer.start, 2, 0, words=(0, 1, 2))
            text = bytearray(wire.frame(wire.ROUND, wire.round_payload(peer.start, sent, 1, output=wire.piece(b"text\n"))))
            for _ in range(rng.randrange(1, 9)):
                text[rng.randrange(len(text))] = rng.randrange(256)
            link.write(bytes(text))
        peer.play(2)
    except (Gone, TimeoutError):
        pass
    link.close()


FAULTS = {
    "killed": kill,
    "hung up": lambda begin, params, rng: misbehave(begin, params, rng, hang_up),
    "garbage": lambda begin, params, rng: misbehave(begin, params, rng, garbage),
}


def at_random_times(begin, params, kind, times, record_property):
    seed = int(os.environ.get("FUGU_TEST_SEED") or random.randrange(1 << 32))
    print(f"FUGU_TEST_SEED={seed}")
    rng = random.Random(seed)
    took = [FAULTS[kind](begin, params, rng) for _ in range(times)]
    soon = sum(one < SOON for one in took)
    record_property("summary", f"link faults, {kind}: {times} of {times} ended clean, {soon} of them within "
                               f"{SOON:g} s; the slowest took {max(took):.2f} s")


@pytest.mark.parametrize("kind", FAULTS)
def test_faults_at_random_times_end_all(begin, params, kind, record_property):
    at_random_times(begin, params, kind, 4, record_property)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", FAULTS)
def test_a_hundred_faults_end_all(begin, params, kind, record_property):
    at_random_times(begin, params, kind, 100, record_property)


# ---- signals -----------------------------------------------------------------

def begins(running):
    """Waits for the first line of the program, when all processes have joined. Returns False if one ended before."""
    deadline = time.monotonic() + BOUND
    while not running.result().stdout:
        if any(process.poll() is not None for process in running.processes):
            return False
        assert time.monotonic() < deadline, running.result().report()
        time.sleep(0.001)
    return True


def has_begun(running):
    assert begins(running), running.result().report()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_signal_to_the_hub_ends_all(begin, transport, number):
    """All processes end with 130, and none is reported as faulty."""
    with begin(ENDLESS_WITH_A_TITLE, transport=transport) as running:
        has_begun(running)
        running.processes[0].send_signal(number)
        result = ended(running, [130] * PROCESSES)
    assert reasons(result.stderr) == []


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_signal_to_another_process_ends_all(begin, transport):
    with begin(ENDLESS_WITH_A_TITLE, transport=transport) as running:
        has_begun(running)
        running.processes[2].terminate()
        result = ended(running, [120, 120, 130])
    assert reasons(result.stderr) == [(2, "was told to end")]


@pytest.mark.parametrize("transport, victim", [("shm", 1), ("unix", 2), ("tcp", 1), ("shm", 0), ("tcp", 0)])
def test_stopped_process_changes_nothing(start, machine, transport, victim):
    """All processes wait while one is stopped for three seconds, and the run is the usual one."""
    split = {"nodes": NODES, "processes": PROCESSES, "transport": transport}
    for laps in (20 * 4**n for n in range(9)):
        with start("ring", f"laps={laps}", "rounds=2", digest=True, **split) as running:
            has_begun(running)
            running.processes[victim].send_signal(signal.SIGSTOP)
            time.sleep(3)
            in_mid_run = [process.poll() for process in running.processes] == [None] * PROCESSES
            running.processes[victim].send_signal(signal.SIGCONT)
            result = running.wait(120)
        if in_mid_run:
            break
        # The run ended before it was stopped: try a longer one.
    assert in_mid_run
    assert [result.status, *result.others] == [0] * PROCESSES, result.report()
    one = machine("ring", f"laps={laps}", "rounds=2", nodes=NODES, digest=True).check(0)
    assert (result.stdout, result.stderr, result.digest) == (one.stdout, "", one.digest)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_reset_process_ends_all(begin, transport, tmp_path):
    """A monitor resets its process. All monitors have the same socket, and the last one to listen owns the socket."""
    path = tmp_path / "qmp"
    for _ in range(TRIES):
        with begin(ENDLESS_WITH_A_TITLE, transport=transport,
                   qemu_arg=["-qmp", f"unix:{path},server=on,wait=off"]) as running:
            if not begins(running):
                assert "Address already in use" in running.result().stderr, running.result().report()
                continue        # two processes removed the socket and made it at the same time
            monitor = Qmp(path)
            process = monitor.ask("qom-get", path="/machine", property="process")
            monitor.ask("system_reset")
            result = ended(running, [120] * PROCESSES)
            break
    # The hub reports the reset, and so does the process that was reset.
    assert set(reasons(result.stderr)) == {(process, "was reset")}


# ---- one kind of nonsense after the other ---------------------------------------

# Bytes in place of a round that starts at cycle `now`. Process 1 has nodes 2 and 3.
NONSENSE = {
    "text": lambda now: b"GET / HTTP/1.0\r\n\r\n",
    "zeros": lambda now: bytes(64),
    "an unknown type": lambda now: wire.frame(12),
    "a header with a reserved bit set": lambda now: struct.pack(">IHH", 36, wire.ROUND, 1),
    "a frame of 4 GiB": lambda now: struct.pack(">IHH", 0xFFFFFFFF, wire.ROUND, 0),
    "a greeting": lambda now: wire.frame(wire.HELLO, bytes(40)),
    "a frame that only the hub sends": lambda now: wire.frame(wire.GO, struct.pack(">qI", now, 0)),
    "a round that is too short": lambda now: wire.frame(wire.ROUND, wire.round_payload(now)[:-1]),
    "a round that is too long": lambda now: wire.frame(wire.ROUND, wire.round_payload(now) + b"x"),
    "an empty round": lambda now: wire.frame(wire.ROUND),
    "the round before": lambda now: wire.frame(wire.ROUND, wire.round_payload(now - 64)),
    "the round after": lambda now: wire.frame(wire.ROUND, wire.round_payload(now + 64)),
    "unknown flags": lambda now: wire.frame(wire.ROUND, wire.round_payload(now, flags=8)),
    "more ended nodes than it has": lambda now: wire.frame(wire.ROUND, wire.round_payload(now, ended=3)),
    "an impossible exit status": lambda now: wire.frame(wire.ROUND, wire.round_payload(now, flags=2, status=1000)),
    "an event in the past": lambda now: wire.frame(wire.ROUND, wire.round_payload(now, upcoming=-1)),
    "packets that are not there": lambda now: wire.frame(wire.ROUND, wire.round_payload(now, count=1)),
    "a billion packets": lambda now: wire.frame(wire.ROUND, wire.round_payload(now, count=10**9)),
    "output that is not there": lambda now: wire.frame(wire.ROUND, wire.round_payload(now, output_length=5)),
    "a piece of output that is cut short": lambda now: wire.frame(
        wire.ROUND, wire.round_payload(now, output=wire.piece(b"text")[:-1])),
    "a piece of output without a length": lambda now: wire.frame(
        wire.ROUND, wire.round_payload(now, output=wire.piece(b"text") + b"xyz")),
    "a packet from a node of the hub": lambda now: in_round(now, wire.packet(now, 1, 0)),
    "a packet from a node of another process": lambda now: in_round(now, wire.packet(now, 4, 0)),
    "a packet to no node": lambda now: in_round(now, wire.packet(now, 2, NODES)),
    "a packet of an earlier round": lambda now: in_round(now, wire.packet(now - 1, 2, 0)),
    "a packet of the round after": lambda now: in_round(now, wire.packet(now + 64, 2, 0)),
    "a packet from the end of time": lambda now: in_round(now, wire.packet((1 << 63) - 1, 2, 0)),
    "a packet of an unknown kind": lambda now: in_round(now, wire.packet(now, 2, 0, kind=2)),
    "a packet on a third network": lambda now: in_round(now, wire.packet(now, 2, 0, network=2)),
    "a packet without words": lambda now: in_round(now, wire.packet(now, 2, 0, words=())),
    "a packet of 17 words": lambda now: in_round(now, wire.packet(now, 2, 0, words=range(17))),
    "a packet with words that are not there": lambda now: in_round(now, wire.packet(now, 2, 0, count=16)),
    "a body that is too long": lambda now: in_round(now, wire.packet(now, 2, 0, has_body=1, body=bytes(4100))),
    "a body that is not there": lambda now: in_round(now, wire.packet(now, 2, 0, has_body=1, body_length=64)),
    "an uneven body": lambda now: in_round(now, wire.packet(now, 2, 0, has_body=1, body=bytes(6))),
    "a credit of 17 words": lambda now: in_round(now, wire.packet(now, 2, 0, kind=1, words=(17,))),
    "a credit for what was never sent": lambda now: in_round(now, wire.packet(now, 3, 2, kind=1, words=(2,))),
    "more words than a node has space for": lambda now: in_round(now, *[wire.packet(now, 2, 0)] * (SPACE // 2 + 1)),
    "a message and its credit in one round": lambda now: in_round(now, wire.packet(now, 2, 3),
                                                                  wire.packet(now, 3, 2, kind=1, words=(2,))),
    "the end of another process": lambda now: wire.frame(wire.ABORT, struct.pack(">HH", 9, 120) + b"x"),
    "nodes that were not asked for": lambda now: wire.frame(wire.NODES, bytes(8 + 2 * 36)),
}


SPACE = 64              # words that a node may have in the network


def in_round(now, *packets):
    return wire.frame(wire.ROUND, wire.round_payload(now, b"".join(packets), len(packets)))


@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_ends_all(impostor, kind):
    """The hub reports that process 1 sent nonsense, and all processes end with 120."""
    running, link, peer = impostor()
    peer.play(3)
    link.write(NONSENSE[kind](peer.start))
    result = ended(running, [120, 120])
    assert nonsense_of(result) == [1], result.report()


def test_packets_beyond_the_space_are_not_read(impostor):
    """The hub stops at the first packet that its node has no space for, and reads none after it.

    A frame can hold more than a million packets.
    """
    running, link, peer = impostor()
    peer.play(3)
    fits, wrong = wire.packet(peer.start, 2, 0), wire.packet(peer.start, 2, 0, network=2)
    link.write(in_round(peer.start, *[fits] * (SPACE // 2 + 1), wrong))
    all_end(running)
    assert reasons(running.result().stderr) == [(1, "sent nonsense: more words than it has space for")]


@pytest.mark.parametrize(("packet", "what"), [
    ({}, "a packet in a network that nobody uses"),
    ({"kind": 1, "words": (2,)}, "a packet in a network that nobody uses"),
    ({"network": 1, "words": (2,) * 17}, "a packet with a wrong number of words"),
    ({"network": 1, "has_body": 1}, "a packet with a wrong body"),
], ids=["message", "credit", "too many words", "body"])
def test_packets_are_those_of_the_kind_of_network_interface(begin, packet, what):
    """Without a message part there is the second network alone, whatever another process says."""
    endless = {"program": ("relay", "messages=100000000"), "ni": "none", "transport": "unix"}
    with begin(without=0, **endless) as running:
        running.link.settimeout(20)
        own = Link(running.link.accept()[0]).expect(wire.HELLO)[8 + wire.NONCE:]
    with begin(without=1, **endless) as running:
        link = Link(running.link)
        wire.join(link, 1, own, running.secret)
        peer = Peer(link)
        peer.play(3)
        link.write(in_round(peer.start, wire.packet(peer.start, 2, 0, **packet)))
        all_end(running)
        assert reasons(running.result().stderr) == [(1, f"sent nonsense: {what}")]


# ---- updates that another process makes up ---------------------------------------

PAGE = 4096


def crc32c(data):
    """CRC-32C (Castagnoli)."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def update(time, dest, data, **change):
    """A packet of SHRIMP's interface from node 2 for physical address `dest` of node 0.

    `change` may give it other bytes, place or crc than it should have.
    """
    words = [change.get("place", 0) | change.get("bytes", len(data)), dest]
    body = bytes(dest % 4) + data
    body += bytes(-len(body) % 4)
    crc = change.get("crc", crc32c(struct.pack(">II", *words) + body))
    return wire.packet(time, 2, 0, has_body=1, words=(*words, crc), body=body)


# Packets by the offset from the first of two pages that are mapped in. What node 0 drops, and the words that change
# in each of three pages.
FORGED = {
    "the last word of the page": ([(PAGE - 4, b"abcd", {})], "0 dropped: 0 place, 0 CRC, 0 page", "1 0 0"),
    "its last two bytes": ([(PAGE - 2, b"ab", {})], "0 dropped: 0 place, 0 CRC, 0 page", "1 0 0"),
    "a page's end that goes on in the next": ([(PAGE - 4, b"abcdefgh", {})], "1 dropped: 0 place, 1 CRC, 0 page", "0 0 0"),
    "the same by one byte": ([(PAGE - 3, b"abcd", {})], "1 dropped: 0 place, 1 CRC, 0 page", "0 0 0"),
    "a page that is not mapped in": ([(2 * PAGE, b"abcd", {})], "1 dropped: 0 place, 0 CRC, 1 page", "0 0 0"),
    "the end of what is mapped in": ([(2 * PAGE - 4, b"abcdefgh", {})], "1 dropped: 0 place, 1 CRC, 0 page", "0 0 0"),
    "more bytes than the body has": ([(0, b"abcd", {"bytes": 8})], "1 dropped: 0 place, 1 CRC, 0 page", "0 0 0"),
    "fewer": ([(0, b"abcdefgh", {"bytes": 4})], "1 dropped: 0 place, 1 CRC, 0 page", "0 0 0"),
    "none": ([(0, b"abcd", {"bytes": 0})], "1 dropped: 0 place, 1 CRC, 0 page", "0 0 0"),
    "a wrong CRC": ([(0, b"abcd", {"crc": 0})], "1 dropped: 0 place, 1 CRC, 0 page", "0 0 0"),
    "another node's place": ([(0, b"abcd", {"place": 1 << 20})], "1 dropped: 1 place, 0 CRC, 0 page", "0 0 0"),
    "good ones after bad ones": ([(0, b"abcd", {"crc": 0}), (4, b"abcd", {}), (2 * PAGE, b"abcd", {}), (PAGE, b"abcd", {})],
                                 "2 dropped: 0 place, 1 CRC, 1 page", "1 1 0"),
}


@pytest.mark.parametrize("case", FORGED)
def test_forged_updates_change_nothing(begin, case):
    """Node 0 drops and counts them, whatever their CRC says; what is right arrives."""
    packets, dropped, changed = FORGED[case]
    program = {"program": ("forged", f"packets={len(packets)}"), "ni": "shrimp", "transport": "unix"}
    with begin(without=0, **program) as running:
        running.link.settimeout(20)
        own = Link(running.link.accept()[0]).expect(wire.HELLO)[8 + wire.NONCE:]
    with begin(without=1, **program) as running:
        link = Link(running.link)
        wire.join(link, 1, own, running.secret)
        peer = Peer(link)
        while not (place := re.search("pages at 0x([0-9a-f]+)", running.result().stdout)):
            peer.play()
        at = int(place[1], 16)
        link.write(in_round(peer.start, *[update(peer.start, at + offset, data, **change)
                                          for offset, data, change in packets]))
        peer.start = struct.unpack(">q", link.receive()[1][:8])[0]
        while not (found := re.search("forged: (.*); changed: (.*)", running.result().stdout)):
            peer.play()
        assert found.groups() == (dropped, changed)
        link.close()
        all_end(running)


@pytest.mark.parametrize("length", [0, wire.SLOT_BYTES + 1, 255])
def test_broken_ring_ends_all(impostor, length):
    """A slot in shared memory has no bytes, or more than it can hold."""
    running, link, peer = impostor("shm")
    peer.play(3)
    link.put_slot(link.written, link.next_stamp(length))
    result = ended(running, [120, 120])
    assert nonsense_of(result) == [1], result.report()


def test_text_is_made_fit_for_a_terminal(impostor):
    running, link, peer = impostor()
    peer.play(3)
    link.send(wire.ABORT, struct.pack(">HH", 1, 120) + b"\x1b]0;owned\x07\nfugu: all is well\n" + b"x" * 5000)
    result = ended(running, [120, 120])
    assert all(" " <= letter <= "~" or letter == "\n" for letter in result.stderr)
    assert len(result.stderr) < 500 and "\nfugu: all is well" not in result.stderr


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_frames_may_come_byte_by_byte(impostor, transport):
    """A frame that comes byte by byte is read like any other."""
    running, link, peer = impostor(transport)
    peer.play(3)
    for byte in wire.frame(wire.ROUND, wire.round_payload(peer.start)):
        link.write(bytes([byte]))
        time.sleep(0.002)
    kind, payload = link.receive()
    assert kind == wire.GO and struct.unpack(">q", payload[:8])[0] == peer.start + 64
    peer.start += 64
    peer.play(3)
    link.close()
    all_end(running)
    assert reasons(running.result().stderr) == [(1, "has gone")]


# ---- a script in place of the hub -----------------------------------------------------------

FROM_THE_HUB = {
    "text": b"HTTP/1.0 200 OK\r\n\r\n",
    "a round": wire.frame(wire.ROUND, wire.round_payload(0)),
    "the same round again": wire.frame(wire.GO, struct.pack(">qI", 0, 0)),
    "a round before all time": wire.frame(wire.GO, struct.pack(">qI", -64, 0)),
    "packets that are not there": wire.frame(wire.GO, struct.pack(">qI", 64, 1)),
    "more bytes than announced": wire.frame(wire.GO, struct.pack(">qI", 64, 0) + b"x"),
    "a packet to a node of the hub": wire.frame(wire.GO, struct.pack(">qI", 64, 1) +
                                                  wire.packet(0, 4, 0, arrival=100)),
    "a packet that arrives in the past": wire.frame(wire.GO, struct.pack(">qI", 64, 1) +
                                                   wire.packet(0, 0, 4, arrival=1)),
    "a credit for what was never sent": wire.frame(wire.GO, struct.pack(">qI", 64, 1) +
                                                   wire.packet(0, 0, 4, arrival=100, kind=1, words=(2,))),
    "more words than a node has space for": wire.frame(wire.GO, struct.pack(">qI", 64, SPACE // 2 + 1) + b"".join(
        wire.packet(0, 0, 4, arrival=100 + number) for number in range(SPACE // 2 + 1))),
    "an end before the peers are ready": wire.frame(wire.END, b""),
    "an end without a status": wire.frame(wire.END, b"\0"),
    "a welcome": wire.frame(wire.WELCOME, b"\0\0"),
}


@pytest.mark.parametrize("kind", FROM_THE_HUB)
def test_nonsense_from_the_hub_ends_the_process(false_hub, kind):
    running, link = false_hub()
    wire.welcome(link)
    assert struct.unpack(">q", link.expect(wire.ROUND)[:8])[0] == 0
    link.write(FROM_THE_HUB[kind])
    result = ended(running, [120])
    assert nonsense_of(result) == [0], result.report()


def test_late_packet_from_the_hub_ends_the_process(false_hub):
    running, link = false_hub()
    wire.welcome(link)
    link.expect(wire.ROUND)
    link.send(wire.GO, struct.pack(">qI", 64, 0))
    assert struct.unpack(">q", link.expect(wire.ROUND)[:8])[0] == 64
    link.send(wire.GO, struct.pack(">qI", 128, 1) + wire.packet(63, 0, 4, arrival=128))
    result = ended(running, [120])
    assert nonsense_of(result) == [0], result.report()


@pytest.mark.parametrize("after", range(5))
def test_hub_that_hangs_up_ends_the_process(false_hub, after):
    """The hub hangs up at each point of the handshake, and after it."""
    running, link = false_hub()
    if after >= 1:
        greeting = link.expect(wire.HELLO)
    if after >= 2:
        link.write(wire.frame(wire.CHALLENGE, bytes(64))[:20])
    if after >= 3:
        running.__exit__()
        running, link = false_hub()
        greeting = link.expect(wire.HELLO)
        nonce = bytes(wire.NONCE)
        link.send(wire.CHALLENGE, nonce + wire.proof(b"H", b"", greeting[8:40], nonce, greeting))
    if after >= 4:
        link.expect(wire.PROOF)
        link.send(wire.WELCOME, b"\0\0")
    link.close()
    result = ended(running, [120])
    assert len(result.stderr.splitlines()) == 1, result.report()


def test_hub_without_the_secret_is_left(false_hub):
    """The process sends nothing that reveals the secret, and ends."""
    running, link = false_hub(transport="tcp")
    greeting = link.expect(wire.HELLO)
    nonce = bytes(wire.NONCE)
    link.send(wire.CHALLENGE, nonce + wire.proof(b"H", b"a guess of its own", greeting[8:40], nonce, greeting))
    with pytest.raises(Gone):
        link.receive()
    all_end(running)
    result = running.result()
    assert result.status == 120
    assert "secret" in result.stderr
    assert running.secret and running.secret.decode() not in result.stderr


def test_silent_hub_is_left(false_hub):
    running, link = false_hub(link_timeout="0.5")
    link.expect(wire.HELLO)
    all_end(running)
    assert running.result().status == 120
    assert "0.5 s" in running.result().stderr
